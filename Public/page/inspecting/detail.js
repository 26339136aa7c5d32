import { element, pushButton, setAttribute } from '../../relist/elements.js';
import { copyText } from './copying.js';
import { explain } from './explanation.js';
import { lines } from './pretty.js';
import { isAction, mainOf } from './timeline.js';

/**
 * The maximum number of operations that are explained for a stage, and the maximum number of characters that are shown of a document.
 * Laying out more text takes too long.
 */
const limits = { operations: 60, characters: 20_000 };

const keyField = 'Idempotency-Key';

/**
 * The ids of the cells and sections that an operation affects, and the kind of the operation.
 *
 * @typedef {{cells: string[], sections: string[], verb?: string}} Target
 */

/**
 * The explanation, the document, the curl command and the code for clients of the chosen entry. Highlighting an operation also highlights
 * its line of JSON and the affected rows of the list.
 */
export class Detail {
  #parts;
  #onPoint;
  #phrases;
  #secrets;
  #shown;
  /** The request of the shown entry, for the code for clients. */
  #request;
  #usage;
  /** The explanation of each operation of the shown changeset. */
  #operations = new Map();

  /**
   * @param {{explanation: HTMLElement, curl: HTMLElement, copy: HTMLButtonElement, document: HTMLElement,
   *   usage: HTMLDetailsElement}} parts
   * @param {object} options
   * @param {(target: Target) => void} options.onPoint called when the pointer or focus is on an operation
   * @param {() => ReturnType<typeof import('./phrases.js').phrases>} options.phrases
   * @param {() => ReadonlySet<string>} options.secrets the names of inputs that must not be displayed
   */
  constructor(parts, { onPoint, phrases, secrets }) {
    this.#parts = parts;
    this.#onPoint = onPoint;
    this.#phrases = phrases;
    this.#secrets = secrets;
    parts.copy.addEventListener('click', () => copyText(parts.curl, parts.copy, phrases()));
    parts.usage.addEventListener('toggle', () => this.#showUsage());
    for (const part of [parts.explanation, parts.document]) {
      for (const name of ['pointerover', 'focusin', 'click']) part.addEventListener(name, ({ target }) => this.#point(target));
      for (const name of ['pointerleave', 'focusout']) part.addEventListener(name, () => this.#highlight(undefined));
    }
  }

  /** Shows an entry of the timeline. @param {import('./timeline.js').Entry} entry */
  show(entry) {
    const { taken, parts } = entry;
    const exchange = mainOf(entry);
    const scrollTop = this.#shown?.entry === entry ? this.#parts.document.scrollTop : 0;
    const isSame = this.#shown?.entry === entry && this.#shown.taken === taken && this.#shown.count === parts.length;
    if (isSame) return;
    this.#shown = { entry, taken, count: parts.length };
    this.#operations.clear();
    this.#highlight(undefined);
    this.#parts.explanation.replaceChildren(...this.#explanation(exchange, taken));
    const repeated = parts.find((part) => isAction(part.exchange))?.exchange ?? exchange;
    this.#parts.curl.textContent = curlOf(repeated, location.origin, this.#secrets());
    const request = requestOf(repeated, this.#secrets());
    this.#request = request && { ...request, isSignedIn: repeated.isSignedIn };
    this.#parts.usage.hidden = this.#request === undefined;
    this.#showUsage();
    this.#parts.document.replaceChildren(...this.#document(exchange));
    this.#parts.document.scrollTop = scrollTop;
    this.#parts.copy.textContent = this.#phrases().copy;
  }

  /** Shows the code for clients while its fold is open. */
  async #showUsage() {
    if (!this.#parts.usage.open) return;
    const module = await import('../using/usage.js').catch(() => undefined);
    const usage = this.#parts.usage.querySelector('.usage');
    if (!module) return usage.replaceChildren(this.#phrases().missing);
    this.#usage ??= new module.Usage(usage);
    if (!this.#request) return;
    const snapshot = this.#shown.taken?.after ?? { sections: [] };
    this.#usage.show({ base: location.origin, ...this.#request, snapshot }, this.#phrases());
  }

  /** Shows the entry again, after the language has changed. */
  refresh() {
    const entry = this.#shown?.entry;
    this.#shown = undefined;
    if (entry) this.show(entry);
  }

  /** Marks the stage that is being animated. @param {number | undefined} stage */
  markStage(stage) {
    for (const [index, node] of [...this.#parts.explanation.querySelectorAll('.stage')].entries()) {
      setAttribute(node, 'aria-current', index === stage && 'step');
    }
  }

  /** Highlights the operation that affects a cell. @param {string | undefined} cell */
  pointAt(cell) {
    const found = [...this.#operations].find(([, { cells }]) => cells.includes(cell));
    this.#mark(found?.[0], found?.[1].verb);
  }

  #explanation(exchange, taken) {
    if (!taken?.steps?.length) return [element('p', 'plain', this.#summary(exchange, taken))];
    return explain(taken.steps, this.#phrases()).map((stage, index) => this.#stage(stage, index));
  }

  #stage({ title, lines: all }, index) {
    for (const line of all) this.#operations.set(line.operation, line);
    const items = all.slice(0, limits.operations).map((line) => this.#line(line));
    if (all.length > limits.operations) items.push(element('li', 'plain', this.#phrases().more(all.length - limits.operations)));
    return element('section', 'stage', [element('h3', '', `${index + 1}. ${title}`), element('ul', '', items)]);
  }

  #line({ verb, text, operation }) {
    const button = pushButton('line', [element('span', 'verb', this.#phrases().verbs[verb]), element('span', 'text', text)]);
    Object.assign(button.dataset, { verb, operation });
    return element('li', '', [button]);
  }

  #document({ text, document }) {
    const isWhole = text.length <= limits.characters;
    if (document === undefined || !isWhole) return [text.slice(0, limits.characters), isWhole ? '' : `\n${this.#phrases().rest}`];
    return lines(text).map(({ text: line, operation }) => {
      if (operation === undefined) return `${line}\n`;
      const node = element('span', 'operation', `${line}\n`);
      Object.assign(node.dataset, { operation, verb: this.#operations.get(operation)?.verb ?? '' });
      return node;
    });
  }

  #summary({ document, status, path, isStream, first }, taken) {
    const { plain, reasons } = this.#phrases();
    if (status === 0) return plain.none;
    if (isStream) return first ? plain.liveAgain : plain.streamEnded;
    if (status === 204) return plain.done;
    if (document?.screens && path.startsWith('/screens')) return plain.screens;
    if (document?.kind === 'snapshot') return reasons[document.reason] ?? plain.snapshot;
    if (document?.kind !== 'changeset') return document?.detail ?? document?.title ?? plain.other;
    if (document.from === document.version) return plain.nothing;
    if (taken?.outcome === 'apply') return plain.title;
    return plain[taken?.outcome] ?? plain.unread;
  }

  #point(target) {
    const operation = target.closest?.('[data-operation]')?.dataset.operation;
    this.#highlight(operation);
  }

  #highlight(operation) {
    const line = this.#operations.get(operation);
    this.#mark(operation, line?.verb);
    this.#onPoint(line ?? { cells: [], sections: [] });
  }

  #mark(operation, verb) {
    for (const part of [this.#parts.explanation, this.#parts.document]) {
      for (const node of part.querySelectorAll('[data-operation]')) {
        if (node.dataset.operation === operation && verb) node.dataset.lit = verb;
        else delete node.dataset.lit;
      }
    }
  }
}

/**
 * Returns a curl command that repeats an exchange. The token comes from the shell variable `TOKEN`. For an event of a stream, the command
 * requests the changeset that the event contained. `Prefer` is omitted, because a repeated action would return no document. An action has
 * a new key each time, because the server performs only one action per key.
 *
 * @param {Partial<import('./measuring.js').MeasuredExchange>} exchange
 * @param {string} origin
 * @param {ReadonlySet<string>=} secrets the names of inputs that must not be displayed
 * @returns {string}
 */
export function curlOf({ method, path: sentPath, headers: all, body: sent, isEvent, document, isSignedIn }, origin, secrets = new Set()) {
  const path = isEvent && document?.from ? sentPath.replace(/([?&]version=)[^&]*/, `$1${document.from}`) : sentPath;
  const isOmitted = (name) => name === 'Prefer' || (isEvent && name === 'Accept');
  const headers = Object.entries(all ?? {}).filter(([name]) => !isOmitted(name));
  const body = sent && withoutSecrets(sent, secrets);
  const fields = headers.flatMap(([name, value]) => ['-H', name === keyField ? `"${name}: $(openssl rand -hex 16)"` : shellQuoted(`${name}: ${value}`)]);
  const isStream = headers.some(([, value]) => value === 'text/event-stream');
  return [
    'curl', ...(isStream ? ['-N'] : []), ...(body === undefined && method !== 'GET' ? ['-X', method] : []),
    shellQuoted(origin + path), ...(isSignedIn ? ['-H', '"Authorization: Bearer $TOKEN"'] : []), ...fields,
    ...(body === undefined ? [] : ['-d', shellQuoted(body)]),
  ].join(' ');
}

/**
 * Returns the screen of an exchange with its parameters, and the action that the exchange performs.
 *
 * @param {import('./measuring.js').MeasuredExchange} exchange
 * @param {ReadonlySet<string>=} secrets the names of inputs that must not be displayed
 * @returns {{screen: string, parameters: Object<string, string>, action?: {name: string, input: object, version?: string}} | undefined}
 *   undefined if the exchange is not about a screen
 */
export function requestOf({ path, body }, secrets = new Set()) {
  const [, screen, name, query] = /^\/screens\/([^/?]+)(?:\/changes|\/actions\/([^/?]+))?(?:\?(.*))?$/.exec(path) ?? [];
  if (screen === undefined) return undefined;
  const { version, ...parameters } = Object.fromEntries(new URLSearchParams(query));
  const action = name && { name: decodeURIComponent(name), input: {}, ...JSON.parse(withoutSecrets(body, secrets)) };
  return { screen: decodeURIComponent(screen), parameters, ...(action && { action }) };
}

function withoutSecrets(body, secrets) {
  const { input, ...rest } = JSON.parse(body);
  const kept = Object.entries(input ?? {}).map(([name, value]) => [name, secrets.has(name) ? '…' : value]);
  return secrets.size === 0 || !input ? body : JSON.stringify({ ...rest, input: Object.fromEntries(kept) });
}

/** Quotes a text for a shell. */
function shellQuoted(text) {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
