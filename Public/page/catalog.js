import { ClientError } from '../relist/client.js';
import { element, setAttribute } from '../relist/elements.js';
import { words } from '../relist/render.js';

/** The pauses in milliseconds before the list of screens is requested again, which double with each failure. */
const retryDelay = { minimum: 500, maximum: 30_000 };

export class Catalog {
  /** The server's screens and locales, in one `locale`. `standard` is the locale that the user prefers. */
  loaded;
  #client;
  #nextDelay = retryDelay.minimum;
  #retrying;

  constructor(client) {
    this.#client = client;
  }

  screen(name) {
    return this.loaded?.screens.find((screen) => screen.name === name);
  }

  /** Returns the view that the page opens without a screen: the first view of the tour, or else the first screen. */
  opening(parameters) {
    const { screens } = this.loaded;
    const tour = screens.find(({ name, example }) => example && name === 'deliveries');
    return tour ? { screen: tour.name, parameters: { contract: '240500-000', ...parameters } } : { screen: screens[0]?.name };
  }

  /** @param {string | undefined} locale */
  isLoaded(locale) {
    return this.loaded !== undefined && this.loaded.locale === locale;
  }

  /**
   * Loads the list of screens, in another language if the server does not support the requested one.
   *
   * @param {string | undefined} wanted
   * @param {() => boolean} isWanted returns whether the list is still wanted
   * @returns {Promise<boolean>} whether the list was still wanted
   */
  async load(wanted, isWanted) {
    const { screens, locales, takesTokens } = await this.#client.catalog({ locale: wanted }).catch((error) => {
      if (!(error instanceof ClientError) || error.isTemporary || wanted === undefined) throw error;
      return this.#client.catalog({});
    });
    if (!isWanted()) return false;
    this.#nextDelay = retryDelay.minimum;
    const standard = preferred(locales, navigator.languages);
    const locale = wanted === undefined || !locales.includes(wanted) ? standard : wanted;
    this.loaded = { screens, locales, standard, locale, takesTokens };
    return true;
  }

  clear() {
    this.loaded = undefined;
  }

  /**
   * Calls a function after a pause, in place of one that waits.
   *
   * @param {number} retryAfter milliseconds that are added
   */
  retry(load, retryAfter) {
    clearTimeout(this.#retrying);
    this.#retrying = setTimeout(load, this.#nextDelay + retryAfter);
    this.#nextDelay = Math.min(this.#nextDelay * 2, retryDelay.maximum);
  }
}

/**
 * Returns the locale that the server would choose.
 *
 * @param {string[]} locales the default first
 * @param {readonly string[]} languages the preferred one first
 */
export function preferred(locales, languages) {
  const primary = (tag) => tag.toLowerCase().split('-')[0];
  const wanted = languages.map(primary).find((language) => locales.some((locale) => primary(locale) === language));
  return locales.find((locale) => primary(locale) === wanted) ?? locales[0];
}

export class LocaleChoice {
  #fieldset;
  #error = element('small', 'error');
  #shown = '';

  constructor(fieldset, onChoose) {
    this.#fieldset = fieldset;
    this.#error.setAttribute('role', 'alert');
    fieldset.addEventListener('change', ({ target }) => {
      this.#error.textContent = '';
      onChoose(target.value);
    });
  }

  show(locales, chosen) {
    if (this.#shown !== locales.join()) {
      this.#shown = locales.join();
      this.#fieldset.replaceChildren(this.#fieldset.firstElementChild, ...locales.map(labelOf), this.#error);
    }
    this.#fieldset.hidden = locales.length < 2;
    for (const input of this.#fieldset.querySelectorAll('input')) input.checked = input.value === chosen;
  }

  showError(text) {
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

/** Returns the name of a language in this language, or an invalid tag itself. */
function nameOf(locale) {
  try {
    const name = new Intl.DisplayNames([locale], { type: 'language' }).of(locale);
    return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
  } catch {
    return locale;
  }
}

/** @typedef {import('../relist/protocol.js').ParameterDescription} Parameter */

/**
 * @param {Parameter} parameter
 * @returns {'search' | 'choice' | 'values' | 'integer' | 'number' | 'date' | 'text'} `text` for an unknown type
 */
export function controlKind({ type, format, choices, values }) {
  if (type === 'boolean' || (type === 'choice' && Array.isArray(choices))) return 'choice';
  if (Array.isArray(values) && values.length > 0) return 'values';
  if (['integer', 'number', 'date'].includes(type)) return type;
  return format === 'search' ? 'search' : 'text';
}

/** Returns whether the control is in the phone, above the list. @param {Parameter} parameter */
export function isShownInPhone(parameter) {
  return ['search', 'choice'].includes(controlKind(parameter));
}

export function choicesOf({ type, choices, titles = [] }, texts) {
  if (type === 'boolean') return [{ value: 'true', title: texts.yes }, { value: 'false', title: texts.no }];
  return choices.map((value, index) => ({ value, title: titles[index] ?? words(value) }));
}

/** A form with the parameters of a screen, without empty ones and defaults. */
export class ParameterForm {
  #form;
  #controls = new Map();
  #identity;
  #onChange;

  /** @param {(parameters: object) => void} onChange called on each keystroke; an undefined value removes a parameter */
  constructor(form, onChange) {
    this.#form = form;
    this.#onChange = onChange;
    form.addEventListener('input', () => this.#change());
    form.addEventListener('submit', (event) => event.preventDefault());
  }

  /**
   * Shows parameters. The controls of the same parameters are reused, so that the cursor keeps its position.
   *
   * @param {Parameter[]} parameters
   * @param {Object<string, string>} values
   * @param {{search: string, yes: string, no: string}} texts
   */
  show(parameters, values, texts) {
    const identity = JSON.stringify([parameters, texts.search]);
    if (this.#identity !== identity) {
      this.#identity = identity;
      this.#controls = new Map(parameters.map((parameter) => [parameter.name, controlOf(parameter, texts)]));
      this.#form.replaceChildren(...[...this.#controls.values()].map(({ node }) => node));
    }
    for (const { name } of parameters) this.#controls.get(name).set(values[name]);
    this.#form.hidden = parameters.length === 0;
  }

  /** @param {Map<string, string>} errors by name */
  showErrors(errors) {
    for (const [name, control] of this.#controls) control.setError(errors.get(name));
  }

  #change() {
    this.#onChange(Object.fromEntries([...this.#controls].map(([name, control]) => [name, control.get()])));
  }
}

let count = 0;

function controlOf(parameter, texts) {
  const kind = controlKind(parameter);
  const standard = parameter.default == null ? '' : String(parameter.default);
  const title = parameter.title ?? (kind === 'search' ? texts.search : words(parameter.name));
  if (kind === 'choice') return segments(parameter, title, standard, choicesOf(parameter, texts));
  return kind === 'values' ? selection(parameter, title, standard) : field(parameter, title, kind, standard);
}

/**
 * Creates a control with the values in the current data. A current value that is no longer among them is added.
 */
function selection({ name, description, values }, title, standard) {
  const select = element('select');
  Object.assign(select, { name, id: `parameter-${count += 1}` });
  const { nodes, setError } = labelled(select, title, description);
  const first = values.some(({ value }) => value === standard) ? [] : [option({ value: '', title: '–' })];
  return {
    node: element('div', 'parameter values', nodes),
    get: () => ([standard, ''].includes(select.value) ? undefined : select.value),
    set(value = standard) {
      const all = [...values];
      if (value && !all.some((one) => one.value === value)) all.push({ value });
      const options = [...first, ...all.map(option)];
      const isSame = options.length === select.options.length && options.every((one, index) => one.value === select.options[index].value);
      if (!isSame) select.replaceChildren(...options);
      select.value = value;
    },
    setError,
  };
}

export function labelled(control, title, description = '', labelClass = 'caption') {
  const label = Object.assign(element('label', labelClass, title), { htmlFor: control.id });
  const hint = Object.assign(element('small', 'hint', description), { id: `${control.id}-hint` });
  const error = Object.assign(element('small', 'error'), { id: `${control.id}-error`, role: 'alert' });
  control.setAttribute('aria-describedby', `${hint.id} ${error.id}`);
  const setError = (text) => {
    error.textContent = text ?? '';
    setAttribute(control, 'aria-invalid', text && 'true');
  };
  return { nodes: [label, control, hint, error], setError };
}

export function option({ value, title = value }) {
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
  const { nodes, setError } = kind === 'search' ? labelled(input, title, '', 'unseen') : labelled(input, title, description);
  return {
    node: element('div', `parameter ${kind}`, nodes),
    get: () => (input.value === '' || input.value === standard ? undefined : input.value),
    set: (value) => {
      const isEdited = document.activeElement === input;
      const wanted = value ?? (isEdited && input.value === standard ? standard : '');
      // The value of a half-typed number or date is empty, and must not be overwritten.
      const isHalf = wanted === '' && isEdited && input.validity.badInput;
      if (input.value !== wanted && !isHalf) input.value = wanted;
    },
    setError,
  };
}

function segments(parameter, title, standard, choices) {
  const group = `parameter-${count += 1}`;
  const inputs = choices.map(({ value }) => Object.assign(element('input'), { type: 'radio', name: group, value }));
  const legend = element('legend', 'unseen', title);
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
    setError: (text) => { error.textContent = text ?? ''; },
  };
}
