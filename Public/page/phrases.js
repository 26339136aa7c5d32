/** Valid values, by type. */
const shapes = {
  integer: 'a whole number', number: 'a number', boolean: 'yes or no', date: 'a date', choice: 'one of the choices', text: 'a text',
  between: (minimum, maximum) => ` from ${minimum.toLocaleString('en')} to ${maximum.toLocaleString('en')}`,
  atMost: (limit) => ` of at most ${limit.toLocaleString('en')} characters`,
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
  skip: 'Skip to the list', bypass: 'Skip to Network', screens: 'Screens', screen: 'Screen', parameters: 'Parameters', language: 'Language',
  lead: 'Write a list screen once, in Swift, on the server.', pair: 'Two phones show one list.',
  onlyChanges: 'The server sends only what changes.', second: 'Skip to phone 2',
  traffic: 'Network', pane: 'Pane', edits: 'Try it', filter: 'Filter', phone: (number) => `Phone ${number}`,
  more: 'More', back: 'Back', search: 'Search', empty: 'Nothing here', yes: 'Yes', no: 'No',
  rest: 'The rest of the page could not be loaded.', retry: 'Try again', close: 'Close',
  asking: 'Loading', live: 'Live', stale: 'Not current', reconnecting: 'Reconnecting …', idle: 'Not live', paused: 'Paused',
  pause: 'Pause changes', version: (index, count) => `Version ${index} of ${count}`,
  stage: (stage, stages) => `Stage ${stage} of ${stages}`, past: 'You are looking at an earlier version', present: 'Back to live',
  waiting: (count, cause) => `${count} new change${count === 1 ? '' : 's'}, held ${{
    pause: 'while the phone is paused', focus: 'until you press Escape or leave the row', pointer: 'while your pointer is here',
  }[cause]}`,
  show: 'Show',
  above: (count) => (count === 1 ? '1 change above' : `${count} changes above`),
  below: (count) => (count === 1 ? '1 change below' : `${count} changes below`), look: 'Show',
  unreachable: 'Can’t reach the server.',
  unexpected: 'The server’s response is not a valid document.',
  token: 'Your sign-in could not be renewed.',
  status: (status) => `The server responded with status ${status}.`, tag: 'en', mustBe: (field) => `Enter ${shapeOf(field, shapes)}.`,
  needsUser: 'Sign in to see this screen.', signIn: 'Sign in', noScreen: (name) => `There is no screen “${name}”.`,
  noScreens: 'This server has no screens for you.', toFirst: (title) => `Go to ${title}`,
  noLocale: (locale) => `“${locale}” is not available. Choose one of these languages.`,
  colon: ': ', byte: '1\u00a0B', kilobyte: '1\u00a0kB', megabyte: '1\u00a0MB',
};

/** The texts in the loaded languages. */
const all = { en: english };

const primary = (locale) => locale?.split('-')[0];

/** Loads the texts in a language, which are English otherwise. @returns {Promise<boolean>} whether there are new texts */
export async function loadPhrases(locale) {
  if (primary(locale) !== 'fr' || all.fr) return false;
  const module = await import('./french.js').catch(() => undefined);
  if (module) all.fr = module.french;
  return module !== undefined;
}

/** Returns the texts in a language, or in English. @param {string | undefined} locale @returns {typeof english} */
export function phrases(locale) {
  return all[primary(locale)] ?? english;
}

/** Returns a message about an error. @param {import('../relist/client.js').ClientError} error @param {typeof english} texts */
export function sentence(error, texts) {
  if (error.reason !== 'problem') return texts[error.reason];
  const { document: problem, status } = error.exchange;
  const details = error.errors.map(({ parameter, detail }) => (parameter ? parameter + texts.colon + detail : detail));
  return details.join('\n') || (problem?.detail ?? problem?.title ?? texts.status(status));
}

/** Translates the elements with `data-text` or `data-label`. */
export function translate(root, locale) {
  const texts = phrases(locale);
  for (const node of root.querySelectorAll('[data-text]')) node.textContent = texts[node.dataset.text];
  for (const node of root.querySelectorAll('[data-label]')) node.setAttribute('aria-label', texts[node.dataset.label]);
}
