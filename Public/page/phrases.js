import { words } from '../relist/render.js';

/** Valid values, by type. */
const shapes = {
  integer: 'a whole number', number: 'a number', boolean: 'yes or no', date: 'a date', choice: 'one of the choices', text: 'a text',
  between: (minimum, maximum) => ` from ${minimum.toLocaleString('en')} to ${maximum.toLocaleString('en')}`, atMost: (limit) => ` of at most ${limit.toLocaleString('en')} characters`,
};

export function shapeOf({ type, minimum, maximum, limit }, texts) {
  const bounds = minimum !== undefined ? texts.between(minimum, maximum) : limit !== undefined ? texts.atMost(limit) : '';
  return (texts[type] ?? texts.text) + bounds;
}

/** The protocol's own messages about an invalid value. */
const protocolMessage = /^It (?:is missing; it )?must be /;

/**
 * Returns an error in the language of the page, derived from the declaration of the field or parameter if the message is the protocol's
 * own, in English, or in another language.
 */
export function translated(error, detail, declared, texts) {
  const isOther = error.exchange.language !== undefined && error.exchange.language !== texts.tag;
  return (isOther || protocolMessage.test(detail)) && declared ? texts.mustBe(declared) : detail;
}

/** The page's own texts. */
const english = {
  skip: 'Skip to the list', screens: 'Screens', screen: 'Screen', parameters: 'Parameters', language: 'Language',
  lead: 'Write a list screen once, in Swift, on the server.', pair: 'Two phones show one list.',
  onlyChanges: 'The server sends only what changes.',
  traffic: 'Network', pane: 'Pane', edits: 'Try it', filter: 'Filter', phone: (number) => `Phone ${number}`,
  more: 'More', cancel: 'Cancel', done: 'Done', back: 'Back', search: 'Search', empty: 'Nothing here', yes: 'Yes', no: 'No',
  retry: 'Try again', close: 'Close', keep: 'Keep it',
  asking: 'Loading', live: 'Live', stale: 'Not current', reconnecting: 'Reconnecting …', idle: 'Not live', paused: 'Paused',
  pause: 'Pause changes', resume: 'Resume changes', version: (index, count) => `Version ${index} of ${count}`,
  stage: (stage, stages) => `Stage ${stage} of ${stages}`, past: 'You are looking at an earlier version', present: 'Back to live',
  waiting: (count, cause) => `${many(count, 'new change')}, held ${{
    pause: 'while the phone is paused', focus: 'while your focus is here', pointer: 'while your pointer is here',
  }[cause]}`,
  show: 'Show',
  above: (count) => (count === 1 ? '1 change above' : `${count} changes above`),
  below: (count) => (count === 1 ? '1 change below' : `${count} changes below`), look: 'Show',
  unreachable: 'Can’t reach the server.', noResponse: 'No answer. Your change may not have been saved.', unexpected: 'The server’s response is not a valid document.',
  token: 'Your sign-in could not be renewed.', rounded: 'This row has a number that is too large for this page. Nothing was sent.',
  status: (status) => `The server responded with status ${status}.`, tag: 'en', mustBe: (field) => `Enter ${shapeOf(field, shapes)}.`,
  needsUser: 'Sign in to see this screen.', signIn: 'Sign in', noScreen: (name) => `There is no screen “${name}”.`, noScreens: 'This server has no screens for you.', toFirst: (title) => `Go to ${title}`,
  noLocale: (locale) => `“${locale}” is not available. Choose one of these languages.`,
  kindOf: ({ type }) => type,
  announced: (type, count, verb) => `${many(count, words(type).toLowerCase())} ${{ inserted: 'added', deleted: 'removed', moved: 'moved', updated: 'changed' }[verb]}`,
  sections: (count) => `${many(count, 'section')} moved`,
  byte: '1\u00a0B', kilobyte: '1\u00a0kB', megabyte: '1\u00a0MB',
};

/** The texts in the loaded languages. */
const all = { en: english };

const primary = (locale) => locale?.split('-')[0];

/** Loads the texts in a language, which are English otherwise. @param {string | undefined} locale */
export async function loadPhrases(locale) {
  if (primary(locale) !== 'fr' || all.fr) return;
  const module = await import('./french.js').catch(() => undefined);
  if (module) all.fr = module.french;
}

/** Returns the texts in a language, or in English. @param {string | undefined} locale @returns {typeof english} */
export function phrases(locale) {
  return all[primary(locale)] ?? english;
}

/** Describes a change for screen readers: "3 deliveries added, 1 delivery removed". The text of other changes is empty. */
export function announcement(change, texts) {
  const parts = ['inserted', 'deleted', 'moved', 'updated'].flatMap((verb) => {
    const counts = new Map();
    for (const cell of change[verb].values()) counts.set(texts.kindOf(cell), (counts.get(texts.kindOf(cell)) ?? 0) + 1);
    return [...counts].map(([type, count]) => texts.announced(type, count, verb));
  });
  const { size } = change.movedSections;
  return parts.length === 0 && size > 0 ? texts.sections(size) : parts.join(', ');
}

/** Returns a message about an error. @param {import('../relist/client.js').ClientError | RangeError} error @param {typeof english} texts */
export function sentence(error, texts) {
  if (error instanceof RangeError) return texts.rounded;
  if (error.reason !== 'problem') return texts[error.reason];
  const { document: problem, status } = error.exchange;
  const isOther = error.exchange.language !== undefined && error.exchange.language !== texts.tag;
  const details = error.errors.map(({ parameter, detail }) => (parameter ? `${parameter}: ${detail}` : detail));
  if (details.length > 0 && !isOther) return details.join('\n');
  return isOther ? texts.status(status) : problem?.detail ?? problem?.title ?? texts.status(status);
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

/** Translates the elements with `data-text` or `data-label`. */
export function translate(root, locale) {
  const texts = phrases(locale);
  for (const node of root.querySelectorAll('[data-text]')) node.textContent = texts[node.dataset.text];
  for (const node of root.querySelectorAll('[data-label]')) node.setAttribute('aria-label', texts[node.dataset.label]);
}

/** The minimum time between announcements. */
const announcementInterval = 5000;

/** Announces texts to screen readers, not too often. A newer text replaces a waiting one. */
export class Announcer {
  #node;
  #last = 0;
  #waiting;

  /** @param {HTMLElement} node a live region */
  constructor(node) {
    this.#node = node;
  }

  /** @param {string} text */
  announce(text) {
    const rest = this.#last + announcementInterval - Date.now();
    clearTimeout(this.#waiting);
    if (rest > 0) this.#waiting = setTimeout(() => this.announce(text), rest);
    else {
      this.#node.textContent = text;
      this.#last = Date.now();
    }
  }
}
