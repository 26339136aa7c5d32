import { many } from '../phrases.js';

/** What the inspector says, in the languages of the example screens. */
const all = {
  en: {
    older: 'Older version', newer: 'Newer version', version: 'Version', present: 'Live', timeline: 'Timeline',
    back: 'One stage back', forward: 'One stage on', play: 'Play', slow: 'Slow motion', none: 'No version yet',
    versionOf: (index, count) => `Version ${index} of ${count}`, stageOf: (stage, stages) => `Stage ${stage} of ${stages}`,
    did: 'What it did', repeat: 'Repeat it', document: 'Document', copy: 'Copy', copied: 'Copied', rest: '… the line above brings the rest',
    more: (count) => `… and ${count.toLocaleString('en')} more`, noAnswer: 'no answer', insteadOf: (sent, whole) => `${sent} instead of ${whole}`,
    nothingNew: 'nothing new', snapshot: 'snapshot', phone: (number) => `phone ${number}`, both: 'both phones', by: (replica) => `by ${replica}`,
    outcome: { ignore: 'held already', ask: 'from another version', misfit: 'does not fit' },
    reasons: {
      initial: 'It is whole because no version was given.',
      'unknown-version': 'It is whole because the server does not know the version that the page held.',
      smaller: 'It is whole because the changeset would have been larger.',
    },
    plain: {
      none: 'No answer came.', snapshot: 'A snapshot: the whole screen.', other: 'No document of a screen.', nothing: 'Nothing changed.',
      title: 'Only the title changed.', misfit: 'It did not fit what the page held; a snapshot was asked for.',
      ask: 'It begins with another version than the page held; the page asked for changes from its own.',
      ignore: 'It leads to the version that the page held already.', unread: 'It was not applied: the event stream brings the same.',
      done: 'It was done, and nothing was sent back: what it changed comes on the event stream.', screens: 'The screens of the server, with their parameters and actions.',
    },
    verbs: { update: 'update', insert: 'insert', delete: 'delete', move: 'move' },
    titles: {
      updateCells: 'Update cells', insertSections: 'Insert sections', cells: 'Delete, insert and move cells',
      sections: 'Delete and move sections', updateSections: 'Update headers, footers and supplementary views',
    },
    cells: (count) => many(count, 'cell'), named: (title) => `“${title}”`, others: (names, count) => `${names} and ${many(count, 'other')}`,
    inserted: (section, content) => `${section}: a section${content}`, emptyAtFirst: ', empty at first', withCells: (cells) => ` with ${cells}`,
    deletedFrom: (cells, section) => `${cells}: deleted from ${section}`, insertedInto: (cells, section) => `${cells}: inserted into ${section}`,
    movedWithin: (cells, from, to, section) => `${cells}: moved from place ${from} to ${to} of ${section}`,
    movedAcross: (cells, from, to) => `${cells}: moved from ${from} to ${to}`, sectionDeleted: (section) => `${section}: the section is deleted`,
    sectionMoved: (section, from, to) => `${section}: the section moves from place ${from} to ${to}`,
    supplementary: 'supplementary views changed', removed: (name) => `${name} removed`, addedView: (name) => `${name} added`, changed: 'changed', nothing: 'none',
    header: 'header', footer: 'footer',
    broken: 'Break it', offline: 'Offline', slowNetwork: 'Slow network', forget: 'Forget my version', damage: 'Damage the next changeset',
    breakHint: 'Each is a switch in the way between this page and its server. What the client does then stands in the timeline.',
    code: 'The code', codeHint: 'The screen as it is written on the server, folded to what matters.', lines: (count) => many(count, 'line'),
    edits: {
      move: 'Move a delivery to another day', weigh: 'Change one weight', contract: 'Another contract', rename: 'Change the name',
      connect: 'Connect the account', disconnect: 'Disconnect the account', merge: 'Merge the sections', separate: 'Separate the sections',
      more: 'Show 20 more', fewer: 'Show 20', name: 'Sort by name', height: 'Sort by height', search: 'Search “mont”', clear: 'Clear the search',
      width: 'Another width', album: 'One album', artist: 'The artist again', off: 'Switch Wi-Fi off', on: 'Switch Wi-Fi on', join: 'Join a network', forget: 'Forget it',
      restore: 'Back to the example data',
    },
    tour: {
      wifi: 'Wi-Fi changes by itself: nobody asks, only what changed is sent.', type: 'Each letter is a changeset: rows leave, come and close up.',
      sort: 'Sorted by height: rows move, none is sent again.', move: 'A delivery goes to another day, on every phone at once.', back: 'And back: the data is as it was.',
      pause: 'Stop the demonstration', play: 'Show me around',
    },
  },
  fr: {
    older: 'Version précédente', newer: 'Version suivante', version: 'Version', present: 'Direct', timeline: 'Chronologie',
    back: 'Une étape en arrière', forward: 'Une étape en avant', play: 'Rejouer', slow: 'Ralenti', none: 'Pas encore de version',
    versionOf: (index, count) => `Version ${index} sur ${count}`, stageOf: (stage, stages) => `Étape ${stage} sur ${stages}`,
    did: 'Ce que cela a fait', repeat: 'Répéter', document: 'Document', copy: 'Copier', copied: 'Copié', rest: '… la ligne ci-dessus donne le reste',
    more: (count) => `… et ${count.toLocaleString('fr')} de plus`, noAnswer: 'pas de réponse', insteadOf: (sent, whole) => `${sent} au lieu de ${whole}`,
    nothingNew: 'rien de nouveau', snapshot: 'instantané', phone: (number) => `téléphone ${number}`, both: 'les deux téléphones', by: (replica) => `par ${replica}`,
    outcome: { ignore: 'déjà là', ask: 'd’une autre version', misfit: 'ne convient pas' },
    reasons: {
      initial: 'Il est entier, car aucune version n’était donnée.',
      'unknown-version': 'Il est entier, car le serveur ne connaît pas la version que la page avait.',
      smaller: 'Il est entier, car les changements auraient été plus longs.',
    },
    plain: {
      none: 'Aucune réponse.', snapshot: 'Un instantané : l’écran entier.', other: 'Pas un document d’écran.', nothing: 'Rien n’a changé.',
      title: 'Seul le titre a changé.', misfit: 'Cela ne convenait pas à ce que la page avait ; elle a demandé un instantané.',
      ask: 'Cela part d’une autre version que celle de la page ; elle a demandé les changements depuis la sienne.',
      ignore: 'Cela mène à la version que la page avait déjà.', unread: 'Pas appliqué : le flux d’événements apporte la même chose.',
      done: 'C’est fait, et rien n’est revenu : ce qui a changé arrive par le flux d’événements.', screens: 'Les écrans du serveur, avec leurs paramètres et leurs actions.',
    },
    verbs: { update: 'modifier', insert: 'insérer', delete: 'supprimer', move: 'déplacer' },
    titles: {
      updateCells: 'Modifier des cellules', insertSections: 'Insérer des sections', cells: 'Supprimer, insérer et déplacer des cellules',
      sections: 'Supprimer et déplacer des sections', updateSections: 'Modifier en-têtes, pieds et vues supplémentaires',
    },
    cells: (count) => (count > 1 ? `${count} cellules` : `${count} cellule`), named: (title) => `« ${title} »`,
    others: (names, count) => `${names} et ${count > 1 ? `${count} autres` : '1 autre'}`,
    inserted: (section, content) => `${section} : une section${content}`, emptyAtFirst: ', d’abord vide', withCells: (cells) => ` avec ${cells}`,
    deletedFrom: (cells, section) => `${cells} : supprimé de ${section}`, insertedInto: (cells, section) => `${cells} : inséré dans ${section}`,
    movedWithin: (cells, from, to, section) => `${cells} : de la place ${from} à la place ${to} de ${section}`,
    movedAcross: (cells, from, to) => `${cells} : de ${from} à ${to}`, sectionDeleted: (section) => `${section} : la section est supprimée`,
    sectionMoved: (section, from, to) => `${section} : la section va de la place ${from} à la place ${to}`,
    supplementary: 'vues supplémentaires modifiées', removed: (name) => `${name} supprimé`, addedView: (name) => `${name} ajouté`, changed: 'modifié', nothing: 'rien',
    header: 'en-tête', footer: 'pied',
    broken: 'Mettre en panne', offline: 'Hors ligne', slowNetwork: 'Réseau lent', forget: 'Oublier ma version', damage: 'Abîmer le prochain changement',
    breakHint: 'Chacun est un interrupteur entre cette page et son serveur. Ce que fait alors le client se lit dans la chronologie.',
    code: 'Le code', codeHint: 'L’écran tel qu’il est écrit sur le serveur, replié sur l’essentiel.', lines: (count) => (count > 1 ? `${count} lignes` : '1 ligne'),
    edits: {
      move: 'Déplacer une livraison à un autre jour', weigh: 'Changer un poids', contract: 'Un autre contrat', rename: 'Changer le nom',
      connect: 'Connecter le compte', disconnect: 'Déconnecter le compte', merge: 'Réunir les sections', separate: 'Séparer les sections',
      more: 'Afficher 20 de plus', fewer: 'Afficher 20', name: 'Trier par nom', height: 'Trier par altitude', search: 'Chercher « mont »', clear: 'Effacer la recherche',
      width: 'Une autre largeur', album: 'Un album', artist: 'Revenir à l’artiste', off: 'Éteindre le Wi-Fi', on: 'Allumer le Wi-Fi', join: 'Rejoindre un réseau', forget: 'L’oublier',
      restore: 'Revenir aux données d’exemple',
    },
    tour: {
      wifi: 'Le Wi-Fi change de lui-même : personne ne demande, seul ce qui change est envoyé.', type: 'Chaque lettre est un changement : des lignes partent, viennent et se resserrent.',
      sort: 'Tri par altitude : les lignes se déplacent, aucune n’est renvoyée.', move: 'Une livraison change de jour, sur tous les téléphones à la fois.', back: 'Et retour : les données sont comme avant.',
      pause: 'Arrêter la démonstration', play: 'Faites-moi visiter',
    },
  },
};

/** @param {string | undefined} locale @returns {typeof all.en} */
export function phrases(locale) {
  return all[locale?.split('-')[0]] ?? all.en;
}
