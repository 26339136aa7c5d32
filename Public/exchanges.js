import { pretty } from './pretty.js';

/** So many are kept: enough to see what led here, and a day of looking fills no memory. */
const limit = 30;

/** The pane of what was asked and answered, with the document of the one that is chosen. */
export class ExchangePane {
  #list;
  #document;
  #items = [];

  /**
   * @param {HTMLElement} list
   * @param {HTMLElement} document
   */
  constructor(list, document) {
    this.#list = list;
    this.#document = document;
  }

  /** @param {import('./client.js').Exchange} exchange */
  add(exchange) {
    const item = document.createElement('li');
    const button = document.createElement('button');
    button.type = 'button';
    button.append(span('request', `${exchange.method} ${exchange.path}`), span('answer', answerOf(exchange)));
    button.classList.toggle('failed', exchange.status < 200 || exchange.status > 299);
    button.addEventListener('click', () => this.#choose(button, exchange));
    item.append(button);
    this.#list.prepend(item);
    this.#items.unshift(item);
    this.#items.splice(limit).forEach((old) => old.remove());
    this.#choose(button, exchange);
  }

  /** Adds a word to the newest exchange, where its document did not fit. */
  note(text) {
    this.#items[0]?.firstElementChild.append(span('note', text));
  }

  #choose(button, { text, document }) {
    this.#list.querySelectorAll('[aria-current]').forEach((other) => other.removeAttribute('aria-current'));
    button.setAttribute('aria-current', 'true');
    this.#document.textContent = document === undefined ? text : pretty(text);
    this.#document.scrollTop = 0;
  }
}

function answerOf({ status, bytes, document }) {
  const parts = [status || 'no answer', `${bytes.toLocaleString('en')} bytes`];
  if (document?.kind === 'changeset') {
    const way = document.from === document.version ? `nothing new since ${brief(document.from)}` : `${brief(document.from)} → ${brief(document.version)}`;
    parts.push('changeset', way);
  } else if (document?.kind) {
    parts.push(document.kind, `→ ${brief(document.version)}`);
  }
  if (document?.reason) parts.push(document.reason);
  return parts.join(' · ');
}

function brief(version) {
  return String(version).slice(0, 8);
}

function span(name, text) {
  const node = document.createElement('span');
  node.className = name;
  node.textContent = text;
  return node;
}
