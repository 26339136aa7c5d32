import { element } from '../../relist/render/dom.js';
import { loadStyle } from '../device.js';
import { phrases } from './phrases.js';

/** Where a server in development gives tokens of a few users. */
const users = '/development/users';

/**
 * Who asks: a token in memory alone, gone with the page, the button that says whose it is, and the dialog that asks for one.
 */
export class Account {
  #token;
  #lastName;
  #button;
  #dialog;
  #locale;
  #onSignedIn;
  #hint;

  /**
   * @param {HTMLButtonElement} button
   * @param {() => string | undefined} locale
   * @param {() => void} onSignedIn
   */
  constructor(button, locale, onSignedIn) {
    this.#button = button;
    this.#locale = locale;
    this.#onSignedIn = onSignedIn;
    button.addEventListener('click', () => (this.#token === undefined ? this.ask() : location.reload()));
  }

  get token() {
    return this.#token;
  }

  /** Somebody was answered, or the language may be another now. */
  show() {
    const said = phrases(this.#locale());
    const name = this.#token && nameIn(this.#token);
    this.#lastName = name ?? this.#lastName;
    this.#button.hidden = false;
    this.#button.textContent = name === undefined ? said.signIn : said.signOut(name);
  }

  /** The token is not taken any more, or never was. */
  expire() {
    const isExpired = expiryIn(this.#token) * 1000 <= Date.now();
    this.#token = undefined;
    this.#hint = isExpired ? 'expired' : 'refused';
    this.show();
  }

  /** Asks who it is, with what became of the last token. */
  async ask() {
    await loadStyle('styles/sheet.css');
    const said = phrases(this.#locale());
    const known = await developmentUsers();
    this.#dialog?.remove();
    const form = this.#form(said);
    const hint = element('p', 'hint');
    hint.textContent = this.#hint ? said[this.#hint] : known.length > 0 ? said.development : said.paste;
    const heading = element('h2', 'heading', [said.signIn]);
    this.#dialog = element('dialog', 'account', [heading, hint, this.#choices(known, said), form]);
    this.#dialog.setAttribute('aria-label', said.signIn);
    document.body.append(this.#dialog);
    this.#dialog.showModal();
  }

  #choices(known, said) {
    const list = element('div', 'choices');
    for (const { name, claims, token } of known) {
      const button = element('button', 'choice', [element('span', '', [said.asUser(name)]), element('small', '', [claimed(claims)])]);
      button.type = 'button';
      button.addEventListener('click', () => this.#signIn(token));
      list.append(button);
    }
    list.hidden = known.length === 0;
    return list;
  }

  #form(said) {
    const input = Object.assign(element('textarea'), { name: 'token', rows: 4, required: true, spellcheck: false, autocomplete: 'off' });
    const problem = element('p', 'error');
    problem.setAttribute('role', 'alert');
    const cancel = Object.assign(element('button', 'cancel', [said.cancel]), { type: 'button' });
    const done = Object.assign(element('button', 'done', [said.signIn]), { type: 'submit' });
    const form = element('form', 'form', [
      element('label', '', [said.token, input]), problem, element('div', 'ends', [cancel, done]),
    ]);
    cancel.addEventListener('click', () => this.#dialog.close());
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const token = input.value.trim();
      if (nameIn(token) === undefined) problem.textContent = said.noToken;
      else this.#signIn(token);
    });
    return form;
  }

  #signIn(token) {
    // What another one was shown is still in the timeline.
    if (this.#lastName !== undefined && this.#lastName !== nameIn(token)) return location.reload();
    this.#token = token;
    this.#hint = undefined;
    this.#dialog.close();
    return this.#onSignedIn();
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

function claimed(claims) {
  return Object.entries(claims).map(([name, value]) => `${name}: ${value}`).join(', ');
}

/** What a token says, which only the server can tell to be true; undefined where it says nothing. */
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
