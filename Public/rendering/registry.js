import { shownOf } from '../changing/fallback.js';

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
