import { ClientError } from './exchanges.js';

/** The maximum pause in milliseconds between two attempts to open a stream. */
const longestPause = 30_000;

/** The age in milliseconds after which every stream counts as working, because the server has sent a comment by then. */
export const heartbeat = 15_000;

/** The number of consecutive streams without a byte after which the client polls. */
const emptyStreamLimit = 2;

/** The number of polls after which the client tries to open a stream again. */
const pollLimit = 10;

/** The minimum of `Backoff.base` in milliseconds. */
const shortestBase = 500;

/**
 * @typedef {import('../client.js').View} View
 * @typedef {import('../client.js').Outcome} Outcome
 *
 * @typedef {object} SubscriptionHost the functions of the client that a subscription calls
 * @property {() => boolean} isLoaded whether the view was loaded once and needs no snapshot
 * @property {() => Promise<void>} load loads the current version of the view
 * @property {() => void} requireSnapshot makes the next `load` request a snapshot
 * @property {() => string} version the held version
 * @property {(exchange: import('./exchanges.js').Exchange, play: import('../client.js').Play) => Outcome} take
 * @property {(state: import('../client.js').State, error?: ClientError) => void} setState
 */

/** Records whether the network delivers streams. Some proxies keep all bytes of a response until the response ends. */
export class StreamSupport {
  #emptyStreams = 0;
  /** The number of polls since the last attempt to open a stream. */
  #polls = 0;

  /** A Boolean value that indicates whether the client must poll, because no stream has delivered a byte. */
  get isMissing() {
    return this.#emptyStreams >= emptyStreamLimit;
  }

  /** A Boolean value that indicates whether the last stream has delivered no byte, so the next stream may deliver none either. */
  get isUncertain() {
    return this.#emptyStreams > 0;
  }

  /** @param {boolean} hasBytes whether the stream has delivered a byte */
  noteStream(hasBytes) {
    this.#emptyStreams = hasBytes ? 0 : this.#emptyStreams + 1;
  }

  /** Records the response to a poll. After some polls, the client tries a stream again. */
  notePoll() {
    this.#polls = (this.#polls + 1) % pollLimit;
    if (this.#polls === 0) this.reset();
  }

  /** Makes the client try a stream again. One more stream without a byte suffices to continue polling. */
  reset() {
    this.#emptyStreams = Math.min(this.#emptyStreams, emptyStreamLimit - 1);
  }
}

/**
 * Keeps one view current until `stop` is called. Reconnects after failures.
 *
 * The module with the connections is loaded when it is first needed, which is after the first snapshot. If it cannot be loaded, each attempt
 * requests the changes with `load` instead.
 */
export class StreamSubscription {
  #exchanges;
  #host;
  #support;
  #schedule;
  #backoff;
  #stopped = new AbortController();
  /** @type {import('./connecting.js').Connector | undefined} */
  #connector;
  #isRestarting = false;
  #wake = () => {};

  /**
   * @param {import('./exchanges.js').Exchanges} exchanges
   * @param {SubscriptionHost} host
   * @param {StreamSupport} support
   * @param {{random?: () => number, schedule: (milliseconds: number, wake: () => void) => void}} options
   */
  constructor(exchanges, host, support, { random, schedule }) {
    this.#exchanges = exchanges;
    this.#host = host;
    this.#support = support;
    this.#schedule = schedule;
    this.#backoff = new Backoff(random);
  }

  /**
   * Follows a view until `stop` is called or a request is rejected.
   *
   * @param {View} view
   * @param {Error=} failure the failure of an earlier request for the view
   */
  async follow(view, failure) {
    try {
      if (failure) await this.#recover(retryAfter(failure));
      while (!this.#stopped.signal.aborted) await this.#attempt(view);
    } catch (error) {
      this.#report('idle', /** @type {ClientError} */ (error));
    }
  }

  /** A Boolean value that indicates whether a stream delivers the changes of the view. A stream without an event may never deliver one. */
  get isOpen() {
    return this.#connector?.hasEvents === true && !this.#stopped.signal.aborted;
  }

  stop() {
    this.#stopped.abort();
    this.#wake();
  }

  /** Drops the stream connection, which is known to be dead. */
  dropConnection() {
    this.#connector?.drop();
  }

  /** Requests the changes again from the held version, unless a stream delivers them. */
  restart() {
    if (!this.#connector?.isWaiting) return;
    this.#isRestarting = true;
    this.#connector.drop();
  }

  /** Ends the pause before the next attempt, and resets the length of later pauses. The network may have changed. */
  retryNow() {
    this.#support.reset();
    this.#backoff.reset();
    this.#wake();
  }

  /**
   * Loads the view if necessary, processes a stream or a poll, and pauses.
   *
   * @param {View} view
   */
  async #attempt(view) {
    let least = 0;
    /** @type {import('./connecting.js').Next} */
    let next = 'pause';
    /** @type {ClientError | undefined} */
    let unexpected;
    try {
      await this.#loadConnector();
      if (this.#stopped.signal.aborted) return;
      if (!this.#connector || !this.#host.isLoaded()) await this.#host.load();
      if (this.#connector) next = await this.#connector.attempt(view);
    } catch (error) {
      least = retryAfter(error);
      // The same response may arrive again and again, so it is reported.
      if (error instanceof ClientError && error.reason === 'unexpected') unexpected = error;
    }
    if (next === 'continue') return;
    if (this.#isRestarting) this.#isRestarting = false;
    else await this.#recover(least, next === 'pause', unexpected);
  }

  /** Loads the module with the connections, unless it is loaded. */
  async #loadConnector() {
    if (this.#connector) return;
    const module = await import('./connecting.js').catch(() => undefined);
    this.#connector = module && new module.Connector({
      exchanges: this.#exchanges, host: this.#host, support: this.#support, backoff: this.#backoff, stopped: this.#stopped.signal,
      report: (state) => this.#report(state),
    });
  }

  /**
   * Reports that the client is reconnecting. Pauses unless `isPausing` is false.
   *
   * @param {number} least the minimum pause in milliseconds, as the server requests
   * @param {boolean} isPausing
   * @param {ClientError=} error
   */
  async #recover(least, isPausing = true, error = undefined) {
    this.#report('reconnecting', error);
    if (isPausing && !this.#stopped.signal.aborted) await this.#pause(this.#backoff.next(least));
  }

  /**
   * Reports a state of the client, unless this subscription was stopped.
   *
   * @param {import('../client.js').State} state
   * @param {ClientError=} error
   */
  #report(state, error) {
    if (!this.#stopped.signal.aborted) this.#host.setState(state, error);
  }

  /**
   * Waits before the next attempt. `stop` and `retryNow` end the wait.
   *
   * @param {number} milliseconds
   * @returns {Promise<void>}
   */
  #pause(milliseconds) {
    return new Promise((resolve) => {
      this.#wake = () => resolve(undefined);
      this.#schedule(milliseconds, this.#wake);
    });
  }
}

/**
 * Returns the minimum time in milliseconds to wait after a temporary failure, as requested by the server.
 *
 * @param {unknown} error
 * @returns {number}
 * @throws any other error
 */
function retryAfter(error) {
  if (!(error instanceof ClientError) || !error.isTemporary) throw error;
  return error.retryAfter;
}

/**
 * Computes the pauses between attempts. Each pause is about twice as long as the previous one. A random part keeps clients from
 * reconnecting all at once.
 */
export class Backoff {
  /** The maximum length of the first pause in milliseconds. The `retry:` field of a stream sets it. */
  base = shortestBase;
  #random;
  #attempts = 0;
  /** The upper bound of the random part of the previous pause, in milliseconds. It is 0 before the first pause and after `reset`. */
  #lastPause = 0;

  /** @param {(() => number)=} random from 0 up to 1 */
  constructor(random = Math.random) {
    this.#random = random;
  }

  /**
   * Returns the length of the next pause.
   *
   * @param {number} least the minimum pause in milliseconds, as the server requests
   * @returns {number} milliseconds
   */
  next(least = 0) {
    const ceiling = Math.min(longestPause, Math.max(this.base, shortestBase) * 2 ** this.#attempts);
    this.#attempts = Math.min(this.#attempts + 1, 16);
    this.#lastPause = ceiling;
    return least + ceiling * (0.5 + this.#random() / 2);
  }

  /**
   * Resets the pauses if a stream lasted longer than the pause before the stream, or longer than `heartbeat`. A shorter stream does not
   * show that the server works. Some proxies end each stream after a time that is shorter than the longest pause.
   *
   * @param {number} milliseconds
   */
  noteLife(milliseconds) {
    if (milliseconds > Math.min(this.#lastPause, heartbeat)) this.reset();
  }

  /** Resets the pauses, so that the next pause is as short as a first pause. */
  reset() {
    this.#attempts = 0;
    this.#lastPause = 0;
  }
}
