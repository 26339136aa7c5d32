import { element } from '../../relist/render/dom.js';
import { curlOf } from './curl.js';
import { explain } from './explanation.js';
import { lines } from './pretty.js';
import { isAction } from './timeline.js';

/** So many operations of a stage are told, and so much of a document is shown: laying out more takes long. */
const most = { operations: 60, letters: 20_000 };

/**
 * @typedef {{cells: string[], sections: string[], verb?: string}} Pointed
 */

/**
 * The explanation, the document and the line for a shell of the entry that is chosen. An operation, its line of
 * JSON and its rows light up together, whichever is pointed at.
 */
export class Detail {
  #parts;
  #onPoint;
  #phrases;
  #secrets;
  #shown;
  /** What each operation is about. */
  #operations = new Map();

  /**
   * @param {{explanation: HTMLElement, curl: HTMLElement, copy: HTMLButtonElement, document: HTMLElement}} parts
   * @param {object} options
   * @param {(pointed: Pointed) => void} options.onPoint
   * @param {() => ReturnType<typeof import('./phrases.js').phrases>} options.phrases
   * @param {() => ReadonlySet<string>} options.secrets the names of inputs that are not to be read
   */
  constructor(parts, { onPoint, phrases, secrets }) {
    this.#parts = parts;
    this.#onPoint = onPoint;
    this.#phrases = phrases;
    this.#secrets = secrets;
    parts.copy.addEventListener('click', () => this.#copy());
    for (const part of [parts.explanation, parts.document]) {
      for (const name of ['pointerover', 'focusin', 'click']) part.addEventListener(name, ({ target }) => this.#point(target));
      for (const name of ['pointerleave', 'focusout']) part.addEventListener(name, () => this.#light(undefined));
    }
  }

  /** @param {import('./timeline.js').Entry} entry */
  show(entry) {
    const { taken, parts } = entry;
    const exchange = taken?.exchange ?? parts.at(-1).exchange;
    const scrollTop = this.#shown?.entry === entry ? this.#parts.document.scrollTop : 0;
    const isSame = this.#shown?.entry === entry && this.#shown.taken === taken && this.#shown.count === parts.length;
    if (isSame) return;
    this.#shown = { entry, taken, count: parts.length };
    this.#operations.clear();
    this.#light(undefined);
    this.#parts.explanation.replaceChildren(...this.#explanation(exchange, taken));
    const asked = parts.find((part) => isAction(part.exchange))?.exchange ?? exchange;
    this.#parts.curl.textContent = curlOf(asked, location.origin, this.#secrets());
    this.#parts.document.replaceChildren(...this.#document(exchange));
    this.#parts.document.scrollTop = scrollTop;
    this.#parts.copy.textContent = this.#phrases().copy;
  }

  /** Shows anew what is shown, in the language of now. */
  retell() {
    const entry = this.#shown?.entry;
    this.#shown = undefined;
    if (entry) this.show(entry);
  }

  /** Marks the stage that is being played. @param {number | undefined} stage */
  markStage(stage) {
    for (const [index, node] of [...this.#parts.explanation.querySelectorAll('.stage')].entries()) {
      if (index === stage) node.setAttribute('aria-current', 'step');
      else node.removeAttribute('aria-current');
    }
  }

  /** Lights up what became of a cell. @param {string | undefined} cell */
  pointAt(cell) {
    const found = [...this.#operations].find(([, { cells }]) => cells.includes(cell));
    this.#mark(found?.[0], found?.[1].verb);
  }

  #explanation(exchange, taken) {
    if (!taken?.steps?.length) return [element('p', 'plain', this.#plainly(exchange, taken))];
    return explain(taken.steps, this.#phrases()).map((stage, index) => this.#stage(stage, index));
  }

  #stage({ title, lines: all }, index) {
    for (const line of all) this.#operations.set(line.operation, line);
    const items = all.slice(0, most.operations).map((line) => this.#line(line));
    if (all.length > most.operations) items.push(element('li', 'plain', this.#phrases().more(all.length - most.operations)));
    return element('section', 'stage', [element('h3', '', `${index + 1}. ${title}`), element('ul', '', items)]);
  }

  #line({ verb, text, operation }) {
    const button = element('button', 'line', [element('span', 'verb', this.#phrases().verbs[verb]), element('span', 'text', text)]);
    button.type = 'button';
    Object.assign(button.dataset, { verb, operation });
    return element('li', '', [button]);
  }

  #document({ text, document }) {
    const isWhole = text.length <= most.letters;
    if (document === undefined || !isWhole) return [text.slice(0, most.letters), isWhole ? '' : `\n${this.#phrases().rest}`];
    const nodes = lines(text).map(({ text: line, operation }) => {
      if (operation === undefined) return `${line}\n`;
      const node = element('span', 'operation', `${line}\n`);
      Object.assign(node.dataset, { operation, verb: this.#operations.get(operation)?.verb ?? '' });
      return node;
    });
    return nodes;
  }

  #plainly({ document, status, path }, taken) {
    const { plain, reasons } = this.#phrases();
    if (status === 0) return plain.none;
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
    this.#light(operation);
  }

  #light(operation) {
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

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.#parts.curl.textContent);
      this.#parts.copy.textContent = this.#phrases().copied;
    } catch {
      // Not allowed; then it is selected, to be copied by hand.
      getSelection().selectAllChildren(this.#parts.curl);
    }
  }
}
