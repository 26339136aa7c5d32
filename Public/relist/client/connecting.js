import { play } from '../changeset.js';
import { ClientError, either, target } from './exchanges.js';
import { heartbeat } from './following.js';

/** The time in milliseconds after which a stream is considered dead if no data arrives. The server sends a comment every 15 seconds. */
const silence = 45_000;

/** The time in milliseconds without data after which changes may be missing. */
const quiet = 1.5 * heartbeat;

/** The time in seconds for which the server holds a poll if there is no change. */
const pollWait = 55;

/**
 * The minimum duration in milliseconds of a poll that returns no changes from the held version. After a shorter poll, the client pauses,
 * because a server that ignores `Prefer: wait` responds at once. Servers that do not know each other's versions respond with snapshots.
 */
const shortestPoll = 1000;

/**
 * The number of consecutive outdated events after which the client requests a snapshot. An outdated event is a changeset that starts from a
 * version other than the held one, or an event that confirms a version other than the held one. Each outdated event ends its stream.
 */
const versionMismatchLimit = 3;

/**
 * @typedef {import('../client.js').Outcome} Outcome
 * @typedef {import('../client.js').View} View
 * @typedef {Awaited<ReturnType<import('./exchanges.js').Exchanges['open']>>} Stream
 * @typedef {'continue' | 'retry' | 'pause'} Next the step after an attempt: the next attempt, with `retry` as a reconnection, or a pause
 *   before it
 */

/** Opens the streams and sends the polls of one subscription. */
export class Connector {
  #exchanges;
  #host;
  #support;
  #backoff;
  #stopped;
  #report;
  /**
   * The controller that cancels the stream or the poll in progress.
   *
   * @type {AbortController | undefined}
   */
  #connection;
  #versionMismatches = 0;
  /** The number of changesets that started from the held version and could not be applied, without a long stream or poll in between. */
  #failedChangesets = 0;
  #hasEvents = false;
  /** A Boolean value that indicates whether the server has last reported that the held version is current. */
  #isCurrent = false;

  /**
   * @param {object} subscription
   * @param {import('./exchanges.js').Exchanges} subscription.exchanges
   * @param {import('./following.js').SubscriptionHost} subscription.host
   * @param {import('./following.js').StreamSupport} subscription.support
   * @param {import('./following.js').Backoff} subscription.backoff
   * @param {AbortSignal} subscription.stopped
   * @param {(state: import('../client.js').State) => void} subscription.report
   */
  constructor({ exchanges, host, support, backoff, stopped, report }) {
    this.#exchanges = exchanges;
    this.#host = host;
    this.#support = support;
    this.#backoff = backoff;
    this.#stopped = stopped;
    this.#report = report;
  }

  /** A Boolean value that indicates whether an event has arrived on the current stream. */
  get hasEvents() {
    return this.#hasEvents;
  }

  /** A Boolean value that indicates whether a poll, or a stream without an event, is in progress. */
  get isWaiting() {
    return this.#connection !== undefined && !this.#hasEvents;
  }

  /** Cancels the stream or the poll in progress. */
  drop() {
    this.#connection?.abort();
  }

  /**
   * Processes a stream until it ends, or sends a poll. There is no pause after a successful poll, and after a changeset that could not be
   * applied only if another one could not be applied shortly before.
   *
   * @param {View} view
   * @returns {Promise<Next>}
   */
  async attempt(view) {
    if (!this.#support.isMissing) {
      // The last poll may have reported the state `live`, but changes arrive only if the stream delivers them.
      if (this.#support.isUncertain) this.#report('reconnecting');
      return this.#note(await this.#stream(view));
    }
    const outcome = await this.#poll(view);
    return outcome === undefined || isUnusable(outcome) ? this.#note(outcome) : 'continue';
  }

  /**
   * Records the outcome of a stream or poll.
   *
   * @param {Outcome=} outcome
   * @returns {Next}
   */
  #note(outcome) {
    if (outcome === 'outdated') this.#versionMismatches += 1;
    if (outcome === 'misfit') this.#failedChangesets += 1;
    if (this.#versionMismatches >= versionMismatchLimit) {
      this.#versionMismatches = 0;
      this.#host.requireSnapshot();
    }
    return outcome === 'misfit' && this.#failedChangesets === 1 ? 'retry' : 'pause';
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
    let isQuiet = false;
    this.#isCurrent = false;
    try {
      const stream = await this.#exchanges.open(path, signal);
      opened = performance.now();
      const onBytes = () => { hasBytes = true; };
      const onProcessed = () => {
        if (isQuiet && this.#isCurrent) this.#report('live');
        isQuiet = false;
      };
      const onQuiet = () => {
        isQuiet = this.#isCurrent;
        if (isQuiet) this.#report('stale');
      };
      const onRetry = (/** @type {number} */ milliseconds) => { this.#backoff.base = milliseconds; };
      const onSilence = () => {
        isBlocked = true;
        this.drop();
      };
      for await (const message of messages(stream.response, { onBytes, onProcessed, onRetry, onQuiet, onSilence })) {
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
      const outcome = this.#host.take(exchange, play);
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
    const signal = either([this.#stopped, this.#connection.signal]);
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
    if (this.#stopped.aborted) return 'ignore';
    this.#hasEvents ||= ['snapshot', 'changeset', 'current', 'stale'].includes(message.event);
    switch (message.event) {
      case 'snapshot':
      case 'changeset': return this.#takeDocument(path, message, stream);
      case 'current': return this.#confirm(message, stream);
      case 'stale':
        this.#isCurrent = false;
        this.#report('stale');
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
    this.#isCurrent = true;
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
    if (this.#stopped.aborted) return 'ignore';
    if (typeof exchange.document?.kind !== 'string') throw new ClientError('unexpected', exchange);
    const outcome = this.#host.take(exchange, play);
    if (!isUnusable(outcome)) this.#succeed();
    return outcome;
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
   * A Boolean value that indicates whether the text so far ends with a complete event or comment.
   *
   * @returns {boolean}
   */
  get isComplete() {
    return this.#rest === '' && this.#event === '' && this.#data.length === 0;
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
 * @param {() => void} options.onProcessed called when the events in all data so far were processed and no event is incomplete
 * @param {(milliseconds: number) => void} options.onRetry
 * @param {() => void} options.onQuiet called when a comment of the server is overdue
 * @param {() => void} options.onSilence must end the connection
 * @returns {AsyncGenerator<Message>}
 */
export async function* messages(response, { onBytes, onProcessed, onRetry, onQuiet, onSilence }) {
  if (!response.body) return;
  const parser = new EventParser();
  const decoder = new TextDecoder();
  /** @type {number[]} */
  let timers = [];
  const stopTimers = () => timers.forEach((timer) => clearTimeout(timer));
  try {
    const reader = response.body.getReader();
    for (;;) {
      timers = [setTimeout(onQuiet, quiet), setTimeout(onSilence, silence)];
      const { done, value } = await reader.read();
      stopTimers();
      if (done) return;
      onBytes();
      const complete = parser.push(decoder.decode(value, { stream: true }));
      if (parser.retry !== undefined) onRetry(parser.retry);
      yield* complete;
      if (parser.isComplete) onProcessed();
    }
  } finally {
    stopTimers();
  }
}
