import { element, setAttribute } from '../rendering/dom.js';
import { words } from '../rendering/content.js';
import { shapeOf } from './shape.js';

/**
 * A form of some of a screen's parameters. A control that is empty, or says what holds anyhow, leaves
 * its parameter out.
 */
export class ParameterForm {
  #form;
  #controls = new Map();
  #onChange;

  /**
   * @param {HTMLFormElement} form
   * @param {(parameters: Object<string, string | undefined>) => void} onChange called with each letter;
   *   undefined for those that are left out
   */
  constructor(form, onChange) {
    this.#form = form;
    this.#onChange = onChange;
    form.addEventListener('input', () => this.#change());
    form.addEventListener('submit', (event) => event.preventDefault());
  }

  /**
   * Keeps the controls, and with them the cursor, as long as the parameters are the same.
   *
   * @param {object[]} parameters as the server describes them
   * @param {Object<string, string>} values
   * @param {(name: string) => string} titleOf
   */
  show(parameters, values, titleOf) {
    const identity = JSON.stringify(parameters);
    if (this.#form.dataset.parameters !== identity) {
      this.#form.dataset.parameters = identity;
      this.#controls = new Map(parameters.map((parameter) => [parameter.name, controlOf(parameter, titleOf(parameter.name))]));
      this.#form.replaceChildren(...[...this.#controls.values()].map(({ node }) => node));
    }
    for (const { name } of parameters) this.#controls.get(name).set(values[name]);
    this.#form.hidden = parameters.length === 0;
  }

  /** Says at their controls what is wrong with parameters. @param {Map<string, string>} errors by name */
  complain(errors) {
    for (const [name, control] of this.#controls) control.complain(errors.get(name));
  }

  #change() {
    this.#onChange(Object.fromEntries([...this.#controls].map(([name, control]) => [name, control.get()])));
  }
}

let count = 0;

function controlOf(parameter, title) {
  const shape = shapeOf(parameter);
  const standard = parameter.default == null ? '' : String(parameter.default);
  return shape.kind === 'choice' ? segments(parameter, title, shape, standard) : field(parameter, title, shape, standard);
}

function field({ name, description }, title, { kind, minimum, maximum }, standard) {
  const input = element('input');
  input.type = { search: 'search', integer: 'number', date: 'date', text: 'text' }[kind];
  const placeholder = kind === 'search' ? title : standard;
  Object.assign(input, { name, id: `parameter-${count += 1}`, autocomplete: 'off', spellcheck: false, placeholder });
  setAttribute(input, 'min', minimum);
  setAttribute(input, 'max', maximum);
  const label = element('label', kind === 'search' ? 'unseen' : 'caption', title);
  label.htmlFor = input.id;
  const hint = element('small', 'hint', kind === 'search' ? '' : description ?? '');
  const error = element('small', 'error');
  [hint.id, error.id] = [`${input.id}-hint`, `${input.id}-error`];
  input.setAttribute('aria-describedby', `${hint.id} ${error.id}`);
  return {
    node: element('div', `parameter ${kind}`, [label, input, hint, error]),
    get: () => (input.value === '' || input.value === standard ? undefined : input.value),
    set: (value) => {
      const isEdited = document.activeElement === input;
      const wanted = value ?? (isEdited && input.value === standard ? standard : '');
      // A half-written number or date reads as nothing; it is not to be taken from under the cursor.
      const isHalf = wanted === '' && isEdited && input.validity.badInput;
      if (input.value !== wanted && !isHalf) input.value = wanted;
    },
    complain: (text) => {
      error.textContent = text ?? '';
      setAttribute(input, 'aria-invalid', text && 'true');
    },
  };
}

function segments({ name, description }, title, { choices }, standard) {
  const group = `parameter-${count += 1}`;
  const inputs = choices.map((choice) => {
    const input = element('input');
    Object.assign(input, { type: 'radio', name: group, value: choice });
    return input;
  });
  const legend = element('legend', 'caption', title);
  if (description) legend.title = description;
  const error = element('small', 'error');
  const labels = inputs.map((input) => element('label', '', [input, element('span', '', words(input.value))]));
  return {
    node: element('fieldset', 'parameter choice', [legend, element('div', 'segments', labels), error]),
    get: () => {
      const { value = standard } = inputs.find(({ checked }) => checked) ?? {};
      return value === standard ? undefined : value;
    },
    set: (value) => inputs.forEach((input) => { input.checked = input.value === (value ?? standard); }),
    complain: (text) => { error.textContent = text ?? ''; },
  };
}
