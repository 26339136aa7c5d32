import { shownOf } from '../changeset.js';
import { element, part, setParts } from './dom.js';

/**
 * @typedef {import('../changeset.js').Cell | import('../changeset.js').View} AnyView
 *
 * @typedef {object} Renderer says how cells and views of one type look
 * @property {(element: HTMLElement, view: AnyView) => void} configure fills the element. It is called
 *   again, with the same element, whenever the view changed; `setParts` touches only what differs.
 */

/** Knows the renderer of each type, and a decent one for types that it has never heard of. */
export class Registry {
  #renderers = new Map();
  #standard;

  /** @param {Renderer} standard */
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
   * @param {AnyView} view
   * @returns {AnyView | undefined} what is to be shown of it; undefined for nothing
   */
  shown(view) {
    return shownOf(view, (type) => this.#renderers.has(type));
  }

  /**
   * Fills an element. A renderer that fails does not take the list with it.
   *
   * @param {HTMLElement} element
   * @param {AnyView} view
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
 * Decides how any cell or view reads as a row, knowing nothing of the screen that it is of.
 *
 * @typedef {object} Row
 * @property {string} title
 * @property {string=} value what stands opposite the title
 * @property {string=} detail what stands below it
 * @property {{key: string, text: string}[]} facts the rest
 */

const titles = ['title', 'label', 'name', 'text', 'message', 'number'];
const values = ['value', 'weight', 'amount', 'price', 'duration', 'height'];
const details = ['detail', 'subtitle', 'body', 'description', 'summary', 'text', 'message', 'status'];
const protocol = ['id', 'type', 'size', 'fallback', 'action', 'actions', 'link'];

/**
 * @param {import('../changeset.js').Cell | import('../changeset.js').View} view
 * @returns {Row}
 */
export function rowOf(view) {
  const title = firstText(view, titles);
  const value = firstScalar(view, values, [title]);
  const detail = firstText(view, details, [title, value]);
  const rest = Object.entries(view).filter(([key, content]) => (
    ![title, value, detail, ...protocol].includes(key) && !key.startsWith('$') && isWorthSaying(content)
  ));
  return {
    title: String(title ? view[title] : view.id ?? view.type),
    ...(value && { value: String(view[value]) }),
    ...(detail && { detail: String(view[detail]) }),
    facts: rest.map(([key, content]) => ({ key: words(key), text: textOf(content) })),
  };
}

/** @returns {string} what people would call it */
export function nameOf(view) {
  return rowOf(view).title;
}

/** `isWeighed` and `delivery_day` as people write them. */
export function words(key) {
  const spaced = key.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[-_]+/g, ' ').toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

function firstText(view, keys, taken = []) {
  return keys.find((key) => !taken.includes(key) && typeof view[key] === 'string' && view[key] !== '');
}

function firstScalar(view, keys, taken) {
  return keys.find((key) => !taken.includes(key) && ['string', 'number'].includes(typeof view[key]) && view[key] !== '');
}

function isWorthSaying(content) {
  return content !== null && content !== '' && !(Array.isArray(content) && content.length === 0);
}

function textOf(content) {
  if (Array.isArray(content) && content.every((one) => typeof one !== 'object')) return content.join(', ');
  return typeof content === 'object' ? JSON.stringify(content) : String(content);
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

/** The renderers that each list has, if it is given no others. */
export const registry = new Registry({ configure: configureAny });

/** @param {string} type @param {Renderer} renderer */
export function register(type, renderer) {
  registry.register(type, renderer);
}
