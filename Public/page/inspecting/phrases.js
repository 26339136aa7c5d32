import { many } from '../announcing.js';

/** Returns a text such as “1,000 times less”, with two digits; an empty text if the sizes are similar. */
function timesLess(sent, whole, locale, textOf) {
  const times = Number((whole / sent).toPrecision(2));
  return times > 1 && times < Infinity ? textOf(times.toLocaleString(locale)) : '';
}

/** The texts of the inspector, in the languages of the example screens. */
const all = {
  en: {
    older: 'Older version', newer: 'Newer version', version: 'Version', present: 'Live', timeline: 'Timeline',
    back: 'Previous stage', forward: 'Next stage', play: 'Play', slow: 'Slow', compressed: 'Sizes with gzip, measured here',
    none: 'No version yet',
    versionOf: (index, count, isShortened) => `Version ${index} of ${isShortened ? 'the last ' : ''}${count}`,
    stageOf: (stage, stages) => `Stage ${stage} of ${stages}`,
    explanation: 'What changed', repeat: 'Copy as curl', clients: 'Code for clients', document: 'JSON', copy: 'Copy', copied: 'Copied',
    rest: '… shortened; the curl command above returns the whole document',
    more: (count) => `… and ${count.toLocaleString('en')} more`, noResponse: 'no response', streamEnded: 'the stream ended',
    liveAgain: 'live again', firsts: { current: 'no changes', changeset: 'changes', snapshot: 'snapshot' },
    attempts: (count) => many(count, 'attempt'),
    insteadOf: (sent, whole, times) => [`${sent} instead of ${whole}`, times].filter(Boolean).join(', '),
    times: (sent, whole) => timesLess(sent, whole, 'en', (count) => `${count}\u00a0times less`),
    gzipTimes: (sent, whole) => timesLess(sent, whole, 'en', (count) => `gzip: ${count}×`),
    nothingNew: 'no changes', cached: 'from the cache', snapshot: 'snapshot', phone: (number) => `phone ${number}`, both: 'both phones',
    by: (replica) => `by ${replica}`,
    outcome: { ignore: 'already up to date', outdated: 'from another version', misfit: 'does not fit' },
    units: ['B', 'kB', 'MB'], decimal: '.',
    causes: {},
    reasons: {
      initial: 'A snapshot, because the request had no version.',
      'unknown-version': 'A snapshot, because the server does not know the version that the page had.',
      smaller: 'A snapshot, because the changeset would have been larger.',
    },
    plain: {
      none: 'No response.', streamEnded: 'The event stream ended, so the client opens it again.',
      liveAgain: 'The event stream works again. Its first event brings the changes that the page missed, if there are any.',
      snapshot: 'A snapshot: the whole screen.', other: 'Not the document of a screen.', nothing: 'Nothing changed.',
      title: 'Only the title changed.',
      misfit: 'The changeset did not fit the version that the page had, so the page requested a snapshot.',
      outdated: 'The changeset begins with another version than the page had, so the page requested the changes from its own version.',
      ignore: 'The page already had this version.', unread: 'Not applied, because the event stream brings the same change.',
      done: 'The action was performed. Its changes arrive on the event stream.',
      screens: 'The screens of the server, with their parameters and actions.',
    },
    missing: 'This could not be loaded.', colon: ': ', keys: {},
    verbs: { update: 'update', insert: 'insert', delete: 'delete', move: 'move' },
    titles: {
      updateCells: 'Update cells', insertSections: 'Insert sections', cells: 'Delete, insert and move cells',
      sections: 'Delete and move sections', updateSections: 'Update headers, footers and supplementary views',
    },
    cells: (count) => many(count, 'cell'), named: (title) => `“${title}”`,
    others: (names, count) => `${names} and ${many(count, 'other')}`,
    inserted: (section, content) => `${section}: a section${content}`, emptyAtFirst: ', initially empty',
    withCells: (cells) => ` with ${cells}`,
    deletedFrom: (cells, section) => `${cells}: deleted from ${section}`,
    insertedInto: (cells, section) => `${cells}: inserted into ${section}`,
    movedWithin: (cells, from, to, section) => `${cells}: moved from place ${from} to ${to} of ${section}`,
    movedAcross: (cells, from, to) => `${cells}: moved from ${from} to ${to}`,
    sectionDeleted: (section) => `${section}: the section is deleted`,
    sectionMoved: (section, from, to) => `${section}: the section moves from place ${from} to ${to}`,
    supplementary: 'supplementary views changed', removed: (name) => `${name} removed`, addedView: (name) => `${name} added`,
    changed: 'changed', nothing: 'none',
    header: 'header', footer: 'footer',
    faults: 'Simulate network faults and watch the client recover', offline: 'Offline', slowNetwork: 'Slow network',
    forget: 'Send an unknown version', damage: 'Corrupt the next changeset',
    faultsHint: 'These faults affect the connection between this page and the server. The timeline shows how the client recovers.',
    faultsNow: {
      isOffline: ['The phones are online again.', 'The phones are offline.'],
      isSlow: ['Responses are fast again.', 'Each response and each change now takes two more seconds.'],
      presentUnknownVersion: ['A request had an unknown version. The server then sends the whole screen.', 'The next request has an unknown version.'],
      damageChangeset: ['A change was damaged. The phone then requests the whole screen.', 'The next change will be damaged. Change something.'],
    },
    code: 'The Swift code of this screen', codeHint: 'The main file that a team writes, on the server. Less important parts are folded.',
    lines: (count) => many(count, 'line'),
    use: 'Use it', useHint: 'Lines that show this screen in a client.', language: 'Language of the code', run: 'Run it',
    readHint: 'To read on, in your copy of the repository:', requestsHint: 'All requests of this server, described by OpenAPI:',
    newHint: 'A package with a screen of your own:', hostHint: 'For a phone on your network, with an explicit choice of authentication:',
    qrHint: 'This screen on your phone:',
    edits: {
      move: 'Move a delivery to another day', weigh: 'Change one weight', contract: 'Show another contract', rename: 'Change the name',
      connect: 'Connect the account', disconnect: 'Disconnect the account', merge: 'Merge the sections', separate: 'Separate the sections',
      more: 'Show 20 more', fewer: 'Show only 20', name: 'Sort by name', height: 'Sort by height', search: 'Search “mont”',
      clear: 'Clear the search',
      width: 'Change the width', album: 'Show an album', artist: 'Return to the artist', off: 'Switch Wi-Fi off', on: 'Switch Wi-Fi on',
      join: 'Join a network', forget: 'Forget the network',
      restore: 'Restore the example data', restored: 'This is the example data.',
    },
    tour: {
      large: 'A contract with 2,000 deliveries.', reveal: 'One delivery moves to the next day.',
      back: 'And back to its day.', moved: 'Another user has changed the delivery of this tour.',
      end: (sent, whole) => `${sent} instead of ${whole}, uncompressed.`,
      compressed: (sent, whole) => `With gzip, ${sent} instead of ${whole}.`,
      pause: 'Stop the tour', play: 'Start the tour',
    },
    firstLoad: (size) => `First load: ${size}.`, cachedLoad: () => 'Loaded from the cache.', lastChange: (sent) => `Last change: ${sent}.`,
    yourChange: (sent) => `Your last change: ${sent}.`,
    wholeScreen: (size, coding) => `The whole screen: ${size}, ${coding}.`, sentWhole: (coding) => `The whole screen, ${coding}.`,
    uncompressed: 'uncompressed', gzip: 'gzip, measured here',
    drawn: (time) => `Phone 2 showed the change ${time} after the action.`,
    sums(count, sent, whole, isShortened) {
      if (count === 0) return 'No changes yet';
      return `${isShortened && count > 1 ? 'The last ' : ''}${many(count, 'change')}: ${sent}. As whole screens: ${whole}.`;
    },
  },
  fr: {
    older: 'Version précédente', newer: 'Version suivante', version: 'Version', present: 'Direct', timeline: 'Chronologie',
    back: 'Étape précédente', forward: 'Étape suivante', play: 'Rejouer', slow: 'Ralenti',
    compressed: 'Tailles avec gzip, mesurées ici', none: 'Pas encore de version',
    versionOf: (index, count, isShortened) => `Version ${index} sur ${isShortened ? `les ${count} dernières` : count}`,
    stageOf: (stage, stages) => `Étape ${stage} sur ${stages}`,
    explanation: 'Ce qui a changé', repeat: 'Copier pour curl', clients: 'Code pour les clients', document: 'JSON', copy: 'Copier',
    copied: 'Copié', rest: '… abrégé\u00a0; la commande curl ci-dessus renvoie le document entier',
    more: (count) => `… et ${count.toLocaleString('fr')} de plus`, noResponse: 'pas de réponse', streamEnded: 'le flux s’est arrêté',
    liveAgain: 'de nouveau en direct', firsts: { current: 'aucun changement', changeset: 'changements', snapshot: 'instantané' },
    attempts: (count) => `${count} tentatives`,
    insteadOf: (sent, whole, times) => [`${sent} au lieu de ${whole}`, times].filter(Boolean).join(', '),
    times: (sent, whole) => timesLess(sent, whole, 'fr', (count) => `${count}\u00a0fois moins`),
    gzipTimes: (sent, whole) => timesLess(sent, whole, 'fr', (count) => `gzip\u00a0: ${count}×`),
    nothingNew: 'aucun changement', cached: 'depuis le cache', snapshot: 'instantané', phone: (number) => `téléphone ${number}`, both: 'les deux téléphones',
    by: (replica) => `par ${replica}`,
    outcome: { ignore: 'déjà à jour', outdated: 'd’une autre version', misfit: 'ne convient pas' },
    units: ['o', 'ko', 'Mo'], decimal: ',',
    causes: { initial: 'première version', 'unknown-version': 'version inconnue', smaller: 'plus court' },
    reasons: {
      initial: 'Un instantané, car la requête n’avait pas de version.',
      'unknown-version': 'Un instantané, car le serveur ne connaît pas la version que la page avait.',
      smaller: 'Un instantané, car les changements auraient été plus longs.',
    },
    plain: {
      none: 'Aucune réponse.', streamEnded: 'Le flux d’événements s’est arrêté, le client l’ouvre donc de nouveau.',
      liveAgain: 'Le flux d’événements fonctionne de nouveau. Son premier événement apporte les changements manqués, s’il y en a.',
      snapshot: 'Un instantané\u00a0: l’écran entier.', other: 'Ce n’est pas le document d’un écran.',
      nothing: 'Rien n’a changé.',
      title: 'Seul le titre a changé.',
      misfit: 'Les changements ne convenaient pas à la version de la page, qui a donc demandé un instantané.',
      outdated: 'Les changements partent d’une autre version que celle de la page, qui a donc demandé ceux depuis la sienne.',
      ignore: 'La page avait déjà cette version.', unread: 'Pas appliqué, car le flux d’événements apporte le même changement.',
      done: 'L’action est exécutée. Ses changements arrivent par le flux d’événements.',
      screens: 'Les écrans du serveur, avec leurs paramètres et leurs actions.',
    },
    missing: 'Ceci n’a pas pu être chargé.', colon: '\u00a0: ',
    // The names of the members of cells, as far as the example screens have them.
    keys: {
      title: 'titre', subtitle: 'sous-titre', detail: 'détail', text: 'texte', label: 'libellé', value: 'valeur', raw: 'valeur brute',
      name: 'nom', number: 'numéro', weight: 'poids', status: 'statut', isWeighed: 'pesée', height: 'altitude', range: 'massif',
      country: 'pays', year: 'année', duration: 'durée', bars: 'barres', isOn: 'allumé', isJoined: 'rejoint', isSecured: 'protégé',
      seconds: 'secondes', metres: 'mètres', kilograms: 'kilogrammes', isSet: 'défini', link: 'lien', fallback: 'remplacement',
      placeholder: 'indication',
    },
    verbs: { update: 'modifier', insert: 'insérer', delete: 'supprimer', move: 'déplacer' },
    titles: {
      updateCells: 'Modifier des cellules', insertSections: 'Insérer des sections', cells: 'Supprimer, insérer et déplacer des cellules',
      sections: 'Supprimer et déplacer des sections', updateSections: 'Modifier en-têtes, pieds et vues supplémentaires',
    },
    cells: (count) => (count > 1 ? `${count} cellules` : `${count} cellule`), named: (title) => `«\u00a0${title}\u00a0»`,
    others: (names, count) => `${names} et ${count > 1 ? `${count} autres` : '1 autre'}`,
    inserted: (section, content) => `${section}\u00a0: une section${content}`, emptyAtFirst: ', vide au départ',
    withCells: (cells) => ` avec ${cells}`,
    deletedFrom: (cells, section) => `${cells}\u00a0: supprimé de ${section}`,
    insertedInto: (cells, section) => `${cells}\u00a0: inséré dans ${section}`,
    movedWithin: (cells, from, to, section) => `${cells}\u00a0: de la place ${from} à la place ${to} de ${section}`,
    movedAcross: (cells, from, to) => `${cells}\u00a0: de ${from} à ${to}`,
    sectionDeleted: (section) => `${section}\u00a0: la section est supprimée`,
    sectionMoved: (section, from, to) => `${section}\u00a0: la section va de la place ${from} à la place ${to}`,
    supplementary: 'vues supplémentaires modifiées', removed: (name) => `${name} supprimé`, addedView: (name) => `${name} ajouté`,
    changed: 'modifié', nothing: 'rien',
    header: 'en-tête', footer: 'pied',
    faults: 'Simuler des pannes du réseau et voir le client se rétablir', offline: 'Hors ligne', slowNetwork: 'Réseau lent',
    forget: 'Envoyer une version inconnue', damage: 'Endommager le prochain changement',
    faultsHint: 'Ces pannes touchent la connexion entre cette page et le serveur. La chronologie montre comment le client se rétablit.',
    faultsNow: {
      isOffline: ['Les téléphones sont de nouveau en ligne.', 'Les téléphones sont hors ligne.'],
      isSlow: ['Les réponses sont de nouveau rapides.', 'Chaque réponse et chaque changement prend deux secondes de plus.'],
      presentUnknownVersion: [
        'Une requête avait une version inconnue. Le serveur envoie alors l’écran entier.', 'La prochaine requête aura une version inconnue.',
      ],
      damageChangeset: [
        'Un changement a été endommagé. Le téléphone demande alors l’écran entier.', 'Le prochain changement sera endommagé. Changez quelque chose.',
      ],
    },
    code: 'Le code Swift de cet écran',
    codeHint: 'Le fichier principal qu’une équipe écrit, sur le serveur. Les parties moins importantes sont repliées.',
    lines: (count) => (count > 1 ? `${count} lignes` : '1 ligne'),
    use: 'Utiliser', useHint: 'Les lignes qui montrent cet écran dans un client.', language: 'Langage du code', run: 'Lancer le serveur',
    readHint: 'Pour en savoir plus, dans votre copie du dépôt\u00a0:',
    requestsHint: 'Toutes les requêtes de ce serveur, décrites par OpenAPI\u00a0:',
    newHint: 'Un paquet avec votre propre écran\u00a0:',
    hostHint: 'Pour un téléphone de votre réseau, avec un choix explicite de l’authentification\u00a0:',
    qrHint: 'Cet écran sur votre téléphone\u00a0:',
    edits: {
      move: 'Déplacer une livraison à un autre jour', weigh: 'Changer un poids', contract: 'Afficher un autre contrat',
      rename: 'Changer le nom',
      connect: 'Connecter le compte', disconnect: 'Déconnecter le compte', merge: 'Réunir les sections',
      separate: 'Séparer les sections',
      more: 'Afficher 20 de plus', fewer: 'N’afficher que 20', name: 'Trier par nom', height: 'Trier par altitude',
      search: 'Chercher «\u00a0mont\u00a0»', clear: 'Effacer la recherche',
      width: 'Changer la largeur', album: 'Afficher un album', artist: 'Revenir à l’artiste', off: 'Éteindre le Wi-Fi',
      on: 'Allumer le Wi-Fi', join: 'Rejoindre un réseau', forget: 'Oublier le réseau',
      restore: 'Restaurer les données d’exemple', restored: 'Ce sont les données d’exemple.',
    },
    tour: {
      large: 'Un contrat avec 2\u202f000 livraisons.', reveal: 'Une livraison passe au jour suivant.',
      back: 'Et revient à son jour.', moved: 'Un autre utilisateur a modifié la livraison de cette visite.',
      end: (sent, whole) => `${sent} au lieu de ${whole}, sans compression.`,
      compressed: (sent, whole) => `Avec gzip, ${sent} au lieu de ${whole}.`,
      pause: 'Arrêter la visite', play: 'Commencer la visite',
    },
    firstLoad: (size) => `Premier chargement\u00a0: ${size}.`, cachedLoad: () => 'Chargé depuis le cache.',
    lastChange: (sent) => `Dernier changement\u00a0: ${sent}.`,
    yourChange: (sent) => `Votre dernier changement\u00a0: ${sent}.`,
    wholeScreen: (size, coding) => `L’écran entier\u00a0: ${size}, ${coding}.`, sentWhole: (coding) => `L’écran entier, ${coding}.`,
    uncompressed: 'sans compression', gzip: 'gzip, mesuré ici',
    drawn: (time) => `Le téléphone 2 a montré le changement ${time} après l’action.`,
    sums(count, sent, whole, isShortened) {
      if (count === 0) return 'Pas encore de changement';
      const changes = count > 1 ? `${count} ${isShortened ? 'derniers ' : ''}changements` : '1 changement';
      return `${isShortened && count > 1 ? 'Les ' : ''}${changes}\u00a0: ${sent}. En écrans entiers\u00a0: ${whole}.`;
    },
  },
};

/**
 * Returns the texts in a language, or in English if there are no texts in the language.
 *
 * @param {string | undefined} locale
 * @returns {typeof all.en}
 */
export function phrases(locale) {
  return all[locale?.split('-')[0]] ?? all.en;
}
