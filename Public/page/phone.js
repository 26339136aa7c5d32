import { element, setAttribute } from '../relist/render/dom.js';
import { announcement } from './announcement.js';
import { phrases } from './phrases.js';

const states = { asking: 'Loading', live: 'Live', reconnecting: 'Reconnecting …', still: 'Not live' };

/** Everything of the page around the list: titles, connection, banner, the list of screens. */
export class Phone {
  #part;
  #locale;
  #retry;

  /** @param {(id: string) => HTMLElement} part */
  constructor(part) {
    this.#part = part;
    part('retry').addEventListener('click', () => {
      const retry = this.#retry;
      this.quiet();
      retry();
    });
    part('dismiss').addEventListener('click', () => this.quiet());
    for (const button of this.#panes) button.addEventListener('click', () => this.#choosePane(button));
    part('scroll').addEventListener('scroll', () => this.#showSmallTitle(), { passive: true });
  }

  /** @returns {number} how wide a collection may be, in points */
  get width() {
    const { paddingLeft, paddingRight } = getComputedStyle(this.#part('title'));
    return Math.floor(this.#part('scroll').clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight));
  }

  get phrases() {
    return phrases(this.#locale);
  }

  /** @param {import('../relist/client.js').State} state */
  say(state) {
    const node = this.#part('connection');
    // Each letter is a question; that each is being asked is no news.
    if (state === 'asking' && node.dataset.state) return;
    node.dataset.state = state;
    this.#part('connection-text').textContent = states[state];
  }

  /**
   * @param {import('../relist/changeset.js').Snapshot} snapshot
   * @param {{title: string, change?: import('../relist/render/difference.js').Difference, isLive: boolean}} options
   */
  show(snapshot, { title, change, isLive }) {
    this.#setTitle(title);
    this.#part('empty').textContent = this.phrases.empty;
    this.#part('empty').hidden = snapshot.sections.some(({ cells, header, footer }) => cells.length > 0 || header || footer);
    this.#part('scroll').inert = !isLive;
    this.#part('replay').hidden = isLive;
    const said = change && announcement(change);
    if (said) this.#part('announcer').textContent = said;
    this.#showSmallTitle();
  }

  clear(title) {
    this.#setTitle(title);
    this.quiet();
    this.#part('empty').hidden = true;
    this.#part('scroll').scrollTop = 0;
    this.#part('announcer').textContent = '';
  }

  /** @param {string} text @param {(() => void)=} retry */
  complain(text, retry) {
    this.#retry = retry;
    this.#part('problem').textContent = text;
    this.#part('retry').hidden = !retry;
    this.#part('banner').hidden = false;
  }

  quiet() {
    this.#part('banner').hidden = true;
    this.#part('problem').textContent = '';
  }

  showScreens(screens, { screen, locale }, hrefOf) {
    this.#locale = locale;
    setAttribute(this.#part('phone'), 'lang', locale);
    this.#part('screens').replaceChildren(...screens.map(({ name, title }) => {
      const link = element('a', '', [element('span', 'title', title ?? name), element('span', 'path', `/screens/${name}`)]);
      link.href = hrefOf(name);
      if (name === screen) link.setAttribute('aria-current', 'page');
      return element('li', '', [link]);
    }));
  }

  showBack(isShown) {
    this.#part('back').hidden = !isShown;
    this.#part('back').textContent = this.phrases.back;
    this.#part('retry').textContent = this.phrases.retry;
    this.#part('dismiss').setAttribute('aria-label', this.phrases.close);
  }

  get #panes() {
    return this.#part('panes').querySelectorAll('button');
  }

  #setTitle(title) {
    for (const id of ['title', 'small-title']) this.#part(id).textContent = title;
    document.title = `${title} – Relist`;
  }

  /** The title stands in the bar once it has left the list. */
  #showSmallTitle() {
    const title = this.#part('title').getBoundingClientRect();
    const bar = this.#part('bar').getBoundingClientRect();
    this.#part('bar').classList.toggle('titled', title.height > 0 && title.bottom < bar.bottom);
  }

  #choosePane(button) {
    document.body.dataset.pane = button.value;
    for (const other of this.#panes) other.setAttribute('aria-pressed', String(other === button));
  }
}
