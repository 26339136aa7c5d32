/**
 * The view that the address of the page names: `#/deliveries?from=2018-07-01&locale=fr`, like a path of the server's API, or
 * `?screen=deliveries&from=…`.
 *
 * @typedef {{screen?: string, parameters: Object<string, string>, locale?: string}} Address
 */

export function parseAddress({ hash, search }) {
  const [path, ...query] = hash.replace(/^#\/?/, '').split('?');
  // The links that skip a part have these addresses.
  if (path && !/^#(list|inspector|phone-2)$/.test(hash)) return address(decoded(path), new URLSearchParams(query.join('?')));
  const all = new URLSearchParams(search);
  const screen = all.get('screen') ?? undefined;
  all.delete('screen');
  return address(screen, all);
}

/** @param {Address} address @returns {string} a hash */
export function formatAddress({ screen, parameters, locale }) {
  const query = new URLSearchParams(parameters);
  if (locale) query.set('locale', locale);
  const text = query.toString();
  return `#/${encodeURIComponent(screen)}${text && `?${text}`}`;
}

function address(screen, query) {
  const { locale, ...parameters } = Object.fromEntries(query);
  return { screen, parameters, locale };
}

/** Decodes a path that a user may have typed, with stray %. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address of the page and its history. */
export class Navigation {
  /** @type {Address} */
  address = { parameters: {} };
  /** The scroll position to restore. @type {number | undefined} */
  scrollTop;
  #page;

  /** @param {object} page the functions of `page.js` */
  constructor(page) {
    this.#page = page;
    window.addEventListener('popstate', (event) => this.#handlePopState(event));
  }

  /** Reads the address of the page. @param {string | undefined} standard of an address without a locale */
  read(standard) {
    const { locale = standard, ...rest } = parseAddress(location);
    this.address = { ...rest, locale };
    return this.address;
  }

  /** Replaces the address only. @param {Partial<Address>} changed */
  correct(changed) {
    history.replaceState(history.state, '', formatAddress({ ...this.address, ...changed }));
  }

  /**
   * Opens the view of a link with a new history entry, or goes back if the previous entry is for this view.
   *
   * @param {string=} opened the id of the cell with the link
   */
  visit(link, isFooter, opened) {
    const next = this.#addressOf(link);
    // A link in a footer to the shown screen only extends the list.
    if (isFooter && link.screen === this.address.screen) return this.go(next);
    const hash = formatAddress(next);
    const { from, ...state } = history.state ?? {};
    if (from === hash) return history.back();
    history.replaceState({ ...state, from, opened, scrollTop: this.#first.part('scroll').scrollTop }, '');
    history.pushState({ depth: this.#depth + 1, from: formatAddress(this.address) }, '', hash);
    this.scrollTop = 0;
    return this.#page.showNext();
  }

  /** Changes parameters without a history entry, because each typed letter changes them. */
  change(changed) {
    const all = Object.entries({ ...this.address.parameters, ...changed });
    return this.go({ ...this.address, parameters: Object.fromEntries(all.filter(([, value]) => value !== undefined)) });
  }

  /** Shows a view in place of the current one. @param {Address} next */
  go(next) {
    const { sheet, ...state } = history.state ?? {};
    this.#page.devices().releaseHistoryEntries();
    history.replaceState(state, '', formatAddress(next));
    return this.#page.showChanged();
  }

  /** Returns the address of a link, unless the screen does not exist or is shown. */
  hrefOf(link) {
    const next = formatAddress(this.#addressOf(link));
    return this.#page.screen(link.screen) && next !== formatAddress(this.address) ? next : undefined;
  }

  get previous() {
    return this.#depth > 0 ? history.state.from ?? '#' : undefined;
  }

  #handlePopState({ state }) {
    if (this.#page.devices().handleBack()) return undefined;
    this.scrollTop = state?.scrollTop ?? 0;
    return this.#page.showNext(state?.opened);
  }

  #addressOf({ screen, parameters: { width, ...others } = {} }) {
    // The link may contain the width that the page has sent, which changes with the window.
    const own = width === undefined || width === String(this.#first.phone.width) ? {} : { width };
    const { revision } = screen === this.address.screen ? this.address.parameters : {};
    return { screen, parameters: { ...others, ...own, ...(revision && { revision }) }, locale: this.address.locale };
  }

  get #first() {
    return this.#page.devices().first;
  }

  get #depth() {
    return history.state?.depth ?? 0;
  }
}
