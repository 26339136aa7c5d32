import { element, setAttribute } from '../../relist/render/dom.js';
import { brief, sizeText, timeText } from './sizes.js';
import { sentBytes, waysOf } from './timeline.js';

/** The lines of a timeline, newest first, of which one is chosen. */
export class EntryList {
  #list;
  #onChoose;
  #phrases;
  #items = new Map();

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
   * Shows an entry, new or changed, and no others than there are.
   *
   * @param {import('./timeline.js').Entry} entry
   * @param {readonly import('./timeline.js').Entry[]} all
   */
  show(entry, all) {
    const item = this.#items.get(entry) ?? this.#add(entry);
    item.button.replaceChildren(...partsOf(entry, this.#phrases()));
    item.button.classList.toggle('failed', entry.parts.some(({ exchange: { status } }) => status < 200 || status > 299));
    if (this.#items.size > all.length) this.#forget(all);
  }

  /** @param {import('./timeline.js').Entry | undefined} entry */
  choose(entry) {
    for (const [one, { button }] of this.#items) setAttribute(button, 'aria-current', one === entry && 'true');
  }

  #add(entry) {
    const button = element('button', 'exchange');
    button.type = 'button';
    button.addEventListener('click', () => this.#onChoose(entry));
    const node = element('li', '', [button]);
    this.#list.prepend(node);
    const item = { node, button };
    this.#items.set(entry, item);
    return item;
  }

  #forget(all) {
    const kept = new Set(all);
    for (const [entry, { node }] of this.#items) {
      if (kept.has(entry)) continue;
      node.remove();
      this.#items.delete(entry);
    }
  }
}

function partsOf(entry, said) {
  const { taken, sent, replaced } = entry;
  const ways = waysOf(entry, (exchange) => `${methodOf(exchange)} ${readable(exchange.path)}`);
  const nodes = ways.map(({ exchange, replicas }) => element('span', 'request', [
    element('span', 'method', methodOf(exchange)), element('span', 'path', readable(exchange.path)),
    ...replicas.map((replica) => element('span', 'replica', said.by(replica))),
  ]));
  nodes.push(element('span', 'answer', answerOf(entry, said)));
  if (taken?.outcome === 'apply' && replaced > 0) nodes.push(ratio(sent, replaced));
  return nodes;
}

function methodOf({ isEvent, method }) {
  return isEvent ? 'EVENT' : method;
}

function answerOf({ parts, taken, sent, replaced }, said) {
  const main = (parts.find(({ exchange }) => exchange === taken?.exchange) ?? parts.at(-1));
  const { exchange, time } = main;
  if (exchange.status === 0) return said.noAnswer;
  const size = taken?.outcome === 'apply' ? said.insteadOf(sizeText(sent), sizeText(replaced)) : sizeText(sentBytes(exchange));
  // An event is not waited for: it comes when something changed.
  const when = exchange.isEvent ? new Date(time).toLocaleTimeString('en-GB') : timeText(exchange.milliseconds);
  const phones = [...new Set(parts.map(({ device }) => device))];
  const where = phones.length > 1 ? said.both : phones[0] === 1 ? [] : said.phone(phones[0]);
  return [...(exchange.status === 200 ? [] : [String(exchange.status)]), ...meaningOf(exchange, taken, said), size, when, where].flat().join(' · ');
}

function meaningOf({ document }, taken, said) {
  if (document?.kind === 'changeset') {
    if (document.from === document.version) return [said.nothingNew];
    const way = `${brief(document.from)} → ${brief(document.version)}`;
    const outcome = said.outcome[taken?.outcome];
    return outcome ? [way, outcome] : [way];
  }
  if (document?.kind !== 'snapshot') return [];
  return [`${said.snapshot} → ${brief(document.version)}`, ...(document.reason ? [document.reason] : [])];
}

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
