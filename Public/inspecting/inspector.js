import { ExchangeDetail } from './exchange-detail.js';
import { ExchangeList } from './exchange-list.js';
import { bytesOf, sizeText } from './sizes.js';

/** Shows what travelled: each exchange, what it did, and how little it was. */
export class Inspector {
  #list;
  #detail;
  #totals;
  #records = new WeakMap();
  #changesets = 0;
  #sent = 0;
  #replaced = 0;

  /**
   * @param {object} parts elements by name
   * @param {(ids: {cells: string[], sections: string[]}) => void} onPoint
   */
  constructor(parts, onPoint) {
    this.#totals = parts;
    this.#detail = new ExchangeDetail(parts, onPoint);
    this.#list = new ExchangeList(parts.exchanges, (record) => this.#detail.show(record));
    this.#showTotals();
  }

  /** @param {import('../client.js').Exchange} exchange */
  add(exchange) {
    const record = { exchange };
    this.#records.set(exchange, record);
    this.#list.add(record);
    this.#choose(record);
  }

  /** What became of an exchange that was added. @param {import('../client.js').Taken} taken */
  take(taken) {
    const record = this.#records.get(taken.exchange);
    record.taken = taken;
    if (taken.outcome === 'apply') {
      record.replaced = bytesOf(taken.after);
      this.#count(taken.exchange.bytes, record.replaced);
    }
    this.#list.show(record);
    this.#choose(record);
  }

  /** An answer that only says what the stream brings is no news. */
  #choose(record) {
    const { document, status } = record.exchange;
    const isEcho = status === 200 && document?.kind === 'changeset' && !record.taken;
    if (isEcho || document?.screens) return;
    this.#list.choose(record);
    this.#detail.show(record);
  }

  #count(sent, replaced) {
    this.#changesets += 1;
    this.#sent += sent;
    this.#replaced += replaced;
    this.#showTotals();
  }

  #showTotals() {
    const { sent, instead, share } = this.#totals;
    sent.textContent = sizeText(this.#sent);
    instead.textContent = this.#changesets === 0
      ? 'No changes yet. Touch something in the list.'
      : `in ${this.#changesets} ${this.#changesets === 1 ? 'changeset' : 'changesets'}, instead of ${sizeText(this.#replaced)} of whole screens`;
    share.style.setProperty('width', `${this.#replaced ? Math.max(0.5, (this.#sent / this.#replaced) * 100) : 0}%`);
  }
}
