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
 * @property {Action[]=} actions to choose from
 * @property {Link=} link
 * @typedef {object} RowContext shared by all rows of a list
 * @property {import('./registry.js').Registry} registry
 * @property {(link: Link) => string | undefined} href
 * @property {number} level the level of headings
 * @property {WeakMap<Element, Choice>} choices by clickable element
 * @property {() => string} more
 * @property {(row: RowNode, cell: Cell) => void} fill shows a cell, now or later
 * @typedef {object} ButtonModel
 * @property {Choice} choice
 * @property {'more' | 'act'} name
 * @property {string=} text
 * @property {string} label
 * @property {boolean=} isDisabled
 * @property {RowContext} context
 */

/** The node of one cell, header, footer or supplementary view: a row that may be selectable, and buttons. */
export class RowNode {
  /** @type {HTMLElement} */
  node;
  #place;
  /** @type {HTMLElement | undefined} */
  #row;
  /**
   * The view from the server.
   *
   * @type {View | undefined}
   */
  #given;
  /** @type {string | undefined} */
  #href;
  /**
   * The shown view, which may be a fallback.
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
   * @param {View} given
   * @param {RowContext} context
   */
  show(given, context) {
    if (isSame(given, this.#given)) return;
    this.#given = given;
    this.#render(given, context);
  }

  /** @param {RowContext} context */
  relink(context) {
    const { link } = this.#view ?? {};
    if (this.#given && link && context.href(link) !== this.#href) this.#render(this.#given, context);
  }

  /**
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
    this.#describe(row, view, context);
    this.#resize(view.size);
    context.registry.configure(row, view);
    this.#showButtons(row, view, context);
  }

  /** @param {Element[]} nodes */
  showBadges(nodes) {
    if (nodes.length === 0 && !this.#badges) return;
    this.#badges ??= element('div', 'badges');
    if (nodes.length === 0) this.#badges.remove();
    else this.node.append(this.#badges);
    const { children } = this.#badges;
    if (nodes.some((node, index) => node !== children[index]) || nodes.length !== children.length) this.#badges.replaceChildren(...nodes);
  }

  /** Removes the row, so that it cannot have the focus. */
  #showNothing() {
    this.#row?.remove();
    this.#buttons?.remove();
    this.#row = undefined;
    this.#view = undefined;
    delete this.node.dataset.type;
  }

  /**
   * Returns the element of the row, a new one if the tag has changed. For a new type, its content is removed.
   *
   * @param {'a' | 'button' | 'div'} tag
   * @param {string} type
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
   * @param {HTMLElement} row
   * @param {View} view
   * @param {RowContext} context
   */
  #describe(row, { isOn }, { level }) {
    const isSwitch = typeof isOn === 'boolean' && row.tagName === 'BUTTON';
    const isHeading = this.#place === 'header' && row.tagName === 'DIV';
    setAttribute(row, 'role', isSwitch ? 'switch' : isHeading && 'heading');
    setAttribute(row, 'aria-checked', isSwitch && String(isOn));
    setAttribute(row, 'aria-level', isHeading && level);
    this.node.classList.toggle('on', isOn === true);
  }

  /** @param {import('../protocol.js').Size=} size */
  #resize(size) {
    for (const side of /** @type {const} */ (['width', 'height'])) {
      if (typeof size?.[side] === 'number') this.node.style.setProperty(`--${side}`, `${size[side]}px`);
      else this.node.style.removeProperty(`--${side}`);
      this.node.classList.toggle(`has-${side}`, typeof size?.[side] === 'number');
    }
  }

  /**
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
   * Returns a button for each action, or one for many actions.
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
   * @param {HTMLElement} parent
   * @param {ButtonModel[]} buttons
   */
  #updateButtons(parent, buttons) {
    /**
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

/** The node of one section. */
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
   * @param {Section} section
   * @param {Map<string, RowNode>} rows of all cells of the list
   * @param {RowContext} context
   * @param {Set<Element>=} moving the nodes of the cells that a stage moves. If undefined, all cells are updated, and as few as possible
   *   move.
   */
  show(section, rows, context, moving) {
    if (section === this.#shown) return;
    this.#shown = section;
    const { id, header, cells, footer, supplementary = [] } = section;
    this.node.dataset.id = id;
    const shown = header && context.registry.shown(header);
    const name = shown && rowOf(shown).title;
    // A named section would be a landmark.
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
   * Returns the header, the cells and the footer.
   *
   * @returns {HTMLElement[]}
   */
  leaves() {
    const leaves = [...this.node.children].flatMap((child) => (child === this.#cells ? [...child.children] : child))
      .filter((child) => child !== this.#views);
    return /** @type {HTMLElement[]} */ (leaves);
  }

  /** @param {{header?: View, footer?: View, loose: boolean}} shown */
  #showParts({ header, footer, loose }) {
    /** @type {[unknown, HTMLElement][]} */
    const parts = [[header, this.#header.node], [true, this.#cells], [footer, this.#footer.node], [loose, this.#views]];
    for (const [isShown, node] of parts) if (!isShown) node.remove();
    place(this.node, parts.filter(([isShown]) => isShown).map(([, node]) => node));
  }

  /**
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
 * Adds keys, so that nodes can be reused. Views with the same kind and place are numbered.
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

/** The number of rows of a large list that are filled at once. */
const immediateRows = 150;
/** The maximum time in milliseconds without a pause. */
const frameBudget = 6;

/** Fills rows. In a large list, rows outside of the viewport are filled later in pieces, so that typing and scrolling are not delayed. */
export class RowFiller {
  /** @type {((row: RowNode) => boolean) | undefined} */
  #isVisible;
  #count = 0;
  /**
   * The rows to fill later.
   *
   * @type {Map<RowNode, () => void>}
   */
  #later = new Map();
  #channel = new MessageChannel();

  constructor() {
    this.#channel.port1.onmessage = () => this.#fillSome();
  }

  /** @param {((row: RowNode) => boolean)=} isVisible returns whether a row of a large list is in the viewport */
  begin(isVisible) {
    this.#isVisible = isVisible;
    this.#count = 0;
  }

  /**
   * @param {RowNode} row
   * @param {() => void} show
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
   * @param {RowNode} row
   * @param {() => void} show
   */
  #fillLater(row, show) {
    if (this.#later.size === 0) this.#channel.port2.postMessage(undefined);
    this.#later.set(row, show);
  }

  #fillSome() {
    const end = performance.now() + frameBudget;
    /** @type {HTMLElement | undefined} */
    let filled;
    for (const [row, show] of this.#later) {
      if (performance.now() > end) break;
      filled = row.node;
      this.#later.delete(row);
      if (row.node.isConnected) show();
    }
    // The layout of these rows belongs to this piece. Otherwise one frame would lay out the rows of several pieces.
    filled?.getBoundingClientRect();
    if (this.#later.size > 0) this.#channel.port2.postMessage(undefined);
  }
}
