import { ClientError, either, target } from './exchanges.js';

/** Three times the pulse of a stream. */
const silence = 45_000;

/** So many streams in a row may begin with a changeset from another version. */
const attempts = 3;

/**
 * @typedef {object} Follower what a `Following` asks of the client that it works for
 * @property {() => boolean} isBrought whether a first answer for the view came
 * @property {() => Promise<void>} bring asks for what the view is now
 * @property {() => Promise<void>} replace comes to hold a snapshot, whatever was held
 * @property {() => string} version the one that is held
 * @property {(exchange: import('./exchanges.js').Exchange) => import('../client.js').Outcome} take
 * @property {(state: import('../client.js').State, error?: Error) => void} say
 */

/** Keeps one view current by its event stream until it is left, through everything that may pass. */
export class Following {
  #exchanges;
  #follower;
  #schedule;
  #backoff;
  #left = new AbortController();
  #connection = new AbortController();
  #wake = () => {};
  #misses = 0;

  /**
   * @param {import('./exchanges.js').Exchanges} exchanges
   * @param {Follower} follower
   * @param {{random?: () => number, schedule: (milliseconds: number, wake: () => void) => void}} options
   */
  constructor(exchanges, follower, { random, schedule }) {
    this.#exchanges = exchanges;
    this.#follower = follower;
    this.#schedule = schedule;
    this.#backoff = new Backoff({ random });
  }

  /** @param {import('../client.js').View} view */
  async follow(view) {
    try {
      while (!this.#left.signal.aborted) await this.#attempt(view);
    } catch (error) {
      if (!this.#left.signal.aborted) this.#follower.say('still', /** @type {Error} */ (error));
    }
  }

  leave() {
    this.#left.abort();
    this.#wake();
  }

  /** Drops the connection, because it is known to lead nowhere. */
  interrupt() {
    this.#connection.abort();
  }

  /** Tries again now instead of when its time has come. */
  hurry() {
    this.#wake();
  }

  async #attempt(view) {
    let least = 0;
    try {
      if (!this.#follower.isBrought()) await this.#follower.bring();
      await this.#listen(view);
    } catch (error) {
      if (!(error instanceof ClientError) || !error.mayPass) throw error;
      least = error.retryAfter;
    }
    if (this.#left.signal.aborted) return;
    this.#follower.say('reconnecting');
    await this.#pause(this.#backoff.next(least));
  }

  /** Takes what a stream brings until it ends. One that does not fit is begun anew from what is held, after a pause. */
  async #listen(view) {
    const outcome = await this.#stream(view);
    if (outcome === 'ask') this.#misses += 1;
    if (outcome !== 'misfit' && this.#misses < attempts) return;
    this.#misses = 0;
    await this.#follower.replace();
  }

  /** @returns what did not fit, or undefined where the stream ended */
  async #stream({ screen, parameters }) {
    this.#connection = new AbortController();
    const signal = either([this.#left.signal, this.#connection.signal]);
    const path = target(['screens', screen, 'changes'], { ...parameters, version: this.#follower.version() });
    try {
      const stream = await this.#exchanges.open(path, signal);
      this.#follower.say('live');
      for await (const message of this.#messages(stream.response)) {
        const outcome = this.#take(path, message, stream);
        if (outcome === 'ask' || outcome === 'misfit') return outcome;
      }
    } catch (error) {
      if (error instanceof ClientError) throw error;
      // A connection that broke is like one that ended: both are opened again.
    } finally {
      this.#connection.abort();
    }
    return undefined;
  }

  #messages(response) {
    return messages(response, {
      silence, onSilence: () => this.interrupt(), onRetry: (milliseconds) => { this.#backoff.base = milliseconds; },
    });
  }

  #take(path, message, stream) {
    if (this.#left.signal.aborted) return 'ignore';
    const exchange = this.#exchanges.event(path, message, stream);
    if (typeof exchange.document?.kind !== 'string') throw new ClientError('unexpected', exchange);
    const outcome = this.#follower.take(exchange);
    // Who begins elsewhere again and again is asked more and more seldom.
    if (outcome === 'ask' || outcome === 'misfit') return outcome;
    this.#misses = 0;
    this.#backoff.reset();
    return outcome;
  }

  #pause(milliseconds) {
    return new Promise((resolve) => {
      this.#wake = () => resolve(undefined);
      this.#schedule(milliseconds, this.#wake);
    });
  }
}

/** Says how long to wait before the next attempt: longer each time, and not all clients at once. */
export class Backoff {
  /** Milliseconds before the first attempt, at most; a stream's `retry:` sets it. */
  base = 500;
  #most;
  #random;
  #attempts = 0;

  /**
   * @param {object} options
   * @param {number=} options.most milliseconds
   * @param {(() => number)=} options.random from 0 up to 1
   */
  constructor({ most = 30_000, random = Math.random } = {}) {
    this.#most = most;
    this.#random = random;
  }

  /**
   * @param {number} least milliseconds that the server asked for
   * @returns {number} milliseconds
   */
  next(least = 0) {
    const ceiling = Math.min(this.#most, this.base * 2 ** this.#attempts);
    this.#attempts = Math.min(this.#attempts + 1, 16);
    return least + ceiling * (0.5 + this.#random() / 2);
  }

  /** An attempt succeeded. */
  reset() {
    this.#attempts = 0;
  }
}

/**
 * @typedef {object} Message one event of a stream
 * @property {string} event
 * @property {string} data
 * @property {string=} id
 */

/** Reads `text/event-stream` as the HTML standard has it, from text that comes in any pieces. */
export class EventParser {
  #rest = '';
  #endedWithReturn = false;
  /** @type {number=} milliseconds to wait before coming back, where the stream has said so */
  retry;
  #id;
  #event = '';
  #data = [];

  /**
   * @param {string} text
   * @returns {Message[]} the events that it completes
   */
  push(text) {
    const fresh = this.#endedWithReturn && text.startsWith('\n') ? text.slice(1) : text;
    if (text) this.#endedWithReturn = text.endsWith('\r');
    const lines = (this.#rest + fresh).split(/\r\n|\r|\n/);
    this.#rest = lines.pop();
    return lines.map((line) => this.#line(line)).filter(Boolean);
  }

  #line(line) {
    if (line === '') return this.#dispatch();
    const [, name, value] = /^([^:]*)(?:: ?)?(.*)$/s.exec(line);
    if (name === 'data') this.#data.push(value);
    if (name === 'event') this.#event = value;
    if (name === 'id' && !value.includes('\0')) this.#id = value;
    if (name === 'retry' && /^\d+$/.test(value)) this.retry = Number(value);
    return undefined;
  }

  #dispatch() {
    const [event, data] = [this.#event || 'message', this.#data];
    this.#event = '';
    this.#data = [];
    return data.length ? { event, data: data.join('\n'), id: this.#id } : undefined;
  }
}

/**
 * The events of a response, until it ends. A connection that is silent for too long is dead, whatever
 * the system thinks of it: a living one sends comments.
 *
 * @param {Response} response
 * @param {object} options
 * @param {number} options.silence milliseconds
 * @param {() => void} options.onSilence ends the connection
 * @param {(milliseconds: number) => void} options.onRetry
 * @returns {AsyncGenerator<Message>}
 */
export async function* messages(response, { silence, onSilence, onRetry }) {
  const parser = new EventParser();
  const decoder = new TextDecoder();
  let timer;
  try {
    const reader = response.body.getReader();
    for (;;) {
      timer = setTimeout(onSilence, silence);
      const { done, value } = await reader.read();
      clearTimeout(timer);
      if (done) return;
      const complete = parser.push(decoder.decode(value, { stream: true }));
      if (parser.retry !== undefined) onRetry(parser.retry);
      yield* complete;
    }
  } finally {
    clearTimeout(timer);
  }
}
