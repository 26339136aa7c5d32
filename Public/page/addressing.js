import { element, setAttribute } from '../relist/render/dom.js';
import { words } from '../relist/render/registry.js';

/**
 * What the page shows, as it stands in the address: `#/deliveries?from=2018-07-01&locale=fr`, the
 * path of the server itself. `?screen=deliveries&from=…` is understood where there is no hash.
 *
 * @typedef {{screen?: string, parameters: Object<string, string>, locale?: string}} Address
 */

/**
 * @param {{hash: string, search: string}} location
 * @returns {Address}
 */
export function parseAddress({ hash, search }) {
  const [path, ...query] = hash.replace(/^#\/?/, '').split('?');
  if (path) return address(decoded(path), new URLSearchParams(query.join('?')));
  const all = new URLSearchParams(search);
  const screen = all.get('screen') ?? undefined;
  all.delete('screen');
  return address(screen, all);
}

/**
 * @param {Address} address
 * @returns {string} a hash
 */
export function formatAddress({ screen, parameters, locale }) {
  const query = new URLSearchParams(parameters);
  if (locale) query.set('locale', locale);
  const text = query.toString();
  return `#/${encodeURIComponent(screen)}${text && `?${text}`}`;
}

function address(screen, query) {
  const { locale, ...parameters } = Object.fromEntries(query);
  return { screen, parameters, locale };
}

/** An address is typed by people; a stray % is part of a name that does not exist. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * @param {string[]} locales those that the server has, its own preference first
 * @param {readonly string[]} languages those that the user reads, the dearest first
 * @returns {string | undefined} the same that the server picks for this user; undefined where there are none
 */
export function preferred(locales, languages) {
  const primary = (tag) => tag.toLowerCase().split('-')[0];
  const wanted = languages.map(primary).find((language) => locales.some((locale) => primary(locale) === language));
  return locales.find((locale) => primary(locale) === wanted) ?? locales[0];
}

/** The choice between the languages of a server. One that has no choice shows none. */
export class LocaleChoice {
  #fieldset;
  #error = element('small', 'error');
  #shown = '';

  /**
   * @param {HTMLFieldSetElement} fieldset with its legend
   * @param {(locale: string) => void} onChoose
   */
  constructor(fieldset, onChoose) {
    this.#fieldset = fieldset;
    this.#error.setAttribute('role', 'alert');
    fieldset.addEventListener('change', ({ target }) => {
      this.#error.textContent = '';
      onChoose(target.value);
    });
  }

  /** @param {string[]} locales @param {string | undefined} chosen */
  show(locales, chosen) {
    if (this.#shown !== locales.join()) {
      this.#shown = locales.join();
      this.#fieldset.replaceChildren(this.#fieldset.firstElementChild, ...locales.map(labelOf), this.#error);
    }
    this.#fieldset.hidden = locales.length < 2;
    for (const input of this.#fieldset.querySelectorAll('input')) input.checked = input.value === chosen;
  }

  /** Says that a language that was asked for is none of these. @param {string} text */
  complain(text) {
    this.#error.textContent = text;
  }
}

function labelOf(locale) {
  const input = element('input');
  Object.assign(input, { type: 'radio', name: 'locale', value: locale });
  const name = element('span', '', nameOf(locale));
  setAttribute(name, 'lang', locale);
  return element('label', '', [input, name]);
}

/** As those who speak it call it. What is no language tag is its own name. */
function nameOf(locale) {
  try {
    const name = new Intl.DisplayNames([locale], { type: 'language' }).of(locale);
    return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
  } catch {
    return locale;
  }
}

/**
 * @typedef {object} Parameter a parameter of a screen, as `GET /screens` describes it
 * @property {string} name
 * @property {string=} title
 * @property {string=} description
 * @property {'text' | 'integer' | 'number' | 'boolean' | 'date' | 'choice'} type
 * @property {'search'=} format
 * @property {string=} shape in words
 * @property {string[]=} choices
 * @property {string[]=} titles of the choices
 * @property {{value: string, title?: string}[]=} values those that there are now, of a text that could be any
 * @property {number=} minimum
 * @property {number=} maximum
 * @property {number=} limit in characters
 * @property {string=} default
 */

/**
 * @param {Parameter} parameter
 * @returns {'search' | 'choice' | 'values' | 'integer' | 'number' | 'date' | 'text'} the control for it; a text for a
 *   type that this page does not know
 */
export function controlKind({ type, format, choices, values }) {
  if (type === 'boolean' || (type === 'choice' && Array.isArray(choices))) return 'choice';
  if (Array.isArray(values) && values.length > 0) return 'values';
  if (['integer', 'number', 'date'].includes(type)) return type;
  return format === 'search' ? 'search' : 'text';
}

/** @param {Parameter} parameter @returns {boolean} whether it belongs to the list, and stands above it */
export function isShownInPhone(parameter) {
  return ['search', 'choice'].includes(controlKind(parameter));
}

/**
 * @param {Parameter} parameter one for which the control is a choice
 * @param {{yes: string, no: string}} said
 * @returns {{value: string, title: string}[]}
 */
export function choicesOf({ type, choices, titles = [] }, said) {
  if (type === 'boolean') return [{ value: 'true', title: said.yes }, { value: 'false', title: said.no }];
  return choices.map((value, index) => ({ value, title: titles[index] ?? words(value) }));
}

/**
 * A form of some of a screen's parameters. A control that is empty, or says what holds anyhow, leaves
 * its parameter out.
 */
export class ParameterForm {
  #form;
  #controls = new Map();
  #identity;
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
   * @param {Parameter[]} parameters
   * @param {Object<string, string>} values
   * @param {{search: string, yes: string, no: string}} said
   */
  show(parameters, values, said) {
    const identity = JSON.stringify([parameters, said.search]);
    if (this.#identity !== identity) {
      this.#identity = identity;
      this.#controls = new Map(parameters.map((parameter) => [parameter.name, controlOf(parameter, said)]));
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

function controlOf(parameter, said) {
  const kind = controlKind(parameter);
  const standard = parameter.default == null ? '' : String(parameter.default);
  const title = kind === 'search' ? said.search : parameter.title ?? words(parameter.name);
  if (kind === 'choice') return segments(parameter, title, standard, choicesOf(parameter, said));
  return kind === 'values' ? selection(parameter, title, standard) : field(parameter, title, kind, standard);
}

/** One of the values that there are; one that there is no more stays to be seen, for the server to refuse. */
function selection({ name, description, values }, title, standard) {
  const select = element('select');
  Object.assign(select, { name, id: `parameter-${count += 1}` });
  const { nodes, complain } = described(select, title, description);
  const first = values.some(({ value }) => value === standard) ? [] : [option({ value: '', title: '–' })];
  return {
    node: element('div', 'parameter values', nodes),
    get: () => ([standard, ''].includes(select.value) ? undefined : select.value),
    set(value = standard) {
      const known = [...values];
      if (value && !known.some((one) => one.value === value)) known.push({ value });
      const wanted = [...first, ...known.map(option)];
      const isSame = wanted.length === select.options.length && wanted.every((one, index) => one.value === select.options[index].value);
      if (!isSame) select.replaceChildren(...wanted);
      select.value = value;
    },
    complain,
  };
}

/** A control with its name above it, what it does below, and what is wrong with it. */
function described(control, title, description = '') {
  const label = Object.assign(element('label', 'caption', title), { htmlFor: control.id });
  const hint = Object.assign(element('small', 'hint', description), { id: `${control.id}-hint` });
  const { nodes, complain } = faulty(control, [hint.id]);
  return { nodes: [label, control, hint, ...nodes], complain };
}

/** A control that says itself what it is. */
function named(control, title) {
  control.setAttribute('aria-label', title);
  const { nodes, complain } = faulty(control);
  return { nodes: [control, ...nodes], complain };
}

function faulty(control, described = []) {
  const error = Object.assign(element('small', 'error'), { id: `${control.id}-error` });
  control.setAttribute('aria-describedby', [...described, error.id].join(' '));
  const complain = (text) => {
    error.textContent = text ?? '';
    setAttribute(control, 'aria-invalid', text && 'true');
  };
  return { nodes: [error], complain };
}

function option({ value, title = value }) {
  return Object.assign(element('option', '', title), { value });
}

function field({ name, description, minimum, maximum }, title, kind, standard) {
  const input = element('input');
  input.type = { integer: 'number' }[kind] ?? kind;
  if (kind === 'number') input.step = 'any';
  const placeholder = kind === 'search' ? title : standard;
  Object.assign(input, { name, id: `parameter-${count += 1}`, autocomplete: 'off', spellcheck: false, placeholder });
  setAttribute(input, 'min', minimum);
  setAttribute(input, 'max', maximum);
  const { nodes, complain } = kind === 'search' ? named(input, title) : described(input, title, description);
  return {
    node: element('div', `parameter ${kind}`, nodes),
    get: () => (input.value === '' || input.value === standard ? undefined : input.value),
    set: (value) => {
      const isEdited = document.activeElement === input;
      const wanted = value ?? (isEdited && input.value === standard ? standard : '');
      // A half-written number or date reads as nothing; it is not to be taken from under the cursor.
      const isHalf = wanted === '' && isEdited && input.validity.badInput;
      if (input.value !== wanted && !isHalf) input.value = wanted;
    },
    complain,
  };
}

function segments(parameter, title, standard, choices) {
  const group = `parameter-${count += 1}`;
  const inputs = choices.map(({ value }) => Object.assign(element('input'), { type: 'radio', name: group, value }));
  const legend = element('legend', 'caption', title);
  if (parameter.description) legend.title = parameter.description;
  const error = element('small', 'error');
  const labels = inputs.map((input, index) => element('label', '', [input, element('span', '', choices[index].title)]));
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
