import { element, isDate, part, setParts } from '../elements.js';
import { shownOf } from '../snapshot.js';

/**
 * @typedef {import('../protocol.js').LiveDate} LiveDate
 * @typedef {import('../protocol.js').View} View
 *
 * @typedef {object} Renderer defines how cells and views of one type look
 * @property {(element: HTMLElement, view: View) => void} configure fills the element. It is called again with the same element whenever the
 *   view has changed; `setParts` changes only the parts that differ.
 */

/** The renderers of all types, with a generic one for unknown types. */
export class Registry {
  /** @type {Map<string, Renderer>} */
  #renderers = new Map();
  #standard;

  /** @param {Renderer} standard the renderer for unknown types */
  constructor(standard) {
    this.#standard = standard;
  }

  /**
   * Registers the renderer of a type.
   *
   * @param {string} type of cells, headers, footers or supplementary views
   * @param {Renderer} renderer
   */
  register(type, renderer) {
    this.#renderers.set(type, renderer);
  }

  /**
   * Returns the view to show: the given view, or its fallback.
   *
   * @param {View} view
   * @returns {View | undefined} undefined if nothing is shown
   */
  shown(view) {
    return shownOf(view, (type) => this.#renderers.has(type));
  }

  /**
   * Fills an element. If the renderer of a type throws, the generic renderer is used.
   *
   * @param {HTMLElement} element
   * @param {View} view
   */
  configure(element, view) {
    const renderer = this.#renderers.get(view.type) ?? this.#standard;
    try {
      renderer.configure(element, view);
    } catch (error) {
      console.error(`The renderer of ${view.type} failed`, error);
      element.replaceChildren();
      this.#standard.configure(element, view);
    }
  }
}

/**
 * The content of a row, derived from a cell or view of any screen.
 *
 * @typedef {object} Row
 * @property {string} title
 * @property {string | LiveDate=} value stands opposite the title
 * @property {string=} detail stands below the title
 * @property {{key: string, text: string | LiveDate}[]} facts the remaining content
 */

const titles = ['title', 'label', 'name', 'text', 'message', 'number'];
const values = ['value', 'weight', 'amount', 'price', 'duration', 'height'];
const details = ['detail', 'subtitle', 'body', 'description', 'summary', 'text', 'message', 'status'];
/** The names of the members that have the same meaning in all cells and views. All other members are content. */
export const viewMembers = ['id', 'type', 'size', 'fallback', 'action', 'actions', 'link'];

/**
 * Returns the content of a row for a cell or view.
 *
 * @param {View} view
 * @returns {Row}
 */
export function rowOf(view) {
  const title = firstText(view, titles);
  const value = firstValue(view, values, [title]);
  const detail = firstText(view, details, [title, value]);
  const rest = Object.entries(view).filter(([key, content]) => (
    ![title, value, detail, ...viewMembers].includes(key) && !key.startsWith('$') && isMeaningful(content)
  ));
  return {
    title: String(title ? view[title] : view.id ?? view.type),
    ...(value && { value: textOf(view[value]) }),
    ...(detail && { detail: String(view[detail]) }),
    facts: rest.map(([key, content]) => ({ key: words(key), text: textOf(content) })),
  };
}

/**
 * Returns a name for a cell or view to show to users.
 *
 * @param {View} view
 * @returns {string}
 */
export function nameOf(view) {
  return rowOf(view).title;
}

/**
 * Converts a key such as `isWeighed` or `delivery_day` to words.
 *
 * @param {string} key
 */
export function words(key) {
  const spaced = key.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[-_]+/g, ' ').toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/**
 * Returns the first key whose value is a text.
 *
 * @param {View} view
 * @param {string[]} keys
 * @param {(string | undefined)[]} taken keys to skip
 */
function firstText(view, keys, taken = []) {
  return keys.find((key) => !taken.includes(key) && typeof view[key] === 'string' && view[key] !== '');
}

/**
 * Returns the first key whose value is a text, a number or a date.
 *
 * @param {View} view
 * @param {string[]} keys
 * @param {(string | undefined)[]} taken keys to skip
 */
function firstValue(view, keys, taken) {
  const isShort = (/** @type {unknown} */ content) => isDate(content) || ['string', 'number'].includes(typeof content);
  return keys.find((key) => !taken.includes(key) && isShort(view[key]) && view[key] !== '');
}

/**
 * Returns whether a value is not empty.
 *
 * @param {unknown} content
 */
function isMeaningful(content) {
  return content !== null && content !== '' && !(Array.isArray(content) && content.length === 0);
}

/**
 * Returns a value as text. A date stays a date.
 *
 * @param {unknown} content
 * @returns {string | LiveDate}
 */
function textOf(content) {
  if (isDate(content)) return content;
  if (Array.isArray(content) && content.every((one) => typeof one !== 'object')) return content.join(', ');
  return typeof content === 'object' ? JSON.stringify(content) : String(content);
}

/**
 * Fills a row with the content of a view of any type.
 *
 * @param {HTMLElement} row
 * @param {View} view
 */
function configureAny(row, view) {
  const { title, value, detail, facts } = rowOf(view);
  const isSwitch = typeof view.isOn === 'boolean';
  setParts(row, {
    title,
    value: isSwitch ? undefined : value,
    knob: isSwitch && part(row, 'knob', () => element('span', 'knob')),
    detail,
    facts: joined(facts.filter(({ key }) => key !== 'Is on')),
  });
}

/**
 * Returns the remaining content of a row as one text, or as texts and dates.
 *
 * @param {Row['facts']} facts
 */
function joined(facts) {
  const pieces = facts.flatMap(({ key, text }, index) => [`${index > 0 ? ' · ' : ''}${key}: `, text]);
  return pieces.some(isDate) ? pieces : pieces.join('');
}

/** The default renderers of a list. */
export const registry = new Registry({ configure: configureAny });

/**
 * Adds a renderer to the default renderers.
 *
 * @param {string} type
 * @param {Renderer} renderer
 */
export function register(type, renderer) {
  registry.register(type, renderer);
}
