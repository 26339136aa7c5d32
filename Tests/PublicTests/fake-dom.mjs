/**
 * The part of the DOM that a list view uses, for tests without a browser. Nothing has a size, and motion is reduced, so there are no
 * animations.
 */
export class FakeElement {
  /** The nodes that were put into a parent or removed since the last call of `takeChanges()`. */
  static #changes = { put: new Set(), removed: new Set() };

  /**
   * Returns the nodes that were put into a parent, or removed from one, since the last call.
   *
   * @returns {{put: Set<FakeElement>, removed: Set<FakeElement>}}
   */
  static takeChanges() {
    const changes = FakeElement.#changes;
    FakeElement.#changes = { put: new Set(), removed: new Set() };
    return changes;
  }

  parentNode = null;
  children = [];
  hidden = false;
  scrollTop = 0;
  style = { setProperty() {}, removeProperty() {} };
  #attributes = new Map();
  #text = '';

  constructor(tag) {
    this.tagName = tag.toUpperCase();
    this.dataset = new Proxy({}, {
      get: (_, name) => this.getAttribute(`data-${name}`) ?? undefined,
      set: (_, name, value) => { this.setAttribute(`data-${name}`, value); return true; },
      deleteProperty: (_, name) => { this.removeAttribute(`data-${name}`); return true; },
    });
    const names = () => new Set(this.className.split(' ').filter(Boolean));
    this.classList = {
      add: (name) => this.classList.toggle(name, true),
      toggle: (name, isSet) => {
        const all = names();
        if (isSet) all.add(name); else all.delete(name);
        this.className = [...all].join(' ');
      },
    };
  }

  get className() { return this.getAttribute('class') ?? ''; }
  set className(name) { this.setAttribute('class', name); }
  getAttribute(name) { return this.#attributes.get(name) ?? null; }
  setAttribute(name, value) { this.#attributes.set(name, String(value)); }
  removeAttribute(name) { this.#attributes.delete(name); }
  toggleAttribute(name, isSet) { if (isSet) this.setAttribute(name, ''); else this.removeAttribute(name); }
  addEventListener() {}
  getBoundingClientRect() { return new DOMRect(); }

  get textContent() { return this.#text + this.children.map((child) => child.textContent).join(''); }
  set textContent(text) {
    this.replaceChildren();
    this.#text = text;
  }

  get childNodes() { return this.children; }
  get firstElementChild() { return this.children[0] ?? null; }
  get nextElementSibling() { return this.parentNode?.children[this.parentNode.children.indexOf(this) + 1] ?? null; }
  get isConnected() { return this === document.body || (this.parentNode?.isConnected ?? false); }
  /** Returns this node if it has the given class, or else its nearest ancestor with the class. */
  closest(selector) { return this.className.split(' ').includes(selector.slice(1)) ? this : this.parentNode?.closest(selector) ?? null; }
  contains(node) { return node === this || (node !== null && this.contains(node.parentNode)); }

  insertBefore(node, next) {
    if (node === next) return node;
    node.#leave();
    const index = next === null ? this.children.length : this.children.indexOf(next);
    if (index < 0) throw new Error('NotFoundError: the node is not a child of this node');
    this.children.splice(index, 0, node);
    node.parentNode = this;
    FakeElement.#changes.put.add(node);
    return node;
  }

  append(...nodes) { for (const node of nodes) this.insertBefore(node, null); }
  prepend(node) { this.insertBefore(node, this.firstElementChild); }
  before(node) { this.parentNode.insertBefore(node, this); }
  after(node) { this.parentNode.insertBefore(node, this.nextElementSibling); }
  replaceWith(node) {
    this.before(node);
    this.remove();
  }

  remove() {
    if (this.parentNode) FakeElement.#changes.removed.add(this);
    this.#leave();
  }

  replaceChildren(...nodes) {
    for (const child of [...this.children]) child.remove();
    this.#text = '';
    this.append(...nodes);
  }

  #leave() {
    const siblings = this.parentNode?.children;
    siblings?.splice(siblings.indexOf(this), 1);
    this.parentNode = null;
  }
}

/** A node with the method `moveBefore` of browsers, which throws unless the moved node and its new parent are in the document. */
export class MovingElement extends FakeElement {
  moveBefore(node, next) {
    if (!node.isConnected || !this.isConnected) throw new Error('HierarchyRequestError: a node is not in the document');
    this.insertBefore(node, next);
  }
}

/**
 * Creates an empty document in place of the previous one.
 *
 * @param {typeof FakeElement} Element the class of the nodes
 */
export function createDocument(Element) {
  globalThis.document = {
    body: new Element('body'), documentElement: { lang: 'en' }, hidden: false, activeElement: null,
    createElement: (tag) => new Element(tag), getSelection: () => null, addEventListener() {},
  };
}

globalThis.DOMRect = class {
  left = 0;
  top = 0;
  bottom = 0;
  width = 0;
  height = 0;
};
globalThis.matchMedia = () => ({ matches: true });
// This channel sends nothing, because only lists with more than 400 cells need messages. The channel of Node.js would keep the process
// running.
globalThis.MessageChannel = class {
  port1 = {};
  port2 = {};
};
