/** What a phone says by itself around a list, in the languages of the example screens. */
const all = {
  en: {
    more: 'More', cancel: 'Cancel', done: 'Done', back: 'Back', search: 'Search', empty: 'Nothing here',
    retry: 'Try again', close: 'Close',
  },
  fr: {
    more: 'Plus', cancel: 'Annuler', done: 'OK', back: 'Retour', search: 'Rechercher', empty: 'Rien ici',
    retry: 'Réessayer', close: 'Fermer',
  },
};

/** @param {string | undefined} locale */
export function phrases(locale) {
  return all[locale] ?? all.en;
}
