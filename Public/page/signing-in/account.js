import { element, pushButton } from '../../relist/elements.js';
import { loadStyle } from '../device.js';

/** The path that lists users with tokens, on a server with development authentication. */
const users = '/development/users';

/** The key under which a token is stored while the page is reloaded for another user. */
const handoverKey = 'token';

/**
 * The user's token, the button with the user's name, and the dialog to sign in. The token is kept in memory only. While the page is
 * reloaded for another user, the token is in the storage of the session.
 */
export class Account {
  #token;
  #previousUser;
  #button;
  #dialog;
  #locale;
  #onSignedIn;
  #hint;
  /** A Boolean value that is true until the button has the focus again that the reload has taken away. */
  #isReloaded = false;

  /**
   * @param {HTMLButtonElement} button
   * @param {() => string | undefined} locale
   * @param {() => void} onSignedIn
   */
  constructor(button, locale, onSignedIn) {
    this.#button = button;
    this.#locale = locale;
    this.#onSignedIn = onSignedIn;
    button.addEventListener('click', () => (this.#token === undefined ? this.open() : reloadWith('')));
  }

  get token() {
    return this.#token;
  }

  /** Shows the button, after the user or the language has changed. */
  show() {
    const texts = phrases(this.#locale());
    const name = this.#token && nameIn(this.#token);
    this.#previousUser = name ?? this.#previousUser;
    this.#button.hidden = false;
    // In a narrow window, the parts are below each other, and a long name is shortened.
    const parts = [element('span', 'user', name), element('span', 'dash', ' – '), element('span', '', texts.signOut)];
    this.#button.replaceChildren(...(name === undefined ? [texts.signIn] : parts));
    // The button is invisible until the page is ready.
    if (!this.#isReloaded || document.body.dataset.ready === undefined) return;
    this.#isReloaded = false;
    if (document.activeElement === document.body) this.#button.focus();
  }

  /** Signs in the user for whom the page was reloaded. */
  resume() {
    const token = takeToken();
    this.#isReloaded = token !== undefined;
    if (token) this.#signIn(token);
  }

  /** Discards the token after the server has rejected it. */
  expire() {
    const isExpired = expiryIn(this.#token) * 1000 <= Date.now();
    this.#token = undefined;
    this.#hint = isExpired ? 'expired' : 'rejected';
    this.show();
  }

  /** Opens the dialog to sign in. */
  async open() {
    // The dialog can be used without its style.
    await loadStyle('styles/later.css').catch(() => {});
    const texts = phrases(this.#locale());
    const known = await developmentUsers();
    this.#dialog?.remove();
    const form = this.#form(texts);
    const hint = element('p', 'hint');
    hint.id = 'token-hint';
    hint.textContent = this.#hint ? texts[this.#hint] : known.length > 0 ? texts.development : texts.paste;
    const heading = element('h2', 'heading', [texts.signIn]);
    this.#dialog = element('dialog', 'account', [heading, hint, this.#choices(known, texts), form]);
    this.#dialog.setAttribute('aria-label', texts.signIn);
    document.body.append(this.#dialog);
    this.#dialog.showModal();
  }

  #choices(known, texts) {
    const list = element('div', 'choices');
    for (const { name, claims, token } of known) {
      const label = [element('span', '', texts.asUser(name)), element('small', '', claimsText(claims))];
      list.append(pushButton('choice', label, () => this.#signIn(token)));
    }
    list.hidden = known.length === 0;
    return list;
  }

  #form(texts) {
    const input = Object.assign(element('textarea'), { name: 'token', rows: 4, required: true, spellcheck: false, autocomplete: 'off' });
    const problem = element('p', 'error');
    problem.id = 'token-error';
    input.setAttribute('aria-describedby', `token-hint ${problem.id}`);
    const cancel = pushButton('cancel', texts.cancel, () => this.#dialog.close());
    const done = element('button', 'done', texts.signIn);
    const form = element('form', 'form', [
      element('label', '', [texts.token, input]), problem, element('div', 'ends', [cancel, done]),
    ]);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const token = input.value.trim();
      if (nameIn(token) !== undefined) return this.#signIn(token);
      problem.textContent = texts.noToken;
      input.setAttribute('aria-invalid', 'true');
      return input.focus();
    });
    return form;
  }

  #signIn(token) {
    // The inspector still shows exchanges of the previous user, and requests of that user may be in progress, so the page is reloaded.
    if (this.#previousUser !== undefined && this.#previousUser !== nameIn(token)) return reloadWith(token);
    this.#token = token;
    this.#hint = undefined;
    this.#dialog?.close();
    return this.#onSignedIn();
  }
}

/**
 * Reloads the page for the user of a token. If the browser blocks storage, the user must sign in again.
 *
 * @param {string} token empty after a sign-out
 */
function reloadWith(token) {
  try {
    sessionStorage.setItem(handoverKey, token);
  } catch (error) {
    console.warn('The token is lost when the page is reloaded', error);
  }
  location.reload();
}

/** Removes the stored token, and returns it. @returns {string | undefined} */
function takeToken() {
  try {
    const token = sessionStorage.getItem(handoverKey) ?? undefined;
    sessionStorage.removeItem(handoverKey);
    return token;
  } catch {
    return undefined;
  }
}

async function developmentUsers() {
  try {
    const answer = await fetch(users);
    return answer.ok ? (await answer.json()).users : [];
  } catch {
    return [];
  }
}

function claimsText(claims) {
  return Object.entries(claims).map(([name, value]) => `${name}: ${value}`).join(', ');
}

/** Returns the claims of a token without verifying the token. Returns undefined if the token has no claims. */
function claimsIn(token) {
  try {
    const [, part] = token.split('.');
    const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

function nameIn(token) {
  const name = claimsIn(token)?.sub;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function expiryIn(token) {
  return claimsIn(token)?.exp ?? Infinity;
}

const all = {
  en: {
    signIn: 'Sign in', signOut: 'sign out', asUser: (name) => `Sign in as ${name}`, cancel: 'Cancel', token: 'Token',
    expired: 'Your token has expired. Sign in again.', rejected: 'The server rejected this token.',
    development: 'This server uses development authentication. Choose a user, or paste a token.',
    paste: 'Paste your token. It is kept in memory until you close this page.', noToken: 'This is not a token with a user.',
  },
  fr: {
    signIn: 'Se connecter', signOut: 'se déconnecter', asUser: (name) => `Se connecter en tant que ${name}`,
    cancel: 'Annuler',
    token: 'Jeton', expired: 'Votre jeton a expiré. Connectez-vous de nouveau.', rejected: 'Le serveur n’a pas accepté ce jeton.',
    development: 'Ce serveur utilise l’authentification de développement. Choisissez un utilisateur, ou collez un jeton.',
    paste: 'Collez votre jeton. Il reste en mémoire jusqu’à la fermeture de cette page.',
    noToken: 'Ce n’est pas un jeton avec un utilisateur.',
  },
};

/** Returns the texts in a language, or in English if there are no texts in the language. @param {string=} locale */
function phrases(locale) {
  return all[locale?.split('-')[0]] ?? all.en;
}
