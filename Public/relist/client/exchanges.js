const outcomes = ['performed', 'not-performed', 'unknown'];

/** Says why the server could not be had to answer as the protocol has it. */
export class ClientError extends Error {
  /** @type {'unreachable' | 'problem' | 'unexpected'} */
  reason;
  /** @type {Exchange} */
  exchange;

  /**
   * @param {'unreachable' | 'problem' | 'unexpected'} reason
   * @param {Exchange} exchange
   */
  constructor(reason, exchange) {
    super(`${reason}: ${exchange.method} ${exchange.path} ${exchange.status}`);
    this.name = 'ClientError';
    this.reason = reason;
    this.exchange = exchange;
  }

  /**
   * The outcome of an action, as the service states it. A response without it is not the service's own, such as that of a proxy, and
   * nothing is known of the action.
   *
   * @returns {'performed' | 'not-performed' | 'unknown' | undefined}
   */
  get outcome() {
    const outcome = this.exchange.document?.outcome;
    return this.reason === 'problem' && outcomes.includes(outcome) ? outcome : undefined;
  }

  /**
   * A Boolean value that indicates whether the action was performed by none of the requests with this `Idempotency-Key` that were
   * answered. If not, send the same again with the same key: other refusals come before the server looks at earlier requests.
   */
  get isDefinite() {
    return this.outcome === 'not-performed' && this.exchange.status === 422;
  }

  /** Whether the same would be refused again. */
  get isRefusal() {
    const { status } = this.exchange;
    return this.reason === 'problem' && status >= 400 && status < 500 && ![401, 408, 409, 425, 429].includes(status);
  }

  /** Whether the same question may be answered later: nobody was there, or nobody could answer just now. */
  get mayPass() {
    return this.reason === 'unreachable' || this.exchange.status >= 500 || this.exchange.status === 429;
  }

  /** @returns {number} milliseconds that the server asked to be left alone for */
  get retryAfter() {
    const seconds = Number(this.exchange.retryAfter);
    return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0;
  }

  /** @returns {{pointer?: string, parameter?: string, detail: string}[]} what was wrong with the input, where that is known */
  get errors() {
    const errors = this.exchange.document?.errors;
    return Array.isArray(errors) ? errors.filter((error) => typeof error?.detail === 'string') : [];
  }
}

/**
 * @typedef {object} Exchange one request and its answer, or one event of a stream, for whoever watches
 * @property {string} method
 * @property {string} path below the base
 * @property {string} url
 * @property {object} headers those of the request that mean something
 * @property {string=} body of the request
 * @property {boolean=} isEvent whether a stream brought it
 * @property {number} status 0 where no answer came
 * @property {number} bytes of the body, as it is without compression
 * @property {number=} sent bytes of the body as they came, where the browser says so
 * @property {string} text the body
 * @property {object=} document the body, where it is JSON
 * @property {number} milliseconds from asking to having the whole answer; 0 for an event
 * @property {string=} retryAfter
 * @property {boolean=} isSignedIn whether a token was sent with it
 * @property {boolean=} takesTokens whether who asks has a part in the answer
 * @property {string=} language of the texts of the answer, where it says one
 * @property {string=} replica which of several servers answered, where a balancer says it
 */

/** Milliseconds that an action waits for the one before it. */
const patience = 1000;

/** Bytes that a page which is being left may still send (Fetch, section 4.6), of which a letter takes three at most. */
const most = 60_000;

/**
 * Sends requests, and tells whoever watches what was asked and answered. Requests of one line wait for each other:
 * questions for a view, and actions, which none of the questions holds up.
 */
export class Exchanges {
  #base;
  #fetch;
  #timeout;
  #token;
  #renewal;
  #onExchange;
  #lines = new Map();
  #position = new Position();

  /**
   * @param {object} options
   * @param {string} options.base
   * @param {typeof fetch} options.fetch
   * @param {number} options.timeout milliseconds
   * @param {import('../client.js').TokenSource=} options.token
   * @param {(exchange: Exchange) => void} options.onExchange
   */
  constructor({ base, fetch, timeout, token = () => undefined, onExchange }) {
    this.#token = token;
    this.#base = base.replace(/\/$/, '');
    this.#fetch = fetch;
    this.#timeout = timeout;
    this.#onExchange = onExchange;
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {{body?: object, headers?: object, line?: string, signal?: AbortSignal}} options
   * @returns {Promise<Exchange>}
   * @throws {ClientError}
   */
  send(method, path, { body, headers = {}, line = path, signal } = {}) {
    const exchange = this.#begun(method, path, {
      ...(body && { 'Content-Type': 'application/json' }), ...headers,
    }, body && JSON.stringify(body));
    const before = this.#lines.get(line) ?? Promise.resolve();
    // In their order, but not for ever: one that hangs holds up no other.
    const turn = line === 'actions' && this.#lines.has(line) ? inTime(before) : before;
    const answer = turn.then(() => this.#send(exchange, line === 'actions', signal));
    const end = answer.then(() => {}, () => {});
    this.#lines.set(line, end);
    end.then(() => this.#lines.get(line) === end && this.#lines.delete(line));
    return answer;
  }

  /**
   * Opens an event stream. It waits for nothing else: it is under way for as long as it is open. Its events are told of, one
   * by one.
   *
   * @param {string} path
   * @param {AbortSignal} signal
   * @returns {Promise<{response: Response, position: string | undefined}>} and what was said with the request
   * @throws {ClientError}
   */
  async open(path, signal) {
    const exchange = this.#begun('GET', path, { Accept: 'text/event-stream' });
    const position = this.#sayPosition(exchange);
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), this.#timeout);
    let response;
    try {
      const options = { headers: exchange.headers, signal: either([signal, timeout.signal]) };
      response = await this.#authorized(exchange, { ...options, cache: 'no-store' });
    } catch {
      throw new ClientError('unreachable', exchange);
    } finally {
      clearTimeout(timer);
    }
    if (response.ok && response.headers.get('Content-Type')?.startsWith('text/event-stream')) return { response, position };
    const text = await response.text().catch(() => '');
    const bytes = new TextEncoder().encode(text).length;
    Object.assign(exchange, read(text), {
      status: response.status, bytes, retryAfter: response.headers.get('Retry-After'), replica: replicaOf(response),
    });
    this.#onExchange(exchange);
    throw new ClientError(response.ok ? 'unexpected' : 'problem', exchange);
  }

  /**
   * Tells of an event that an open stream brought.
   *
   * @param {string} path
   * @param {import('./following.js').Message} message
   * @param {{response: Response, position: string | undefined}} stream
   * @returns {Exchange}
   */
  event(path, { data }, { response, position }) {
    const exchange = this.#begun('GET', path, { Accept: 'text/event-stream' });
    const bytes = new TextEncoder().encode(data).length;
    Object.assign(exchange, read(data), { isEvent: true, status: 200, bytes, replica: replicaOf(response) });
    this.#settle(exchange, position);
    this.#onExchange(exchange);
    return exchange;
  }

  /** @returns {Exchange} */
  #begun(method, path, headers, body) {
    return { method, path, url: this.#base + path, headers, body, status: 0, bytes: 0, text: '', milliseconds: 0 };
  }

  /** Has a request say how far the server had come, where that is to be said. */
  #sayPosition(exchange) {
    const position = this.#position.known;
    if (position !== undefined) exchange.headers = { ...exchange.headers, [positionField]: position };
    return position;
  }

  /**
   * Of all answers, documents of screens alone are made at a position.
   *
   * @param {Exchange} exchange
   * @param {string | undefined} position what was said with the request
   */
  #settle({ status, document }, position) {
    if (status === 200 && typeof document?.kind === 'string') this.#position.settle(position);
  }

  /** Asks with the token that there is. One that is refused is asked for anew, once. */
  async #authorized(exchange, request) {
    const token = await this.#token();
    exchange.isSignedIn = token !== undefined;
    const response = await this.#fetch(exchange.url, withToken(token, request));
    if (response.status !== 401) return response;
    const renewed = await this.#renewed(token);
    if (renewed === undefined || renewed === token) return response;
    exchange.isSignedIn = true;
    response.body?.cancel().catch(() => {});
    return this.#fetch(exchange.url, withToken(renewed, request));
  }

  /** Several requests that are refused at once have one new token asked for. */
  #renewed(token) {
    if (this.#renewal && this.#renewal.of === token) return this.#renewal.asked;
    const asked = Promise.resolve(this.#token({ token }));
    const renewal = { of: token, asked };
    this.#renewal = renewal;
    const end = () => { if (this.#renewal === renewal) this.#renewal = undefined; };
    asked.then(end, end);
    return asked;
  }

  async #send(exchange, isAction, given) {
    const { method, body } = exchange;
    const start = performance.now();
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), this.#timeout);
    const signal = given ? either([given, timeout.signal]) : timeout.signal;
    const position = this.#sayPosition(exchange);
    try {
      const headers = { Accept: 'application/json, application/problem+json', ...exchange.headers };
      // An action that was asked for is sent, also by a page that is being left.
      const keepalive = isAction && 3 * body.length < most;
      const response = await this.#authorized(exchange, { method, headers, body, signal, keepalive });
      // It is done, also where the rest of the answer is lost.
      this.#position.learn(response.headers.get(positionField), position);
      this.#position.noteKeeping(response.headers.get('Cache-Control'));
      const content = await response.arrayBuffer();
      Object.assign(exchange, read(new TextDecoder().decode(content)), {
        status: response.status, bytes: content.byteLength, sent: travelled(response.url, start) ?? content.byteLength,
        retryAfter: response.headers.get('Retry-After'), language: response.headers.get('Content-Language') ?? undefined,
        takesTokens: /\bauthorization\b/i.test(response.headers.get('Vary') ?? ''), replica: replicaOf(response),
      });
      this.#settle(exchange, position);
    } catch {
      throw new ClientError('unreachable', exchange);
    } finally {
      clearTimeout(timer);
      exchange.milliseconds = performance.now() - start;
      // What is not wanted any more is nobody's news.
      if (!given?.aborted) this.#onExchange(exchange);
    }
    if (exchange.status < 200 || exchange.status > 299) throw new ClientError('problem', exchange);
    return exchange;
  }
}

function withToken(token, request) {
  return token === undefined ? request : { ...request, headers: { ...request.headers, Authorization: `Bearer ${token}` } };
}

/** The last of those that a balancer has asked. */
function replicaOf(response) {
  return response.headers.get('Relist-Replica')?.split(',').at(-1).trim() || undefined;
}

function read(text) {
  try {
    return { text, document: JSON.parse(text) };
  } catch {
    return { text };
  }
}

/**
 * @param {string[]} segments
 * @param {Object<string, string | undefined>} parameters what is undefined is left out
 * @returns {string}
 */
export function target(segments, parameters) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== undefined)).toString();
  return `/${segments.map(encodeURIComponent).join('/')}${query && `?${query}`}`;
}

/** The bytes of a body as they came, where the browser says so: a proxy may have compressed them. */
function travelled(url, start) {
  const timing = /** @type {PerformanceResourceTiming} */ (performance.getEntriesByName?.(url, 'resource').at(-1));
  return timing && timing.startTime >= start && timing.encodedBodySize > 0 ? timing.encodedBodySize : undefined;
}

/**
 * A signal that is given when one of several is. (`AbortSignal.any` is younger than some of the browsers in use.)
 *
 * @param {AbortSignal[]} signals
 * @returns {AbortSignal}
 */
export function either(signals) {
  const controller = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) controller.abort(signal.reason);
    signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true, signal: controller.signal });
  }
  return controller.signal;
}

/** Resolves with a promise, or when its time is over. */
function inTime(promise) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, patience);
    promise.then(() => {
      clearTimeout(timer);
      resolve(undefined);
    });
  });
}

/** The field in which a server with replicas says how far it has come, and a client how far it has seen it. */
const positionField = 'Relist-Position';

/** For how long a replica may give, to who says no position, what was there before: then none does. In milliseconds. */
const replicaBound = 3000;

/**
 * The positions of a server when it last did something for this client: opaque tokens, one after each action, several where actions overlap.
 * Each request sends them until a document at or past them has come and every replica has heard of them. To a server
 * without positions nothing is sent.
 */
export class Position {
  /** The tokens to say, each with the time when it was learned in milliseconds. */
  #tokens = new Map();
  /** For how long anybody may give what was there before, in milliseconds. */
  #bound = replicaBound;
  /** @type {() => number} */
  #now;

  /** @param {() => number} now the time in milliseconds */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** @returns {string | undefined} what a request that is sent now has to say */
  get known() {
    return this.#tokens.size ? [...this.#tokens.keys()].join(', ') : undefined;
  }

  /**
   * Takes the token of an answer, where it has one. It stands for the tokens, too, that were said with the request.
   *
   * @param {string | null} token
   * @param {string | undefined} said
   */
  learn(token, said) {
    if (!/^[^\s,]{1,100}$/.test(token ?? '')) return;
    const learnedAt = this.#tokens.get(token) ?? this.#now();
    for (const earlier of said?.split(', ') ?? []) this.#tokens.delete(earlier);
    this.#tokens.set(token, learnedAt);
  }

  /**
   * Takes what an answer says of caches that serve many: what one has from before it gives to who says no position.
   *
   * @param {string | null} text a value of `Cache-Control`
   */
  noteKeeping(text) {
    const [, seconds] = /\bs-maxage=(\d{1,9})/.exec(text ?? '') ?? [];
    // nginx has what was last asked for at the end of its time at hand for as long again, and up to ten seconds more, to give it while
    // it asks; it counts whole seconds.
    if (seconds) this.#bound = Math.max(this.#bound, replicaBound + 1000 * (2 * Number(seconds) + 13));
  }

  /**
   * Forgets what was said with a request, now that a document has come which was made at it or past it; not so soon that another
   * replica, which has not heard of it, or a cache could give what was there before.
   *
   * @param {string | undefined} said
   */
  settle(said) {
    for (const token of said?.split(', ') ?? []) {
      if (this.#now() - this.#tokens.get(token) >= this.#bound) this.#tokens.delete(token);
    }
  }
}
