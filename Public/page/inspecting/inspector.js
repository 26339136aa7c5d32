import { many } from '../phrases.js';
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
  #whole = 0;
  /** Whether an older exchange is being read: events do not take it away. */
  #isReading = false;

  /**
   * @param {object} parts elements by name
   * @param {(ids: {cells: string[], sections: string[]}) => void} onPoint
   */
  constructor(parts, onPoint) {
    this.#totals = parts;
    this.#detail = new ExchangeDetail(parts, onPoint);
    this.#list = new ExchangeList(parts.exchanges, (record) => this.#read(record));
    this.#showTotals();
  }

  /** @param {import('../../relist/client.js').Exchange} exchange */
  add(exchange) {
    const record = { exchange, time: new Date() };
    this.#records.set(exchange, record);
    this.#list.add(record);
    if (!exchange.isEvent) this.#isReading = false;
    this.#choose(record);
  }

  /** What became of an exchange that was added. @param {import('../../relist/client.js').Taken} taken */
  take(taken) {
    const record = this.#records.get(taken.exchange);
    record.taken = taken;
    if (taken.outcome === 'apply') {
      record.replaced = bytesOf(taken.after);
      this.#count(taken.exchange.bytes, record.replaced);
    }
    if (taken.outcome === 'replace') this.#whole = taken.exchange.bytes;
    this.#showTotals();
    this.#list.show(record);
    this.#choose(record);
  }

  #read(record) {
    this.#isReading = record !== this.#list.newest;
    this.#detail.show(record);
  }

  /** An answer that only says what the stream brings is no news. */
  #choose(record) {
    const { document, status } = record.exchange;
    const isEcho = status === 200 && document?.kind === 'changeset' && !record.taken;
    if (isEcho || document?.screens || this.#isReading) return;
    this.#list.choose(record);
    this.#detail.show(record);
  }

  #count(sent, replaced) {
    this.#changesets += 1;
    this.#sent += sent;
    this.#replaced += replaced;
  }

  #showTotals() {
    const { sent, instead, share } = this.#totals;
    sent.textContent = sizeText(this.#sent);
    instead.textContent = this.#changesets === 0
      ? `of changes so far${this.#whole ? `; the whole screen took ${sizeText(this.#whole)}` : ''}`
      : `in ${many(this.#changesets, 'changeset')}, instead of ${sizeText(this.#replaced)} of whole screens`;
    share.style.setProperty('width', `${this.#replaced ? Math.max(0.5, (this.#sent / this.#replaced) * 100) : 0}%`);
  }
}
