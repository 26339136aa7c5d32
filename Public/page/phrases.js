/** What a value looks like, by its type. */
const english = {
  integer: 'a whole number', number: 'a number', boolean: 'yes or no', date: 'a date', choice: 'one of those that there are', text: 'a text',
  between: (minimum, maximum) => ` from ${minimum} to ${maximum}`, atMost: (limit) => ` of at most ${limit} characters`,
};
const french = {
  integer: 'un nombre entier', number: 'un nombre', boolean: 'oui ou non', date: 'une date', choice: 'un des choix', text: 'un texte',
  between: (minimum, maximum) => ` de ${minimum} à ${maximum}`, atMost: (limit) => ` de ${limit} caractères au plus`,
};

function shapeOf({ type, minimum, maximum, limit }, words) {
  const bounds = minimum !== undefined ? words.between(minimum, maximum) : limit !== undefined ? words.atMost(limit) : '';
  return (words[type] ?? words.text) + bounds;
}

/**
 * What was wrong, in the language of the page: what the protocol itself refuses is said in English, and the types that a
 * screen declares say the same.
 *
 * @param {import('../relist/client.js').ClientError} error
 * @param {string} detail
 * @param {object | undefined} declared the field or the parameter
 * @param {ReturnType<typeof phrases>} said
 */
export function translated(error, detail, declared, said) {
  const isOther = error.exchange.language !== undefined && error.exchange.language !== said.language;
  return isOther && declared ? said.mustBe(declared) : detail;
}

/** What the page says by itself, in the languages of the example screens; what screens say comes from the server. */
const all = {
  en: {
    skip: 'Skip to the list', screens: 'Screens', screen: 'Screen', parameters: 'Parameters', language: 'Language',
    lead: 'Write a list screen once, in Swift, on the server. Every client receives only what changed, ready to animate.',
    travelled: 'What travelled', pane: 'Pane', edits: 'Try it', filter: 'Filter', phone: (number) => `Phone ${number}`,
    more: 'More', cancel: 'Cancel', done: 'Done', back: 'Back', search: 'Search', empty: 'Nothing here', yes: 'Yes', no: 'No',
    retry: 'Try again', close: 'Close', keep: 'Keep it', sure: (name) => `${name}?`,
    asking: 'Loading', live: 'Live', reconnecting: 'Reconnecting …', still: 'Not live', paused: 'Paused',
    pause: 'Pause changes', resume: 'Resume changes', version: (index, count) => `Version ${index} of ${count}`,
    stage: (stage, stages) => `Stage ${stage} of ${stages}`, past: 'Looking at an earlier version', present: 'Back to live',
    waiting: (count) => (count === 1 ? '1 change waits' : `${count} changes wait`), show: 'Show',
    above: (count) => (count === 1 ? '1 change above' : `${count} changes above`),
    below: (count) => (count === 1 ? '1 change below' : `${count} changes below`), look: 'Look',
    unreachable: 'The server is out of reach.', unheard: 'The server did not hear it.', unexpected: 'The server answered with something else than a document of the protocol.',
    status: (status) => `The server answered with ${status}.`, language: 'en', mustBe: (field) => `It must be ${shapeOf(field, english)}.`,
    needsUser: 'This is for users: say who you are.', signIn: 'Sign in', noScreen: (name) => `There is no screen “${name}”.`, toFirst: (title) => `Go to ${title}`,
    noLocale: (locale) => `The server has no “${locale}”; these are its languages.`,
    kindOf: ({ type }) => type,
    told: (type, count, verb) => `${many(count, wordsOf(type))} ${{ inserted: 'added', deleted: 'removed', moved: 'moved', updated: 'changed' }[verb]}`,
    sections: (count) => `${many(count, 'section')} moved`,
    whole: 'to begin with; from here on only changes travel', instead: (whole) => `sent, instead of ${whole} of whole screens`,
  },
  fr: {
    skip: 'Aller à la liste', screens: 'Écrans', screen: 'Écran', parameters: 'Paramètres', language: 'Langue',
    lead: 'Écrivez un écran de liste une seule fois, en Swift, sur le serveur. Chaque client ne reçoit que ce qui change, prêt à être animé.',
    travelled: 'Ce qui a voyagé', pane: 'Volet', edits: 'Essayer', filter: 'Filtre', phone: (number) => `Téléphone ${number}`,
    more: 'Plus', cancel: 'Annuler', done: 'OK', back: 'Retour', search: 'Rechercher', empty: 'Rien ici', yes: 'Oui', no: 'Non',
    retry: 'Réessayer', close: 'Fermer', keep: 'Garder', sure: (name) => `${name} ?`,
    asking: 'Chargement', live: 'En direct', reconnecting: 'Reconnexion …', still: 'Pas en direct', paused: 'En pause',
    pause: 'Suspendre les changements', resume: 'Reprendre les changements', version: (index, count) => `Version ${index} sur ${count}`,
    stage: (stage, stages) => `Étape ${stage} sur ${stages}`, past: 'Vous regardez une version antérieure', present: 'Revenir au direct',
    waiting: (count) => (count === 1 ? '1 changement attend' : `${count} changements attendent`), show: 'Afficher',
    above: (count) => (count === 1 ? '1 changement au-dessus' : `${count} changements au-dessus`),
    below: (count) => (count === 1 ? '1 changement plus bas' : `${count} changements plus bas`), look: 'Voir',
    unreachable: 'Le serveur est hors d’atteinte.', unheard: 'Le serveur ne l’a pas entendu.', unexpected: 'Le serveur a répondu autre chose qu’un document du protocole.',
    status: (status) => `Le serveur a répondu ${status}.`, language: 'fr', mustBe: (field) => `Ce doit être ${shapeOf(field, french)}.`,
    needsUser: 'C’est pour les utilisateurs : dites qui vous êtes.', signIn: 'Se connecter', noScreen: (name) => `Il n’y a pas d’écran « ${name} ».`, toFirst: (title) => `Aller à ${title}`,
    noLocale: (locale) => `Le serveur n’a pas « ${locale} » ; voici ses langues.`,
    // The names of types are English: all are rows.
    kindOf: () => 'row',
    told: (type, count, verb) => `${count} ${count > 1 ? 'lignes' : 'ligne'} ${{
      inserted: 'ajoutée', deleted: 'supprimée', moved: 'déplacée', updated: 'modifiée',
    }[verb]}${count > 1 ? 's' : ''}`,
    sections: (count) => (count > 1 ? `${count} sections déplacées` : '1 section déplacée'),
    whole: 'pour commencer ; ensuite seuls les changements voyagent', instead: (whole) => `envoyés, au lieu de ${whole} d’écrans entiers`,
  },
};

/** @param {string | undefined} locale @returns {typeof all.en} */
export function phrases(locale) {
  return all[locale?.split('-')[0]] ?? all.en;
}

/**
 * Says a change in words for those who do not see it: "3 deliveries added, 1 delivery removed".
 *
 * @param {import('../relist/render.js').Difference} change
 * @param {typeof all.en} said
 * @returns {string} empty where nothing changed that is worth a word
 */
export function announcement(change, said) {
  const parts = ['inserted', 'deleted', 'moved', 'updated'].flatMap((verb) => {
    const counts = new Map();
    for (const cell of change[verb].values()) counts.set(said.kindOf(cell), (counts.get(said.kindOf(cell)) ?? 0) + 1);
    return [...counts].map(([type, count]) => said.told(type, count, verb));
  });
  const { size } = change.movedSections;
  return parts.length === 0 && size > 0 ? said.sections(size) : parts.join(', ');
}

/** @param {import('../relist/client.js').ClientError} error @param {typeof all.en} said @returns {string} what happened, for people */
export function sentence(error, said) {
  if (error.reason !== 'problem') return said[error.reason];
  const { document: problem, status } = error.exchange;
  // A problem brings its own words.
  const isOther = error.exchange.language !== undefined && error.exchange.language !== said.language;
  const details = error.errors.map(({ parameter, detail }) => (parameter ? `${parameter}: ${detail}` : detail));
  if (details.length > 0 && !isOther) return details.join('\n');
  return isOther ? said.status(status) : problem?.detail ?? problem?.title ?? said.status(status);
}

/** @returns {string} `1 delivery`, `2 deliveries` */
export function many(count, word) {
  if (count === 1) return `1 ${word}`;
  return `${count.toLocaleString('en')} ${plural(word)}`;
}

function plural(word) {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}

/** A type is a word of the code: `artistHeader` is read as "artist header". */
function wordsOf(type) {
  return type.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[-_]+/g, ' ').toLowerCase();
}

/** Writes the texts of a document's own elements: `data-text` and `data-label` name the phrase. @param {ParentNode} root */
export function translate(root, locale) {
  const said = phrases(locale);
  for (const node of root.querySelectorAll('[data-text]')) node.textContent = said[node.dataset.text];
  for (const node of root.querySelectorAll('[data-label]')) node.setAttribute('aria-label', said[node.dataset.label]);
}
