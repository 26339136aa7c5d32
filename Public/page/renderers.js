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
register('password', labelled);
register('detail', labelled);
register('weight', labelled);
for (const type of ['connect', 'disconnect', 'schedule']) register(type, labelled);
register('section', titled);
register('day', titled);
register('invitation', worded);
register('end', worded);
register('hint', worded);
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
register('empty', worded);
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
register('back', titled);
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
      // Lock and bars say it to those who see them.
      unseen: view.detail,
      lock: view.isSecured === true && part(row, 'lock', () => element('span', 'lock')),
      bars: bars(row, view.bars),
    });
  },
});

/** A picture where there is none: its colours come from what it stands for, so that they are always the same. */
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
