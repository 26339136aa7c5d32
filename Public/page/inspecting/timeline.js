import { attributionTime } from '../showing.js';
import { bytesOf, compressedSize, encoded } from './sizes.js';

/** The maximum number of entries that are kept. */
const limit = 100;
/** The number of recent entries that are searched to find the change that a new exchange belongs to. */
const searchDepth = 12;

/**
 * An entry of the timeline. It is either one request with its response, or one change with all exchanges that belong to the change. The
 * exchanges of a change are the action and the events that report the change to the phones. Consecutive reports of streams with the same
 * status and the same first event are also one entry.
 *
 * @typedef {object} Entry
 * @property {Part[]} parts in order of arrival
 * @property {import('../../relist/client.js').DocumentResult=} taken the outcome on the first phone; if the first phone has none, the
 *   outcome on another phone
 * @property {boolean=} isLoad whether the outcome is the first content of a screen in a language
 * @property {number=} misfit the number of a phone that could not apply the changeset
 * @property {Sizes} plain the sizes without compression
 * @property {Sizes=} compressed the sizes with gzip, if they were measured
 * @property {Promise<void>=} measuring the measurement of the sizes with gzip
 * @property {number=} drawn the time in milliseconds at which another phone had drawn the change
 *
 * @typedef {object} Sizes
 * @property {number} sent the size of the document that `taken` is about, or else of the last part, in bytes; 0 if the document is from the
 *   browser's cache
 * @property {number=} whole the size of the whole screen after the change in bytes
 *
 * @typedef {{exchange: import('./measuring.js').MeasuredExchange, device: number, time: number}} Part
 */

/** The exchanges of all phones, oldest first. All exchanges of one change form one entry. */
export class Timeline {
  /** @type {Entry[]} */
  entries = [];
  /** A Boolean value that indicates whether old entries were discarded. */
  isShortened = false;
  #byExchange = new WeakMap();
  /** The language of the last document of each phone. */
  #languages = new Map();

  /**
   * Adds an exchange to the entry of its change, or to a new entry.
   *
   * @param {import('./measuring.js').MeasuredExchange} exchange
   * @param {number} device
   * @param {number} now the current time in milliseconds
   * @returns {Entry}
   */
  add(exchange, device, now) {
    const part = { exchange, device, time: now };
    const entry = this.#relatedEntry(part) ?? this.#begin();
    this.#absorbAction(entry, part);
    entry.parts.push(part);
    this.#byExchange.set(exchange, entry);
    if (!entry.taken) setSizes(entry, { sent: sentOf(exchange, exchange.bytes) });
    return entry;
  }

  /**
   * Records the outcome of an exchange in its entry.
   *
   * @param {import('../../relist/client.js').DocumentResult} taken
   * @param {number} device
   * @returns {Entry | undefined} undefined if the entry was discarded
   */
  take(taken, device) {
    const entry = this.#byExchange.get(taken.exchange);
    if (!entry) return undefined;
    if (taken.outcome === 'misfit') entry.misfit = device;
    if (device !== 1 && entry.taken) return entry;
    entry.taken = taken;
    const language = languageOf(taken.exchange);
    const isTranslated = taken.outcome === 'replace' && language !== this.#languages.get(device);
    entry.isLoad = taken.before?.screen !== taken.after?.screen || isTranslated;
    if (['apply', 'replace'].includes(taken.outcome)) this.#languages.set(device, language);
    const { bytes } = taken.exchange;
    setSizes(entry, { sent: sentOf(taken.exchange, bytes), whole: taken.outcome === 'replace' ? bytes : bytesOf(taken.after ?? '') });
    return entry;
  }

  /**
   * Measures the sizes of an entry with gzip, once. The server may have used another coding, but not for the whole screen.
   *
   * @param {Entry} entry
   * @returns {Promise<void>}
   */
  measure(entry) {
    return entry.measuring ??= this.#compress(entry);
  }

  async #compress(entry) {
    const { taken } = entry;
    const exchange = mainOf(entry);
    const sent = compressedSize(exchange.text ?? '', exchange.isEvent);
    const whole = taken && (taken.outcome === 'replace' ? sent : compressedSize(encoded(taken.after ?? '')));
    const sizes = { sent: sentOf(exchange, await sent), whole: await whole };
    // A browser without compression measures nothing. If the entry is about another document meanwhile, a later measurement has its sizes.
    if (sizes.sent !== undefined && mainOf(entry) === exchange && entry.taken === taken) entry.compressed = sizes;
  }

  /** Returns the entries that changed the version of a screen on the first phone. @param {string} screen @returns {Entry[]} */
  versions(screen) {
    const all = this.entries.filter((entry) => isVersionOfFirst(entry) && entry.taken.after.screen === screen);
    return all.filter((entry, index) => entry.taken.after.version !== all[index - 1]?.taken.after.version);
  }

  /** Merges the entry of an action into the entry of the change that results from the action. */
  #absorbAction(entry, change) {
    const action = this.entries.findLast(({ parts }) => parts.length === 1 && isResultOf(change, parts[0]));
    if (!action) return;
    entry.parts.push(...action.parts);
    this.#byExchange.set(action.parts[0].exchange, entry);
    this.entries.splice(this.entries.indexOf(action), 1);
  }

  #begin() {
    const entry = { parts: [], taken: undefined };
    this.entries.push(entry);
    if (this.entries.length > limit) this.isShortened = this.entries.shift() !== undefined;
    return entry;
  }

  /** Returns the entry that a new part belongs to. An action can arrive after its change. */
  #relatedEntry(part) {
    const { exchange, device } = part;
    const recent = this.entries.slice(-searchDepth);
    if (isAction(exchange) && !exchange.document) {
      return recent.find(({ parts }) => parts.some((one) => isResultOf(one, part)) && !parts.some((one) => isAction(one.exchange)));
    }
    if (exchange.isStream) return this.entries.slice(-1).find(({ parts }) => parts.every((one) => isSameReport(one.exchange, exchange)));
    if (!isChange(exchange)) return undefined;
    return recent.findLast((entry) => !has(entry, device) && entry.parts.some((one) => isSameChange(one.exchange, exchange)));
  }
}

/** Returns the size of an exchange, or 0 if nothing of the size was transferred. */
function sentOf({ isCached }, bytes) {
  return isCached ? 0 : bytes;
}

/** Sets the sizes without compression. The sizes with compression must be measured again. @param {Entry} entry @param {Sizes} plain */
function setSizes(entry, plain) {
  [entry.plain, entry.compressed, entry.measuring] = [plain, undefined, undefined];
}

/** Returns the exchange whose document an entry is about: the exchange of its outcome, or else the last one. @param {Entry} entry */
export function mainOf({ parts, taken }) {
  return taken?.exchange ?? parts.at(-1).exchange;
}

/**
 * Returns the distinct requests of an entry. Each request has the names of the replicas that responded, if a load balancer reports these
 * names.
 *
 * @param {Entry} entry
 * @param {(exchange: import('./measuring.js').MeasuredExchange) => string} nameOf returns a name that identifies a request
 * @returns {{exchange: import('./measuring.js').MeasuredExchange, replicas: string[]}[]}
 */
export function requestsOf({ parts }, nameOf) {
  const requests = new Map();
  for (const { exchange } of parts) {
    const name = nameOf(exchange);
    const replicas = requests.get(name)?.replicas ?? [];
    const isNew = exchange.replica !== undefined && !replicas.includes(exchange.replica);
    requests.set(name, { exchange, replicas: isNew ? [...replicas, exchange.replica] : replicas });
  }
  return [...requests.values()];
}

/** Returns the language that a request names, if it names one. */
function languageOf({ path }) {
  return new URLSearchParams(path.split('?')[1]).get('locale');
}

/** Returns whether the request of an exchange performs an action. @param {import('./measuring.js').MeasuredExchange} exchange */
export function isAction({ method, path }) {
  return method === 'POST' && path.includes('/actions/');
}

function isDone({ status }) {
  return status >= 200 && status < 300;
}

function isChange({ document }) {
  return document?.kind === 'changeset' && document.from !== document.version;
}

function isSameChange({ document }, { document: other }) {
  if (document?.kind !== 'changeset') return false;
  return document.from === other.from && document.version === other.version && document.screen === other.screen;
}

function isSameReport({ isStream, status, first }, other) {
  return isStream === other.isStream && status === other.status && first === other.first;
}

/** Returns whether the outcome of an entry is a version on the first phone. */
function isVersionOfFirst(entry) {
  return ['apply', 'replace'].includes(entry.taken?.outcome) && isOutcomeOfFirst(entry);
}

/** Returns whether the outcome of an entry is the outcome on the first phone. @param {Entry} entry */
export function isOutcomeOfFirst({ parts, taken }) {
  return parts.some(({ exchange, device }) => device === 1 && exchange === taken?.exchange);
}

function has({ parts }, device) {
  return parts.some((part) => part.device === device);
}

/**
 * Returns whether a change is the result of a successful action whose response has no document. The change is the result if it begins with
 * the version that the action names, and if it arrives on the same phone after the request and soon after the response. An action that
 * changes nothing has no result. A change by another user that begins with the same version looks the same, so texts say that the change
 * follows the action.
 *
 * @param {Part} change
 * @param {Part} action
 */
function isResultOf(change, action) {
  if (!isAction(action.exchange) || !isDone(action.exchange) || action.exchange.document) return false;
  if (change.device !== action.device || !change.exchange.isEvent || !isChange(change.exchange)) return false;
  const { milliseconds, body } = action.exchange;
  const isInTime = change.time >= action.time - milliseconds && change.time <= action.time + attributionTime;
  return isInTime && change.exchange.document.from === JSON.parse(body).version;
}
