import { element } from '../../relist/render/dom.js';
import { curlOf } from './curl.js';
import { explain } from './explanation.js';
import { pretty } from './pretty.js';

/** So many operations of a stage are told, and so much of a document is shown: laying out more takes long. */
const lines = 60;
const letters = 20_000;

/**
 * The explanation, the document and the line for a shell of the exchange that is chosen. Pointing at
 * an operation makes its cells stand out in the list.
 */
export class ExchangeDetail {
  #parts;
  #onPoint;
  #record;

  /**
   * @param {{explanation: HTMLElement, curl: HTMLElement, copy: HTMLButtonElement, document: HTMLElement}} parts
   * @param {(ids: {cells: string[], sections: string[]}) => void} onPoint
   */
  constructor(parts, onPoint) {
    this.#parts = parts;
    this.#onPoint = onPoint;
    parts.copy.addEventListener('click', () => this.#copy());
  }

  /** @param {import('./exchange-list.js').Record} record */
  show(record) {
    this.#record = record;
    const { exchange } = record;
    this.#onPoint({ cells: [], sections: [] });
    this.#parts.explanation.replaceChildren(...this.#explanation(record));
    this.#parts.curl.textContent = curlOf(exchange, location.origin);
    const text = exchange.text.slice(0, letters);
    const end = exchange.text.length > letters ? '\n… the line above brings the rest' : '';
    this.#parts.document.textContent = (exchange.document === undefined ? text : pretty(text)) + end;
    this.#parts.document.scrollTop = 0;
    this.#parts.copy.textContent = 'Copy';
  }

  get record() {
    return this.#record;
  }

  #explanation({ exchange: { document, status }, taken }) {
    const isChange = taken?.outcome === 'apply' && document.stages.length > 0;
    if (!isChange) return [element('p', 'plain', plainly(document, status, taken))];
    return explain(taken.before, document).map((stage, index) => this.#stage(stage, index));
  }

  #stage({ title, lines: all }, index) {
    const items = all.slice(0, lines).map((line) => this.#line(line));
    if (all.length > lines) items.push(element('li', 'plain', `… and ${(all.length - lines).toLocaleString('en')} more`));
    return element('section', 'stage', [element('h4', '', `${index + 1}. ${title}`), element('ul', '', items)]);
  }

  #line({ verb, text, cells, sections }) {
    const button = element('button', `line ${verb}`, [element('span', 'verb', verb), element('span', 'text', text)]);
    button.type = 'button';
    const point = () => this.#onPoint({ cells, sections });
    const leave = () => this.#onPoint({ cells: [], sections: [] });
    for (const name of ['pointerenter', 'focus', 'click']) button.addEventListener(name, point);
    for (const name of ['pointerleave', 'blur']) button.addEventListener(name, leave);
    return element('li', '', [button]);
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.#parts.curl.textContent);
      this.#parts.copy.textContent = 'Copied';
    } catch {
      // Not allowed; then it is selected, to be copied by hand.
      getSelection().selectAllChildren(this.#parts.curl);
    }
  }
}

const reasons = {
  initial: 'It is whole because no version was given.',
  'unknown-version': 'It is whole because the server no longer knows the version that the page held.',
  smaller: 'It is whole because the changeset would have been larger.',
};

function plainly(document, status, taken) {
  if (status === 0) return 'No answer came.';
  if (document?.kind === 'snapshot') return reasons[document.reason] ?? 'A snapshot: the whole screen.';
  if (document?.kind !== 'changeset') return document?.detail ?? document?.title ?? 'No document of a screen.';
  if (document.from === document.version) return 'Nothing changed.';
  if (document.stages.length === 0) return 'Only the title changed.';
  if (taken?.outcome === 'apply') return '';
  if (taken?.outcome === 'misfit') return 'It did not fit what the page held; a snapshot was asked for.';
  return 'It was not applied: the event stream brings the same.';
}
