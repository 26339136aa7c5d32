import { ClientError, either, target } from './exchanges.js';

/** The time in milliseconds after which a stream is considered dead if no data arrives. The server sends a comment every 15 seconds. */
const silence = 45_000;

/** The maximum pause in milliseconds between two attempts to open a stream. */
const longestPause = 30_000;

/** The age in milliseconds after which every stream counts as working, because the server has sent a comment by then. */
const heartbeat = 15_000;

/** The number of consecutive streams without a byte after which the client polls. */
const emptyStreamLimit = 2;

/** The number of polls after which the client tries to open a stream again. */
const pollLimit = 10;

/** The time in seconds for which the server holds a poll if there is no change. */
const pollWait = 55;

/**
 * The minimum duration in milliseconds of a poll that returns no changes from the held version. After a shorter poll, the client pauses,
 * because a server that ignores `Prefer: wait` responds at once. Servers that do not know each other's versions respond with snapshots.
 */
const shortestPoll = 1000;

/** The minimum of `Backoff.base` in milliseconds. */
const shortestBase = 500;

/**
 * The number of consecutive outdated events after which the client requests a snapshot. An outdated event is a changeset that starts from a
 * version other than the held one, or an event that confirms a version other than the held one. Each outdated event ends its stream.
 */
const versionMismatchLimit = 3;

/**
 * @typedef {import('../client.js').View} View
 * @typedef {import('../client.js').Outcome} Outcome
 * @typedef {Awaited<ReturnType<import('./exchanges.js').Exchanges['open']>>} Stream
 *
 * @typedef {object} SubscriptionHost the functions of the client that a subscription calls
 * @property {() => boolean} isLoaded whether the view was loaded once and needs no snapshot
 * @property {() => Promise<void>} load loads the current version of the view
 * @property {() => void} requireSnapshot makes the next `load` request a snapshot
 * @property {() => string} version the held version
 * @property {(exchange: import('./exchanges.js').Exchange) => Outcome} take
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

/** Keeps one view current with an event stream until `stop` is called. Reconnects after failures. */
export class StreamSubscription {
  #exchanges;
  #host;
  #support;
  #schedule;
  #backoff;
  #stopped = new AbortController();
  /**
   * The controller that cancels the stream or the poll in progress.
   *
   * @type {AbortController | undefined}
   */
  #connection;
  #isRestarting = false;
  #wake = () => {};
  #versionMismatches = 0;
  /** The number of changesets that started from the held version and could not be applied, without a long stream or poll in between. */
  #failedChangesets = 0;
  #hasEvents = false;

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
    return this.#hasEvents && !this.#stopped.signal.aborted;
  }

  stop() {
    this.#stopped.abort();
    this.#wake();
  }

  /** Drops the stream connection, which is known to be dead. */
  dropConnection() {
    this.#connection?.abort();
  }

  /** Requests the changes again from the held version, unless a stream delivers them. */
  restart() {
    if (this.#hasEvents || !this.#connection) return;
    this.#isRestarting = true;
    this.#connection.abort();
  }

  /** Ends the pause before the next attempt, and resets the length of later pauses. The network may have changed. */
  retryNow() {
    this.#support.reset();
    this.#backoff.reset();
    this.#wake();
  }

  /**
   * Loads the view if necessary, processes a stream until it ends or sends a poll, and pauses. There is no pause after a successful poll.
   * If a changeset could not be applied, there is a pause only if another one could not be applied shortly before.
   *
   * @param {View} view
   */
  async #attempt(view) {
    let least = 0;
    let isPausing = true;
    /** @type {ClientError | undefined} */
    let unexpected;
    try {
      if (!this.#host.isLoaded()) await this.#host.load();
      if (this.#support.isMissing) {
        const outcome = await this.#poll(view);
        if (outcome !== undefined && !isUnusable(outcome)) return;
        isPausing = this.#note(outcome);
      } else {
        // The last poll may have reported the state `live`, but changes arrive only if the stream delivers them.
        if (this.#support.isUncertain) this.#report('reconnecting');
        isPausing = this.#note(await this.#stream(view));
      }
    } catch (error) {
      least = retryAfter(error);
      // The same response may arrive again and again, so it is reported.
      if (error instanceof ClientError && error.reason === 'unexpected') unexpected = error;
    }
    if (this.#isRestarting) this.#isRestarting = false;
    else await this.#recover(least, isPausing, unexpected);
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
   * Records the outcome of a stream, and decides whether to pause before the next stream.
   *
   * @param {Outcome=} outcome
   * @returns {boolean} whether to pause
   */
  #note(outcome) {
    if (outcome === 'outdated') this.#versionMismatches += 1;
    if (outcome === 'misfit') this.#failedChangesets += 1;
    if (this.#versionMismatches >= versionMismatchLimit) {
      this.#versionMismatches = 0;
      this.#host.requireSnapshot();
    }
    return outcome !== 'misfit' || this.#failedChangesets > 1;
  }

  /**
   * Opens a stream and processes its events.
   *
   * @param {View} view
   * @returns {Promise<Outcome | undefined>} the outcome of the event that made the client end the stream, or undefined if the connection
   *   ended
   */
  async #stream({ screen, parameters }) {
    const { path, signal } = this.#connect(screen, parameters);
    const sent = performance.now();
    /** @type {number | undefined} */
    let opened;
    let hasBytes = false;
    let isBlocked = false;
    try {
      const stream = await this.#exchanges.open(path, signal);
      opened = performance.now();
      const onBytes = () => { hasBytes = true; };
      const onRetry = (/** @type {number} */ milliseconds) => { this.#backoff.base = milliseconds; };
      const onSilence = () => {
        isBlocked = true;
        this.dropConnection();
      };
      for await (const message of messages(stream.response, { onBytes, onRetry, onSilence })) {
        const outcome = this.#take(path, message, stream);
        if (isUnusable(outcome)) return outcome;
      }
      isBlocked = true;
    } catch (error) {
      // A proxy that waits in vain for the end of the response reports 502 or 504, or nothing before the request fails.
      const hasWaited = performance.now() - sent >= heartbeat;
      if (!signal.aborted) isBlocked = hasWaited || (error instanceof ClientError && [502, 504].includes(error.exchange.status));
      if (error instanceof ClientError) throw error;
      // The client treats a broken connection like a stream that has ended, and reconnects.
    } finally {
      if (hasBytes || isBlocked) this.#support.noteStream(hasBytes);
      if (opened !== undefined && performance.now() - opened >= heartbeat) this.#failedChangesets = 0;
      this.#hasEvents = false;
      this.#disconnect();
    }
    if (opened !== undefined) this.#backoff.noteLife(performance.now() - opened);
    return undefined;
  }

  /**
   * Requests the changes with a poll, which the server holds until there is a change.
   *
   * @param {View} view
   * @returns {Promise<Outcome | undefined>} undefined if the response came at once and without changes from the held
   *   version
   */
  async #poll({ screen, parameters }) {
    const { path, signal } = this.#connect(screen, parameters);
    const sent = performance.now();
    try {
      const exchange = await this.#exchanges.send('GET', path, { headers: { Prefer: `wait=${pollWait}` }, wait: pollWait, signal });
      if (signal.aborted || typeof exchange.document?.kind !== 'string') throw new ClientError('unexpected', exchange);
      const outcome = this.#host.take(exchange);
      if (isUnusable(outcome)) return outcome;
      const isLong = performance.now() - sent >= shortestPoll;
      if (isLong) this.#failedChangesets = 0;
      this.#support.notePoll();
      this.#succeed();
      if (outcome !== 'apply' && !isLong) return undefined;
      this.#backoff.reset();
      return outcome;
    } finally {
      this.#disconnect();
    }
  }

  /**
   * Prepares a request for the changes since the held version.
   *
   * @param {string} screen
   * @param {Object<string, string>} parameters
   */
  #connect(screen, parameters) {
    this.#connection = new AbortController();
    const signal = either([this.#stopped.signal, this.#connection.signal]);
    return { path: target(['screens', screen, 'changes'], { ...parameters, version: this.#host.version() }), signal };
  }

  #disconnect() {
    this.#connection?.abort();
    this.#connection = undefined;
  }

  /**
   * Processes one event of a stream. Unknown events are ignored.
   *
   * @param {string} path
   * @param {Message} message
   * @param {Stream} stream
   * @returns {Outcome}
   */
  #take(path, message, stream) {
    if (this.#stopped.signal.aborted) return 'ignore';
    this.#hasEvents ||= ['snapshot', 'changeset', 'current', 'stale'].includes(message.event);
    switch (message.event) {
      case 'snapshot':
      case 'changeset': return this.#takeDocument(path, message, stream);
      case 'current': return this.#confirm(message, stream);
      case 'stale': this.#report('stale');
    }
    return 'ignore';
  }

  /**
   * Processes an event that reports which version is current.
   *
   * @param {Message} message
   * @param {Stream} stream
   * @returns {Outcome} 'outdated' if the current version is not the held version
   */
  #confirm({ id }, stream) {
    if (id !== this.#host.version()) return 'outdated';
    this.#exchanges.confirm(stream);
    this.#succeed();
    return 'ignore';
  }

  /** Records that the stream works and that the held version is current. */
  #succeed() {
    this.#versionMismatches = 0;
    this.#report('live');
  }

  /**
   * Processes an event with a document.
   *
   * @param {string} path
   * @param {Message} message
   * @param {Stream} stream
   * @returns {Outcome}
   */
  #takeDocument(path, message, stream) {
    const exchange = this.#exchanges.event(path, message, stream);
    // `onExchange` may have stopped this subscription.
    if (this.#stopped.signal.aborted) return 'ignore';
    if (typeof exchange.document?.kind !== 'string') throw new ClientError('unexpected', exchange);
    const outcome = this.#host.take(exchange);
    if (!isUnusable(outcome)) this.#succeed();
    return outcome;
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
 * Returns whether a document or a confirmation did not fit the held version.
 *
 * @param {Outcome} outcome
 */
function isUnusable(outcome) {
  return outcome === 'outdated' || outcome === 'misfit';
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

/**
 * @typedef {object} Message one event of a stream
 * @property {string} event
 * @property {string} data
 * @property {string=} id
 */

/** A parser of `text/event-stream` as defined by the HTML standard. The text can arrive in arbitrary pieces. */
export class EventParser {
  #rest = '';
  #endedWithReturn = false;
  /** @type {number=} milliseconds of the `retry:` field, if there was one */
  retry;
  /** @type {string | undefined} */
  #id;
  #event = '';
  /** @type {string[]} */
  #data = [];

  /**
   * Parses the next piece of text.
   *
   * @param {string} text
   * @returns {Message[]} the events that are complete with this piece
   */
  push(text) {
    const fresh = this.#endedWithReturn && text.startsWith('\n') ? text.slice(1) : text;
    if (text) this.#endedWithReturn = text.endsWith('\r');
    // Only the new text is searched for line ends, because one line can arrive in many pieces.
    const [first, ...others] = fresh.split(/\r\n|\r|\n/);
    const lines = [this.#rest + first, ...others];
    this.#rest = lines.pop() ?? '';
    return /** @type {Message[]} */ (lines.map((line) => this.#line(line)).filter(Boolean));
  }

  /**
   * Processes a line. An empty line ends an event.
   *
   * @param {string} line
   * @returns {Message | undefined}
   */
  #line(line) {
    if (line === '') return this.#dispatch();
    const [, name, value] = /** @type {RegExpExecArray} */ (/^([^:]*)(?:: ?)?(.*)$/s.exec(line));
    if (name === 'data') this.#data.push(value);
    if (name === 'event') this.#event = value;
    if (name === 'id' && !value.includes('\0')) this.#id = value;
    if (name === 'retry' && /^\d+$/.test(value)) this.retry = Number(value);
    return undefined;
  }

  /**
   * Returns the event that consists of the collected lines, or undefined if the event has no data.
   *
   * @returns {Message | undefined}
   */
  #dispatch() {
    const [event, data] = [this.#event || 'message', this.#data];
    this.#event = '';
    this.#data = [];
    return data.length ? { event, data: data.join('\n'), id: this.#id } : undefined;
  }
}

/**
 * Yields the events of a streaming response until the response ends. A working server sends comments. Therefore a connection without data
 * for too long is dead, even if the operating system still considers the connection open.
 *
 * @param {Response} response
 * @param {object} options
 * @param {() => void} options.onBytes called when data arrives
 * @param {(milliseconds: number) => void} options.onRetry
 * @param {() => void} options.onSilence must end the connection
 * @returns {AsyncGenerator<Message>}
 */
export async function* messages(response, { onBytes, onRetry, onSilence }) {
  if (!response.body) return;
  const parser = new EventParser();
  const decoder = new TextDecoder();
  /** @type {number | undefined} */
  let timer;
  try {
    const reader = response.body.getReader();
    for (;;) {
      timer = setTimeout(onSilence, silence);
      const { done, value } = await reader.read();
      clearTimeout(timer);
      if (done) return;
      onBytes();
      const complete = parser.push(decoder.decode(value, { stream: true }));
      if (parser.retry !== undefined) onRetry(parser.retry);
      yield* complete;
    }
  } finally {
    clearTimeout(timer);
  }
}
