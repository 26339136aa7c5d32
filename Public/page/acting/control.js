import { element, setAttribute } from '../../relist/elements.js';
import { labelled, option } from '../catalog.js';

let count = 0;

/**
 * @typedef {object} Control a labelled form control
 * @property {string} name
 * @property {HTMLElement} node
 * @property {() => string | boolean} value
 * @property {(value: unknown) => void} update shows a new value, unless the user has changed the shown one
 * @property {(error: string | undefined) => void} setError
 * @property {() => void} focus
 */

const none = { value: '', title: '–' };

/** The form control for each type of field. The value of a date control is in the format of the protocol, such as `2018-07-12`. */
const kinds = {
  text: ({ format, limit, values }) => (
    values ? select([none, ...values]) : input(['password', 'email', 'search'].includes(format) ? format : 'text', { maxlength: limit })
  ),
  integer: ({ minimum, maximum }) => input('number', { inputmode: 'numeric', step: 1, min: minimum, max: maximum }),
  number: ({ minimum, maximum }) => input('number', { inputmode: 'decimal', step: 'any', min: minimum, max: maximum }),
  date: () => input('date', {}),
  boolean: () => input('checkbox', {}),
  choice: ({ choices = [], titles = [], required }) => {
    const all = choices.map((value, index) => ({ value, title: titles[index] ?? value }));
    return select(required ? all : [none, ...all]);
  },
};

/**
 * Creates the form control of a field.
 *
 * @param {import('./fields.js').Field} field
 * @param {unknown} value
 * @param {ReturnType<typeof import('../phrases.js').phrases>} texts
 * @returns {Control}
 */
export function controlOf(field, value, texts) {
  const control = (Object.hasOwn(kinds, field.type) ? kinds[field.type] : kinds.text)(field);
  const isCheck = control.type === 'checkbox';
  control.name = field.name;
  control.id = `control-${count += 1}`;
  const current = () => (isCheck ? control.checked : control.value);
  let shown;
  const show = (one) => {
    if (isCheck) control.checked = one === true;
    else control.value = one ?? '';
    shown = current();
  };
  const update = (one) => {
    if (current() !== shown) return;
    const before = shown;
    show(one);
    // A new value replaces the selection, and typing would then add to the value.
    if (shown !== before && document.activeElement === control) control.select?.();
  };
  show(value);
  // An empty text and an unchecked box are valid values.
  control.required = field.required && !isCheck && field.type !== 'text';
  const isBounded = field.minimum !== undefined && field.maximum !== undefined;
  const { nodes, setError } = labelled(control, field.title ?? field.name, isBounded ? texts.mustBe(field) : '');
  return {
    name: field.name,
    node: element('div', `field ${control.type}`, nodes),
    value: current,
    update,
    setError,
    focus: () => control.focus(),
  };
}

function input(type, attributes) {
  const node = element('input');
  node.type = type;
  node.autocomplete = type === 'password' ? 'new-password' : 'off';
  for (const [name, value] of Object.entries(attributes)) setAttribute(node, name, value);
  return node;
}

function select(choices) {
  return element('select', '', choices.map(option));
}
