import { element, isDate, part, setParts } from '../elements.js';
import { shownOf } from '../snapshot.js';

/**
 * @typedef {import('../protocol.js').LiveDate} LiveDate
 * @typedef {import('../protocol.js').View} View
 * @typedef {object} Renderer defines how cells and views of one type look
 * @property {(element: HTMLElement, view: View) => void} configure fills the element, and is called again with the same element when the
 *   view has changed
 */

export class Registry {
  /** @type {Map<string, Renderer>} */
  #renderers = new Map();
  #standard;

  /** @param {Renderer} standard for unknown types */
  constructor(standard) {
    this.#standard = standard;
  }

  /**
   * @param {string} type of cells, headers, footers or supplementary views
   * @param {Renderer} renderer
   */
  register(type, renderer) {
    this.#renderers.set(type, renderer);
  }

  /**
   * Returns the view to show, or its fallback.
   *
   * @param {View} view
   * @returns {View | undefined} undefined if nothing is shown
   */
  shown(view) {
    return shownOf(view, (type) => this.#renderers.has(type));
  }

  /**
   * Fills an element. If a renderer throws, the generic one is used.
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
 * @typedef {object} Row
 * @property {string} title
 * @property {string | LiveDate=} value opposite the title
 * @property {string=} detail below the title
 * @property {{key: string, text: string | LiveDate}[]} facts the rest
 */

const titles = ['title', 'label', 'name', 'text', 'message', 'number'];
const values = ['value', 'weight', 'amount', 'price', 'duration', 'height'];
const details = ['detail', 'subtitle', 'body', 'description', 'summary', 'text', 'message', 'status'];
/** The members that mean the same in all views. All others are content. */
export const viewMembers = ['id', 'type', 'size', 'fallback', 'action', 'actions', 'link'];

/** @param {View} view */
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
 * Returns the name of a cell or view for users.
 *
 * @param {View} view
 * @returns {string}
 */
export function nameOf(view) {
  return rowOf(view).title;
}

/**
 * Converts a key such as `isWeighed` to words.
 *
 * @param {string} key
 */
export function words(key) {
  const spaced = key.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[-_]+/g, ' ').toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/**
 * @param {View} view
 * @param {string[]} keys
 * @param {(string | undefined)[]} taken keys to skip
 */
function firstText(view, keys, taken = []) {
  return keys.find((key) => !taken.includes(key) && typeof view[key] === 'string' && view[key] !== '');
}

/**
 * @param {View} view
 * @param {string[]} keys
 * @param {(string | undefined)[]} taken
 */
function firstValue(view, keys, taken) {
  const isShort = (/** @type {unknown} */ content) => isDate(content) || ['string', 'number'].includes(typeof content);
  return keys.find((key) => !taken.includes(key) && isShort(view[key]) && view[key] !== '');
}

/** @param {unknown} content */
function isMeaningful(content) {
  return content !== null && content !== '' && !(Array.isArray(content) && content.length === 0);
}

/**
 * @param {unknown} content
 * @returns {string | LiveDate}
 */
function textOf(content) {
  if (isDate(content)) return content;
  if (Array.isArray(content) && content.every((one) => typeof one !== 'object')) return content.join(', ');
  return typeof content === 'object' ? JSON.stringify(content) : String(content);
}

/**
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
 * Returns the facts as one text, or as texts and dates.
 *
 * @param {Row['facts']} facts
 */
function joined(facts) {
  const pieces = facts.flatMap(({ key, text }, index) => [`${index > 0 ? ' · ' : ''}${key}: `, text]);
  return pieces.some(isDate) ? pieces : pieces.join('');
}

export const registry = new Registry({ configure: configureAny });

/**
 * Adds a renderer to those of all lists.
 *
 * @param {string} type
 * @param {Renderer} renderer
 */
export function register(type, renderer) {
  registry.register(type, renderer);
}
