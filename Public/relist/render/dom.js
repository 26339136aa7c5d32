const unbroken = /\S{17}/;

/**
 * Sets a text, and marks it if a word may have to be broken.
 *
 * @param {Element} node
 * @param {string} text
 */
export function setText(node, text) {
  if (node.textContent === text) return;
  node.textContent = text;
  node.toggleAttribute('data-long', unbroken.test(text));
}

/**
 * Returns a map with one value for each model, in their order. Values of known keys are reused.
 *
 * @template Model
 * @template Value
 * @param {Map<string, Value>} old
 * @param {Model[]} models
 * @param {(model: Model) => string} keyOf
 * @param {(key: string) => Value} create
 */
export function reuse(old, models, keyOf, create) {
  return new Map(models.map((model) => [keyOf(model), old.get(keyOf(model)) ?? create(keyOf(model))]));
}

/**
 * Returns the value of a key that the map has.
 *
 * @template Key
 * @template Value
 * @param {Map<Key, Value>} map
 * @param {Key} key
 */
export function existing(map, key) {
  return /** @type {Value} */ (map.get(key));
}

/**
 * Puts nodes into a parent, in order, and moves as few as possible. With `moveBefore`, a moved node keeps its focus and animations. Other
 * children stay, because the caller removes them later.
 *
 * @param {Element} parent
 * @param {Element[]} nodes
 * @param {Set<Element>=} moving the nodes that move, if known
 */
export function place(parent, nodes, moving = movingIn(parent, nodes)) {
  let next = parent.firstElementChild;
  for (const node of nodes) {
    if (moving.has(node) || node.parentNode !== parent) put(parent, node, next);
    next = node.nextElementSibling;
  }
}

/**
 * @param {Element} parent
 * @param {Element[]} nodes
 */
function movingIn(parent, nodes) {
  const places = new Map([...parent.children].map((node, index) => [node, index]));
  const stay = stationary(nodes.map((node) => places.get(node) ?? -1));
  return new Set(nodes.filter((_, index) => !stay.has(index)));
}

/**
 * @param {Element} parent
 * @param {Element} node
 * @param {Element | null} next
 */
function put(parent, node, next) {
  if (parent.moveBefore && node.isConnected && parent.isConnected) parent.moveBefore(node, next);
  else parent.insertBefore(node, next);
}

/** Keeps the user's focus and selection while an element changes. */
export class FocusKeeper {
  #root;
  #focused;
  /**
   * The elements that may receive the focus if the focused one is removed.
   *
   * @type {HTMLElement[]}
   */
  #next = [];
  /** @type {Pick<Selection, 'anchorNode' | 'anchorOffset' | 'focusNode' | 'focusOffset'> | undefined} */
  #selection;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.#root = root;
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    this.#focused = focused && root.contains(focused) ? focused : undefined;
    if (this.#focused) this.#next = neighbours(root, this.#focused);
    const selection = document.getSelection();
    if (selection && root.contains(selection.anchorNode)) {
      const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
      this.#selection = { anchorNode, anchorOffset, focusNode, focusOffset };
    }
  }

  restore() {
    this.#restoreFocus();
    this.#restoreSelection();
  }

  #restoreFocus() {
    if (!this.#focused || this.#root.contains(document.activeElement)) return;
    const target = [this.#focused, ...this.#next].find((node) => node.isConnected && this.#root.contains(node) && !node.inert);
    (target ?? this.#root).focus({ preventScroll: true });
  }

  #restoreSelection() {
    if (!this.#selection) return;
    const { anchorNode, anchorOffset, focusNode, focusOffset } = this.#selection;
    const now = document.getSelection();
    if (!now || !anchorNode || !focusNode) return;
    if (now.anchorNode === anchorNode && now.focusNode === focusNode) return;
    if (!this.#root.contains(anchorNode) || !this.#root.contains(focusNode)) return;
    /**
     * @param {Node & {length?: number}} node
     * @param {number} offset
     */
    const fits = (node, offset) => offset <= (node.length ?? node.childNodes.length);
    if (fits(anchorNode, anchorOffset) && fits(focusNode, focusOffset)) {
      now.setBaseAndExtent(anchorNode, anchorOffset, focusNode, focusOffset);
    }
  }
}

/**
 * Returns the other focusable elements: first those after the focused one, then those before it, the nearest first.
 *
 * @param {HTMLElement} root
 * @param {HTMLElement} focused
 */
function neighbours(root, focused) {
  /** @type {NodeListOf<HTMLElement>} */
  const nodes = root.querySelectorAll('a[href], button:not([disabled])');
  const all = [...nodes];
  const index = all.indexOf(focused);
  return [...all.slice(index + 1), ...all.slice(0, Math.max(index, 0)).reverse()];
}

/**
 * Compares views by content, because those of a new snapshot are new objects.
 *
 * @param {unknown} view
 * @param {unknown} other
 */
export function isSame(view, other) {
  return view === other || (view !== undefined && other !== undefined && JSON.stringify(view) === JSON.stringify(other));
}

/**
 * Returns the largest set of elements that can stay while others move: a longest increasing subsequence. A node that stays keeps its focus,
 * selection and animations.
 *
 * @param {number[]} positions the previous indexes, in the new order; -1 for new elements
 * @returns {Set<number>} the indexes in `positions` of the elements that stay
 */
export function stationary(positions) {
  /** @type {number[]} */
  const tails = [];
  /** @type {number[]} */
  const previous = new Array(positions.length);
  positions.forEach((position, index) => {
    if (position < 0) return;
    const length = firstNotBelow(tails, position, positions);
    previous[index] = tails[length - 1];
    tails[length] = index;
  });
  const stay = new Set();
  for (let index = /** @type {number | undefined} */ (tails.at(-1)); index !== undefined; index = previous[index]) stay.add(index);
  return stay;
}

/**
 * Returns the first index in `tails` whose position is not less than `position`.
 *
 * @param {number[]} tails
 * @param {number} position
 * @param {number[]} positions
 */
function firstNotBelow(tails, position, positions) {
  let low = 0;
  let high = tails.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (positions[tails[middle]] < position) low = middle + 1;
    else high = middle;
  }
  return low;
}
