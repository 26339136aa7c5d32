/** Matches a word that may be too long for a narrow row. */
const unbroken = /\S{17}/;

/**
 * Sets the text of a node, and marks the node if the text contains a word that may have to be broken.
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
 * Returns a map with one value for each model, in the order of the models. If the old map has a value for the key of a model, this value is
 * reused. Otherwise a new value is created.
 *
 * @template Model
 * @template Value
 * @param {Map<string, Value>} old
 * @param {Model[]} models
 * @param {(model: Model) => string} keyOf
 * @param {(key: string) => Value} create
 * @returns {Map<string, Value>}
 */
export function reuse(old, models, keyOf, create) {
  return new Map(models.map((model) => [keyOf(model), old.get(keyOf(model)) ?? create(keyOf(model))]));
}

/**
 * Returns the value of a key that the map is known to have.
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
 * Puts nodes into a parent, in order, and moves as few nodes as possible. A moved node keeps its focus and animations if the browser
 * supports `moveBefore`. Other children of the parent stay, because the caller removes them later.
 *
 * @param {Element} parent
 * @param {Element[]} nodes
 * @param {Set<Element>=} moving the nodes that move, if known; the others must be in order already
 */
export function place(parent, nodes, moving = movingIn(parent, nodes)) {
  let next = parent.firstElementChild;
  for (const node of nodes) {
    if (moving.has(node) || node.parentNode !== parent) put(parent, node, next);
    next = node.nextElementSibling;
  }
}

/**
 * Returns the smallest set of nodes that must be moved so that all nodes are in order.
 *
 * @param {Element} parent
 * @param {Element[]} nodes
 */
function movingIn(parent, nodes) {
  const places = new Map([...parent.children].map((node, index) => [node, index]));
  const stay = stationary(nodes.map((node) => places.get(node) ?? -1));
  return new Set(nodes.filter((_, index) => !stay.has(index)));
}

/**
 * Puts a node before another child of a parent.
 *
 * @param {Element} parent
 * @param {Element} node
 * @param {Element | null} next
 */
function put(parent, node, next) {
  if (parent.moveBefore && node.isConnected && parent.isConnected) parent.moveBefore(node, next);
  else parent.insertBefore(node, next);
}

/** Preserves the user's focus and selection within an element while the element changes. */
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
    // If the focused element is removed, the next element receives the focus.
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
     * Returns whether an offset is still valid in a node.
     *
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
 * Returns all focusable elements except the focused one. The elements after the focused one come first. The elements before it follow,
 * starting with the nearest.
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
 * Returns whether two views have equal content. The views are compared by content, because every view of a new snapshot is a new object.
 *
 * @param {unknown} view
 * @param {unknown} other
 */
export function isSame(view, other) {
  return view === other || (view !== undefined && other !== undefined && JSON.stringify(view) === JSON.stringify(other));
}

/**
 * Returns the largest set of elements that can stay in place while other elements move. The set is a longest increasing subsequence. A
 * node that stays keeps its focus, selection and animations.
 *
 * @param {number[]} positions the previous index of each element, in the new order; -1 for new elements
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
 * Returns the first index `i` for which `positions[tails[i]]` is not less than `position`, or the length of `tails` if there is none.
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
