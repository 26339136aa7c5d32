import { element } from '../../relist/render/dom.js';
import { brief, sizeText, timeText } from './sizes.js';

/** So many are kept: enough to see what led here, and a day of looking fills no memory. */
const limit = 60;

/**
 * @typedef {object} Record an exchange with what became of it
 * @property {import('../../relist/client.js').Exchange} exchange
 * @property {Date} time when it came
 * @property {import('../../relist/client.js').Taken=} taken
 * @property {number=} replaced the bytes of the snapshot that would have been sent instead
 */

/** The list of exchanges, newest first, of which one is chosen. */
export class ExchangeList {
  #list;
  #onChoose;
  #items = [];

  /**
   * @param {HTMLElement} list
   * @param {(record: Record) => void} onChoose
   */
  constructor(list, onChoose) {
    this.#list = list;
    this.#onChoose = onChoose;
  }

  /** @returns {Record | undefined} */
  get newest() {
    return this.#items[0]?.record;
  }

  /** @param {Record} record */
  add(record) {
    const button = element('button', 'exchange');
    button.type = 'button';
    button.addEventListener('click', () => {
      this.choose(record);
      this.#onChoose(record);
    });
    const node = element('li', '', [button]);
    this.#items.unshift({ record, node, button });
    this.show(record);
    this.#list.prepend(node);
    for (const old of this.#items.splice(limit)) old.node.remove();
  }

  /** Shows anew what became of an exchange. @param {Record} record */
  show(record) {
    const item = this.#items.find((one) => one.record === record);
    if (!item) return;
    item.button.replaceChildren(...partsOf(record));
    item.button.classList.toggle('failed', record.exchange.status < 200 || record.exchange.status > 299);
  }

  /** @param {Record} record */
  choose(record) {
    for (const item of this.#items) {
      if (item.record === record) item.button.setAttribute('aria-current', 'true');
      else item.button.removeAttribute('aria-current');
    }
  }
}

function partsOf({ exchange, time, taken, replaced }) {
  const method = element('span', 'method', exchange.isEvent ? 'EVENT' : exchange.method);
  const request = element('span', 'request', [method, element('span', 'path', readable(exchange.path))]);
  const parts = [request, element('span', 'answer', answerOf(exchange, time, taken, replaced))];
  if (replaced) parts.push(ratio(exchange.bytes, replaced));
  return parts;
}

function answerOf(exchange, at, taken, replaced) {
  const { document, status, bytes, isEvent, milliseconds } = exchange;
  if (status === 0) return 'no answer';
  const size = replaced ? `${sizeText(bytes)} instead of ${sizeText(replaced)}` : sizeText(bytes);
  // An event is not waited for: it comes when something changed.
  const time = isEvent ? at.toLocaleTimeString('en-GB') : timeText(milliseconds);
  return [...(status === 200 ? [] : [String(status)]), ...meaningOf(document, taken), size, time].join(' · ');
}

function meaningOf(document, taken) {
  if (document?.kind === 'changeset') {
    if (document.from === document.version) return ['nothing new'];
    const way = `${brief(document.from)} → ${brief(document.version)}`;
    return taken?.outcome === 'apply' ? [way] : [way, outcomes[taken?.outcome] ?? 'the stream brings it'];
  }
  if (document?.kind !== 'snapshot') return [];
  return [`snapshot → ${brief(document.version)}`, ...(document.reason ? [document.reason] : [])];
}

const outcomes = { ignore: 'held already', ask: 'from another version', misfit: 'does not fit' };

/** How little the one is of the other. */
function ratio(bytes, replaced) {
  const bar = element('span', 'ratio', [element('span', 'sent')]);
  bar.firstChild.style.setProperty('width', `${Math.min(100, Math.max(1, (bytes / replaced) * 100))}%`);
  bar.setAttribute('aria-hidden', 'true');
  return bar;
}

function readable(path) {
  const text = path.replace(/([?&])version=[^&]*&?/, '$1').replace(/[?&]$/, '');
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
