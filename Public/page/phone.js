import { setAttribute } from '../relist/render/dom.js';
import { nameOf } from '../relist/render/registry.js';
import { announcement, phrases } from './phrases.js';

/**
 * What a phone says around its list.
 *
 * @typedef {object} State
 * @property {import('../relist/client.js').State=} connection
 * @property {boolean=} isPaused
 * @property {{text: string, act?: {text: string, perform: () => void}, isPassing?: boolean}=} problem
 * @property {{index: number, count: number, stage?: number, stages?: number}=} past where another version is looked at
 * @property {number=} waiting changes
 * @property {{side: 'above' | 'below', ids: string[]}=} elsewhere changes that are out of sight
 *
 * @typedef {{kind: 'past' | 'problem' | 'waiting' | 'elsewhere', text: string, act?: string, isClosable: boolean}} Notice
 */

/**
 * The one thing that is to be said at the foot of the phone, and what stands in its bar. Who looks at the past
 * is not told of the present.
 *
 * @param {State} state
 * @param {ReturnType<typeof phrases>} said
 * @returns {{tone: string, badge: string, notice?: Notice}}
 */
export function presented(state, said) {
  const { connection = 'asking', isPaused, problem, past, waiting, elsewhere } = state;
  if (past) {
    const badge = past.stage === undefined ? said.version(past.index, past.count) : said.stage(past.stage, past.stages);
    return { tone: 'past', badge, notice: { kind: 'past', text: said.past, act: said.present, isClosable: false } };
  }
  const isHeldBack = isPaused && connection === 'live';
  const shown = { tone: isHeldBack ? 'paused' : connection, badge: isHeldBack ? said.paused : said[connection] };
  if (problem) return { ...shown, notice: { kind: 'problem', text: problem.text, act: problem.act?.text, isClosable: true } };
  if (waiting) return { ...shown, notice: { kind: 'waiting', text: said.waiting(waiting), act: said.show, isClosable: false } };
  if (elsewhere) {
    const text = said[elsewhere.side](elsewhere.ids.length);
    return { ...shown, notice: { kind: 'elsewhere', text, act: said.look, isClosable: true } };
  }
  return shown;
}

/** Everything of one phone around its list: titles, connection, and what is to be said. */
export class Phone {
  #part;
  #events;
  #locale;
  /** @type {State} */
  #state = {};

  /**
   * @param {(name: string) => HTMLElement} part
   * @param {{onPresent: () => void, onShow: () => void, onLook: (id: string) => void, onPause: () => void}} events
   */
  constructor(part, events) {
    this.#part = part;
    this.#events = events;
    part('notice-act').addEventListener('click', () => this.#act());
    part('notice-close').addEventListener('click', () => this.say({ problem: undefined, elsewhere: undefined }));
    part('pause').addEventListener('click', () => events.onPause());
    part('scroll').addEventListener('scroll', () => this.#scrolled(), { passive: true });
  }

  /** @returns {number} how wide a collection may be, in points */
  get width() {
    const { paddingLeft, paddingRight } = getComputedStyle(this.#part('title'));
    return Math.floor(this.#part('scroll').clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight));
  }

  get phrases() {
    return phrases(this.#locale);
  }

  /** @param {string | undefined} locale */
  set locale(locale) {
    this.#locale = locale;
    setAttribute(this.#part('phone'), 'lang', locale);
    this.#part('query').setAttribute('aria-label', this.phrases.filter);
    this.#part('notice-close').setAttribute('aria-label', this.phrases.close);
    this.#present();
  }

  /** Changes what is said; what is not named stays. @param {State} state */
  say(state) {
    // Each letter is a question; that each is being asked is no news.
    if (state.connection === 'asking' && this.#state.connection) return;
    this.#state = { ...this.#state, ...state };
    // That the server is there again ends what was said of its absence.
    if (state.connection === 'live' && this.#state.problem?.isPassing) this.#state.problem = undefined;
    this.#present();
  }

  /** @param {import('../relist/changeset.js').Snapshot} snapshot @param {string} title */
  show(snapshot, title) {
    this.#setTitle(title);
    // What the first cell says need not be said above it.
    const [first] = snapshot.sections.flatMap(({ cells }) => cells.slice(0, 1));
    this.#part('title').classList.toggle('unseen', first !== undefined && nameOf(first) === title);
    this.#part('empty').textContent = this.phrases.empty;
    this.#part('empty').hidden = snapshot.sections.some(({ cells, header, footer }) => cells.length > 0 || header || footer);
    this.#showSmallTitle();
  }

  /** @param {string} title */
  clear(title) {
    this.#setTitle(title);
    this.#part('empty').hidden = true;
    this.#part('scroll').scrollTop = 0;
    this.say({ problem: undefined, past: undefined, waiting: 0, elsewhere: undefined });
  }

  /** The way back: where the list has one of its own it stands in the bar. @param {{text: string, href: string} | undefined} way */
  showBack(way) {
    const back = this.#part('back');
    back.hidden = !way;
    back.textContent = way?.text ?? '';
    if (way) back.href = way.href;
  }

  /** @param {import('../relist/render.js').Shown | undefined} shown @returns {string} what happened, for those who do not see it */
  told(shown) {
    if (!shown) return '';
    const [side] = ['below', 'above'].filter((one) => shown.outOfSight[one].length > 0);
    this.say({ elsewhere: side && { side, ids: shown.outOfSight[side] } });
    return announcement(shown, this.phrases);
  }

  #act() {
    const { past, problem, waiting, elsewhere } = this.#state;
    if (past) return this.#events.onPresent();
    if (problem) {
      this.say({ problem: undefined });
      return problem.act.perform();
    }
    if (waiting) return this.#events.onShow();
    this.say({ elsewhere: undefined });
    return this.#events.onLook(elsewhere.ids[0]);
  }

  #present() {
    const said = this.phrases;
    const { tone, badge, notice } = presented(this.#state, said);
    this.#part('connection').dataset.state = tone;
    this.#part('connection-text').textContent = badge;
    this.#part('scroll').inert = tone === 'past' || !this.#part('sheet').hidden;
    this.#part('pause').setAttribute('aria-label', this.#state.isPaused ? said.resume : said.pause);
    this.#part('pause').setAttribute('aria-pressed', String(this.#state.isPaused === true));
    this.#part('pause').hidden = this.#state.connection !== 'live' || tone === 'past';
    this.#showNotice(notice);
  }

  #showNotice(notice) {
    const bar = this.#part('notice');
    const hadFocus = bar.contains(document.activeElement);
    bar.hidden = !notice;
    bar.dataset.kind = notice?.kind ?? '';
    this.#part('notice-text').textContent = notice?.text ?? '';
    this.#part('notice-act').textContent = notice?.act ?? '';
    this.#part('notice-act').hidden = !notice?.act;
    this.#part('notice-close').hidden = !notice?.isClosable;
    if (hadFocus && (!notice || document.activeElement?.hidden)) this.#part('list').focus({ preventScroll: true });
  }

  #setTitle(title) {
    for (const name of ['title', 'small-title']) this.#part(name).textContent = title;
  }

  #scrolled() {
    this.#showSmallTitle();
    if (this.#state.elsewhere) this.say({ elsewhere: undefined });
  }

  /** The title stands in the bar once it has left the list. */
  #showSmallTitle() {
    const title = this.#part('title').getBoundingClientRect();
    const bar = this.#part('bar').getBoundingClientRect();
    this.#part('bar').classList.toggle('titled', title.height > 0 && title.bottom < bar.bottom);
  }
}
