import { shapeOf } from './phrases.js';

/** Descriptions of valid values, by type. */
const shapes = {
  integer: 'un nombre entier', number: 'un nombre', boolean: 'oui ou non', date: 'une date', choice: 'un des choix', text: 'un texte',
  between: (minimum, maximum) => ` de ${minimum.toLocaleString('fr')} à ${maximum.toLocaleString('fr')}`,
  atMost: (limit) => ` de ${limit.toLocaleString('fr')} caractères au plus`,
};

/** The page's own texts in French. */
export const french = {
  skip: 'Aller à la liste', bypass: 'Aller au réseau', screens: 'Écrans', screen: 'Écran', parameters: 'Paramètres', language: 'Langue',
  lead: 'Écrivez un écran de liste une seule fois, en Swift, sur le serveur.', pair: 'Deux téléphones montrent une même liste.',
  onlyChanges: 'Le serveur n’envoie que ce qui change.', second: 'Aller au téléphone 2',
  traffic: 'Réseau', pane: 'Volet', edits: 'Essayer', filter: 'Filtre', phone: (number) => `Téléphone ${number}`,
  more: 'Plus', back: 'Retour', search: 'Rechercher', empty: 'Rien ici', yes: 'Oui', no: 'Non',
  rest: 'Le reste de la page n’a pas pu être chargé.', retry: 'Réessayer', close: 'Fermer',
  asking: 'Chargement', live: 'En direct', stale: 'Pas à jour', reconnecting: 'Reconnexion …', idle: 'Pas en direct', paused: 'En pause',
  pause: 'Suspendre les changements', version: (index, count) => `Version ${index} sur ${count}`,
  stage: (stage, stages) => `Étape ${stage} sur ${stages}`, past: 'Vous regardez une version antérieure', present: 'Revenir au direct',
  waiting: (count, cause) => `${count === 1 ? '1 nouveau changement, retenu' : `${count} nouveaux changements, retenus`} ${{
    pause: 'pendant la pause du téléphone', focus: 'jusqu’à ce que vous pressiez Échap ou quittiez la ligne', pointer: 'tant que votre pointeur est ici',
  }[cause]}`,
  show: 'Afficher',
  above: (count) => (count === 1 ? '1 changement au-dessus' : `${count} changements au-dessus`),
  below: (count) => (count === 1 ? '1 changement plus bas' : `${count} changements plus bas`), look: 'Voir',
  unreachable: 'Impossible de joindre le serveur.',
  unexpected: 'La réponse du serveur n’est pas un document valide.',
  token: 'Votre connexion n’a pas pu être renouvelée.',
  status: (status) => `Le serveur a répondu avec le statut ${status}.`, tag: 'fr', mustBe: (field) => `Entrez ${shapeOf(field, shapes)}.`,
  needsUser: 'Connectez-vous pour voir cet écran.', signIn: 'Se connecter',
  noScreen: (name) => `Il n’y a pas d’écran «\u00a0${name}\u00a0».`, noScreens: 'Ce serveur n’a pas d’écran pour vous.',
  toFirst: (title) => `Aller à ${title}`,
  noLocale: (locale) => `«\u00a0${locale}\u00a0» n’est pas disponible. Choisissez une de ces langues.`,
  colon: '\u00a0: ', byte: '1\u00a0o', kilobyte: '1\u00a0ko', megabyte: '1\u00a0Mo',
};
