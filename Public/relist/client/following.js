import { ClientError, loaded } from './exchanges.js';

/** The maximum pause in milliseconds. */
const longestPause = 30_000;

/** The age in milliseconds after which a stream works, because the server has sent a comment. */
export const heartbeat = 15_000;

const emptyStreamLimit = 2;

/** The number of polls before another stream. */
const pollLimit = 10;

const shortestBase = 500;

/**
 * @typedef {import('../client.js').View} View
 * @typedef {import('../client.js').Outcome} Outcome
 * @typedef {object} SubscriptionHost the client
 * @property {() => boolean} isLoaded whether the view was loaded and needs no snapshot
 * @property {() => Promise<void>} load
 * @property {() => void} requireSnapshot
 * @property {() => string} version
 * @property {(exchange: import('./exchanges.js').Exchange, play: import('../client.js').Play) => Outcome} take
 * @property {(state: import('../client.js').State, error?: ClientError) => void} setState
 */

/** Records whether the network delivers streams. Some proxies keep a response until it ends. */
export class StreamSupport {
  #emptyStreams = 0;
  #polls = 0;

  get isMissing() {
    return this.#emptyStreams >= emptyStreamLimit;
  }

  /** A Boolean value that indicates whether the last stream was empty. */
  get isUncertain() {
    return this.#emptyStreams > 0;
  }

  /** @param {boolean} hasBytes */
  noteStream(hasBytes) {
    this.#emptyStreams = hasBytes ? 0 : this.#emptyStreams + 1;
  }

  notePoll() {
    this.#polls = (this.#polls + 1) % pollLimit;
    if (this.#polls === 0) this.reset();
  }

  /** Makes the client try a stream again. If it is empty, polling continues. */
  reset() {
    this.#emptyStreams = Math.min(this.#emptyStreams, emptyStreamLimit - 1);
  }
}

/**
 * Keeps one view current until `stop` is called.
 *
 * The module with the connections is loaded after the first snapshot. If it cannot be loaded, an attempt requests the changes with `load`,
 * and the next attempt loads the module again.
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
   * @param {Error=} failure of an earlier request
   */
  async follow(view, failure) {
    try {
      if (failure) await this.#recover(retryAfter(failure));
      while (!this.#stopped.signal.aborted) await this.#attempt(view);
    } catch (error) {
      this.#report('idle', /** @type {ClientError} */ (error));
    }
  }

  /** A Boolean value that indicates whether a stream delivers changes. One without an event may never deliver any. */
  get isOpen() {
    return this.#connector?.hasEvents === true && !this.#stopped.signal.aborted;
  }

  stop() {
    this.#stopped.abort();
    this.#wake();
  }

  dropConnection() {
    this.#connector?.drop();
  }

  /** Requests the changes again, unless a stream delivers them. */
  restart() {
    if (!this.#connector?.isWaiting) return;
    this.#isRestarting = true;
    this.#connector.drop();
  }

  /** Ends the pause and shortens later ones, because the network may have changed. */
  retryNow() {
    this.#support.reset();
    this.#backoff.reset();
    this.#wake();
  }

  /** @param {View} view */
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
      // The same response may arrive again.
      if (error instanceof ClientError && error.reason === 'unexpected') unexpected = error;
    }
    if (next === 'continue') return;
    if (this.#isRestarting) this.#isRestarting = false;
    else await this.#recover(least, next === 'pause', unexpected);
  }

  async #loadConnector() {
    if (this.#connector) return;
    const module = await loaded(import('./connecting.js'));
    this.#connector = module && new module.Connector({
      exchanges: this.#exchanges, host: this.#host, support: this.#support, backoff: this.#backoff, stopped: this.#stopped.signal,
      report: (state) => this.#report(state),
    });
  }

  /**
   * @param {number} least the minimum pause in milliseconds
   * @param {boolean} isPausing
   * @param {ClientError=} error
   */
  async #recover(least, isPausing = true, error = undefined) {
    this.#report('reconnecting', error);
    if (isPausing && !this.#stopped.signal.aborted) await this.#pause(this.#backoff.next(least));
  }

  /**
   * @param {import('../client.js').State} state
   * @param {ClientError=} error
   */
  #report(state, error) {
    if (!this.#stopped.signal.aborted) this.#host.setState(state, error);
  }

  /** @param {number} milliseconds */
  #pause(milliseconds) {
    return new Promise((resolve) => {
      this.#wake = () => resolve(undefined);
      this.#schedule(milliseconds, this.#wake);
    });
  }
}

/**
 * Returns the minimum pause after a temporary failure. Throws any other error.
 *
 * @param {unknown} error
 * @returns {number}
 */
function retryAfter(error) {
  if (!(error instanceof ClientError) || !error.isTemporary) throw error;
  return error.retryAfter;
}

/**
 * The pauses between attempts. Each is about twice as long as the previous one, with a random part so that clients do not reconnect all at
 * once.
 */
export class Backoff {
  /** The first pause in milliseconds, from the `retry:` field of a stream. */
  base = shortestBase;
  #random;
  #attempts = 0;
  #lastPause = 0;

  /** @param {(() => number)=} random from 0 up to 1 */
  constructor(random = Math.random) {
    this.#random = random;
  }

  /**
   * @param {number} least milliseconds that the server requests
   * @returns {number} milliseconds
   */
  next(least = 0) {
    const ceiling = Math.min(longestPause, Math.max(this.base, shortestBase) * 2 ** this.#attempts);
    this.#attempts = Math.min(this.#attempts + 1, 16);
    this.#lastPause = ceiling;
    return least + ceiling * (0.5 + this.#random() / 2);
  }

  /**
   * Resets the pauses after a stream that lasted longer than the pause before it or than `heartbeat`. Some proxies end each stream after a
   * shorter time.
   *
   * @param {number} milliseconds
   */
  noteLife(milliseconds) {
    if (milliseconds > Math.min(this.#lastPause, heartbeat)) this.reset();
  }

  reset() {
    this.#attempts = 0;
    this.#lastPause = 0;
  }
}
