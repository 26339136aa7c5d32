/** @param {string | Node[]} content text is only ever set as text */
export function element(tag, name, content = []) {
  const node = document.createElement(tag);
  if (name) node.className = name;
  if (typeof content === 'string') node.textContent = content;
  else node.append(...content);
  return node;
}

/**
 * Gives an element one child for each part: a text becomes a `span` of that class, a node is taken
 * as it is. Children that are there already stay, and only text that differs is set, so that a
 * selection in what did not change survives.
 *
 * @param {Element} parent
 * @param {Object<string, string | Element | undefined | null | false>} parts by class, in order
 */
export function setParts(parent, parts) {
  const known = new Map([...parent.children].map((child) => [child.getAttribute('data-part'), child]));
  const nodes = Object.entries(parts).filter(([, part]) => part !== undefined && part !== null && part !== false && part !== '')
    .map(([name, part]) => partNode(name, part, known.get(name)));
  arrangeParts(parent, nodes);
}

/** The child of a row that has this name, made when it is first needed. */
export function part(row, name, make) {
  return row.querySelector(`:scope > [data-part="${name}"]`) ?? make();
}

/** A word that no narrow row could have whole. */
const unbroken = /\S{17}/;

function partNode(name, part, known) {
  if (typeof part === 'object') {
    part.dataset.part = name;
    return part;
  }
  const node = known?.tagName === 'SPAN' ? known : element('span', name);
  node.dataset.part = name;
  setText(node, String(part));
  return node;
}

/** Sets a text, and marks one with a word that may have to be broken. */
export function setText(node, text) {
  if (node.textContent === text) return;
  node.textContent = text;
  node.toggleAttribute('data-long', unbroken.test(text));
}

function arrangeParts(parent, nodes) {
  if (nodes.length === parent.childNodes.length && nodes.every((node, index) => node === parent.childNodes[index])) return;
  parent.replaceChildren(...nodes);
}

/** Sets an attribute, or takes it away where there is no value, and touches nothing that is right. */
export function setAttribute(node, name, value) {
  if (value === undefined || value === null || value === false) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

/** @returns a map with exactly these keys, in order, with the old values where there are any */
export function keep(old, models, keyOf, create) {
  return new Map(models.map((model) => [keyOf(model), old.get(keyOf(model)) ?? create(keyOf(model))]));
}

/**
 * Puts nodes into a parent, in order, and moves only what has to move. What moves keeps its focus and its
 * animations where the browser can do that. What else is in the parent is on its way out of it, and is left alone.
 *
 * @param {Element} parent
 * @param {Element[]} nodes
 * @param {Set<Element>=} moving those that come to another place, where that is known; the others are in order
 */
export function place(parent, nodes, moving = movingIn(parent, nodes)) {
  let next = parent.firstElementChild;
  for (const node of nodes) {
    if (moving.has(node) || node.parentNode !== parent) put(parent, node, next);
    next = node.nextElementSibling;
  }
}

function movingIn(parent, nodes) {
  const places = new Map([...parent.children].map((node, index) => [node, index]));
  const stay = staying(nodes.map((node) => places.get(node) ?? -1));
  return new Set(nodes.filter((_, index) => !stay.has(index)));
}

function put(parent, node, next) {
  if (parent.moveBefore && node.isConnected && parent.isConnected) parent.moveBefore(node, next);
  else parent.insertBefore(node, next);
}

/** Keeps what the user has selected and focused within an element, whatever happens to it meanwhile. */
export class Attention {
  #root;
  #focused;
  #next;
  #selection;

  /** @param {Element} root */
  constructor(root) {
    this.#root = root;
    this.#focused = root.contains(document.activeElement) ? document.activeElement : undefined;
    // Who stood on what goes is best put on what comes after it.
    if (this.#focused) this.#next = neighbours(root, this.#focused);
    const { anchorNode, anchorOffset, focusNode, focusOffset } = document.getSelection();
    if (root.contains(anchorNode)) {
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
    if (now.anchorNode === anchorNode && now.focusNode === focusNode) return;
    if (!this.#root.contains(anchorNode) || !this.#root.contains(focusNode)) return;
    const fits = (node, offset) => offset <= (node.length ?? node.childNodes.length);
    if (fits(anchorNode, anchorOffset) && fits(focusNode, focusOffset)) {
      now.setBaseAndExtent(anchorNode, anchorOffset, focusNode, focusOffset);
    }
  }
}

/** Those that follow, nearest first, and then those before. */
function neighbours(root, focused) {
  const all = [...root.querySelectorAll('a[href], button:not([disabled])')];
  const index = all.indexOf(focused);
  return [...all.slice(index + 1), ...all.slice(0, Math.max(index, 0)).reverse()];
}

/** A snapshot that replaces another brings new objects; what reads the same is the same. */
export function isSame(view, other) {
  return view === other || (view !== undefined && other !== undefined && JSON.stringify(view) === JSON.stringify(other));
}

/**
 * Finds what may stay where it is when the rest moves around it: a longest increasing
 * subsequence. A node that is not detached keeps its focus, selection and running animation.
 *
 * @param {number[]} positions where each element was before, in the new order; -1 where it was not
 * @returns {Set<number>} the indexes in `positions` of those that stay
 */
export function staying(positions) {
  const tails = [];
  const previous = new Array(positions.length);
  positions.forEach((position, index) => {
    if (position < 0) return;
    const length = firstNotBelow(tails, position, positions);
    previous[index] = tails[length - 1];
    tails[length] = index;
  });
  const stay = new Set();
  for (let index = tails.at(-1); index !== undefined; index = previous[index]) stay.add(index);
  return stay;
}

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
