import { element, pushButton, setAttribute } from '../../relist/elements.js';
import { mainOf, requestsOf } from './timeline.js';
import { showSizes } from './sizes.js';

/** The list of timeline entries, newest first. One entry is selected. */
export class EntryList {
  #list;
  #onChoose;
  #phrases;
  #items = new Map();
  /** True if sizes are shown as they are with compression. */
  isCompressed = false;

  /**
   * @param {HTMLElement} list
   * @param {(entry: import('./timeline.js').Entry) => void} onChoose
   * @param {() => ReturnType<typeof import('./phrases.js').phrases>} phrases
   */
  constructor(list, onChoose, phrases) {
    this.#list = list;
    this.#onChoose = onChoose;
    this.#phrases = phrases;
  }

  /**
   * Adds or updates an entry, and removes entries that no longer exist.
   *
   * @param {import('./timeline.js').Entry} entry
   * @param {readonly import('./timeline.js').Entry[]} all
   */
  show(entry, all) {
    const item = this.#items.get(entry) ?? this.#add(entry);
    item.button.replaceChildren(...spaced(partsOf(entry, this.isCompressed && entry.compressed || entry.plain, this.#phrases())));
    item.button.classList.toggle('failed', entry.parts.some(({ exchange }) => isFailed(exchange)));
    if (this.#items.size > all.length) this.#removeDiscarded(all);
  }

  /** Marks an entry as selected. @param {import('./timeline.js').Entry | undefined} entry */
  choose(entry) {
    for (const [one, { button }] of this.#items) setAttribute(button, 'aria-current', one === entry && 'true');
  }

  #add(entry) {
    const button = pushButton('exchange', '', () => this.#onChoose(entry));
    const node = element('li', '', [button]);
    this.#list.prepend(node);
    const item = { node, button };
    this.#items.set(entry, item);
    return item;
  }

  #removeDiscarded(all) {
    const kept = new Set(all);
    for (const [entry, { node }] of this.#items) {
      if (kept.has(entry)) continue;
      node.remove();
      this.#items.delete(entry);
    }
  }
}

function partsOf(entry, sizes, texts) {
  const { taken } = entry;
  const requests = requestsOf(entry, (exchange) => `${methodOf(exchange)} ${readable(exchange.path)}`);
  const nodes = requests.map(({ exchange, replicas }) => element('span', 'request', spaced([
    element('span', 'method', methodOf(exchange)), element('span', 'path', readable(exchange.path)),
    ...replicas.map((replica) => element('span', 'replica', texts.by(replica))),
  ])));
  nodes.push(element('span', 'answer', answerOf(entry, sizes, texts)));
  if (taken?.outcome === 'apply') nodes.push(ratio(sizes));
  return nodes;
}

/** Returns nodes with spaces between them, because the name of a button is the text of its nodes. @param {Node[]} nodes */
function spaced(nodes) {
  return nodes.flatMap((node) => [node, ' ']);
}

function isFailed({ status, isStream, first }) {
  return isStream && first === undefined || status < 200 || status > 299;
}

function methodOf({ isEvent, method }) {
  return isEvent ? 'EVENT' : method;
}

function answerOf(entry, { sent, whole }, texts) {
  const { parts, taken } = entry;
  const exchange = mainOf(entry);
  const { time } = parts.find((part) => part.exchange === exchange);
  const isApplied = taken?.outcome === 'apply';
  const size = isApplied ? texts.insteadOf(sizeText(sent, texts), sizeText(whole, texts), texts.times(sent, whole)) : sentText(exchange, sent, texts);
  // An event has no duration, so the time of its arrival is shown.
  const when = exchange.isEvent ? new Date(time).toLocaleTimeString('en-GB') : timeText(exchange.milliseconds, texts);
  const phones = [...new Set(parts.map(({ device }) => device))];
  const where = phones.length > 1 ? texts.both : phones[0] === 1 ? [] : texts.phone(phones[0]);
  if (exchange.status === 0) return [texts.noResponse, parts.length > 1 ? texts.attempts(parts.length) : [], where].flat().join(' · ');
  if (exchange.first) return [texts.liveAgain, texts.firsts[exchange.first], where].flat().join(' · ');
  if (exchange.isStream) return [texts.streamEnded, where].flat().join(' · ');
  const status = exchange.status === 200 ? [] : String(exchange.status);
  return [status, meaningOf(exchange, entry, texts), size, when, where].flat().join(' · ');
}

/** Returns the size of an exchange as a text, or the text that it is from the browser's cache. */
export function sentText({ isCached }, sent, texts) {
  return isCached ? texts.cached : sizeText(sent, texts);
}

function meaningOf({ document }, { taken, misfit, parts }, texts) {
  if (document?.kind === 'changeset') {
    if (document.from === document.version) return [texts.nothingNew];
    const way = `${brief(document.from)} → ${brief(document.version)}`;
    if (misfit && parts.some(({ device }) => device !== misfit)) return [way, `${texts.outcome.misfit} (${texts.phone(misfit)})`];
    const outcome = texts.outcome[taken?.outcome];
    return outcome ? [way, outcome] : [way];
  }
  if (document?.kind !== 'snapshot') return [];
  return [`${texts.snapshot} → ${brief(document.version)}`, ...(document.reason ? [texts.causes[document.reason] ?? document.reason] : [])];
}

/** Returns bars that compare the size of a changeset with the size of the snapshot that would have been sent instead. */
function ratio(sizes) {
  const bars = element('span', 'ratio', [element('span', 'whole'), element('span', 'sent')]);
  showSizes(bars, sizes);
  bars.setAttribute('aria-hidden', 'true');
  return bars;
}

function readable(path) {
  const text = path.replace(/([?&])version=[^&]*&?/, '$1').replace(/[?&]$/, '');
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Formats a size, as in `340 B` or `12 kB`. No line breaks between the number and the unit.
 *
 * @param {number} bytes
 * @param {{units: string[], decimal: string}} texts
 * @returns {string}
 */
export function sizeText(bytes, { units: [byte, kilobyte, megabyte], decimal }) {
  if (bytes < 1000) return `${bytes}\u00a0${byte}`;
  if (bytes < 1_000_000) return `${rounded(bytes / 1000, decimal)}\u00a0${kilobyte}`;
  return `${rounded(bytes / 1_000_000, decimal)}\u00a0${megabyte}`;
}

/**
 * Formats a duration, as in `45 ms` or `1.2 s`. No line breaks between the number and the unit.
 *
 * @param {number} milliseconds
 * @param {{decimal: string}} texts
 * @returns {string}
 */
export function timeText(milliseconds, { decimal }) {
  if (milliseconds < 1) return '<\u00a01\u00a0ms';
  return milliseconds < 1000 ? `${Math.round(milliseconds)}\u00a0ms` : `${rounded(milliseconds / 1000, decimal)}\u00a0s`;
}

function brief(version) {
  return String(version).slice(0, 6);
}

function rounded(number, decimal) {
  return number < 10 ? number.toFixed(1).replace('.', decimal) : String(Math.round(number));
}
