import { existing } from './dom.js';
import { isMotionReduced } from './viewport.js';

/**
 * The duration of each kind of animation, in milliseconds. Deleted, moved and shifted nodes are animated at the same time. The animations
 * of inserted nodes start later if other nodes are deleted or moved.
 */
const timing = {
  delete: { duration: 220, easing: 'ease-in' },
  shift: { duration: 340, easing: 'cubic-bezier(.2,.8,.2,1)' },
  move: { duration: 420, easing: 'cubic-bezier(.2,.8,.2,1)' },
  insert: { duration: 300, easing: 'cubic-bezier(.2,.8,.2,1)' },
  // Each new colour is painted by the main thread, which takes long in a large list. Few colours are enough for a tint.
  update: { duration: 1100, easing: 'steps(10)' },
};

/** The delay of inserts in milliseconds. During the delay, other rows make space for the inserted rows. */
const insertDelay = 120;
/** The delay of all animations other than updates, in milliseconds, if nodes are updated. During the delay, the user sees the updates. */
const updateDelay = 90;

/**
 * @typedef {import('./viewport.js').Verb} Verb
 * @typedef {import('./viewport.js').Verbs} Verbs
 */

/**
 * Animates a change of a list: deleted nodes slide out, moved nodes are lifted, inserted nodes drop in, and updated nodes are tinted. All
 * other nodes shift to their new places. The `id` of each animation is the name of its kind: `delete`, `insert`, `move`, `shift` or
 * `update`.
 *
 * The list is in its final state at once. Each node is animated from its old place to its new place. If a new change interrupts an
 * animation, the next animation starts at the visible position of the node.
 */
export class Motion {
  #viewport;
  #ghosts;
  /** The speed of new animations. The normal speed is 1. */
  #speed = 1;
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
   * @param {import('./viewport.js').Viewport} viewport
   * @param {HTMLElement} ghosts contains copies of deleted nodes; lies at the top of the scrolled content
   */
  constructor(viewport, ghosts) {
    this.#viewport = viewport;
    this.#ghosts = ghosts;
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

  /** Cancels the animations of nodes, so that their places can be measured. */
  stop() {
    for (const animation of this.#running.values()) animation.cancel();
    this.#running.clear();
  }

  /** Cancels all animations. */
  clear() {
    this.stop();
    this.#removals.clear();
    this.#ghosts.replaceChildren();
  }

  /**
   * Animates the nodes from their places before the change to their places after it.
   *
   * @param {Verbs} verbs
   * @param {number} speed
   */
  play(verbs, speed) {
    if (isMotionReduced()) return;
    this.#speed = speed;
    this.#animateAll(verbs, this.#viewport.after);
  }

  /**
   * Starts the animations of all nodes, and of copies of deleted nodes.
   *
   * @param {Verbs} verbs
   * @param {Map<HTMLElement, DOMRect>} after
   */
  #animateAll(verbs, after) {
    const left = [...this.#viewport.before].filter(([node, rect]) => !node.isConnected && this.#viewport.contains(rect));
    const any = (/** @type {Verb} */ verb) => (
      [...after].some(([node, rect]) => existing(verbs, node).has(verb) && this.#viewport.contains(rect))
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
    const old = this.#viewport.before.get(node);
    if (!old || verb.has('insert')) {
      const dropped = { opacity: [0, 1], transform: ['translateY(-0.6rem) scale(0.97)', 'none'] };
      if (this.#viewport.contains(rect)) this.#animate(node, 'insert', dropped, wait);
      return;
    }
    if (verb.has('update') && this.#viewport.contains(rect)) this.#tint(node, node.matches('.cell') ? 0 : headerDelay);
    if (old.top === rect.top && old.left === rect.left) return;
    if (![old, rect].some((place) => this.#viewport.contains(place))) return;
    this.#shift(node, old, rect, verb.has('move') ? 'move' : 'shift', delay);
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
    const near = Math.sign(y) * Math.min(Math.abs(y), this.#viewport.height + rect.height);
    const [start, end] = this.#viewport.contains(rect) ? [near, 0] : [y, y - near];
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
    const tint = tinted.animate({ backgroundColor: ['var(--list-updated)'], offset: [0], easing: 'ease-out' }, { ...timing.update, delay, id: 'update' });
    tint.playbackRate = this.#speed;
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
    leaving.playbackRate = this.#speed;
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
    animation.playbackRate = this.#speed;
    this.#running.set(node, animation);
    animation.finished.then(() => this.#running.get(node) === animation && this.#running.delete(node), () => {});
  }
}
