import { rowOf } from './content.js';
import { element, setParts } from './dom.js';
import { Registry } from './registry.js';

/** The renderers of the page: those of the example screens, and whatever a team registers. */
export const registry = new Registry({ configure: configureAny });

/** @param {string} type @param {import('./registry.js').Renderer} renderer */
export function register(type, renderer) {
  registry.register(type, renderer);
}

function configureAny(row, view) {
  const { title, value, detail, facts } = rowOf(view);
  const isSwitch = typeof view.isOn === 'boolean';
  setParts(row, {
    title,
    value: isSwitch ? undefined : value,
    knob: isSwitch && part(row, 'knob', () => element('span', 'knob')),
    detail,
    facts: facts.filter(({ key }) => key !== 'Is on').map(({ key, text }) => `${key}: ${text}`).join(' · '),
  });
}

/** The child of a row that has this name, made when it is first needed. */
function part(row, name, make) {
  return row.querySelector(`:scope > [data-part="${name}"]`) ?? make();
}

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
register('connect', { configure: (row, { label }) => setParts(row, { title: label }) });
register('section', titled);
register('day', titled);
register('invitation', worded);
register('end', worded);

register('delivery', {
  configure(row, { number, weight, status, isWeighed }) {
    row.classList.toggle('settled', isWeighed === true);
    setParts(row, { title: number, value: weight, detail: status });
  },
});

register('post', { configure: (row, { title, body }) => setParts(row, { title, detail: body }) });
register('more', { configure: (row, { title, detail }) => setParts(row, { title, detail }) });

register('loading', {
  configure(row, view) {
    const { title } = rowOf(view);
    setParts(row, { spinner: part(row, 'spinner', () => element('span', 'spinner')), title });
  },
});

register('network', {
  configure(row, view) {
    const { title, value, detail } = rowOf({ ...view, bars: undefined });
    setParts(row, {
      tick: view.isJoined === true && part(row, 'tick', () => element('span', 'tick')),
      title,
      value: value === undefined ? undefined : value,
      detail,
      lock: view.isSecured === true && part(row, 'lock', () => element('span', 'lock')),
      bars: bars(row, view.bars),
    });
  },
});

function bars(row, count) {
  const node = part(row, 'bars', () => element('span', 'bars', [1, 2, 3, 4].map(() => element('i'))));
  [...node.children].forEach((bar, index) => bar.classList.toggle('on', index < count));
  return node;
}
