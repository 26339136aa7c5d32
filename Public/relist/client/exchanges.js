import { Position, positionField } from './position.js';

/** @type {ActionOutcome[]} */
const outcomes = ['performed', 'not-performed', 'unknown'];

/** The client errors that may be temporary. */
const temporaryStatuses = [408, 409, 425, 429];

/** An error that states why a request has no successful response. */
export class ClientError extends Error {
  /**
   * With `token`, the token source has thrown the `cause`.
   *
   * @type {'unreachable' | 'problem' | 'unexpected' | 'token'}
   */
  reason;
  /** @type {Exchange} */
  exchange;

  /**
   * @param {ClientError['reason']} reason
   * @param {Exchange} exchange
   * @param {{cause?: unknown}=} options
   */
  constructor(reason, exchange, options) {
    super(`${reason}: ${exchange.method} ${exchange.path} ${exchange.status}`, options);
    this.name = 'ClientError';
    this.reason = reason;
    this.exchange = exchange;
  }

  /**
   * The outcome that the service reports for an action. A proxy's response has none.
   *
   * @returns {ActionOutcome | undefined}
   */
  get outcome() {
    const outcome = this.exchange.document?.outcome;
    return this.reason === 'problem' ? outcomes.find((known) => known === outcome) : undefined;
  }

  /**
   * A Boolean value that is true if no request with this `Idempotency-Key` can have performed the action. Otherwise a new attempt must have
   * the same key. Only with 422 has the server looked for earlier requests with the key.
   */
  get isNotPerformed() {
    return this.outcome === 'not-performed' && this.exchange.status === 422;
  }

  /** A Boolean value that indicates whether the server would reject the request again. */
  get isRejection() {
    const { status } = this.exchange;
    return this.reason === 'problem' && status >= 400 && status < 500 && ![401, ...temporaryStatuses].includes(status);
  }

  /** A Boolean value that indicates whether the request may succeed later. */
  get isTemporary() {
    const { status } = this.exchange;
    if (this.reason === 'token') return false;
    return this.reason !== 'problem' || status >= 500 || temporaryStatuses.includes(status);
  }

  /** The minimum time in milliseconds to wait before the request is repeated, from `Retry-After`, or 0. */
  get retryAfter() {
    const seconds = Number(this.exchange.retryAfter);
    return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1000, longestRequested) : 0;
  }

  /**
   * The invalid inputs.
   *
   * @returns {import('../protocol.js').InputError[]}
   */
  get errors() {
    const errors = this.exchange.document?.errors;
    return Array.isArray(errors) ? errors.filter((error) => typeof error?.detail === 'string') : [];
  }
}

/**
 * @typedef {import('../protocol.js').ActionOutcome} ActionOutcome
 * @typedef {(url: string, request: RequestInit) => Promise<Response>} Fetch
 * @typedef {object} Exchange one request with its response, or one event of a stream
 * @property {string} method
 * @property {string} path below the base
 * @property {string} url
 * @property {Object<string, string>} headers without those that the browser adds
 * @property {string=} body of the request
 * @property {boolean=} isEvent whether the exchange is an event of a stream
 * @property {number} status 0 if there was no response
 * @property {Response=} response for an event, the response with the stream
 * @property {string} text the body of the response
 * @property {Object<string, unknown>=} document the body, if it is JSON
 * @property {number} milliseconds until the end of the response; 0 for an event
 * @property {string=} retryAfter
 * @property {boolean=} takesTokens whether the response depends on the caller's token
 * @property {string=} language the response's `Content-Language`
 */

/** The maximum of `retryAfter` in milliseconds. */
const longestRequested = 300_000;

/** The maximum timeout in milliseconds. Timers fire at once if a time has more than 31 bits. */
const longestTimeout = 2_000_000_000;

const warningLimit = 100;

/** The maximum size of a body with `keepalive` (Fetch, section 4.6). */
const keepaliveLimit = 60_000;

/** Sends requests and reports exchanges. The requests of a queue are sent one after another; actions do not wait for views. */
export class Exchanges {
  #base;
  #fetch;
  #timeout;
  #token;
  /** @type {{token: string | undefined, promise: Promise<string | undefined>} | undefined} */
  #renewal;
  #onExchange;
  /**
   * For each queue, the end of its last request.
   *
   * @type {Map<string, Promise<void>>}
   */
  #queues = new Map();
  #position = new Position();

  /**
   * @param {object} options
   * @param {string} options.base
   * @param {Fetch} options.fetch
   * @param {number} options.timeout milliseconds
   * @param {import('../client.js').TokenSource=} options.token
   * @param {(exchange: Exchange) => void} options.onExchange
   */
  constructor({ base, fetch, timeout, token = () => undefined, onExchange }) {
    // It rejects its promise even if the token source throws synchronously.
    this.#token = async (/** @type {{token?: string}=} */ refused) => token(refused);
    this.#base = base.replace(/\/$/, '');
    this.#fetch = fetch;
    this.#timeout = Math.min(timeout, longestTimeout);
    this.#onExchange = onExchange;
  }

  /**
   * Sends a request after those in the same queue.
   *
   * @param {string} method
   * @param {string} path
   * @param {object} options
   * @param {object=} options.body
   * @param {Object<string, string>=} options.headers
   * @param {() => {body?: object, headers?: Object<string, string>}=} options.prepare returns the body and the headers when the request is
   *   sent
   * @param {string=} options.queue
   * @param {AbortSignal=} options.signal
   * @param {number=} options.wait seconds for which the server may wait before it responds
   * @throws {ClientError}
   */
  send(method, path, { body, headers, prepare = () => ({ body, headers }), queue = path, signal, wait = 0 } = {}) {
    const exchange = () => {
      const request = prepare();
      const type = request.body && { 'Content-Type': 'application/json' };
      return this.#exchange(method, path, { ...type, ...request.headers }, request.body && JSON.stringify(request.body));
    };
    const before = this.#queues.get(queue) ?? Promise.resolve();
    const options = { isAction: queue === 'actions', cancellation: signal, timeout: this.#timeout + 1000 * wait };
    const answer = before.then(() => this.#send(exchange(), options));
    const end = answer.then(() => {}, () => {});
    this.#queues.set(queue, end);
    end.then(() => this.#queues.get(queue) === end && this.#queues.delete(queue));
    return answer;
  }

  /**
   * Opens an event stream at once, without a queue.
   *
   * @param {string} path
   * @param {AbortSignal} signal
   * @returns {Promise<{response: Response, position: string | undefined}>} with the position that was sent
   * @throws {ClientError}
   */
  async open(path, signal) {
    const exchange = this.#exchange('GET', path, { Accept: 'text/event-stream' });
    const position = this.#attachPosition(exchange);
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), this.#timeout);
    let response;
    let text;
    try {
      const options = { headers: exchange.headers, signal: either([signal, timeout.signal]) };
      response = await this.#authorized(exchange, { ...options, cache: 'no-store' });
      if (response.ok && mediaType(response) === 'text/event-stream') return { response, position };
      text = await response.text().catch(() => '');
    } catch (error) {
      throw clientError(error, exchange);
    } finally {
      clearTimeout(timer);
    }
    Object.assign(exchange, read(text), { response, status: response.status, retryAfter: response.headers.get('Retry-After') });
    this.#onExchange(exchange);
    throw new ClientError(response.ok ? 'unexpected' : failureReason(exchange), exchange);
  }

  /**
   * @param {string} path
   * @param {import('./connecting.js').Message} message
   * @param {{response: Response, position: string | undefined}} stream
   */
  event(path, { data }, { response, position }) {
    const exchange = this.#exchange('GET', path, { Accept: 'text/event-stream' });
    Object.assign(exchange, read(data), { isEvent: true, response, status: 200 });
    this.#settle(exchange, position);
    this.#onExchange(exchange);
    return exchange;
  }

  /** @param {{position: string | undefined}} stream */
  confirm({ position }) {
    this.#position.settle(position);
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {Object<string, string>} headers
   * @param {string=} body
   * @returns {Exchange}
   */
  #exchange(method, path, headers, body) {
    return { method, path, url: this.#base + path, headers, body, status: 0, text: '', milliseconds: 0 };
  }

  /** @param {Exchange} exchange */
  #attachPosition(exchange) {
    const position = this.#position.value;
    if (position !== undefined) exchange.headers = { ...exchange.headers, [positionField]: position };
    return position;
  }

  /**
   * Removes position tokens after a response with the document of a screen, which shows that the server has reached the position.
   *
   * @param {Exchange} exchange
   * @param {string | undefined} position
   */
  #settle({ status, document }, position) {
    if (status === 200 && typeof document?.kind === 'string') this.#position.settle(position);
  }

  /**
   * Sends a request, and once more with a new token after 401.
   *
   * @param {Exchange} exchange
   * @param {FetchRequest} request
   */
  async #authorized(exchange, request) {
    const fail = (/** @type {unknown} */ cause) => { throw new ClientError('token', exchange, { cause }); };
    const token = await unlessAborted(this.#token().catch(fail), request.signal);
    const response = await this.#fetch(exchange.url, withToken(token, request));
    if (response.status !== 401) return response;
    const renewed = await unlessAborted(this.#renew(token).catch(fail), request.signal);
    if (renewed === undefined || renewed === token) return response;
    response.body?.cancel().catch(() => {});
    return this.#fetch(exchange.url, withToken(renewed, request));
  }

  /** @param {string | undefined} token */
  #renew(token) {
    if (this.#renewal && this.#renewal.token === token) return this.#renewal.promise;
    const promise = this.#token({ token });
    const renewal = { token, promise };
    this.#renewal = renewal;
    // A renewal may never end.
    const timer = setTimeout(() => end(), this.#timeout);
    const end = () => {
      clearTimeout(timer);
      if (this.#renewal === renewal) this.#renewal = undefined;
    };
    promise.then(end, end);
    return promise;
  }

  /**
   * @param {Exchange} exchange
   * @param {{isAction: boolean, cancellation?: AbortSignal, timeout: number}} options
   */
  async #send(exchange, { isAction, cancellation, timeout }) {
    const { method, body } = exchange;
    const start = performance.now();
    const expiry = new AbortController();
    const timer = setTimeout(() => expiry.abort(), timeout);
    const signal = cancellation ? either([cancellation, expiry.signal]) : expiry.signal;
    const position = this.#attachPosition(exchange);
    try {
      const headers = { Accept: 'application/json, application/problem+json', ...exchange.headers };
      // The browser completes the request even if the page is closed. Each UTF-16 code unit has at most three bytes in UTF-8.
      const keepalive = isAction && 3 * (body ?? '').length < keepaliveLimit;
      const response = await this.#authorized(exchange, { method, headers, body, signal, keepalive });
      // The headers have arrived even if the body is lost.
      this.#position.learn(response.headers.get(positionField), position);
      this.#position.noteCaching(response.headers.get('Cache-Control'));
      Object.assign(exchange, read(await response.text()), {
        response, status: response.status,
        retryAfter: response.headers.get('Retry-After'), language: response.headers.get('Content-Language') ?? undefined,
        takesTokens: /\bauthorization\b/i.test(response.headers.get('Vary') ?? ''),
      });
      this.#settle(exchange, position);
    } catch (error) {
      throw clientError(error, exchange);
    } finally {
      clearTimeout(timer);
      exchange.milliseconds = performance.now() - start;
      if (!cancellation?.aborted) this.#onExchange(exchange);
    }
    if (exchange.status < 200 || exchange.status > 299) throw new ClientError(failureReason(exchange), exchange);
    return exchange;
  }
}

/**
 * Returns the reason of a failure. A rejection without a problem document is not from the service but, for example, from a captive portal.
 * The client handles 401 and temporary failures in the same way regardless of their origin.
 *
 * @param {Exchange} exchange
 */
function failureReason({ status, document }) {
  const isProblem = status >= 500 || [401, ...temporaryStatuses].includes(status) || (status >= 400 && document instanceof Object);
  return isProblem ? 'problem' : 'unexpected';
}

/**
 * @param {unknown} cause
 * @param {Exchange} exchange
 */
function clientError(cause, exchange) {
  return cause instanceof ClientError ? cause : new ClientError('unreachable', exchange, { cause });
}

/**
 * Rejects when a signal aborts first, because a token source may never return.
 *
 * @template Value
 * @param {Promise<Value>} promise
 * @param {AbortSignal} signal
 * @returns {Promise<Value>}
 */
function unlessAborted(promise, signal) {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

/** @typedef {Omit<RequestInit, 'headers' | 'signal'> & {headers: Object<string, string>, signal: AbortSignal}} FetchRequest */

/**
 * @param {string | undefined} token
 * @param {FetchRequest} request
 */
function withToken(token, request) {
  return token === undefined ? request : { ...request, headers: { ...request.headers, Authorization: `Bearer ${token}` } };
}

/** @param {Response} response */
function mediaType(response) {
  return response.headers.get('Content-Type')?.split(/[;,\s]/)[0].toLowerCase();
}

/**
 * @param {string} text
 * @returns {Pick<Exchange, 'text' | 'document'>}
 */
function read(text) {
  try {
    return { text, document: JSON.parse(text) };
  } catch {
    return { text };
  }
}

/**
 * @param {string[]} segments
 * @param {Object<string, string | undefined>} parameters undefined values are omitted
 */
export function target(segments, parameters) {
  const given = /** @type {[string, string][]} */ (Object.entries(parameters).filter(([, value]) => value !== undefined));
  const query = new URLSearchParams(given).toString();
  return `/${segments.map(encodeURIComponent).join('/')}${query && `?${query}`}`;
}

/**
 * Does what `AbortSignal.any` does, which some browsers lack.
 *
 * @param {AbortSignal[]} signals
 */
export function either(signals) {
  const controller = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) controller.abort(signal.reason);
    signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true, signal: controller.signal });
  }
  return controller.signal;
}

/** Integers of 16 or more digits in JSON. All shorter ones are exact. */
const longInteger = /[[:,]\s*-?(\d{16,})(?=\s*[,}\]])/g;

/**
 * Returns the keys of numbers beyond ±(2^53 − 1), which JavaScript rounds. Elements of an array have its key.
 *
 * @param {unknown} value
 */
export function roundedKeys(value) {
  const keys = [];
  /** @type {[key: string, value: unknown][]} */
  const rest = [['', value]];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const [key, value] = next;
    if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) keys.push(key);
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value)) rest.push([Array.isArray(value) ? key : name, member]);
  }
  return keys;
}

/** Warns about integers that JavaScript cannot represent, once per screen and key. */
export class NumberWarnings {
  #warned = new Set();

  /**
   * @param {string} screen
   * @param {string} text the JSON of the document
   * @param {unknown} document
   */
  check(screen, text, document) {
    const rounded = [...text.matchAll(longInteger)].some(([, digits]) => !Number.isSafeInteger(Number(digits)));
    if (rounded) for (const key of roundedKeys(document)) this.#warn(screen, key);
  }

  /**
   * @param {string} screen
   * @param {string} key
   */
  #warn(screen, key) {
    const name = JSON.stringify([screen, key]);
    if (this.#warned.has(name) || this.#warned.size >= warningLimit) return;
    this.#warned.add(name);
    console.warn(`Relist: "${key}" of the screen "${screen}" is a whole number beyond 2^53, which JavaScript rounds. Use a text instead.`);
  }
}

/**
 * Returns a module, or undefined if it cannot be loaded within ten seconds.
 *
 * @template Module
 * @param {Promise<Module>} module
 */
export async function loaded(module) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const late = new Promise((resolve) => { timer = setTimeout(resolve, 10_000); });
  const found = await Promise.race([module.catch(() => undefined), late]);
  clearTimeout(timer);
  return /** @type {Module | undefined} */ (found);
}
