import { existing } from './dom.js';

/**
 * The duration of each kind of animation, in milliseconds. Deleted, moved and shifted nodes are animated at the same time. The animations
 * of inserted nodes start later if other nodes are deleted or moved.
 */
const timing = {
  delete: { duration: 220, easing: 'ease-in' },
  shift: { duration: 340, easing: 'cubic-bezier(.2,.8,.2,1)' },
  move: { duration: 420, easing: 'cubic-bezier(.2,.8,.2,1)' },
  insert: { duration: 300, easing: 'cubic-bezier(.2,.8,.2,1)' },
  update: { duration: 1100, easing: 'ease-out' },
};

/** The delay of inserts in milliseconds. During the delay, other rows make space for the inserted rows. */
const insertDelay = 120;
/** The delay of all animations other than updates, in milliseconds, if nodes are updated. During the delay, the user sees the updates. */
const updateDelay = 90;

/**
 * @typedef {{above: string[], below: string[]}} OutOfSight the ids of changed cells, and the names of changed headers and footers,
 *   outside of the viewport; both empty if any change is visible
 *
 * @typedef {'insert' | 'move' | 'update'} Verb
 * @typedef {Map<HTMLElement, Set<Verb>>} Verbs the verbs of each node; a node without verbs only shifts
 */

/**
 * Animates a change of a list: deleted nodes slide out, moved nodes are lifted, inserted nodes drop in, and updated nodes are tinted. All
 * other nodes shift to their new places. The `id` of each animation is the name
 * of its kind: `delete`, `insert`, `move`, `shift` or `update`.
 *
 * The list is in its final state at once. Each node is measured before and after the change, and is animated from its old place to its new
 * place. If a new change interrupts an animation, the next animation starts at the visible position of the node.
 */
export class Motion {
  /** The speed of animations. The normal speed is 1. */
  speed = 1;
  #scroller;
  #ghosts;
  /**
   * The places of the nodes at the last measurement.
   *
   * @type {Map<HTMLElement, DOMRect>}
   */
  #before = new Map();
  #frame = new DOMRect();
  /**
   * The running animation of each node.
   *
   * @type {Map<HTMLElement, Animation>}
   */
  #running = new Map();
  /**
   * The running animations of copies of deleted nodes.
   *
   * @type {Set<Animation>}
   */
  #removals = new Set();
  /**
   * For each change outside of the viewport, its distance in pixels from the top of the content. The keys are the ids in `OutOfSight`.
   *
   * @type {Map<string, number>}
   */
  #hiddenChanges = new Map();

  /**
   * @param {HTMLElement} scroller
   * @param {HTMLElement} ghosts contains copies of deleted nodes; lies at the top of the scrolled content
   */
  constructor(scroller, ghosts) {
    this.#scroller = scroller;
    this.#ghosts = ghosts;
  }

  get isReduced() {
    return matchMedia('(prefers-reduced-motion: reduce)').matches;
  }

  /**
   * A promise that resolves when all animations have ended.
   *
   * @returns {Promise<void>}
   */
  get settled() {
    const all = [...this.#running.values(), ...this.#removals].map(({ finished }) => finished.catch(() => {}));
    return Promise.all(all).then(() => {});
  }

  /**
   * Measures the places of the nodes before a change. Hidden nodes are ignored.
   *
   * @param {Iterable<HTMLElement>} nodes in document order
   */
  measure(nodes) {
    this.#frame = this.#scroller.getBoundingClientRect();
    this.#before = new Map();
    for (const node of nodes) if (!node.hidden) this.#before.set(node, node.getBoundingClientRect());
  }

  /**
   * Returns the nodes that were in the viewport at the last measurement.
   *
   * @param {HTMLElement[]} nodes
   * @returns {Set<HTMLElement>}
   */
  visible(nodes) {
    return new Set(nodes.filter((node) => this.#before.has(node) && this.#isVisible(existing(this.#before, node))));
  }

  /**
   * Animates the nodes to their current places.
   *
   * @param {Verbs} verbs
   * @param {number=} scrollTop the scroll position afterwards; by default the visible content stays in place
   * @returns {OutOfSight}
   */
  play(verbs, scrollTop) {
    this.#stop();
    const nodes = [...verbs.keys()].filter((node) => !node.hidden);
    const measured = new Map(nodes.map((node) => [node, node.getBoundingClientRect()]));
    const scrolled = scrollTop === undefined ? this.#anchor(verbs, measured) : this.scroll(scrollTop);
    const after = new Map([...measured].map(([node, rect]) => [node, shifted(rect, scrolled)]));
    if (!this.isReduced) this.#animateAll(verbs, after);
    return this.#outOfSight(verbs, after);
  }

  /** Cancels all animations. */
  clear() {
    this.#stop();
    this.#removals.clear();
    this.#ghosts.replaceChildren();
  }

  /**
   * Scrolls to a position.
   *
   * @param {number} scrollTop
   * @returns {number} the distance in pixels by which the content moved down
   */
  scroll(scrollTop) {
    const start = this.#scroller.scrollTop;
    this.#scroller.scrollTop = scrollTop;
    return start - this.#scroller.scrollTop;
  }

  /**
   * Scrolls to a change outside of the viewport.
   *
   * @param {string} id
   * @param {ScrollBehavior} behavior
   */
  reveal(id, behavior) {
    const top = this.#hiddenChanges.get(id);
    if (top !== undefined) this.#scroller.scrollTo({ top: top - this.#frame.height / 2, behavior });
  }

  #stop() {
    for (const animation of this.#running.values()) animation.cancel();
    this.#running.clear();
  }

  /**
   * Scrolls so that a visible node stays in place when something above it changes. This node is the first visible node that does not move.
   * Footers are ignored, so that a list that grows at its end keeps showing its last cell.
   *
   * @param {Verbs} verbs
   * @param {Map<HTMLElement, DOMRect>} after
   */
  #anchor(verbs, after) {
    const { top, bottom } = this.#frame;
    const start = this.#scroller.scrollTop;
    if (start <= 0) return 0;
    const anchor = [...this.#before].find(([node, rect]) => (
      !node.matches('.footer') && rect.bottom > top && rect.top < bottom && after.has(node) && !existing(verbs, node).has('move')
    ));
    if (!anchor) return 0;
    return this.scroll(start + existing(after, anchor[0]).top - anchor[1].top);
  }

  /**
   * Starts the animations of all nodes, and of copies of deleted nodes.
   *
   * @param {Verbs} verbs
   * @param {Map<HTMLElement, DOMRect>} after
   */
  #animateAll(verbs, after) {
    const left = [...this.#before].filter(([node, rect]) => !node.isConnected && this.#isVisible(rect));
    const any = (/** @type {Verb} */ verb) => (
      [...after].some(([node, rect]) => existing(verbs, node).has(verb) && this.#isVisible(rect))
    );
    const delay = any('update') && (left.length > 0 || any('insert') || any('move')) ? updateDelay : 0;
    const wait = delay + (left.length > 0 || any('move') ? insertDelay : 0);
    // A moving cell may cover a header, so headers and footers are tinted after all moves.
    const headerDelay = any('move') ? delay + timing.move.duration : 0;
    for (const [node, rect] of after) this.#show(node, rect, existing(verbs, node), { delay, wait, headerDelay });
    for (const [node, rect] of left) this.#animateRemoval(node, rect, delay);
  }

  /**
   * Starts the animations of one node.
   *
   * @param {HTMLElement} node
   * @param {DOMRect} rect
   * @param {Set<Verb>} verb
   * @param {{delay: number, wait: number, headerDelay: number}} delays `wait` is the delay of inserts, `headerDelay` that of the tints of
   *   headers and footers
   */
  #show(node, rect, verb, { delay, wait, headerDelay }) {
    const old = this.#before.get(node);
    if (!old || verb.has('insert')) {
      const dropped = { opacity: [0, 1], transform: ['translateY(-0.6rem) scale(0.97)', 'none'] };
      if (this.#isVisible(rect)) this.#animate(node, 'insert', dropped, wait);
      return;
    }
    if (verb.has('update') && this.#isVisible(rect)) this.#tint(node, node.matches('.cell') ? 0 : headerDelay);
    if (old.top === rect.top && old.left === rect.left) return;
    if (this.#isVisible(old) || this.#isVisible(rect)) this.#shift(node, old, rect, verb.has('move') ? 'move' : 'shift', delay);
  }

  /**
   * Animates a node from its old place to its new place. If the node enters or leaves the viewport, the length of its path is limited to
   * the height of the viewport plus the height of the node.
   *
   * @param {HTMLElement} node
   * @param {DOMRect} old
   * @param {DOMRect} rect
   * @param {'move' | 'shift'} verb
   * @param {number} delay
   */
  #shift(node, old, rect, verb, delay) {
    const [x, y] = [old.left - rect.left, old.top - rect.top];
    const near = Math.sign(y) * Math.min(Math.abs(y), this.#frame.height + rect.height);
    const [start, end] = this.#isVisible(rect) ? [near, 0] : [y, y - near];
    const halfway = `translate(${x * 0.5}px, ${(start + end) * 0.5}px) scale(1.03)`;
    const lifted = { transform: halfway, boxShadow: 'var(--list-lifted)', zIndex: 2, offset: 0.5 };
    const isNear = start === y && end === 0;
    const first = { transform: `translate(${x}px, ${start}px)`, ...(verb === 'move' && { zIndex: 2 }) };
    const last = { transform: isNear ? 'none' : `translate(0px, ${end}px)`, ...(verb === 'move' && { zIndex: 2 }) };
    this.#animate(node, verb, verb === 'move' ? [first, lifted, last] : [first, last], delay);
  }

  /**
   * Tints an updated node. A header or footer has no background of its own, so only its row is tinted.
   *
   * @param {HTMLElement} node
   * @param {number} delay
   */
  #tint(node, delay) {
    const tinted = node.matches('.cell') ? node : /** @type {Element} */ (node.querySelector('.row'));
    const tint = tinted.animate({ backgroundColor: ['var(--list-updated)'], offset: [0] }, { ...timing.update, delay, id: 'update' });
    tint.playbackRate = this.speed;
  }

  /**
   * Animates the removal of a node with a copy, because the node itself may be inserted again before the animation ends.
   *
   * @param {HTMLElement} node
   * @param {DOMRect} rect
   * @param {number} delay
   */
  #animateRemoval(node, rect, delay) {
    const ghost = /** @type {HTMLElement} */ (node.cloneNode(true));
    const origin = this.#ghosts.getBoundingClientRect();
    const place = { left: rect.left - origin.left, top: rect.top - origin.top, width: rect.width, height: rect.height };
    for (const [name, value] of Object.entries(place)) ghost.style.setProperty(name, `${value}px`);
    this.#ghosts.append(ghost);
    const leaving = ghost.animate({ opacity: [1, 0], transform: ['none', 'translateX(-1.5rem)'] }, {
      ...timing.delete, delay, fill: 'both', id: 'delete',
    });
    leaving.playbackRate = this.speed;
    this.#removals.add(leaving);
    const end = () => {
      ghost.remove();
      this.#removals.delete(leaving);
    };
    leaving.finished.then(end, end);
  }

  /**
   * Starts an animation of a node.
   *
   * @param {HTMLElement} node
   * @param {keyof typeof timing} id
   * @param {Keyframe[] | PropertyIndexedKeyframes} keyframes
   * @param {number} delay
   */
  #animate(node, id, keyframes, delay) {
    const animation = node.animate(keyframes, { ...timing[id], delay, fill: 'backwards', id });
    animation.playbackRate = this.speed;
    this.#running.set(node, animation);
    animation.finished.then(() => this.#running.get(node) === animation && this.#running.delete(node), () => {});
  }

  /**
   * Returns the changes outside of the viewport. The result is empty if any change is visible.
   *
   * @param {Verbs} verbs
   * @param {Map<HTMLElement, DOMRect>} after
   * @returns {OutOfSight}
   */
  #outOfSight(verbs, after) {
    /** @type {OutOfSight} */
    const found = { above: [], below: [] };
    this.#hiddenChanges.clear();
    const changed = [...after].filter(([node]) => existing(verbs, node).size > 0);
    const gone = [...this.#before].filter(([node]) => !node.isConnected);
    for (const [node, rect] of [...changed, ...gone]) {
      if (this.#isVisible(rect)) return { above: [], below: [] };
      /** @type {HTMLElement | null} */
      const section = node.closest('.section');
      const id = node.dataset.id ?? `${node.className} ${section?.dataset.id}`;
      this.#hiddenChanges.set(id, this.#scroller.scrollTop + rect.top - this.#frame.top);
      found[rect.top < this.#frame.top ? 'above' : 'below'].push(id);
    }
    return found;
  }

  /**
   * Returns whether a place is in the viewport.
   *
   * @param {DOMRect} rect
   */
  #isVisible({ top, bottom }) {
    return bottom > this.#frame.top && top < this.#frame.bottom;
  }
}

/**
 * Returns a place that is moved down by a distance.
 *
 * @param {DOMRect} rect
 * @param {number} y
 */
function shifted(rect, y) {
  return y === 0 ? rect : new DOMRect(rect.left, rect.top + y, rect.width, rect.height);
}
