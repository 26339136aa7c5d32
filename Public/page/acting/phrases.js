import { sentence } from '../phrases.js';

/** The texts of forms and of failed actions, in the languages of the example screens. */
const all = {
  en: {
    cancel: 'Cancel', done: 'Done', keep: 'Keep it', noResponse: 'No answer.',
    unsaved: 'Your change may not have been saved. Sending it again is safe: the server performs it at most once.',
    several: 'Your changes may not have been saved. Sending them again is safe: the server performs each at most once.',
    earlier: 'Earlier changes may not have been saved. Sending them again is safe: the server performs each at most once.',
    saving: 'Your change is still being saved.', deleted: 'This row is no longer in the list.',
    rounded: 'This row has a number that is too large for this page. Nothing was sent.',
  },
  fr: {
    cancel: 'Annuler', done: 'OK', keep: 'Garder', noResponse: 'Pas de réponse.',
    unsaved: 'Votre changement n’est peut-être pas enregistré. L’envoyer de nouveau est sans risque\u00a0: le serveur l’exécute au plus une fois.',
    several: 'Vos changements ne sont peut-être pas enregistrés. Les envoyer de nouveau est sans risque\u00a0: le serveur exécute chacun au plus une fois.',
    earlier: 'Vos changements précédents ne sont peut-être pas enregistrés. Les envoyer de nouveau est sans risque\u00a0: le serveur exécute chacun au plus une fois.',
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
 * @param {boolean=} hasOthers whether the message is also about other actions that can be repeated
 * @returns {string}
 */
export function failure(error, texts, isInDoubt = false, hasOthers = false) {
  const { noResponse, unsaved, several, earlier, rounded } = phrases(texts.tag);
  // The client has sent nothing, because JavaScript rounds the input.
  const isRounded = error instanceof RangeError;
  const isDecided = isRounded || !isInDoubt && (error.outcome === 'not-performed' || error.isRejection || error.reason === 'token');
  const reason = isRounded ? rounded : error.reason === 'unreachable' ? noResponse : sentence(error, texts);
  const rest = isDecided ? hasOthers && earlier : hasOthers ? several : unsaved;
  return rest ? `${reason} ${rest}` : reason;
}
