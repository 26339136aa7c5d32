import { element, setAttribute } from '../../relist/render/dom.js';

let count = 0;

/**
 * @typedef {object} Control a labelled control of a form
 * @property {string} name
 * @property {HTMLElement} node
 * @property {() => string | boolean} value
 * @property {(error: string | undefined) => void} complain
 * @property {() => void} focus
 */

/** What an `input` is for each type of field. A date is written as `2018-07-12` wherever it goes. */
const kinds = {
  text: ({ format, limit, values }) => (
    values ? select(['', ...values]) : input(['password', 'email', 'search'].includes(format) ? format : 'text', { maxlength: limit })
  ),
  integer: ({ minimum, maximum }) => input('number', { inputmode: 'numeric', step: 1, min: minimum, max: maximum }),
  number: ({ minimum, maximum }) => input('number', { inputmode: 'decimal', step: 'any', min: minimum, max: maximum }),
  date: () => input('date', {}),
  boolean: () => input('checkbox', {}),
  choice: ({ choices = [], titles = [], required }) => {
    const all = choices.map((value, index) => ({ value, title: titles[index] ?? value }));
    return select(required ? all : ['', ...all]);
  },
};

/**
 * @param {import('./fields.js').Field} field
 * @param {unknown} value
 * @returns {Control}
 */
export function controlOf(field, value) {
  const control = (Object.hasOwn(kinds, field.type) ? kinds[field.type] : kinds.text)(field);
  const isCheck = control.type === 'checkbox';
  control.name = field.name;
  control.id = `control-${count += 1}`;
  if (isCheck) control.checked = value === true;
  else control.value = value ?? '';
  const label = element('label', '', field.title ?? field.name);
  label.htmlFor = control.id;
  const error = element('p', 'error');
  error.id = `${control.id}-error`;
  error.hidden = true;
  return {
    name: field.name,
    node: element('div', `field ${control.type}`, [label, control, error]),
    value: () => (isCheck ? control.checked : control.value),
    complain: (text) => complain(control, error, text),
    focus: () => control.focus(),
  };
}

function complain(control, error, text) {
  error.textContent = text ?? '';
  error.hidden = !text;
  setAttribute(control, 'aria-invalid', text && 'true');
  setAttribute(control, 'aria-describedby', text && error.id);
}

function input(type, attributes) {
  const node = element('input');
  node.type = type;
  node.autocomplete = type === 'password' ? 'new-password' : 'off';
  for (const [name, value] of Object.entries(attributes)) setAttribute(node, name, value);
  return node;
}

function select(choices) {
  return element('select', '', choices.map((choice) => {
    const { value, title = value } = choice === '' ? { value: '', title: '–' } : choice;
    return Object.assign(element('option', '', title), { value });
  }));
}
