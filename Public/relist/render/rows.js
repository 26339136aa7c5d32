import { element, isSame, keep, place, setAttribute, setText } from './dom.js';
import { nameOf, rowOf } from './registry.js';

/**
 * What somebody chose in a list.
 *
 * @typedef {object} Choice
 * @property {import('./registry.js').AnyView} view
 * @property {boolean} isFooter
 * @property {object=} action
 * @property {object[]=} actions to choose from
 * @property {{screen: string, parameters?: object}=} link
 *
 * @typedef {object} RowContext what all rows of a list share
 * @property {import('./registry.js').Registry} registry
 * @property {(link: {screen: string, parameters?: object}) => string | undefined} href
 * @property {WeakMap<Element, Choice>} choices by the element that is clicked
 * @property {() => string} more names the button behind which several actions are
 * @property {(row: RowNode, cell: import('../changeset.js').Cell) => void} fill shows a cell, at once or soon
 */

/** The node of one cell, header, footer or supplementary view: a row to select, and what else can be done. */
export class RowNode {
  node;
  #place;
  #row;
  #given;
  #href;
  #view;
  #buttons;
  #badges;

  /**
   * @param {string} tag
   * @param {'cell' | 'header' | 'footer' | 'badge'} place
   */
  constructor(tag, place) {
    this.node = element(tag, place);
    this.#place = place;
  }

  /**
   * @param {import('./registry.js').AnyView} given
   * @param {RowContext} context
   */
  show(given, context) {
    if (isSame(given, this.#given)) return;
    this.#given = given;
    this.#render(given, context);
  }

  /** Where one is may have changed where its link leads, or whether it leads anywhere. @param {RowContext} context */
  relink(context) {
    const { link } = this.#view ?? {};
    if (link && context.href(link) !== this.#href) this.#render(this.#given, context);
  }

  #render(given, context) {
    const view = context.registry.shown(given);
    this.node.hidden = view === undefined;
    if (view === undefined) this.#showNothing();
    else this.#showView(view, context);
  }

  #showView(view, context) {
    const href = view.link && context.href(view.link);
    this.#href = href;
    this.#begin(href ? 'a' : view.action ? 'button' : 'div', view.type);
    this.#view = view;
    if (href) setAttribute(this.#row, 'href', href);
    const { link, action } = view;
    const choice = { view, isFooter: this.#place === 'footer', ...(href ? { link } : { action }) };
    if (href || action) context.choices.set(this.#row, choice);
    this.#describe(view);
    this.#resize(view.size);
    context.registry.configure(this.#row, view);
    this.#showButtons(view, context);
  }

  /** @param {Element[]} nodes supplementary views that belong to this cell */
  showBadges(nodes) {
    if (nodes.length === 0 && !this.#badges) return;
    this.#badges ??= element('div', 'badges');
    if (nodes.length === 0) this.#badges.remove();
    else this.node.append(this.#badges);
    if (nodes.some((node, index) => node !== this.#badges.children[index]) || nodes.length !== this.#badges.children.length) {
      this.#badges.replaceChildren(...nodes);
    }
  }

  /** Without a row, so that nobody's focus stays on what is not to be seen. */
  #showNothing() {
    this.#row?.remove();
    this.#buttons?.remove();
    this.#row = undefined;
    this.#view = undefined;
    delete this.node.dataset.type;
  }

  #begin(tag, type) {
    if (this.#view?.type !== type) {
      this.node.dataset.type = type;
      this.#row?.replaceChildren();
    }
    if (this.#row?.tagName.toLowerCase() === tag) return;
    const isFocused = this.#row !== undefined && this.#row === document.activeElement;
    const row = element(tag, 'row');
    if (tag === 'button') row.type = 'button';
    if (this.#row) this.#row.replaceWith(row);
    else this.node.prepend(row);
    this.#row = row;
    if (isFocused) row.focus({ preventScroll: true });
  }

  #describe({ isOn }) {
    const isSwitch = typeof isOn === 'boolean' && this.#row.tagName === 'BUTTON';
    const isHeading = this.#place === 'header' && this.#row.tagName === 'DIV';
    setAttribute(this.#row, 'role', isSwitch ? 'switch' : isHeading && 'heading');
    setAttribute(this.#row, 'aria-checked', isSwitch && String(isOn));
    setAttribute(this.#row, 'aria-level', isHeading && 2);
    this.node.classList.toggle('on', isOn === true);
  }

  #resize(size) {
    for (const side of ['width', 'height']) {
      if (typeof size?.[side] === 'number') this.node.style.setProperty(`--${side}`, `${size[side]}px`);
      else this.node.style.removeProperty(`--${side}`);
      this.node.classList.toggle(`has-${side}`, typeof size?.[side] === 'number');
    }
  }

  #showButtons(view, context) {
    const buttons = (view.actions ?? []).length === 0 ? [] : this.#buttonsOf(view, context);
    if (buttons.length === 0) this.#buttons?.remove();
    if (buttons.length === 0) return;
    this.#buttons ??= element('div', 'buttons');
    if (!this.#buttons.isConnected || this.#buttons.parentNode !== this.node) this.#row.after(this.#buttons);
    this.#reuse(buttons);
  }

  #buttonsOf(view, context) {
    const isFew = view.actions.length <= (this.#place === 'cell' ? 1 : 2);
    const isFooter = this.#place === 'footer';
    const more = `${context.more()}: ${nameOf(view)}`;
    if (!isFew) return [{ choice: { view, actions: view.actions, isFooter }, name: 'more', label: more, context }];
    return view.actions.map((action) => ({
      choice: { view, action, isFooter }, name: 'act', text: action.title ?? action.name,
      label: `${action.title ?? action.name}: ${nameOf(view)}`, isDisabled: action.disabled === true, context,
    }));
  }

  /** The same buttons go on where there are as many, so that one that has the focus keeps it. */
  #reuse(buttons) {
    while (this.#buttons.children.length > buttons.length) this.#buttons.lastChild.remove();
    buttons.forEach(({ choice, name, text = '', label, isDisabled = false, context }, index) => {
      const button = this.#buttons.children[index] ?? this.#buttons.appendChild(element('button'));
      button.type = 'button';
      button.className = name;
      button.disabled = isDisabled;
      setText(button, text);
      setAttribute(button, 'aria-label', label);
      setAttribute(button, 'aria-haspopup', name === 'more' && 'dialog');
      context.choices.set(button, choice);
    });
  }
}

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
   * @param {Map<string, RowNode>} rows of all cells of the list
   * @param {RowContext} context
   * @param {Set<Element>=} moving the cells that come to another place, where an operation has named them; without
   *   it whatever reads differently is shown anew, and as little is moved as can be
   */
  show(section, rows, context, moving) {
    if (section === this.#shown) return;
    this.#shown = section;
    const { id, header, cells, footer, supplementary = [] } = section;
    this.node.dataset.id = id;
    const shown = header && context.registry.shown(header);
    setAttribute(this.node, 'aria-label', shown && rowOf(shown).title);
    if (header) this.#header.show(header, context);
    if (!moving) for (const cell of cells) context.fill(rows.get(cell.id), cell);
    if (footer) this.#footer.show(footer, context);
    place(this.#cells, cells.map((cell) => rows.get(cell.id).node), moving);
    const loose = this.#showSupplementary(supplementary, cells, rows, context);
    this.#showParts({ header, footer, loose });
  }

  /** @returns {HTMLElement[]} header, cells and footer, as they are read */
  leaves() {
    return [...this.node.children].flatMap((child) => (child === this.#cells ? [...child.children] : child))
      .filter((child) => child !== this.#views);
  }

  #showParts({ header, footer, loose }) {
    const parts = [[header, this.#header.node], [true, this.#cells], [footer, this.#footer.node], [loose, this.#views]];
    for (const [isShown, node] of parts) if (!isShown) node.remove();
    place(this.node, parts.filter(([isShown]) => isShown).map(([, node]) => node));
  }

  /** Puts each view to its cell. @returns {boolean} whether there are some for which there is none */
  #showSupplementary(supplementary, cells, rows, context) {
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
    for (const [id, badges] of places) rows.get(id).showBadges(badges);
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

/** So many rows are filled at once, and after them as many as a frame has time for. */
const atOnce = 150;
const milliseconds = 6;

/**
 * Fills the rows of a list: those that are seen at once, and in a large list the rest in pieces, so
 * that nobody who types or scrolls has to wait for what they do not see.
 */
export class Filling {
  #isSeen;
  #count = 0;
  #later = new Map();
  #channel = new MessageChannel();

  constructor() {
    this.#channel.port1.onmessage = () => this.#fillSome();
  }

  /** A list is going to be shown. @param {((row: object) => boolean)=} isSeen for a large one */
  begin(isSeen) {
    this.#isSeen = isSeen;
    this.#count = 0;
  }

  /**
   * @param {import('./rows.js').RowNode} row
   * @param {() => void} show
   */
  fill(row, show) {
    this.#later.delete(row);
    this.#count += 1;
    if (!this.#isSeen || this.#count <= atOnce || this.#isSeen(row)) show();
    else this.#wait(row, show);
  }

  clear() {
    this.#later.clear();
  }

  #wait(row, show) {
    if (this.#later.size === 0) this.#channel.port2.postMessage(undefined);
    this.#later.set(row, show);
  }

  #fillSome() {
    const end = performance.now() + milliseconds;
    for (const [row, show] of this.#later) {
      if (performance.now() > end) break;
      this.#later.delete(row);
      if (row.node.isConnected) show();
    }
    if (this.#later.size > 0) this.#channel.port2.postMessage(undefined);
  }
}
