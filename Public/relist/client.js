import { ClientError, Exchanges, NumberWarnings, loaded, roundedKeys, target } from './client/exchanges.js';
import { StreamSubscription, StreamSupport } from './client/following.js';
import { ChangesetError, checkedSnapshot } from './snapshot.js';

export { ClientError };

/** The version of these modules. */
export const version = '1.0.0';

/** @typedef {import('./protocol.js').Snapshot} Snapshot */
/** @typedef {import('./protocol.js').Changeset} Changeset */
/** @typedef {import('./protocol.js').Catalog} Catalog */
/** @typedef {import('./client/exchanges.js').Exchange} Exchange */

/**
 * @typedef {'replace' | 'ignore' | 'apply' | 'outdated' | 'misfit'} Outcome what the client did with a document
 * @typedef {import('./changeset.js').Step} Step
 * @typedef {typeof import('./changeset.js').play} Play
 * @typedef {{exchange: Exchange, outcome: Outcome, before?: Snapshot, after?: Snapshot, steps?: Step[]}} DocumentResult `steps` lead from
 *   `before` to `after` if a changeset was applied
 * @typedef {'asking' | 'live' | 'stale' | 'reconnecting' | 'idle'} State `stale`: a stream is open, but the held version may not be
 *   current; `idle`: no changes arrive automatically, because the client is paused, has no stream or was rejected
 * @typedef {{screen: string, parameters: Object<string, string>}} View
 *
 * @callback TokenSource returns the token to send, if any. With `refused`, it returns a new token in place of one that the server rejected
 *   with 401.
 * @param {{token?: string}=} refused
 * @returns {string | undefined | Promise<string | undefined>}
 *
 * @typedef {object} ClientOptions
 * @property {string=} base the base URL of all paths; the origin of the page by default
 * @property {import('./client/exchanges.js').Fetch=} fetch
 * @property {number=} timeout milliseconds after which a request fails as unreachable
 * @property {TokenSource=} token provides the caller's token; by default, requests are anonymous
 * @property {boolean=} live whether to open event streams
 * @property {(() => number)=} random returns a random number from 0 up to 1, for the pauses between attempts
 * @property {((milliseconds: number, wake: () => void) => void)=} schedule
 * @property {((exchange: Exchange) => void)=} onExchange
 * @property {((result: DocumentResult) => void)=} onDocument called with each snapshot or changeset that arrives
 * @property {((snapshot: Snapshot) => void)=} onSnapshot called with each snapshot that becomes the held one
 * @property {((error: ChangesetError) => void)=} onMismatch
 * @property {((state: State, error?: ClientError) => void)=} onState called with an error if the client is idle because of the error, or is
 *   reconnecting because it cannot use a response
 *
 * @typedef {'onExchange' | 'onDocument' | 'onSnapshot' | 'onMismatch' | 'onState'} CallbackName
 */

/**
 * Returns what a client must do with a document according to the protocol.
 *
 * @param {Snapshot | undefined} held
 * @param {Snapshot | Changeset} document
 * @returns {'replace' | 'ignore' | 'apply' | 'outdated'}
 */
export function decision(held, document) {
  if (document.kind === 'snapshot') return 'replace';
  if (document.kind !== 'changeset' || document.screen !== held?.screen) return 'outdated';
  if (document.version === held.version) return 'ignore';
  return document.from === held.version ? 'apply' : 'outdated';
}

/** The maximum number of requests for changes before one for a snapshot. */
const attempts = 3;

/**
 * Holds one snapshot and keeps it current.
 *
 * `show` loads a view. After that, changes arrive on the event stream.
 *
 * @example
 * const client = new Client({ live: true, onSnapshot: (snapshot) => list.render(snapshot) });
 * await client.show('deliveries', { from: '2018-07-01' });
 * await client.perform('weigh', { delivery: '7534-1', kilograms: 10700 });
 */
export class Client {
  #exchanges;
  /** @type {Required<Omit<ClientOptions, 'token'>> & {token?: TokenSource}} */
  #options;
  /** @type {Snapshot | undefined} */
  #held;
  /**
   * The view of the last call of `show`.
   *
   * @type {View | undefined}
   */
  #view;
  /** @type {View | undefined} */
  #loaded;
  /** @type {View | undefined} */
  #pending;
  /**
   * A promise that settles when all loads have ended.
   *
   * @type {Promise<void> | undefined}
   */
  #running;
  /** @type {StreamSubscription | undefined} */
  #subscription;
  #streamSupport = new StreamSupport();
  /** @type {AbortController | undefined} */
  #request;
  #needsSnapshot = false;
  #numbers = new NumberWarnings();
  #isClosed = false;
  #isPaused = false;
  /** @type {State | undefined} */
  #state;

  /**
   * An error that a callback throws is reported as an uncaught error and does not affect the client.
   *
   * @param {ClientOptions} options
   */
  constructor(options = {}) {
    const guardedCallbacks = /** @type {Required<Pick<ClientOptions, CallbackName>>} */ (
      Object.fromEntries(callbacks.map((name) => [name, guarded(options[name] ?? (() => {}))]))
    );
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    this.#options = {
      base: '', live: false, timeout: 30_000, random: Math.random, fetch: (url, request) => globalThis.fetch(url, request),
      schedule: (milliseconds, wake) => setTimeout(wake, milliseconds), ...given, ...guardedCallbacks,
    };
    const { base, fetch, timeout, token, onExchange } = this.#options;
    this.#exchanges = new Exchanges({ base, fetch, timeout, token, onExchange });
  }

  /**
   * The held snapshot.
   *
   * @returns {Snapshot | undefined}
   */
  get held() {
    return this.#held;
  }

  /**
   * The view of the last call of `show`.
   *
   * @returns {View | undefined}
   */
  get view() {
    return this.#view;
  }

  /**
   * Loads the descriptions of the caller's screens, and the server's locales.
   *
   * @param {{locale?: string}} parameters
   * @returns {Promise<Catalog & {takesTokens: boolean}>} `takesTokens`: the response depends on the caller's token
   */
  async catalog(parameters = {}) {
    const exchange = await this.#exchanges.send('GET', target(['screens'], parameters));
    if (!Array.isArray(exchange.document?.screens)) throw new ClientError('unexpected', exchange);
    const catalog = { locales: [], .../** @type {Partial<Catalog>} */ (exchange.document), takesTokens: exchange.takesTokens };
    return /** @type {Catalog & {takesTokens: boolean}} */ (catalog);
  }

  /**
   * Loads the current version of a screen: as a changeset if the client holds a version of the screen, or else as a snapshot. A call
   * cancels the request of an earlier call.
   *
   * A live client then follows the screen, also after a temporary failure.
   *
   * @param {string} screen
   * @param {Object<string, string>} parameters
   * @throws {ClientError} if the first attempt fails
   */
  show(screen, parameters = {}) {
    this.#view = { screen, parameters };
    this.#pending = this.#view;
    this.#request?.abort();
    this.#subscription?.stop();
    const running = this.#running ??= this.#run();
    // `onState` may call the client.
    this.#setState('asking');
    return running;
  }

  /**
   * Performs an action of the view. Actions are sent in the order of the calls. The changes arrive on the event stream, or else in the
   * response.
   *
   * @param {string} action
   * @param {Object<string, unknown>} input
   * @param {{key?: string, view?: View}} attempt the idempotency key and the view; the same values repeat an action whose response was
   *   lost, and the server performs it at most once
   * @throws {ClientError}
   * @throws {RangeError} if a number in the input is beyond ±(2^53 − 1), where JavaScript rounds
   */
  async perform(action, input = {}, { key = newKey(), view = this.#view } = {}) {
    if (!view) throw new TypeError('perform() requires a view: call show() first');
    // This rejects an input that contains itself.
    const copy = JSON.parse(JSON.stringify(input));
    // A rounded id may be the id of another record.
    const [rounded] = roundedKeys(input);
    if (rounded !== undefined) throw new RangeError(`"${rounded}" is beyond 2^53, where JavaScript rounds integers. Send a text instead.`);
    const path = target(['screens', view.screen, 'actions', action], view.parameters);
    const prepare = () => {
      const version = this.#held?.screen === view.screen ? this.#held.version : undefined;
      // An open stream delivers the changes, so the response may be empty.
      const prefer = this.#subscription?.isOpen && { Prefer: 'return=minimal' };
      return { body: { version, input: copy }, headers: { 'Idempotency-Key': key, ...prefer } };
    };
    /** @type {Play | undefined} */
    let play;
    // The response must be applied at once, because the next action is sent with the new version.
    loadChangesets().then((changesets) => { play = changesets?.play; });
    /** @type {Exchange | undefined} */
    let answer;
    try {
      answer = await this.#exchanges.send('POST', path, { prepare, queue: 'actions' });
    } catch (error) {
      if (!(error instanceof ClientError) || error.outcome !== 'performed') throw error;
    }
    if (answer?.status === 204) answer = undefined;
    if (answer && (typeof answer.document?.kind !== 'string' || answer.document.screen !== view.screen)) {
      throw new ClientError('unexpected', answer);
    }
    // The action was performed even if its changes cannot be loaded.
    await this.#catchUp(view, answer, play).catch(() => {});
  }

  /**
   * @param {View} view
   * @param {Exchange=} answer the response, if it has a document
   * @param {Play=} play
   */
  async #catchUp(view, answer, play) {
    if (!this.#view || this.#subscription?.isOpen) return;
    const fits = answer && play && view === this.#view && this.#held?.screen === view.screen;
    // A request in progress may be older than the action.
    const isMissed = this.#running || !fits || ['outdated', 'misfit'].includes(this.#take(answer, play));
    if (isMissed) await this.show(this.#view.screen, this.#view.parameters);
    else this.#subscription?.restart();
  }

  /** Drops a stream connection that is known to be dead, and reconnects. */
  dropConnection() {
    this.#subscription?.dropConnection();
  }

  /** Ends the pause before the next attempt. */
  retryNow() {
    this.#subscription?.retryNow();
  }

  /** Closes the stream until `resume` is called, because a browser limits the number of its connections. */
  pause() {
    this.#isPaused = true;
    this.#subscription?.stop();
    if (this.#running) return;
    this.#request?.abort();
    if (this.#view) this.#setState('idle');
  }

  /** Reopens the stream. */
  resume() {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    if (this.#running || !this.#view) return;
    if (this.#options.live && !this.#isClosed) this.#setState('reconnecting');
    this.#follow();
  }

  /** Closes the client for good. */
  close() {
    this.#isClosed = true;
    this.unfollow();
  }

  /** Discards the held snapshot and stops following. */
  reset() {
    this.unfollow();
    this.#held = undefined;
  }

  /** Stops following until `show` is called, and keeps the snapshot. */
  unfollow() {
    this.#pending = undefined;
    this.#view = undefined;
    this.#request?.abort();
    this.#subscription?.stop();
    this.#setState('idle');
  }

  async #run() {
    /** @type {Error | undefined} */
    let failure;
    try {
      while (this.#pending) await this.#next(this.#pending);
    } catch (error) {
      failure = /** @type {Error} */ (error);
    }
    // `onState` may call `show`.
    this.#running = undefined;
    if (failure instanceof ClientError && !failure.isTemporary) this.#setState('idle', failure);
    else this.#follow(failure);
    if (failure) throw failure;
  }

  /**
   * Loads a view. A failure is ignored after another view has become pending.
   *
   * @param {View} view
   */
  async #next(view) {
    this.#pending = undefined;
    try {
      await this.#load(view);
    } catch (error) {
      if (!this.#pending && this.#view) throw error;
    }
  }

  /**
   * Requests and takes a document. A later `show` cancels the request.
   *
   * @param {View} view
   * @param {string} method
   * @param {string} path
   * @param {object=} body
   * @param {Play=} play
   */
  async #receive(view, method, path, body, play) {
    const controller = new AbortController();
    // `show` may have been called.
    if (view === this.#view) this.#request = controller;
    else controller.abort();
    try {
      const exchange = await this.#exchanges.send(method, path, { body, queue: 'views', signal: controller.signal });
      if (view !== this.#view) throw new ClientError('unreachable', exchange);
      const kind = exchange.document?.kind;
      if (typeof kind !== 'string' || (!play && kind !== 'snapshot')) throw new ClientError('unexpected', exchange);
      return this.#take(exchange, play);
    } finally {
      if (this.#request === controller) this.#request = undefined;
    }
  }

  /** @param {View} view */
  async #load(view) {
    const isUsable = this.#held?.screen === view.screen && !this.#needsSnapshot;
    if (!isUsable || !await this.#update(view)) {
      await this.#receive(view, 'GET', target(['screens', view.screen], view.parameters));
    }
    this.#loaded = view;
  }

  /**
   * @param {View} view
   * @returns {Promise<boolean>} false if a snapshot is needed instead
   */
  async #update(view) {
    const changesets = await loadChangesets();
    if (!changesets) return false;
    const path = target(['screens', view.screen, 'changes'], view.parameters);
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const outcome = await this.#receive(view, 'POST', path, { version: this.#heldVersion() }, changesets.play);
      if (outcome !== 'outdated') return outcome !== 'misfit';
    }
    return false;
  }

  #heldVersion() {
    return /** @type {Snapshot} */ (this.#held).version;
  }

  /**
   * Processes a snapshot or a changeset as `decision` requires. Another screen's document is not from the service; a proxy can mix up
   * responses.
   *
   * @param {Exchange} exchange
   * @param {Play=} play
   * @returns {Outcome}
   */
  #take(exchange, play) {
    const document = /** @type {Snapshot | Changeset} */ (exchange.document);
    if (document.screen !== this.#view?.screen) throw new ClientError('unexpected', exchange);
    this.#numbers.check(document.screen, exchange.text, document);
    const before = this.#held;
    const { outcome, steps } = document.kind === 'snapshot' ? this.#replace(document, exchange) : this.#apply(document, play);
    this.#options.onDocument({ exchange, outcome, before, after: this.#held, steps });
    if (this.#held && this.#held !== before) this.#options.onSnapshot(this.#held);
    return outcome;
  }

  /**
   * @param {Snapshot} document
   * @param {Exchange} exchange
   * @returns {{outcome: Outcome, steps?: Step[]}}
   */
  #replace(document, exchange) {
    try {
      this.#held = checkedSnapshot(document);
    } catch (cause) {
      throw new ClientError('unexpected', exchange, { cause });
    }
    this.#needsSnapshot = false;
    return { outcome: 'replace' };
  }

  /**
   * @param {Changeset} document
   * @param {Play=} play
   * @returns {{outcome: Outcome, steps?: Step[]}}
   */
  #apply(document, play) {
    const outcome = decision(this.#held, document);
    if (outcome !== 'apply' || !play) return { outcome };
    try {
      const { snapshot, steps } = play(/** @type {Snapshot} */ (this.#held), document);
      this.#held = snapshot;
      return { outcome, steps };
    } catch (error) {
      if (!(error instanceof ChangesetError)) throw error;
      this.#needsSnapshot = true;
      this.#options.onMismatch(error);
      return { outcome: 'misfit' };
    }
  }

  /** @param {Error=} failure of the load */
  #follow(failure) {
    if (this.#running) return undefined;
    this.#subscription?.stop();
    if (!this.#options.live || this.#isClosed || this.#isPaused) return this.#setState('idle');
    if (!this.#view) return undefined;
    const view = this.#view;
    this.#subscription = new StreamSubscription(this.#exchanges, {
      isLoaded: () => this.#loaded === view && !this.#needsSnapshot,
      load: () => this.#load(view),
      requireSnapshot: () => { this.#needsSnapshot = true; },
      version: () => this.#heldVersion(),
      take: (exchange, play) => this.#take(exchange, play),
      setState: (state, error) => this.#setState(state, error),
    }, this.#streamSupport, this.#options);
    return this.#subscription.follow(view, failure);
  }

  /**
   * @param {State} state
   * @param {ClientError=} error
   */
  #setState(state, error) {
    if (state === this.#state && !error) return;
    this.#state = state;
    this.#options.onState(state, error);
  }
}

/**
 * Loads the module that applies changesets, which the first snapshot does not need.
 *
 * @returns {Promise<typeof import('./changeset.js') | undefined>} undefined if it cannot be loaded; the client then requests snapshots
 */
function loadChangesets() {
  return loaded(import('./changeset.js'));
}

/** @type {CallbackName[]} */
const callbacks = ['onExchange', 'onDocument', 'onSnapshot', 'onMismatch', 'onState'];

/**
 * Makes a callback report its errors as uncaught.
 *
 * @param {(...values: never[]) => void} callback
 * @returns {(...values: never[]) => void}
 */
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

/** Returns an `Idempotency-Key`. (`crypto.randomUUID` exists only on secure pages.) */
export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
