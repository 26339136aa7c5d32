import { nameOf, words } from '../relist/render.js';

/** The texts about changes, in the languages of the example screens. */
const all = {
  en: {
    kindOf: ({ type }) => words(type).toLowerCase(),
    announced: (kind, cells, verb) => (
      `${onlyName(cells) ?? many(cells.length, kind)} ${{
        inserted: 'added', deleted: 'removed', moved: 'moved', updated: 'changed',
      }[verb]}`
    ),
    sections: (count) => `${many(count, 'section')} moved`,
    view: (title, count) => `${title}: ${many(count, 'row')}`,
    states: { live: 'Live again', stale: 'The list may not be current', reconnecting: 'The connection is lost. Reconnecting' },
  },
  fr: {
    // The names of cell types are English words, which cannot be part of a French text. Therefore cells of all types are called rows.
    kindOf: () => 'ligne',
    announced(kind, cells, verb) {
      const done = { inserted: 'ajoutée', deleted: 'supprimée', moved: 'déplacée', updated: 'modifiée' }[verb];
      const name = onlyName(cells);
      if (name) return `${kind} ${name} ${done}`;
      return cells.length === 1 ? `1 ${kind} ${done}` : `${cells.length} ${kind}s ${done}s`;
    },
    sections: (count) => (count > 1 ? `${count} sections déplacées` : '1 section déplacée'),
    view: (title, count) => `${title}\u00a0: ${count} ligne${count > 1 ? 's' : ''}`,
    states: { live: 'De nouveau en direct', stale: 'La liste n’est peut-être pas à jour', reconnecting: 'Connexion perdue. Reconnexion' },
  },
};

/**
 * Describes a change for screen readers: "3 deliveries added, 5034-1 removed". The text of other changes is empty.
 *
 * @param {import('../relist/render.js').Difference} change
 * @param {string | undefined} locale
 * @returns {string}
 */
export function announcement(change, locale) {
  const texts = textsIn(locale);
  const parts = ['inserted', 'deleted', 'moved', 'updated'].flatMap((verb) => {
    const kinds = new Map();
    for (const [id, cell] of change[verb]) {
      // The move of a row is its main change.
      if (verb === 'updated' && change.moved.has(id)) continue;
      const kind = texts.kindOf(cell);
      if (!kinds.has(kind)) kinds.set(kind, []);
      kinds.get(kind).push(cell);
    }
    return [...kinds].map(([kind, cells]) => texts.announced(kind, cells, verb));
  });
  const { size } = change.movedSections;
  return parts.length === 0 && size > 0 ? texts.sections(size) : parts.join(', ');
}

/** Returns the name of a single cell, unless the cell has only an id. */
function onlyName([cell, ...others]) {
  const name = nameOf(cell);
  const isText = Object.keys(cell).some((key) => key !== 'id' && cell[key] === name);
  return others.length === 0 && isText ? name : undefined;
}

function textsIn(locale) {
  return all[locale?.split('-')[0]] ?? all.en;
}

/** The minimum time between announcements in milliseconds. */
const announcementInterval = 5000;
/** The pause in milliseconds after which a view is announced. While the user types, each letter shows another view. */
const typingPause = 1000;
/** The maximum time in milliseconds between two changes of a screen that changes continually. */
const continualInterval = 10_000;

/** Announces news to screen readers, not too often. Newer news of a kind replace waiting ones. An empty text is not announced. */
export class Announcer {
  #node;
  #locale;
  #last = 0;
  /** The time of the last change. */
  #lastChange = -Infinity;
  #hasActed = true;
  #waiting = new Map();
  #timer;
  /** The state that was announced last, and the one that waits. */
  #state = 'live';
  #nextState;

  /** @param {HTMLElement} node a live region @param {() => string | undefined} locale */
  constructor(node, locale) {
    this.#node = node;
    this.#locale = locale;
  }

  /** Records that the user has acted, so the next change may be the result. */
  act() {
    this.#hasActed = true;
  }

  /** Announces a change. If a screen changes continually, only the first change after each act of the user is announced. */
  change(change) {
    const text = announcement(change, this.#locale());
    if (!text) return;
    const isContinual = Date.now() - this.#lastChange < continualInterval;
    this.#lastChange = Date.now();
    if (isContinual && !this.#hasActed && !this.#waiting.has('change')) return;
    this.#hasActed = false;
    this.#announce('change', text);
  }

  /** Announces a state of the connection that differs from the last announced one. Attempts to connect are not states. */
  state(state) {
    const text = textsIn(this.#locale()).states[state];
    if (!text) return;
    this.#nextState = state;
    if (state === this.#state) this.#waiting.delete('state');
    else this.#announce('state', text);
  }

  /** Announces a view that the user has requested, in place of changes before it, when the user pauses. */
  view({ title, sections }) {
    this.#waiting.delete('change');
    this.#announce('view', textsIn(this.#locale()).view(title, sections.reduce((count, { cells }) => count + cells.length, 0)));
  }

  #announce(kind, text) {
    if (!text) return;
    const isView = kind === 'view';
    const hasView = this.#waiting.has('view');
    this.#waiting.set(kind, text);
    // Only another view extends the pause of typing.
    if (hasView && !isView) return;
    clearTimeout(this.#timer);
    const delay = isView ? typingPause : Math.max(0, this.#last + announcementInterval - Date.now());
    this.#timer = setTimeout(() => this.#flush(), delay);
  }

  #flush() {
    if (this.#waiting.size === 0) return;
    if (this.#waiting.has('state')) this.#state = this.#nextState;
    this.#node.textContent = [...this.#waiting.values()].join('. ');
    this.#waiting.clear();
    this.#last = Date.now();
  }
}

/** Returns a text such as `2 deliveries`. */
export function many(count, word) {
  if (count === 1) return `1 ${word}`;
  return `${count.toLocaleString('en')} ${plural(word)}`;
}

function plural(word) {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
