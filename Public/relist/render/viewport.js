import { existing } from './dom.js';

/**
 * @typedef {{above: string[], below: string[]}} OutOfSight the ids of changed cells, and the names of changed headers and footers,
 *   outside of the viewport; both empty if any change is visible
 *
 * @typedef {'insert' | 'move' | 'update'} Verb
 * @typedef {Map<HTMLElement, Set<Verb>>} Verbs the verbs of each node; a node without verbs only shifts
 */

/** The viewport of a list, with the places of the nodes before and after a change. */
export class Viewport {
  /** @type {Map<HTMLElement, DOMRect>} */
  before = new Map();
  /** @type {Map<HTMLElement, DOMRect>} */
  after = new Map();
  #scroller;
  #frame = new DOMRect();
  /**
   * The distances of the changes in `OutOfSight` from the top of the content.
   *
   * @type {Map<string, number>}
   */
  #hiddenChanges = new Map();

  /** @param {HTMLElement} scroller */
  constructor(scroller) {
    this.#scroller = scroller;
  }

  get height() {
    return this.#frame.height;
  }

  /** @param {DOMRect} rect */
  contains({ top, bottom }) {
    return bottom > this.#frame.top && top < this.#frame.bottom;
  }

  /** @param {Iterable<HTMLElement>} nodes the nodes before a change, in document order */
  measure(nodes) {
    this.#frame = this.#scroller.getBoundingClientRect();
    this.before = placesOf(nodes);
  }

  /** @param {HTMLElement[]} nodes */
  visible(nodes) {
    return new Set(nodes.filter((node) => this.before.has(node) && this.contains(existing(this.before, node))));
  }

  /**
   * Measures the nodes after a change, and scrolls.
   *
   * @param {Verbs} verbs
   * @param {number=} scrollTop the scroll position; by default the visible content stays in place
   * @returns {OutOfSight}
   */
  settle(verbs, scrollTop) {
    const measured = placesOf(verbs.keys());
    const scrolled = scrollTop === undefined ? this.#anchor(verbs, measured) : this.scroll(scrollTop);
    this.after = new Map([...measured].map(([node, rect]) => [node, shifted(rect, scrolled)]));
    return this.#outOfSight(verbs);
  }

  /**
   * @param {number} scrollTop
   * @returns {number} the distance in pixels by which the content moved down
   */
  scroll(scrollTop) {
    const start = this.#scroller.scrollTop;
    this.#scroller.scrollTop = scrollTop;
    return start - this.#scroller.scrollTop;
  }

  /**
   * @param {string} id
   * @param {ScrollBehavior} behavior
   */
  reveal(id, behavior) {
    const top = this.#hiddenChanges.get(id);
    if (top !== undefined) this.#scroller.scrollTo({ top: top - this.height / 2, behavior });
  }

  /**
   * Keeps the first visible node in place that does not move. Footers are ignored, so that a list that grows keeps showing its last cell.
   *
   * @param {Verbs} verbs
   * @param {Map<HTMLElement, DOMRect>} after
   */
  #anchor(verbs, after) {
    const start = this.#scroller.scrollTop;
    if (start <= 0) return 0;
    const anchor = [...this.before].find(([node, rect]) => (
      !node.matches('.footer') && this.contains(rect) && after.has(node) && !existing(verbs, node).has('move')
    ));
    if (!anchor) return 0;
    return this.scroll(start + existing(after, anchor[0]).top - anchor[1].top);
  }

  /** @param {Verbs} verbs */
  #outOfSight(verbs) {
    /** @type {OutOfSight} */
    const found = { above: [], below: [] };
    this.#hiddenChanges.clear();
    const changed = [...this.after].filter(([node]) => existing(verbs, node).size > 0);
    const gone = [...this.before].filter(([node]) => !node.isConnected);
    for (const [node, rect] of [...changed, ...gone]) {
      if (this.contains(rect)) return { above: [], below: [] };
      /** @type {HTMLElement | null} */
      const section = node.closest('.section');
      const id = node.dataset.id ?? `${node.className} ${section?.dataset.id}`;
      this.#hiddenChanges.set(id, this.#scroller.scrollTop + rect.top - this.#frame.top);
      found[rect.top < this.#frame.top ? 'above' : 'below'].push(id);
    }
    return found;
  }
}

export function isMotionReduced() {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** @param {Iterable<HTMLElement>} nodes */
function placesOf(nodes) {
  return new Map([...nodes].filter(({ hidden }) => !hidden).map((node) => [node, node.getBoundingClientRect()]));
}

/**
 * @param {DOMRect} rect
 * @param {number} y
 */
function shifted(rect, y) {
  return y === 0 ? rect : new DOMRect(rect.left, rect.top + y, rect.width, rect.height);
}
