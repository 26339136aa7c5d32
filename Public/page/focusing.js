/** The distances in pixels below the top of a phone in which its first visible row is searched. */
const depths = [4, 24, 48, 72];

/** The first visible row of a phone. It stays in place when the phone changes its width or its scroller, as when a device is rotated. */
class Place {
  #device;
  #scroll;
  /** The width and the overflow of the list. */
  #layout = '';
  /** @type {{row: Element, offset: number} | undefined} */
  #kept;

  /** @param {import('./device.js').Device} device */
  constructor(device) {
    this.#device = device;
    this.#scroll = device.part('scroll');
    // In a low window the page scrolls as a whole, and only the first phone keeps its place.
    const scrolled = device.number === 1 ? window : this.#scroll;
    scrolled.addEventListener('scroll', () => this.#remember(), { capture: true, passive: true });
    new ResizeObserver(() => this.#resize()).observe(this.#scroll);
  }

  #remember() {
    // A new layout can lose the scroll position, which is an event too.
    if (this.#currentLayout !== this.#layout) return this.#resize();
    const { left, width } = this.#scroll.getBoundingClientRect();
    const rows = depths.map((depth) => document.elementFromPoint(left + width / 2, this.#top + depth)?.closest('.cell'));
    const row = rows.find((one) => one && this.#scroll.contains(one));
    this.#kept = row && { row, offset: row.getBoundingClientRect().top - this.#top };
    return undefined;
  }

  #resize() {
    const isHidden = this.#scroll.clientWidth === 0;
    const isScrolled = this.#isScrolledAlone || this.#device.number === 1;
    if (!isHidden && isScrolled && this.#currentLayout !== this.#layout && this.#kept?.row.isConnected) {
      const { row, offset } = this.#kept;
      const scroller = this.#isScrolledAlone ? this.#scroll : document.scrollingElement;
      scroller.scrollTop += row.getBoundingClientRect().top - this.#top - offset;
    }
    if (!isHidden) this.#layout = this.#currentLayout;
    this.#device.phone.showSmallTitle();
  }

  get #currentLayout() {
    return `${this.#scroll.clientWidth} ${this.#isScrolledAlone}`;
  }

  get #isScrolledAlone() {
    return getComputedStyle(this.#scroll).overflowY !== 'visible';
  }

  get #top() {
    return this.#isScrolledAlone ? this.#scroll.getBoundingClientRect().top : 0;
  }
}

/** The user's focus and pointer on a phone. Changes wait while one of them is on a row, and the focus stays visible. */
export class Focusing {
  #device;
  #isPointedAt = false;
  #isFocused = false;
  /** The element in a row that had the focus last. @type {HTMLElement | undefined} */
  #last;

  /** @param {import('./device.js').Device} device */
  constructor(device) {
    this.#device = device;
    new Place(device);
    const { node, part } = device;
    const [list, notice] = [part('list'), part('notice')];
    const point = (isPointedAt) => () => this.#touch({ isPointedAt });
    for (const name of ['pointerover', 'pointerdown']) list.addEventListener(name, point(true));
    for (const name of ['pointerleave', 'pointercancel']) list.addEventListener(name, point(false));
    // A row keeps its hold until another element has the focus, and while the focus is on the notice about the waiting changes.
    node.addEventListener('focusin', ({ target }) => {
      if (notice.contains(target)) return;
      const isFocused = isRow(target, list);
      this.#last = isFocused ? target : undefined;
      this.#touch({ isFocused });
    });
    node.addEventListener('focusout', ({ target, relatedTarget }) => {
      if (node.contains(relatedTarget)) return;
      // A notice that is hidden loses the focus to no element.
      if (relatedTarget || !notice.contains(target)) this.#last = undefined;
      this.#touch({ isFocused: false });
    });
    for (const one of [list, notice]) one.addEventListener('keydown', ({ key }) => key === 'Escape' && this.#escape());
  }

  /** The cause that holds changes back. @returns {'pointer' | 'focus'} */
  get holder() {
    return this.#isPointedAt ? 'pointer' : 'focus';
  }

  /** The element in a row that had the focus before the notice about waiting changes. */
  get row() {
    return this.#last?.isConnected ? this.#last : undefined;
  }

  /** Shows the waiting changes. If there are none, the focus leaves the list for the link that skips the list. */
  #escape() {
    const { part, showing } = this.#device;
    if (part('notice').dataset.kind === 'waiting') return showing.show();
    if (!part('list').contains(document.activeElement)) return undefined;
    return [...part('bar').querySelectorAll('.skip')].find((link) => link.checkVisibility()).focus();
  }

  #touch({ isPointedAt = this.#isPointedAt, isFocused = this.#isFocused }) {
    [this.#isPointedAt, this.#isFocused] = [isPointedAt, isFocused];
    this.#device.showing.touch(isPointedAt || isFocused);
  }

  /**
   * Opens a link. If it extends the list, the focus moves from the link to the first new row.
   *
   * @param {HTMLElement} source the link
   * @param {(opened: string | undefined) => Promise<void>} visit called with the id of the cell with the link
   */
  async follow(source, visit) {
    const list = this.#device.part('list');
    const last = source.closest('.footer')?.closest('.section').querySelector('.cell:last-child');
    await visit(source.closest('.cell')?.dataset.id);
    const row = last?.isConnected && last.nextElementSibling;
    if (!row || !list.contains(document.activeElement)) return;
    row.tabIndex = -1;
    row.focus();
  }

  /** Scrolls to the row with the focus if a notice covers the row. @param {HTMLElement} notice */
  reveal(notice) {
    const { activeElement } = document;
    if (!isRow(activeElement, this.#device.part('list'))) return;
    const [row, cover] = [activeElement, notice].map((node) => node.getBoundingClientRect());
    if (row.bottom > cover.top && row.top < cover.bottom) activeElement.scrollIntoView({ block: 'nearest' });
  }
}

/** Returns whether an element is in a row of a list and shows the focus. */
function isRow(node, list) {
  return node !== list && list.contains(node) && node.matches(':focus-visible');
}
