import { sentence } from '../phrases.js';

/** The texts of forms and of failed actions, in the languages of the example screens. */
const all = {
  en: {
    cancel: 'Cancel', done: 'Done', keep: 'Keep it', noResponse: 'No answer.',
    unsaved: 'Your change may not have been saved. Trying again is safe: the server saves it only once.',
    saving: 'Your change is still being saved.', deleted: 'This row is no longer in the list.',
    rounded: 'This row has a number that is too large for this page. Nothing was sent.',
  },
  fr: {
    cancel: 'Annuler', done: 'OK', keep: 'Garder', noResponse: 'Pas de réponse.',
    unsaved: 'Votre changement n’est peut-être pas enregistré. Réessayer est sans risque\u00a0: le serveur ne l’enregistre qu’une fois.',
    saving: 'Votre changement est en cours d’enregistrement.',
    deleted: 'Cette ligne n’est plus dans la liste.',
    rounded: 'Cette ligne contient un nombre trop grand pour cette page. Rien n’a été envoyé.',
  },
};

/** Returns the texts in a language, or in English. @param {string | undefined} locale @returns {typeof all.en} */
export function phrases(locale) {
  return all[locale?.split('-')[0]] ?? all.en;
}

/**
 * Returns a message about a failed action. If the server may have performed the action, the message says so. Such an action is repeated
 * with its key.
 *
 * @param {import('../../relist/client.js').ClientError | RangeError} error
 * @param {ReturnType<typeof import('../phrases.js').phrases>} texts
 * @param {boolean=} isInDoubt whether an earlier request may have performed the action
 * @returns {string}
 */
export function failure(error, texts, isInDoubt = false) {
  const { noResponse, unsaved, rounded } = phrases(texts.tag);
  // The client has sent nothing, because JavaScript rounds the input.
  if (error instanceof RangeError) return rounded;
  if (error.reason === 'unreachable') return `${noResponse} ${unsaved}`;
  const isDecided = !isInDoubt && (error.outcome === 'not-performed' || error.isRejection || error.reason === 'token');
  return isDecided ? sentence(error, texts) : `${sentence(error, texts)} ${unsaved}`;
}
