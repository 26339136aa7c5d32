import { ChangesetError, normalSnapshot, play } from './changeset.js';
import { ClientError, Exchanges, target } from './client/exchanges.js';
import { Following } from './client/following.js';

export { ClientError };

/** Of these modules together. */
export const version = '1.0.0';

/** Milliseconds that a question which is no longer wanted may still take: an answer that is on its way costs nothing more. */
const grace = 1000;

/** @typedef {import('./changeset.js').Snapshot} Snapshot */
/** @typedef {import('./changeset.js').Changeset} Changeset */
/** @typedef {import('./client/exchanges.js').Exchange} Exchange */

/**
 * @typedef {'replace' | 'ignore' | 'apply' | 'ask' | 'misfit'} Outcome what became of a document
 * @typedef {{exchange: Exchange, outcome: Outcome, before?: Snapshot, after?: Snapshot, steps?: import('./changeset.js').Step[]}} Taken
 *   `steps` from `before` to `after`, where a changeset was applied
 * @typedef {'asking' | 'live' | 'reconnecting' | 'still'} State `still` where nothing comes by itself: there
 *   is no stream, or the question was refused
 * @typedef {{screen: string, parameters: Object<string, string>}} View
 *
 * @callback TokenSource gives the token to ask with, or undefined for nobody. With `refused` it is asked for another one
 *   than that, which the server has not taken, because it has expired or there was none: what was asked for is asked once
 *   more with that.
 * @param {{token?: string}=} refused
 * @returns {string | undefined | Promise<string | undefined>}
 */

/**
 * The protocol's rule for what a client does with a document that brings changes.
 *
 * @param {Snapshot | undefined} held
 * @param {Snapshot | Changeset} document
 * @returns {'replace' | 'ignore' | 'apply' | 'ask'}
 */
export function decision(held, document) {
  if (document.kind === 'snapshot') return 'replace';
  if (document.kind !== 'changeset' || document.screen !== held?.screen) return 'ask';
  if (document.version === held.version) return 'ignore';
  return document.from === held.version ? 'apply' : 'ask';
}

/** Asking again is for a race that one more question settles; a server that never fits ends in a snapshot. */
const questions = 3;

/**
 * Holds one snapshot and keeps it current.
 *
 * What a view is when it is asked for is brought by one request at a time, of which the newest counts.
 * From then on its event stream alone brings changes. A stream is silent when there is nothing new, so
 * it could not say that a question was answered.
 *
 * @example
 * const client = new Client({ live: true, onHeld: (snapshot) => list.render(snapshot) });
 * await client.show('deliveries', { from: '2018-07-01' });
 * await client.perform('weigh', { delivery: '7534-1', kilograms: 10700 });
 */
export class Client {
  #exchanges;
  /** @type {any} */
  #options;
  #held;
  #view;
  #brought;
  #wanted;
  #running;
  #following;
  #question;
  #isClosed = false;
  #isPaused = false;
  #state;

  /**
   * @param {object} options
   * @param {string=} options.base the URL that all paths are below; that of the page by default
   * @param {typeof fetch=} options.fetch
   * @param {number=} options.timeout milliseconds after which a request that hangs counts as not answered
   * @param {TokenSource=} options.token who asks; nobody by default
   * @param {boolean=} options.live whether to open event streams
   * @param {(() => number)=} options.random for the pauses between attempts
   * @param {((milliseconds: number, wake: () => void) => void)=} options.schedule
   * @param {((exchange: Exchange) => void)=} options.onExchange
   * @param {((taken: Taken) => void)=} options.onTaken called with each document that brings changes
   * @param {((snapshot: Snapshot) => void)=} options.onHeld called with each snapshot that comes to be held
   * @param {((error: ChangesetError) => void)=} options.onMisfit
   * @param {((state: State, error?: ClientError) => void)=} options.onState
   *
   * What a callback throws is reported as what nobody has caught, and stops nothing here.
   */
  constructor(options = {}) {
    const heard = Object.fromEntries(callbacks.map((name) => [name, guarded(options[name] ?? (() => {}))]));
    this.#options = {
      base: '', live: false, timeout: 30_000, random: Math.random, fetch: (url, request) => globalThis.fetch(url, request),
      schedule: (milliseconds, wake) => setTimeout(wake, milliseconds), ...options, ...heard,
    };
    const { base, fetch, timeout, token, onExchange } = this.#options;
    this.#exchanges = new Exchanges({ base, fetch, timeout, token, onExchange });
  }

  /** @returns {Snapshot | undefined} */
  get held() {
    return this.#held;
  }

  /** @returns {View | undefined} what was asked for last */
  get view() {
    return this.#view;
  }

  /**
   * @param {{locale?: string}} parameters
   * @returns {Promise<{screens: object[], locales: string[], takesTokens: boolean}>} the screens of the server that who asks
   *   may have, described, the languages that they speak, and whether that depends on who asks
   */
  async catalog(parameters = {}) {
    const exchange = await this.#exchanges.send('GET', target(['screens'], parameters));
    if (!Array.isArray(exchange.document?.screens)) throw new ClientError('unexpected', exchange);
    return { locales: [], ...exchange.document, takesTokens: exchange.takesTokens };
  }

  /**
   * Comes to hold what the screen now is for these parameters, by changes where a version of it
   * is held. While a request is under way only the last call counts: who types faster than the
   * server answers skips what lies between. What hangs is not waited for.
   *
   * A live client goes on by itself, also after a failure that may pass.
   *
   * @returns {Promise<void>}
   * @throws {ClientError} of the first attempt
   */
  show(screen, parameters = {}) {
    this.#view = { screen, parameters };
    this.#wanted = this.#view;
    this.#supersede();
    this.#following?.leave();
    this.#running ??= this.#run();
    return this.#running;
  }

  /**
   * Has an action of the view performed, after those that were asked for before. What it changed is brought by
   * the stream, or by the answer where no stream is open.
   *
   * @param {string} action
   * @param {object} input
   * @param {{key?: string, view?: View}} attempt the same for a repetition, after an answer that was
   *   lost, as for the first time: so it is performed once
   * @throws {ClientError}
   */
  async perform(action, input = {}, { key = newKey(), view = this.#view } = {}) {
    const version = this.#held?.screen === view.screen ? this.#held.version : undefined;
    const path = target(['screens', view.screen, 'actions', action], view.parameters);
    // What the stream brings need not come twice.
    const prefer = this.#state === 'live' && { Prefer: 'return=minimal' };
    let exchange;
    try {
      exchange = await this.#exchanges.send('POST', path, {
        body: { version, input }, headers: { 'Idempotency-Key': key, ...prefer }, line: 'actions',
      });
    } catch (error) {
      if (!(error instanceof ClientError) || error.outcome !== 'performed') throw error;
      // Without a changeset, so the view is requested.
      await this.#catchUp(view);
      return;
    }
    const isEmpty = exchange.status === 204;
    if (!isEmpty && typeof exchange.document?.kind !== 'string') throw new ClientError('unexpected', exchange);
    try {
      await this.#learn(exchange, view, isEmpty);
    } catch (error) {
      // It is done, whatever became of looking at it.
      if (!(error instanceof ClientError)) throw error;
    }
  }

  /** Requests what an action did whose response does not contain it, unless a stream brings it. */
  async #catchUp(view) {
    if (this.#state === 'live' || view !== this.#view) return;
    try {
      await this.show(view.screen, view.parameters);
    } catch (error) {
      // It is done, whatever became of looking at it.
      if (!(error instanceof ClientError)) throw error;
    }
  }

  /** Comes to what an action did, where no stream brings it. */
  async #learn(exchange, view, isEmpty) {
    if (!this.#view) return;
    // Its stream was refused meanwhile, or a question is under way that was asked before it was done.
    if ((isEmpty && this.#state === 'still') || (this.#running && this.#state !== 'live')) {
      await this.show(this.#view.screen, this.#view.parameters);
      return;
    }
    if (isEmpty || this.#state === 'live' || view !== this.#view || this.#held?.screen !== view.screen) return;
    if (['ask', 'misfit'].includes(this.#take(exchange))) await this.show(view.screen, view.parameters);
  }

  /** Drops the connection of the stream, because it is known to lead nowhere. */
  interrupt() {
    this.#following?.interrupt();
  }

  /** Tries again now instead of when its time has come. */
  hurry() {
    this.#following?.hurry();
  }

  /** Lets go of the stream until `resume`: a browser has few connections, and a page that is hidden needs none. */
  pause() {
    this.#isPaused = true;
    this.#following?.leave();
  }

  /** Catches up with what changed meanwhile. */
  resume() {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    if (!this.#running && this.#view) this.#follow();
  }

  /** Stops keeping the snapshot current. */
  close() {
    this.#isClosed = true;
    this.leave();
  }

  /** Lets go of what is held, as it was shown to somebody else. */
  forget() {
    this.leave();
    this.#held = undefined;
  }

  /** Follows nothing until something is shown again. */
  leave() {
    this.#wanted = undefined;
    this.#view = undefined;
    this.#question?.abort();
    this.#following?.leave();
    this.#say('still');
  }

  async #run() {
    this.#say('asking');
    try {
      while (this.#wanted) await this.#next();
    } catch (error) {
      if (!(error instanceof ClientError) || error.mayPass) this.#follow();
      else this.#say('still', error);
      throw error;
    } finally {
      this.#running = undefined;
    }
    this.#follow();
  }

  /** Brings what is wanted now. That it failed only matters if nothing else is wanted by then. */
  async #next() {
    const view = this.#wanted;
    this.#wanted = undefined;
    try {
      await this.#bring(view);
    } catch (error) {
      if (!this.#wanted && this.#view) throw error;
    }
  }

  /** What is asked for another screen is not wanted any more; for the same one it may still come. */
  #supersede() {
    const question = this.#question;
    if (!question) return;
    if (question.view.screen !== this.#view.screen) question.abort();
    else question.timer ??= setTimeout(() => question.abort(), grace);
  }

  /** Asks for a view, until something else is wanted. */
  async #ask(view, method, path, options = {}) {
    const controller = new AbortController();
    const question = { view, abort: () => controller.abort(), timer: undefined };
    this.#question = question;
    try {
      const exchange = await this.#exchanges.send(method, path, { ...options, line: 'questions', signal: controller.signal });
      if (typeof exchange.document?.kind !== 'string') throw new ClientError('unexpected', exchange);
      return exchange;
    } finally {
      clearTimeout(question.timer);
      if (this.#question === question) this.#question = undefined;
    }
  }

  async #bring(view) {
    const isHeld = this.#held?.screen === view.screen;
    if (!isHeld || !await this.#update(view)) this.#take(await this.#snapshot(view));
    this.#brought = view;
  }

  /** @returns {Promise<boolean>} whether changes led from what is held to what is wanted */
  async #update(view) {
    for (let asked = 0; asked < questions; asked += 1) {
      const outcome = this.#take(await this.#changes(view));
      if (outcome !== 'ask') return outcome !== 'misfit';
    }
    return false;
  }

  async #snapshot(view) {
    const exchange = await this.#ask(view, 'GET', target(['screens', view.screen], view.parameters));
    if (exchange.document?.kind !== 'snapshot') throw new ClientError('unexpected', exchange);
    return exchange;
  }

  #changes(view) {
    const path = target(['screens', view.screen, 'changes'], view.parameters);
    return this.#ask(view, 'POST', path, { body: { version: this.#held.version } });
  }

  /** Does with a document what the rule says. */
  #take(exchange) {
    const { document } = exchange;
    if (document.kind === 'snapshot' && !Array.isArray(document.sections)) throw new ClientError('unexpected', exchange);
    const before = this.#held;
    const { outcome, steps } = this.#changed(exchange.document);
    this.#options.onTaken({ exchange, outcome, before, after: this.#held, steps });
    if (this.#held !== before) this.#options.onHeld(this.#held);
    return outcome;
  }

  /** @returns {{outcome: Outcome, steps?: import('./changeset.js').Step[]}} */
  #changed(document) {
    const outcome = decision(this.#held, document);
    try {
      if (outcome === 'replace') this.#held = normalSnapshot(document);
      if (outcome !== 'apply') return { outcome };
      const { snapshot, steps } = play(this.#held, document);
      this.#held = snapshot;
      return { outcome, steps };
    } catch (error) {
      if (!(error instanceof ChangesetError)) throw error;
      this.#options.onMisfit(error);
      return { outcome: 'misfit' };
    }
  }

  #follow() {
    if (!this.#options.live || this.#isClosed) return this.#say('still');
    if (this.#isPaused || !this.#view) return undefined;
    const view = this.#view;
    this.#following = new Following(this.#exchanges, {
      isBrought: () => this.#brought === view,
      bring: () => this.#bring(view),
      replace: async () => { this.#take(await this.#snapshot(view)); },
      version: () => this.#held.version,
      take: (exchange) => this.#take(exchange),
      say: (state, error) => this.#say(state, error),
    }, this.#options);
    return this.#following.follow(view);
  }

  #say(state, error) {
    if (state === this.#state && !error) return;
    this.#state = state;
    this.#options.onState(state, error);
  }
}

const callbacks = ['onExchange', 'onTaken', 'onHeld', 'onMisfit', 'onState'];

/** A callback of which a throw goes where all goes that nobody has caught, and not on here. */
function guarded(callback) {
  return (...values) => {
    try {
      callback(...values);
    } catch (error) {
      if (typeof reportError === 'function') reportError(error);
      else queueMicrotask(() => { throw error; });
    }
  };
}

/**
 * A new `Idempotency-Key`. (`crypto.randomUUID` is only there where the page came over TLS or from this machine.)
 *
 * @returns {string}
 */
export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
