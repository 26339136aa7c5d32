/** Milliseconds. What comes waits until what goes has left; what only shifts moves with what moves. */
const timing = {
  delete: { duration: 220, easing: 'ease-in' },
  shift: { duration: 340, easing: 'cubic-bezier(.2,.8,.2,1)' },
  move: { duration: 420, easing: 'cubic-bezier(.2,.8,.2,1)' },
  insert: { duration: 300, easing: 'cubic-bezier(.2,.8,.2,1)', delay: 120 },
  update: { duration: 1100, easing: 'ease-out' },
};

/** Updates come in a stage before all others: what moves starts when they have been seen to change. */
const beat = 90;

/**
 * Animates a change of a list by what happened to each of its nodes: what goes leaves to the side,
 * what moves is lifted, what comes drops in, what is updated is tinted, and the rest shifts. Each
 * animation has the name of its verb as `id`.
 *
 * The list itself is at its end from the start: it is measured before and after, and shown moving
 * from the one to the other. An animation that is overtaken by another change goes on from where
 * it is seen to be.
 */
export class Motion {
  #scroller;
  #ghosts;
  #before = new Map();
  #frame;
  #running = new Map();

  /**
   * @param {HTMLElement} scroller
   * @param {HTMLElement} ghosts lies at the top of what is scrolled; takes what is leaving
   */
  constructor(scroller, ghosts) {
    this.#scroller = scroller;
    this.#ghosts = ghosts;
  }

  get #isReduced() {
    return matchMedia('(prefers-reduced-motion: reduce)').matches;
  }

  /** Measures where the nodes are seen. What is hidden is nowhere. @param {Iterable<HTMLElement>} nodes */
  begin(nodes) {
    this.#frame = this.#scroller.getBoundingClientRect();
    this.#before = new Map();
    for (const node of nodes) if (!node.hidden) this.#before.set(node, node.getBoundingClientRect());
  }

  /** @param {HTMLElement[]} nodes @returns {Set<HTMLElement>} those that were seen when they were measured */
  seen(nodes) {
    return new Set(nodes.filter((node) => this.#before.has(node) && this.#isSeen(this.#before.get(node))));
  }

  /**
   * Shows how the nodes came to where they are now.
   *
   * @param {Map<HTMLElement, Set<'insert' | 'move' | 'update'>>} verbs of the nodes that are there now;
   *   those that the set does not name only shift
   * @param {number=} scrollTop where to look afterwards, if not at what was looked at before
   */
  play(verbs, scrollTop) {
    for (const animation of this.#running.values()) animation.cancel();
    this.#running.clear();
    const nodes = [...verbs.keys()].filter((node) => !node.hidden);
    const after = new Map(nodes.map((node) => [node, node.getBoundingClientRect()]));
    const scrolled = scrollTop === undefined ? this.#hold(verbs, after) : this.scroll(scrollTop);
    if (this.#isReduced) return;
    const delay = [...verbs.values()].some((verb) => verb.has('update')) ? beat : 0;
    for (const [node, rect] of after) this.#show(node, shifted(rect, scrolled), verbs.get(node), delay);
    for (const [node, rect] of this.#before) if (!node.isConnected) this.#leave(node, rect, delay);
  }

  /** Lets go of everything that still moves. */
  clear() {
    for (const animation of this.#running.values()) animation.cancel();
    this.#running.clear();
    this.#ghosts.replaceChildren();
  }

  /** @param {number} scrollTop @returns {number} how far everything came down by it */
  scroll(scrollTop) {
    const start = this.#scroller.scrollTop;
    this.#scroller.scrollTop = scrollTop;
    return start - this.#scroller.scrollTop;
  }

  /** Keeps what is being read where it is on the screen, when something changes above. */
  #hold(verbs, after) {
    const { top } = this.#frame;
    const start = this.#scroller.scrollTop;
    if (start <= 0) return 0;
    const anchor = [...this.#before].find(([node, rect]) => rect.bottom > top && after.has(node) && !verbs.get(node).has('move'));
    if (!anchor) return 0;
    return this.scroll(start + after.get(anchor[0]).top - anchor[1].top);
  }

  #show(node, rect, verb, delay) {
    const old = this.#before.get(node);
    if (!old || verb.has('insert')) {
      const dropped = { opacity: [0, 1], transform: ['translateY(-0.6rem) scale(0.97)', 'none'] };
      if (this.#isSeen(rect)) this.#animate(node, 'insert', dropped, delay);
      return;
    }
    if (verb.has('update') && this.#isSeen(rect)) this.#tint(node);
    if (old.top === rect.top && old.left === rect.left) return;
    if (this.#isSeen(old) || this.#isSeen(rect)) this.#shift(node, old, rect, verb.has('move') ? 'move' : 'shift', delay);
  }

  #shift(node, old, rect, verb, delay) {
    const most = this.#scroller.clientHeight;
    const [x, y] = [old.left - rect.left, Math.max(-most, Math.min(most, old.top - rect.top))];
    const halfway = `translate(${x * 0.5}px, ${y * 0.5}px) scale(1.03)`;
    const lifted = { transform: halfway, boxShadow: 'var(--lifted)', zIndex: 2, offset: 0.5 };
    const start = { transform: `translate(${x}px, ${y}px)`, ...(verb === 'move' && { zIndex: 2 }) };
    const end = { transform: 'none', ...(verb === 'move' && { zIndex: 2 }) };
    this.#animate(node, verb, verb === 'move' ? [start, lifted, end] : [start, end], delay);
  }

  /** Of a header only the text is tinted: around it lies nothing that could have changed. */
  #tint(node) {
    const tinted = node.matches('.cell') ? node : node.querySelector('.row');
    tinted.animate({ backgroundColor: ['var(--updated)'], offset: [0] }, { ...timing.update, id: 'update' });
  }

  /** What leaves is shown by a copy: the node itself may be wanted again before it has left. */
  #leave(node, rect, delay) {
    if (!this.#isSeen(rect)) return;
    const ghost = node.cloneNode(true);
    const origin = this.#ghosts.getBoundingClientRect();
    const place = { left: rect.left - origin.left, top: rect.top - origin.top, width: rect.width, height: rect.height };
    for (const [name, value] of Object.entries(place)) ghost.style.setProperty(name, `${value}px`);
    this.#ghosts.append(ghost);
    const leaving = ghost.animate({ opacity: [1, 0], transform: ['none', 'translateX(-1.5rem)'] }, {
      ...timing.delete, delay, fill: 'both', id: 'delete',
    });
    leaving.finished.then(() => ghost.remove(), () => ghost.remove());
  }

  #animate(node, id, keyframes, delay) {
    const { delay: own = 0, ...rest } = timing[id];
    const animation = node.animate(keyframes, { ...rest, delay: delay + own, fill: 'backwards', id });
    this.#running.set(node, animation);
    animation.finished.then(() => this.#running.get(node) === animation && this.#running.delete(node), () => {});
  }

  #isSeen({ top, bottom }) {
    return bottom > this.#frame.top && top < this.#frame.bottom;
  }
}

function shifted(rect, y) {
  return y === 0 ? rect : new DOMRect(rect.left, rect.top + y, rect.width, rect.height);
}
