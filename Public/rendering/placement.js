import { staying } from './arrange.js';

/**
 * Makes these the children of the parent, in order, and moves only what has to move. What moves
 * keeps its focus and its animations where the browser can do that.
 *
 * @param {Element} parent
 * @param {Element[]} nodes
 */
export function place(parent, nodes) {
  const wanted = new Set(nodes);
  for (const node of [...parent.children]) if (!wanted.has(node)) node.remove();
  const places = new Map([...parent.children].map((node, index) => [node, index]));
  const stay = staying(nodes.map((node) => places.get(node) ?? -1));
  let next = parent.firstElementChild;
  nodes.forEach((node, index) => {
    if (stay.has(index)) next = node.nextElementSibling;
    else put(parent, node, next);
  });
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
      this.#selection = [anchorNode, anchorOffset, focusNode, focusOffset];
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
    const [anchorNode, anchorOffset, focusNode, focusOffset] = this.#selection;
    const now = document.getSelection();
    if (now.anchorNode === anchorNode && now.focusNode === focusNode) return;
    if (!this.#root.contains(anchorNode) || !this.#root.contains(focusNode)) return;
    const fits = (node, offset) => offset <= (node.length ?? node.childNodes.length);
    if (fits(anchorNode, anchorOffset) && fits(focusNode, focusOffset)) now.setBaseAndExtent(...this.#selection);
  }
}

/** Those that follow, nearest first, and then those before. */
function neighbours(root, focused) {
  const all = [...root.querySelectorAll('a[href], button:not([disabled])')];
  const index = all.indexOf(focused);
  return [...all.slice(index + 1), ...all.slice(0, Math.max(index, 0)).reverse()];
}
