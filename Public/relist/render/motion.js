/** Milliseconds. What comes waits until what goes has left; what only shifts moves with what moves. */
const timing = {
  delete: { duration: 220, easing: 'ease-in' },
  shift: { duration: 340, easing: 'cubic-bezier(.2,.8,.2,1)' },
  move: { duration: 420, easing: 'cubic-bezier(.2,.8,.2,1)' },
  insert: { duration: 300, easing: 'cubic-bezier(.2,.8,.2,1)' },
  update: { duration: 1100, easing: 'ease-out' },
};

/** What comes waits so long for what makes room for it, and what moves until it was seen to change. */
const room = 120;
const beat = 90;

/**
 * @typedef {{above: string[], below: string[]}} OutOfSight the ids of cells, and names of headers and footers, that
 *   changed where nobody looks; none where a change is to be seen
 *
 * @typedef {Map<HTMLElement, Set<'insert' | 'move' | 'update'>>} Verbs of the nodes that are there now; those that the
 *   set does not name only shift
 */

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
  /** How fast all moves, beside how fast it should. */
  speed = 1;
  #scroller;
  #ghosts;
  #before = new Map();
  #frame;
  #running = new Map();
  #leaving = new Set();
  /** Where that is which changed out of sight. */
  #unseen = new Map();

  /**
   * @param {HTMLElement} scroller
   * @param {HTMLElement} ghosts lies at the top of what is scrolled; takes what is leaving
   */
  constructor(scroller, ghosts) {
    this.#scroller = scroller;
    this.#ghosts = ghosts;
  }

  get isReduced() {
    return matchMedia('(prefers-reduced-motion: reduce)').matches;
  }

  /** @returns {Promise<void>} resolves when nothing moves any more that a change has set in motion */
  get settled() {
    const all = [...this.#running.values(), ...this.#leaving].map(({ finished }) => finished.catch(() => {}));
    return Promise.all(all).then(() => {});
  }

  /** Measures where the nodes are seen. What is hidden is nowhere. @param {Iterable<HTMLElement>} nodes as they are read */
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
   * @param {Verbs} verbs
   * @param {number=} scrollTop where to look afterwards, if not at what was looked at before
   * @returns {OutOfSight}
   */
  play(verbs, scrollTop) {
    this.#stop();
    const nodes = [...verbs.keys()].filter((node) => !node.hidden);
    const measured = new Map(nodes.map((node) => [node, node.getBoundingClientRect()]));
    const scrolled = scrollTop === undefined ? this.#hold(verbs, measured) : this.scroll(scrollTop);
    const after = new Map([...measured].map(([node, rect]) => [node, shifted(rect, scrolled)]));
    if (!this.isReduced) this.#animateAll(verbs, after);
    return this.#outOfSight(verbs, after);
  }

  /** Lets go of everything that still moves. */
  clear() {
    this.#stop();
    this.#leaving.clear();
    this.#ghosts.replaceChildren();
  }

  /** @param {number} scrollTop @returns {number} how far everything came down by it */
  scroll(scrollTop) {
    const start = this.#scroller.scrollTop;
    this.#scroller.scrollTop = scrollTop;
    return start - this.#scroller.scrollTop;
  }

  /** Scrolls to where something changed out of sight. @param {string} id @param {ScrollBehavior} behavior */
  reveal(id, behavior) {
    const top = this.#unseen.get(id);
    if (top !== undefined) this.#scroller.scrollTo({ top: top - this.#frame.height / 2, behavior });
  }

  #stop() {
    for (const animation of this.#running.values()) animation.cancel();
    this.#running.clear();
  }

  /**
   * Keeps what is being read where it is on the screen, when something changes above. A footer is no
   * place to hold on to: a list that becomes longer is read on from its last cell.
   */
  #hold(verbs, after) {
    const { top, bottom } = this.#frame;
    const start = this.#scroller.scrollTop;
    if (start <= 0) return 0;
    const isKept = ([node, rect]) => rect.bottom > top && rect.top < bottom && after.has(node) && !verbs.get(node).has('move');
    const anchor = [...this.#before].find((one) => !one[0].matches('.footer') && isKept(one));
    if (!anchor) return 0;
    return this.scroll(start + after.get(anchor[0]).top - anchor[1].top);
  }

  #animateAll(verbs, after) {
    const left = [...this.#before].filter(([node, rect]) => !node.isConnected && this.#isSeen(rect));
    const isSeen = (node) => this.#isSeen(after.get(node) ?? this.#before.get(node));
    const any = (verb) => [...after.keys()].some((node) => verbs.get(node).has(verb) && isSeen(node));
    const delay = any('update') && (left.length > 0 || any('insert') || any('move')) ? beat : 0;
    const wait = delay + (left.length > 0 || any('move') ? room : 0);
    for (const [node, rect] of after) this.#show(node, rect, verbs.get(node), delay, wait);
    for (const [node, rect] of left) this.#leave(node, rect, delay);
  }

  #show(node, rect, verb, delay, wait) {
    const old = this.#before.get(node);
    if (!old || verb.has('insert')) {
      const dropped = { opacity: [0, 1], transform: ['translateY(-0.6rem) scale(0.97)', 'none'] };
      if (this.#isSeen(rect)) this.#animate(node, 'insert', dropped, wait);
      return;
    }
    if (verb.has('update') && this.#isSeen(rect)) this.#tint(node);
    if (old.top === rect.top && old.left === rect.left) return;
    if (this.#isSeen(old) || this.#isSeen(rect)) this.#shift(node, old, rect, verb.has('move') ? 'move' : 'shift', delay);
  }

  /**
   * Who comes from far away, or goes there, is seen on the last or the first frame's height of the way: neighbours
   * that go the same way stay neighbours.
   */
  #shift(node, old, rect, verb, delay) {
    const [x, y] = [old.left - rect.left, old.top - rect.top];
    const near = Math.sign(y) * Math.min(Math.abs(y), this.#frame.height + rect.height);
    const [start, end] = this.#isSeen(rect) ? [near, 0] : [y, y - near];
    const halfway = `translate(${x * 0.5}px, ${(start + end) * 0.5}px) scale(1.03)`;
    const lifted = { transform: halfway, boxShadow: 'var(--lifted)', zIndex: 2, offset: 0.5 };
    const isNear = start === y && end === 0;
    const first = { transform: `translate(${x}px, ${start}px)`, ...(verb === 'move' && { zIndex: 2 }) };
    const last = { transform: isNear ? 'none' : `translate(0px, ${end}px)`, ...(verb === 'move' && { zIndex: 2 }) };
    this.#animate(node, verb, verb === 'move' ? [first, lifted, last] : [first, last], delay);
  }

  /** Of a header only the text is tinted: around it lies nothing that could have changed. */
  #tint(node) {
    const tinted = node.matches('.cell') ? node : node.querySelector('.row');
    const tint = tinted.animate({ backgroundColor: ['var(--updated)'], offset: [0] }, { ...timing.update, id: 'update' });
    tint.playbackRate = this.speed;
  }

  /** What leaves is shown by a copy: the node itself may be wanted again before it has left. */
  #leave(node, rect, delay) {
    const ghost = node.cloneNode(true);
    const origin = this.#ghosts.getBoundingClientRect();
    const place = { left: rect.left - origin.left, top: rect.top - origin.top, width: rect.width, height: rect.height };
    for (const [name, value] of Object.entries(place)) ghost.style.setProperty(name, `${value}px`);
    this.#ghosts.append(ghost);
    const leaving = ghost.animate({ opacity: [1, 0], transform: ['none', 'translateX(-1.5rem)'] }, {
      ...timing.delete, delay, fill: 'both', id: 'delete',
    });
    leaving.playbackRate = this.speed;
    this.#leaving.add(leaving);
    const end = () => {
      ghost.remove();
      this.#leaving.delete(leaving);
    };
    leaving.finished.then(end, end);
  }

  #animate(node, id, keyframes, delay) {
    const animation = node.animate(keyframes, { ...timing[id], delay, fill: 'backwards', id });
    animation.playbackRate = this.speed;
    this.#running.set(node, animation);
    animation.finished.then(() => this.#running.get(node) === animation && this.#running.delete(node), () => {});
  }

  #outOfSight(verbs, after) {
    const found = { above: [], below: [] };
    this.#unseen.clear();
    const changed = [...after].filter(([node]) => verbs.get(node).size > 0);
    const gone = [...this.#before].filter(([node]) => !node.isConnected);
    for (const [node, rect] of [...changed, ...gone]) {
      if (this.#isSeen(rect)) return { above: [], below: [] };
      const id = node.dataset.id ?? `${node.className} ${node.closest('.section')?.dataset.id}`;
      this.#unseen.set(id, this.#scroller.scrollTop + rect.top - this.#frame.top);
      found[rect.top < this.#frame.top ? 'above' : 'below'].push(id);
    }
    return found;
  }

  #isSeen({ top, bottom }) {
    return bottom > this.#frame.top && top < this.#frame.bottom;
  }
}

function shifted(rect, y) {
  return y === 0 ? rect : new DOMRect(rect.left, rect.top + y, rect.width, rect.height);
}
