import { staying } from './arrange.js';
import { rowOf } from './content.js';

/**
 * Shows snapshots as a plain list. Nodes are keyed by the ids of sections and cells: what did not
 * change keeps its node, also when a cell moves to another section.
 */
export class ListView {
  #root;
  #href;
  #sections = new Map();
  #cells = new Map();
  #screen;

  /**
   * @param {HTMLElement} root
   * @param {(link: {screen: string, parameters?: object}) => string | undefined} href the address
   *   that a link leads to, or undefined where it leads nowhere
   */
  constructor(root, href) {
    this.#root = root;
    this.#href = href;
    root.addEventListener('animationend', ({ target }) => delete target.dataset.change);
  }

  /** @param {import('./changeset.js').Snapshot} snapshot */
  render(snapshot) {
    if (snapshot.screen !== this.#screen) this.clear();
    const isFirst = this.#screen === undefined;
    this.#screen = snapshot.screen;
    const focused = document.activeElement;
    const cells = keep(this.#cells, snapshot.sections.flatMap((section) => section.cells), (cell) => cell.id, () => new RowNode('li', 'cell'));
    const sections = keep(this.#sections, snapshot.sections, (section) => section.id, () => new SectionNode());
    arrange(this.#root, [...sections.values()].map(({ node }) => node));
    for (const section of snapshot.sections) sections.get(section.id).show(section, cells, this.#href);
    this.#cells = cells;
    this.#sections = sections;
    if (isFirst) this.#root.querySelectorAll('[data-change]').forEach((node) => delete node.dataset.change);
    if (focused !== document.activeElement && this.#root.contains(focused)) focused.focus({ preventScroll: true });
  }

  clear() {
    this.#screen = undefined;
    this.#sections = new Map();
    this.#cells = new Map();
    this.#root.replaceChildren();
  }
}

class SectionNode {
  node = element('section', 'section');
  #header = new RowNode('header', 'header');
  #cells = element('ol', 'cells');
  #footer = new RowNode('footer', 'footer');
  #views = element('ul', 'supplementary');
  #supplementary = new Map();

  show({ id, header, cells, footer, supplementary = [] }, nodes, href) {
    this.node.dataset.id = id;
    if (header) this.#header.show(header, href);
    for (const cell of cells) nodes.get(cell.id).show(cell, href);
    if (footer) this.#footer.show(footer, href);
    this.#showSupplementary(supplementary, href);
    for (const node of arrange(this.#cells, cells.map((cell) => nodes.get(cell.id).node))) node.dataset.change ??= 'moved';
    const parts = [header && this.#header.node, this.#cells, footer && this.#footer.node, supplementary.length && this.#views];
    arrange(this.node, parts.filter(Boolean));
  }

  #showSupplementary(views, href) {
    const seen = new Map();
    const keyOf = ({ kind, cell, item }) => JSON.stringify([kind, cell ?? item]);
    const keyed = views.map((view) => {
      const count = (seen.get(keyOf(view)) ?? 0) + 1;
      seen.set(keyOf(view), count);
      return { key: `${keyOf(view)}${count}`, view };
    });
    this.#supplementary = keep(this.#supplementary, keyed, ({ key }) => key, () => new RowNode('li', 'view'));
    for (const { key, view } of keyed) {
      const place = view.cell === undefined ? `item ${view.item}` : view.cell;
      this.#supplementary.get(key).show(view.view, href, `${view.kind} · ${place}`);
    }
    arrange(this.#views, keyed.map(({ key }) => this.#supplementary.get(key).node));
  }
}

/** The node of one cell or view. */
class RowNode {
  node;
  #view;
  #label;
  #row;

  constructor(tag, name) {
    this.node = element(tag, name);
  }

  show(view, href, label) {
    const target = view.link && href(view.link);
    if (this.#row?.tagName !== (target ? 'A' : 'DIV')) this.#begin(target ? 'a' : 'div');
    if (target && this.#row.getAttribute('href') !== target) this.#row.setAttribute('href', target);
    if (label === this.#label && isSame(view, this.#view)) return;
    this.node.dataset.change = this.#view ? 'updated' : 'inserted';
    this.#view = view;
    this.#label = label;
    this.#row.replaceChildren(...partsOf(rowOf(view), label));
  }

  #begin(tag) {
    this.#view = undefined;
    this.#row = element(tag, 'row');
    this.node.replaceChildren(this.#row);
  }
}

function partsOf({ title, value, facts, marks, actions }, label) {
  const parts = [element('span', 'title', title)];
  if (value !== undefined) parts.push(element('span', 'value', value));
  if (facts.length) parts.push(element('span', 'facts', facts.map(factOf)));
  const small = [...(label ? [label] : []), ...marks];
  if (actions.length) small.push(`actions: ${actions.join(', ')}`);
  parts.push(element('span', 'marks', small.map((mark) => element('span', 'mark', mark))));
  return parts;
}

function factOf({ key, text, structured }) {
  return element('span', 'fact', [element('span', 'key', `${key}: `), element(structured ? 'code' : 'span', 'text', text)]);
}

/** @param {string | Node[]} content text is only ever set as text */
function element(tag, name, content = []) {
  const node = document.createElement(tag);
  node.className = name;
  if (typeof content === 'string') node.textContent = content;
  else node.append(...content);
  return node;
}

/** @returns a map with exactly these keys, in order, with the old values where there are any */
function keep(old, models, keyOf, create) {
  return new Map(models.map((model) => [keyOf(model), old.get(keyOf(model)) ?? create()]));
}

/**
 * Makes these the children of the parent, in order, and detaches only what has to move.
 *
 * @returns {Element[]} the nodes that were put somewhere
 */
function arrange(parent, nodes) {
  const wanted = new Set(nodes);
  for (const node of [...parent.children]) if (!wanted.has(node)) node.remove();
  const places = new Map([...parent.children].map((node, index) => [node, index]));
  const stay = staying(nodes.map((node) => places.get(node) ?? -1));
  let next = parent.firstElementChild;
  return nodes.filter((node, index) => {
    if (stay.has(index)) next = node.nextElementSibling;
    else parent.insertBefore(node, next);
    return !stay.has(index);
  });
}

/** A snapshot that replaces another brings new objects; what reads the same is left alone. */
function isSame(view, other) {
  return view === other || (other !== undefined && JSON.stringify(view) === JSON.stringify(other));
}
