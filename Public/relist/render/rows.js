import { element, pushButton, setAttribute, updateChildren } from '../elements.js';
import { existing, isSame, reuse, place, setText } from './dom.js';
import { nameOf, rowOf } from './registry.js';

/**
 * @typedef {import('../protocol.js').Action} Action
 * @typedef {import('../protocol.js').Cell} Cell
 * @typedef {import('../protocol.js').Link} Link
 * @typedef {import('../protocol.js').Section} Section
 * @typedef {import('../protocol.js').Supplementary} Supplementary
 * @typedef {import('../protocol.js').View} View
 */

/**
 * The user's selection in a list.
 *
 * @typedef {object} Choice
 * @property {View} view
 * @property {boolean} isFooter
 * @property {Action=} action
 * @property {Action[]=} actions the actions to choose from
 * @property {Link=} link
 *
 * @typedef {object} RowContext values that all rows of a list share
 * @property {import('./registry.js').Registry} registry
 * @property {(link: Link) => string | undefined} href
 * @property {WeakMap<Element, Choice>} choices the choice of each clickable element
 * @property {() => string} more returns the name of the button for several actions
 * @property {(row: RowNode, cell: Cell) => void} fill shows a cell, now or later
 *
 * @typedef {object} ButtonModel
 * @property {Choice} choice
 * @property {'more' | 'act'} name its class
 * @property {string=} text
 * @property {string} label
 * @property {boolean=} isDisabled
 * @property {RowContext} context
 */

/**
 * The node of one cell, header, footer or supplementary view. It contains a row that may be selectable, and buttons for the `actions` of
 * the view.
 */
export class RowNode {
  /** @type {HTMLElement} */
  node;
  #place;
  /** @type {HTMLElement | undefined} */
  #row;
  /**
   * The view that the server sent. The row shows this view or its fallback.
   *
   * @type {View | undefined}
   */
  #given;
  /**
   * The address of the row's link.
   *
   * @type {string | undefined}
   */
  #href;
  /**
   * The view that the row shows. It may be a fallback.
   *
   * @type {View | undefined}
   */
  #view;
  /** @type {HTMLElement | undefined} */
  #buttons;
  /** @type {HTMLElement | undefined} */
  #badges;

  /**
   * @param {'li' | 'header' | 'footer' | 'div'} tag
   * @param {'cell' | 'header' | 'footer' | 'badge'} place
   */
  constructor(tag, place) {
    this.node = element(tag, place);
    this.#place = place;
  }

  /**
   * Shows a view, unless it equals the shown view.
   *
   * @param {View} given
   * @param {RowContext} context
   */
  show(given, context) {
    if (isSame(given, this.#given)) return;
    this.#given = given;
    this.#render(given, context);
  }

  /**
   * Updates the link if its address has changed.
   *
   * @param {RowContext} context
   */
  relink(context) {
    const { link } = this.#view ?? {};
    if (this.#given && link && context.href(link) !== this.#href) this.#render(this.#given, context);
  }

  /**
   * Shows a view or its fallback.
   *
   * @param {View} given
   * @param {RowContext} context
   */
  #render(given, context) {
    const view = context.registry.shown(given);
    this.node.hidden = view === undefined;
    if (view === undefined) this.#showNothing();
    else this.#showView(view, context);
  }

  /**
   * Fills the row and its buttons.
   *
   * @param {View} view
   * @param {RowContext} context
   */
  #showView(view, context) {
    const href = view.link && context.href(view.link);
    this.#href = href;
    const row = this.#begin(href ? 'a' : view.action ? 'button' : 'div', view.type);
    this.#view = view;
    if (href) setAttribute(row, 'href', href);
    const { link, action } = view;
    const choice = { view, isFooter: this.#place === 'footer', ...(href ? { link } : { action }) };
    if (href || action) context.choices.set(row, choice);
    this.#describe(row, view);
    this.#resize(view.size);
    context.registry.configure(row, view);
    this.#showButtons(row, view, context);
  }

  /**
   * Shows the supplementary views of the cell.
   *
   * @param {Element[]} nodes
   */
  showBadges(nodes) {
    if (nodes.length === 0 && !this.#badges) return;
    this.#badges ??= element('div', 'badges');
    if (nodes.length === 0) this.#badges.remove();
    else this.node.append(this.#badges);
    const { children } = this.#badges;
    if (nodes.some((node, index) => node !== children[index]) || nodes.length !== children.length) this.#badges.replaceChildren(...nodes);
  }

  /** Removes the row, so that a hidden element cannot have the focus. */
  #showNothing() {
    this.#row?.remove();
    this.#buttons?.remove();
    this.#row = undefined;
    this.#view = undefined;
    delete this.node.dataset.type;
  }

  /**
   * Returns the element of the row. If the tag has changed, a new element replaces the old one. If the type has changed, the content is
   * removed.
   *
   * @param {'a' | 'button' | 'div'} tag
   * @param {string} type
   * @returns {HTMLElement}
   */
  #begin(tag, type) {
    if (this.#view?.type !== type) {
      this.node.dataset.type = type;
      this.#row?.replaceChildren();
    }
    if (this.#row?.tagName.toLowerCase() === tag) return this.#row;
    const isFocused = this.#row !== undefined && this.#row === document.activeElement;
    const row = element(tag, 'row');
    if (tag === 'button') /** @type {HTMLButtonElement} */ (row).type = 'button';
    if (this.#row) this.#row.replaceWith(row);
    else this.node.prepend(row);
    this.#row = row;
    if (isFocused) row.focus({ preventScroll: true });
    return row;
  }

  /**
   * Sets the roles of a row for screen readers.
   *
   * @param {HTMLElement} row
   * @param {View} view
   */
  #describe(row, { isOn }) {
    const isSwitch = typeof isOn === 'boolean' && row.tagName === 'BUTTON';
    const isHeading = this.#place === 'header' && row.tagName === 'DIV';
    setAttribute(row, 'role', isSwitch ? 'switch' : isHeading && 'heading');
    setAttribute(row, 'aria-checked', isSwitch && String(isOn));
    setAttribute(row, 'aria-level', isHeading && 2);
    this.node.classList.toggle('on', isOn === true);
  }

  /**
   * Sets the size that the server states for the view.
   *
   * @param {import('../protocol.js').Size=} size
   */
  #resize(size) {
    for (const side of /** @type {const} */ (['width', 'height'])) {
      if (typeof size?.[side] === 'number') this.node.style.setProperty(`--${side}`, `${size[side]}px`);
      else this.node.style.removeProperty(`--${side}`);
      this.node.classList.toggle(`has-${side}`, typeof size?.[side] === 'number');
    }
  }

  /**
   * Shows the buttons for the `actions` of a view.
   *
   * @param {HTMLElement} row
   * @param {View} view
   * @param {RowContext} context
   */
  #showButtons(row, view, context) {
    const actions = view.actions ?? [];
    const buttons = actions.length === 0 ? [] : this.#buttonsOf(view, actions, context);
    if (buttons.length === 0) this.#buttons?.remove();
    if (buttons.length === 0) return;
    this.#buttons ??= element('div', 'buttons');
    if (!this.#buttons.isConnected || this.#buttons.parentNode !== this.node) row.after(this.#buttons);
    this.#updateButtons(this.#buttons, buttons);
  }

  /**
   * Returns a button for each action. If there are many actions, returns one button for all of them.
   *
   * @param {View} view
   * @param {Action[]} actions
   * @param {RowContext} context
   * @returns {ButtonModel[]}
   */
  #buttonsOf(view, actions, context) {
    const isFew = actions.length <= (this.#place === 'cell' ? 1 : 2);
    const isFooter = this.#place === 'footer';
    const more = `${context.more()}: ${nameOf(view)}`;
    if (!isFew) return [{ choice: { view, actions, isFooter }, name: 'more', label: more, context }];
    return actions.map((action) => ({
      choice: { view, action, isFooter }, name: 'act', text: action.title ?? action.name,
      label: `${action.title ?? action.name}: ${nameOf(view)}`, isDisabled: action.disabled === true, context,
    }));
  }

  /**
   * Updates the buttons. Existing buttons are reused, so that the focus stays.
   *
   * @param {HTMLElement} parent
   * @param {ButtonModel[]} buttons
   */
  #updateButtons(parent, buttons) {
    /**
     * Updates a button from its model.
     *
     * @param {HTMLButtonElement} button
     * @param {ButtonModel} model
     */
    const update = (button, { choice, name, text = '', label, isDisabled = false, context }) => {
      button.className = name;
      button.disabled = isDisabled;
      setText(button, text);
      setAttribute(button, 'aria-label', label);
      setAttribute(button, 'aria-haspopup', name === 'more' && 'dialog');
      context.choices.set(button, choice);
    };
    updateChildren(parent, buttons, () => pushButton(''), update);
  }
}

/** The node of one section: header, cells, footer, and supplementary views without a cell. */
export class SectionNode {
  node = element('section', 'section');
  /** @type {Section | undefined} */
  #shown;
  #header = new RowNode('header', 'header');
  #cells = element('ul', 'cells');
  #footer = new RowNode('footer', 'footer');
  #views = element('ul', 'supplementary');
  /** @type {Map<string, RowNode>} */
  #supplementary = new Map();

  constructor() {
    this.#cells.setAttribute('role', 'list');
  }

  /**
   * Shows a section.
   *
   * @param {Section} section
   * @param {Map<string, RowNode>} rows the rows of all cells of the list
   * @param {RowContext} context
   * @param {Set<Element>=} moving the nodes of the cells that the operations of a stage move. If undefined, all cells that differ are
   *   updated, and as few cells as possible move.
   */
  show(section, rows, context, moving) {
    if (section === this.#shown) return;
    this.#shown = section;
    const { id, header, cells, footer, supplementary = [] } = section;
    this.node.dataset.id = id;
    const shown = header && context.registry.shown(header);
    const name = shown && rowOf(shown).title;
    // A named section would be a landmark, and a list can have many sections.
    setAttribute(this.node, 'role', name && 'group');
    setAttribute(this.node, 'aria-label', name);
    if (header) this.#header.show(header, context);
    if (!moving) for (const cell of cells) context.fill(existing(rows, cell.id), cell);
    if (footer) this.#footer.show(footer, context);
    place(this.#cells, cells.map((cell) => existing(rows, cell.id).node), moving);
    const loose = this.#showSupplementary(supplementary, cells, rows, context);
    this.#showParts({ header, footer, loose });
  }

  /**
   * Returns the nodes of the header, the cells and the footer, in document order.
   *
   * @returns {HTMLElement[]}
   */
  leaves() {
    const leaves = [...this.node.children].flatMap((child) => (child === this.#cells ? [...child.children] : child))
      .filter((child) => child !== this.#views);
    return /** @type {HTMLElement[]} */ (leaves);
  }

  /**
   * Shows only the parts that the section has.
   *
   * @param {{header?: View, footer?: View, loose: boolean}} shown
   */
  #showParts({ header, footer, loose }) {
    /** @type {[unknown, HTMLElement][]} */
    const parts = [[header, this.#header.node], [true, this.#cells], [footer, this.#footer.node], [loose, this.#views]];
    for (const [isShown, node] of parts) if (!isShown) node.remove();
    place(this.node, parts.filter(([isShown]) => isShown).map(([, node]) => node));
  }

  /**
   * Attaches each supplementary view to its cell.
   *
   * @param {Supplementary[]} supplementary
   * @param {Cell[]} cells
   * @param {Map<string, RowNode>} rows
   * @param {RowContext} context
   * @returns {boolean} whether any view has no cell
   */
  #showSupplementary(supplementary, cells, rows, context) {
    const keyed = withKeys(supplementary);
    this.#supplementary = reuse(this.#supplementary, keyed, ({ key }) => key, () => new RowNode('div', 'badge'));
    /** @type {Map<string | undefined, HTMLElement[]>} */
    const places = new Map(cells.map((cell) => [cell.id, []]));
    /** @type {HTMLElement[]} */
    const loose = [];
    for (const { key, kind, cell, item, view } of keyed) {
      const badge = existing(this.#supplementary, key);
      badge.node.dataset.kind = kind;
      badge.show(view, context);
      (places.get(cell ?? cells[item ?? -1]?.id) ?? loose).push(badge.node);
    }
    for (const [id, badges] of places) existing(rows, id).showBadges(badges);
    this.#views.replaceChildren(...loose.map((node) => element('li', '', [node])));
    return loose.length > 0;
  }
}

/**
 * Adds a key to each supplementary view, so that its node can be reused. The key contains the kind and the place of the view, and a
 * number that distinguishes views with the same kind and place.
 *
 * @param {Supplementary[]} supplementary
 */
function withKeys(supplementary) {
  const seen = new Map();
  return supplementary.map((one) => {
    const at = JSON.stringify([one.kind, one.cell ?? one.item]);
    const count = (seen.get(at) ?? 0) + 1;
    seen.set(at, count);
    return { ...one, key: `${at}${count}` };
  });
}

/** The number of rows of a large list that are filled immediately, even if they are outside of the viewport. */
const immediateRows = 150;
/** The maximum time in milliseconds for which further rows are filled without a pause. */
const frameBudget = 6;

/**
 * Fills the rows of a list. In a large list, rows outside of the viewport are filled later in pieces, so that typing and scrolling
 * are not delayed.
 */
export class RowFiller {
  /** @type {((row: RowNode) => boolean) | undefined} */
  #isVisible;
  #count = 0;
  /**
   * The rows to fill later, with the functions that fill them.
   *
   * @type {Map<RowNode, () => void>}
   */
  #later = new Map();
  #channel = new MessageChannel();

  constructor() {
    this.#channel.port1.onmessage = () => this.#fillSome();
  }

  /**
   * Prepares to fill the rows of a newly shown list.
   *
   * @param {((row: RowNode) => boolean)=} isVisible returns whether a row is in the viewport; only given for a large list
   */
  begin(isVisible) {
    this.#isVisible = isVisible;
    this.#count = 0;
  }

  /**
   * Fills a row now, or later if it is outside of the viewport of a large list.
   *
   * @param {RowNode} row
   * @param {() => void} show fills the row
   */
  fill(row, show) {
    this.#later.delete(row);
    this.#count += 1;
    if (!this.#isVisible || this.#count <= immediateRows || this.#isVisible(row)) show();
    else this.#fillLater(row, show);
  }

  clear() {
    this.#later.clear();
  }

  /**
   * Fills a row after the rows that are already waiting.
   *
   * @param {RowNode} row
   * @param {() => void} show
   */
  #fillLater(row, show) {
    if (this.#later.size === 0) this.#channel.port2.postMessage(undefined);
    this.#later.set(row, show);
  }

  #fillSome() {
    const end = performance.now() + frameBudget;
    for (const [row, show] of this.#later) {
      if (performance.now() > end) break;
      this.#later.delete(row);
      if (row.node.isConnected) show();
    }
    if (this.#later.size > 0) this.#channel.port2.postMessage(undefined);
  }
}
