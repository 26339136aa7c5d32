import { rowOf } from './content.js';
import { element, keep, setAttribute } from './dom.js';
import { place } from './placement.js';
import { RowNode } from './row-node.js';

/** The node of one section: header, cells, footer, and the supplementary views that belong to no cell. */
export class SectionNode {
  node = element('section', 'section');
  #shown;
  #header = new RowNode('header', 'header');
  #cells = element('ul', 'cells');
  #footer = new RowNode('footer', 'footer');
  #views = element('ul', 'supplementary');
  #supplementary = new Map();

  constructor() {
    this.#cells.setAttribute('role', 'list');
  }

  /**
   * @param {import('../changeset.js').Section} section
   * @param {Map<string, RowNode>} nodes of all cells of the list
   * @param {import('./row-node.js').RowContext} context
   */
  show(section, nodes, context) {
    if (section === this.#shown) return;
    this.#shown = section;
    const { id, header, cells, footer, supplementary = [] } = section;
    this.node.dataset.id = id;
    const shown = header && context.registry.shown(header);
    setAttribute(this.node, 'aria-label', shown && rowOf(shown).title);
    if (header) this.#header.show(header, context);
    for (const cell of cells) context.fill(nodes.get(cell.id), cell);
    if (footer) this.#footer.show(footer, context);
    place(this.#cells, cells.map((cell) => nodes.get(cell.id).node));
    const loose = this.#showSupplementary(supplementary, cells, nodes, context);
    const parts = [header && this.#header.node, this.#cells, footer && this.#footer.node, loose && this.#views];
    place(this.node, parts.filter(Boolean));
  }

  /** @returns {Element[]} the nodes of header and footer, where they are shown */
  views() {
    return [this.#header.node, this.#footer.node].filter(({ parentNode }) => parentNode === this.node);
  }

  /** Puts each view to its cell. @returns {boolean} whether there are some for which there is none */
  #showSupplementary(supplementary, cells, nodes, context) {
    const keyed = withKeys(supplementary);
    this.#supplementary = keep(this.#supplementary, keyed, ({ key }) => key, () => new RowNode('div', 'badge'));
    const places = new Map(cells.map((cell) => [cell.id, []]));
    const loose = [];
    for (const { key, kind, cell, item, view } of keyed) {
      const badge = this.#supplementary.get(key);
      badge.node.dataset.kind = kind;
      badge.show(view, context);
      (places.get(cell ?? cells[item]?.id) ?? loose).push(badge.node);
    }
    for (const [id, badges] of places) nodes.get(id).showBadges(badges);
    this.#views.replaceChildren(...loose.map((node) => element('li', '', [node])));
    return loose.length > 0;
  }
}

/** A view is the same as long as its kind and place are, of several at one place in their order. */
function withKeys(supplementary) {
  const seen = new Map();
  return supplementary.map((one) => {
    const at = JSON.stringify([one.kind, one.cell ?? one.item]);
    const count = (seen.get(at) ?? 0) + 1;
    seen.set(at, count);
    return { ...one, key: `${at}${count}` };
  });
}
