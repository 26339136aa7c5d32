const all = {
  en: {
    signIn: 'Sign in', signOut: (name) => `${name} – sign out`, asUser: (name) => `As ${name}`, cancel: 'Cancel', token: 'Token',
    expired: 'Your token has expired. Sign in again to go on.', refused: 'The server did not take that token.',
    development: 'This server is in development: be one of these, or anybody by a token of “relist token”.',
    paste: 'Paste a token of yours. It stays in memory, and is gone with this page.', noToken: 'This is no token that says who it is for.',
  },
  fr: {
    signIn: 'Se connecter', signOut: (name) => `${name} – se déconnecter`, asUser: (name) => `En tant que ${name}`, cancel: 'Annuler',
    token: 'Jeton', expired: 'Votre jeton a expiré. Connectez-vous de nouveau pour continuer.', refused: 'Le serveur n’a pas accepté ce jeton.',
    development: 'Ce serveur est en développement : soyez l’un d’eux, ou quiconque avec un jeton de « relist token ».',
    paste: 'Collez un de vos jetons. Il reste en mémoire et disparaît avec cette page.', noToken: 'Ce n’est pas un jeton qui dit pour qui il est.',
  },
};

/** What is said where somebody signs in. @param {string=} locale */
export function phrases(locale) {
  return all[locale] ?? all.en;
}
