import { element, part, setParts } from '../relist/render/dom.js';
import { register, rowOf } from '../relist/render/registry.js';

const labelled = { configure: (row, { label, value }) => setParts(row, { title: label, value }) };
const titled = { configure: (row, { title }) => setParts(row, { title }) };
const worded = { configure: (row, { text }) => setParts(row, { detail: text }) };

register('field', {
  configure(row, { label, value, placeholder }) {
    setParts(row, { title: label, value, placeholder: value ? undefined : placeholder });
  },
});
for (const type of ['password', 'detail', 'weight', 'connect', 'disconnect', 'schedule']) register(type, labelled);
for (const type of ['section', 'day', 'back']) register(type, titled);
for (const type of ['invitation', 'end', 'hint', 'empty']) register(type, worded);
register('failure', { configure: (row, { title, text }) => setParts(row, { title, detail: text }) });

register('delivery', {
  configure(row, { number, weight, status, isWeighed }) {
    row.classList.toggle('settled', isWeighed === true);
    setParts(row, { title: number, value: weight, detail: status });
  },
});

register('post', { configure: (row, { title, body }) => setParts(row, { title, detail: body }) });
register('more', { configure: (row, { title, detail }) => setParts(row, { title, detail }) });

register('count', { configure: (row, { title, text }) => setParts(row, { title: title ?? text }) });
register('mountain', {
  configure(row, { name, height, range, country }) {
    setParts(row, { title: name, value: height, detail: [range, country].filter(Boolean).join(' · ') });
  },
});

register('artist', {
  configure(row, { name, genre, detail }) {
    setParts(row, { cover: cover(row, name, initials(name)), title: name, subtitle: genre, detail });
  },
});
register('biography', { configure: (row, { text }) => setParts(row, { detail: text }) });
register('album', {
  configure: (row, { title, year }) => setParts(row, { cover: cover(row, title, ''), title, detail: year }),
});
register('track', {
  configure(row, { title, album, number, duration }) {
    setParts(row, { number, title, detail: album, value: duration });
  },
});
register('badge', { configure: (row, { text }) => setParts(row, { title: text }) });

register('loading', {
  configure(row, view) {
    const { title } = rowOf(view);
    setParts(row, { spinner: part(row, 'spinner', () => element('span', 'spinner')), title });
  },
});

register('network', {
  configure(row, view) {
    setParts(row, {
      tick: view.isJoined === true && part(row, 'tick', () => element('span', 'tick')),
      title: view.name,
      // This text is for screen readers, which cannot read the pictures of the lock and the bars.
      unseen: view.detail,
      lock: view.isSecured === true && part(row, 'lock', () => element('span', 'lock')),
      bars: bars(row, view.bars),
    });
  },
});

/** Creates a picture for a name. The colours of the picture are derived from the name, so they are always the same. */
function cover(row, name, text) {
  const node = part(row, 'cover', () => element('span', 'cover'));
  node.style.setProperty('--hue', [...name].reduce((hue, letter) => (hue * 7 + letter.codePointAt(0)) % 360, 0));
  if (node.textContent !== text) node.textContent = text;
  node.setAttribute('aria-hidden', 'true');
  return node;
}

function initials(name) {
  return name.split(/\s+/).map((word) => [...word][0] ?? '').slice(0, 2).join('');
}

function bars(row, count) {
  const node = part(row, 'bars', () => element('span', 'bars', [1, 2, 3, 4].map(() => element('i'))));
  [...node.children].forEach((bar, index) => bar.classList.toggle('on', index < count));
  return node;
}
