import { element, part, setAttribute, setParts } from '../relist/elements.js';
import { nameOf, register } from '../relist/render.js';
import { phrases } from './phrases.js';

/**
 * The state around the list of a phone.
 *
 * @typedef {object} State
 * @property {import('../relist/client.js').State=} connection
 * @property {boolean=} isPaused
 * @property {{text: string, act?: {text: string, perform: () => void}, isTemporary?: boolean, kind?: string}=} problem
 * @property {{index: number, count: number, stage?: number, stages?: number}=} past an earlier version that is shown
 * @property {number=} waiting the number of changes
 * @property {('pointer' | 'focus')=} holder holds changes back while the phone is not paused
 * @property {{side: 'above' | 'below', ids: string[]}=} elsewhere changes outside of the viewport
 * @typedef {{kind: string, text: string, act?: string, isClosable: boolean}} Notice
 */

/**
 * Returns the badge in the bar and the notice at the bottom. An earlier version hides the state of the connection.
 *
 * @param {State} state
 * @param {ReturnType<typeof phrases>} texts
 * @returns {{tone: string, badge: string, notice?: Notice}}
 */
export function presentation(state, texts) {
  const { connection = 'asking', isPaused, problem, past, waiting, holder = 'pointer', elsewhere } = state;
  if (past) {
    const badge = past.stage === undefined ? texts.version(past.index, past.count) : texts.stage(past.stage, past.stages);
    return { tone: 'past', badge, notice: { kind: 'past', text: texts.past, act: texts.present, isClosable: false } };
  }
  const isHeldBack = isPaused && connection === 'live';
  const shown = { tone: isHeldBack ? 'paused' : connection, badge: isHeldBack ? texts.paused : texts[connection] };
  if (problem) return { ...shown, notice: { kind: problem.kind ?? 'problem', text: problem.text, act: problem.act?.text, isClosable: true } };
  if (waiting) {
    const text = texts.waiting(waiting, isPaused ? 'pause' : holder);
    return { ...shown, notice: { kind: 'waiting', text, act: texts.show, isClosable: false } };
  }
  if (elsewhere) {
    const text = texts[elsewhere.side](elsewhere.ids.length);
    return { ...shown, notice: { kind: 'elsewhere', text, act: texts.look, isClosable: true } };
  }
  return shown;
}

/** @param {import('../relist/client.js').State=} connection */
function isOpen(connection) {
  return connection === 'live' || connection === 'stale';
}

/** The parts of a phone around its list. */
export class Phone {
  #part;
  #number;
  #events;
  #locale;
  /** @type {State} */
  #state = {};
  /** The scroll position at which the notice about changes outside of the viewport was shown. */
  #top;

  /** @param {(name: string) => HTMLElement} part @param {number} number @param {object} events */
  constructor(part, number, events) {
    this.#part = part;
    this.#number = number;
    this.#events = events;
    part('notice-act').addEventListener('click', () => this.#act());
    part('notice-close').addEventListener('click', () => this.update({ problem: undefined, elsewhere: undefined }));
    part('pause').addEventListener('click', () => events.onPause());
    part('scroll').addEventListener('scroll', () => this.#scrolled(), { passive: true });
  }

  get width() {
    const { paddingLeft, paddingRight } = getComputedStyle(this.#part('title'));
    return Math.floor(this.#part('scroll').clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight));
  }

  get phrases() {
    return phrases(this.#locale);
  }

  set locale(locale) {
    this.#locale = locale;
    setAttribute(this.#part('phone'), 'lang', locale);
    this.#part('query').setAttribute('aria-label', this.phrases.filter);
    this.#part('notice-close').setAttribute('aria-label', this.phrases.close);
    this.#render();
  }

  /** @param {State} state */
  update(state) {
    // Each typed letter sends a request, which must not change the badge.
    if (state.connection === 'asking' && this.#state.connection) return;
    if (state.connection) this.#events.onConnection(state.connection);
    this.#state = { ...this.#state, ...state };
    // The server is reachable again.
    if (isOpen(state.connection) && this.#state.problem?.isTemporary) this.#state.problem = undefined;
    this.#render();
  }

  /** Shows a notice, unless another one is shown. */
  offer(problem) {
    const isFree = !this.#state.problem;
    if (isFree) this.update({ problem });
    return isFree;
  }

  remove(problem) {
    if (this.#state.problem === problem) this.update({ problem: undefined });
  }

  show(snapshot, title) {
    this.#setTitle(title);
    // The first cell may show the title.
    const [first] = snapshot.sections.flatMap(({ cells }) => cells.slice(0, 1));
    this.#part('title').classList.toggle('unseen', first !== undefined && nameOf(first) === title);
    this.#part('empty').textContent = this.phrases.empty;
    this.#part('empty').hidden = snapshot.sections.some(({ cells, header, footer }) => cells.length > 0 || header || footer);
    this.showSmallTitle();
  }

  /** Removes all notices, scrolls to the top, and shows a title. @param {string} title */
  clear(title) {
    this.#setTitle(title);
    this.#part('empty').hidden = true;
    this.#part('scroll').scrollTop = 0;
    this.update({ connection: undefined, problem: undefined, past: undefined, waiting: 0, elsewhere: undefined });
  }

  showBack(way) {
    const back = this.#part('back');
    back.hidden = !way;
    back.textContent = way?.text ?? '';
    if (way) back.href = way.href;
  }

  showOutOfSight(shown) {
    const [side] = ['below', 'above'].filter((one) => shown.outOfSight[one].length > 0);
    this.update({ elsewhere: side && { side, ids: shown.outOfSight[side] } });
    if (side) this.#top = this.#part('scroll').scrollTop;
  }

  #act() {
    const { past, problem, waiting, elsewhere } = this.#state;
    if (past) return this.#events.onPresent();
    if (problem) {
      this.update({ problem: undefined });
      return problem.act.perform();
    }
    if (waiting) return this.#events.onShow();
    this.update({ elsewhere: undefined });
    return this.#events.onLook(elsewhere.ids[0]);
  }

  #render() {
    const texts = this.phrases;
    const { tone, badge, notice } = presentation(this.#state, texts);
    this.#part('connection').dataset.state = tone;
    this.#part('connection-text').textContent = badge;
    this.#part('scroll').inert = tone === 'past' || !this.#part('sheet').hidden;
    this.#part('name').textContent = texts.phone(this.#number);
    this.#part('pause').setAttribute('aria-label', `${texts.pause}, ${texts.phone(this.#number)}`);
    this.#part('pause').setAttribute('aria-pressed', String(this.#state.isPaused === true));
    this.#part('pause').hidden = !isOpen(this.#state.connection) || tone === 'past';
    this.#showNotice(notice);
  }

  #showNotice(notice) {
    const bar = this.#part('notice');
    const hadFocus = bar.contains(document.activeElement);
    const { kind = '' } = notice ?? {};
    // The growing number of waiting changes is not announced. The first phone announces changes out of sight.
    const isKnown = kind === 'waiting' ? bar.dataset.kind === kind : kind === 'elsewhere' && this.#number > 1;
    setAttribute(this.#part('notice-text'), 'aria-live', isKnown && 'off');
    bar.hidden = !notice;
    bar.dataset.kind = kind;
    this.#part('notice-text').textContent = notice?.text ?? '';
    this.#part('notice-act').textContent = notice?.act ?? '';
    this.#part('notice-act').hidden = !notice?.act;
    this.#part('notice-close').hidden = !notice?.isClosable;
    if (hadFocus && (!notice || document.activeElement?.hidden)) this.#events.onNoticeLeft();
    else if (notice) this.#events.onNotice(bar);
  }

  #setTitle(title) {
    this.#part('list').setAttribute('aria-label', title);
    for (const name of ['title', 'small-title']) this.#part(name).textContent = title;
  }

  #scrolled() {
    this.showSmallTitle();
    if (this.#state.elsewhere && this.#part('scroll').scrollTop !== this.#top) this.update({ elsewhere: undefined });
  }

  /** Shows the title in the bar while the large one is out of view. */
  showSmallTitle() {
    const title = this.#part('title').getBoundingClientRect();
    const bar = this.#part('bar').getBoundingClientRect();
    // Both edges may have fractions of a pixel.
    this.#part('bar').classList.toggle('titled', title.height > 0 && title.bottom < bar.bottom + 1);
  }
}

// The renderers of the cells and views of the example screens.

const labelled = { configure: (row, { label, value }) => setParts(row, { title: label, value }) };
const titled = { configure: (row, { title }) => setParts(row, { title }) };
const worded = { configure: (row, { text }) => setParts(row, { detail: text }) };

register('field', {
  configure(row, { label, value, placeholder }) {
    setParts(row, { title: label, value, placeholder: value ? undefined : placeholder });
  },
});
for (const type of ['password', 'detail', 'weight', 'connect', 'disconnect', 'schedule']) register(type, labelled);
for (const type of ['section', 'day', 'back']) register(type, titled);
for (const type of ['invitation', 'end', 'hint', 'empty']) register(type, worded);
register('failure', { configure: (row, { title, text }) => setParts(row, { title, detail: text }) });

register('delivery', {
  configure(row, { number, weight, status, isWeighed }) {
    row.classList.toggle('settled', isWeighed === true);
    setParts(row, { title: number, value: weight, detail: status });
  },
});

register('post', {
  configure(row, { title, body }) {
    setParts(row, { title, detail: body });
    // The posts are in English in all languages.
    for (const text of row.children) text.lang = 'en';
  },
});
register('more', { configure: (row, { title, detail }) => setParts(row, { title, detail }) });

register('count', { configure: (row, { title, text }) => setParts(row, { title: title ?? text }) });
register('mountain', {
  configure(row, { name, height, range, country }) {
    setParts(row, { title: name, value: height, detail: [range, country].filter(Boolean).join(' · ') });
  },
});

register('artist', {
  configure(row, { name, genre, detail }) {
    setParts(row, { cover: cover(row, name, initials(name)), title: name, subtitle: genre, detail });
  },
});
register('biography', { configure: (row, { text }) => setParts(row, { detail: text }) });
register('album', {
  configure: (row, { title, year }) => setParts(row, { cover: cover(row, title, ''), title, detail: year }),
});
register('track', {
  configure(row, { title, album, number, duration }) {
    setParts(row, { number, title, detail: album, value: duration });
  },
});
register('badge', { configure: (row, { text }) => setParts(row, { title: text }) });

register('loading', {
  configure(row, view) {
    setParts(row, { spinner: part(row, 'spinner', () => element('span', 'spinner')), title: nameOf(view) });
  },
});

register('network', {
  configure(row, view) {
    setParts(row, {
      tick: view.isJoined === true && part(row, 'tick', () => element('span', 'tick')),
      title: view.name,
      // Screen readers cannot read the lock and the bars.
      unseen: view.detail,
      lock: view.isSecured === true && part(row, 'lock', () => element('span', 'lock')),
      bars: bars(row, view.bars),
    });
  },
});

/** Creates a picture whose colours are derived from a name. */
function cover(row, name, text) {
  const node = part(row, 'cover', () => element('span', 'cover'));
  node.style.setProperty('--hue', [...name].reduce((hue, letter) => (hue * 7 + letter.codePointAt(0)) % 360, 0));
  if (node.textContent !== text) node.textContent = text;
  node.setAttribute('aria-hidden', 'true');
  return node;
}

function initials(name) {
  return name.split(/\s+/).map((word) => [...word][0] ?? '').slice(0, 2).join('');
}

function bars(row, count) {
  const node = part(row, 'bars', () => element('span', 'bars', [1, 2, 3, 4].map(() => element('i'))));
  [...node.children].forEach((bar, index) => bar.classList.toggle('on', index < count));
  return node;
}
