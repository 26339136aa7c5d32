import { bytesOf } from './sizes.js';

/** So many entries are kept: enough to see what led here, and a day of looking fills no memory. */
const limit = 100;
/** Answers to one change come close together. */
const near = 12;

/**
 * One line of what travelled: a request with its answer, or a change with all that brought it: the action that
 * made it, the event that told of it, and the same on another phone.
 *
 * @typedef {object} Entry
 * @property {number} id
 * @property {Part[]} parts as they came
 * @property {import('../../relist/client.js').Taken=} taken what became of it, on the first phone where it was there
 * @property {number} sent bytes, on all ways
 * @property {number} replaced the bytes of the snapshots that would have been sent instead
 *
 * @typedef {{exchange: import('../../relist/client.js').Exchange, device: number, time: number}} Part
 */

/** All that travelled, oldest first, with one line for each change. */
export class Timeline {
  #entries = [];
  #byExchange = new WeakMap();
  #count = 0;
  #totals = { sent: 0, replaced: 0, changesets: 0 };

  /** @returns {readonly Entry[]} */
  get entries() {
    return this.#entries;
  }

  /** @returns {{sent: number, replaced: number, changesets: number}} of all that ever travelled */
  get totals() {
    return this.#totals;
  }

  /**
   * @param {import('../../relist/client.js').Exchange} exchange
   * @param {number} device
   * @param {number} now milliseconds
   * @returns {Entry}
   */
  add(exchange, device, now) {
    const entry = this.#partner(exchange, device, now) ?? this.#begin();
    if (isChange(exchange)) this.#claim(entry, device);
    entry.parts.push({ exchange, device, time: now });
    this.#byExchange.set(exchange, entry);
    const bytes = sentBytes(exchange);
    entry.sent += bytes;
    this.#totals.sent += bytes;
    if (isUnread(exchange)) this.#replace(entry, bytes);
    return entry;
  }

  /**
   * @param {import('../../relist/client.js').Taken} taken
   * @param {number} device
   * @returns {Entry | undefined} undefined where it is no more
   */
  take(taken, device) {
    const entry = this.#byExchange.get(taken.exchange);
    if (!entry) return undefined;
    if (device === 1 || !entry.taken) entry.taken = taken;
    // Who had no changesets would have asked for the whole screen, also to learn that nothing changed.
    if (taken.outcome === 'apply') this.#totals.changesets += 1;
    this.#replace(entry, taken.outcome === 'replace' ? sentBytes(taken.exchange) : bytesOf(taken.after ?? ''));
    return entry;
  }

  /** @param {string} screen @returns {Entry[]} those that led to another version of a screen, on the first phone */
  versions(screen) {
    const all = this.#entries.filter(({ taken }) => ['apply', 'replace'].includes(taken?.outcome) && taken.after.screen === screen);
    return all.filter((entry, index) => entry.taken.after.version !== all[index - 1]?.taken.after.version);
  }

  /** The change on another phone was there first: the action that made it comes to its line. */
  #claim(entry, device) {
    const last = this.#entries.slice(-near).findLast((one) => one !== entry && has(one, device));
    if (!last?.parts.every((part) => isAction(part.exchange) && isDone(part.exchange))) return;
    entry.parts.push(...last.parts);
    entry.sent += last.sent;
    for (const { exchange } of last.parts) this.#byExchange.set(exchange, entry);
    this.#entries.splice(this.#entries.indexOf(last), 1);
  }

  #begin() {
    const entry = { id: this.#count += 1, parts: [], taken: undefined, sent: 0, replaced: 0 };
    this.#entries.push(entry);
    if (this.#entries.length > limit) this.#entries.shift();
    return entry;
  }

  #replace(entry, bytes) {
    entry.replaced += bytes;
    this.#totals.replaced += bytes;
  }

  #partner(exchange, device, now) {
    const recent = this.#entries.slice(-near).reverse();
    if (isAction(exchange)) {
      const begun = now - exchange.milliseconds;
      return isDone(exchange) ? recent.findLast((entry) => isMadeBy(entry, device, begun)) : undefined;
    }
    if (!isChange(exchange)) return undefined;
    const same = recent.find((entry) => !has(entry, device) && entry.parts.some((part) => isSameChange(part.exchange, exchange)));
    if (same || !exchange.isEvent) return same;
    const last = recent.find((entry) => has(entry, device));
    return last?.parts.every((part) => isAction(part.exchange) && isDone(part.exchange)) ? last : undefined;
  }
}

/**
 * The ways on which an entry travelled, each once, with who of several servers answered on it, where that is said.
 *
 * @param {Entry} entry
 * @param {(exchange: import('../../relist/client.js').Exchange) => string} nameOf names a way
 * @returns {{exchange: import('../../relist/client.js').Exchange, replicas: string[]}[]}
 */
export function waysOf({ parts }, nameOf) {
  const ways = new Map();
  for (const { exchange } of parts) {
    const name = nameOf(exchange);
    const replicas = ways.get(name)?.replicas ?? [];
    const isNew = exchange.replica !== undefined && !replicas.includes(exchange.replica);
    ways.set(name, { exchange, replicas: isNew ? [...replicas, exchange.replica] : replicas });
  }
  return [...ways.values()];
}

/** @param {import('../../relist/client.js').Exchange} exchange @returns {number} bytes of its body, as they were sent */
export function sentBytes({ sent, bytes }) {
  return sent ?? bytes;
}

/** @param {import('../../relist/client.js').Exchange} exchange */
export function isAction({ method, path }) {
  return method === 'POST' && path.includes('/actions/');
}

function isDone({ status }) {
  return status >= 200 && status < 300;
}

function isChange({ document }) {
  return document?.kind === 'changeset' && document.from !== document.version;
}

/** What is no change is needed whoever computes the difference: the list of screens, and problems. */
function isUnread(exchange) {
  return exchange.document?.kind === undefined;
}

function isSameChange({ document }, { document: other }) {
  return document?.kind === 'changeset' && document.from === other.from && document.version === other.version && document.screen === other.screen;
}

function has({ parts }, device) {
  return parts.some((part) => part.device === device);
}

/** Whether an event came to the device after an action had been sent, and nobody has claimed it. */
function isMadeBy({ parts }, device, begun) {
  if (parts.some(({ exchange }) => isAction(exchange))) return false;
  return parts.some((part) => part.device === device && part.exchange.isEvent && part.time >= begun);
}
