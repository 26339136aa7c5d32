import { ClientError, Exchanges, NumberWarnings, roundedKeys, target } from './client/exchanges.js';
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
 * @typedef {{exchange: Exchange, outcome: Outcome, before?: Snapshot, after?: Snapshot, steps?: Step[]}} DocumentResult `steps` are the
 *   steps from `before` to `after` if a changeset was applied
 * @typedef {'asking' | 'live' | 'stale' | 'reconnecting' | 'idle'} State `live` if the held version is current, `stale` if the server
 *   cannot tell whether the held version is current, `idle` if no changes arrive automatically because the client is paused, has no stream
 *   or was rejected
 * @typedef {{screen: string, parameters: Object<string, string>}} View
 *
 * @callback TokenSource returns the token to send, or undefined to send none. With `refused`, it returns a new token that replaces the
 *   token that the server rejected with 401. The request is sent once more with the new token.
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
 * @property {((state: State, error?: ClientError) => void)=} onState called with an error if the client is idle because of the error, or
 *   is reconnecting because it cannot use a response
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

/** The maximum number of requests for changes before a snapshot is requested. */
const attempts = 3;

/**
 * Holds one snapshot and keeps it current.
 *
 * `show` loads a view with one request at a time. After that, changes arrive only on the event stream.
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
  /**
   * The held snapshot.
   *
   * @type {Snapshot | undefined}
   */
  #held;
  /**
   * The view of the last call of `show`.
   *
   * @type {View | undefined}
   */
  #view;
  /**
   * The view that was loaded last.
   *
   * @type {View | undefined}
   */
  #loaded;
  /**
   * The view to load next.
   *
   * @type {View | undefined}
   */
  #pending;
  /**
   * A promise that settles when the loads in progress have ended.
   *
   * @type {Promise<void> | undefined}
   */
  #running;
  /** @type {StreamSubscription | undefined} */
  #subscription;
  #streamSupport = new StreamSupport();
  /**
   * The controller that cancels the view request in progress.
   *
   * @type {AbortController | undefined}
   */
  #request;
  /** A Boolean value that indicates whether the next load must request a snapshot instead of changes. */
  #needsSnapshot = false;
  #numbers = new NumberWarnings();
  #isClosed = false;
  #isPaused = false;
  /** @type {State | undefined} */
  #state;

  /**
   * Creates a client. An error that a callback throws is reported as an uncaught error and does not affect the client.
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
   * The snapshot that the client holds.
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
   * Loads the descriptions of the screens that the caller may open, and the locales of the server.
   *
   * @param {{locale?: string}} parameters
   * @returns {Promise<Catalog & {takesTokens: boolean}>} `takesTokens` is true if the response depends on the caller's token
   */
  async catalog(parameters = {}) {
    const exchange = await this.#exchanges.send('GET', target(['screens'], parameters));
    if (!Array.isArray(exchange.document?.screens)) throw new ClientError('unexpected', exchange);
    const catalog = { locales: [], .../** @type {Partial<Catalog>} */ (exchange.document), takesTokens: exchange.takesTokens };
    return /** @type {Catalog & {takesTokens: boolean}} */ (catalog);
  }

  /**
   * Loads the current version of a screen with these parameters. If the client holds a version of the screen, it requests a changeset.
   * Otherwise it requests a snapshot. A call cancels the request of an earlier call, so the document of an earlier view is never shown.
   *
   * After loading, a live client follows the screen. It also follows the screen after a temporary failure.
   *
   * @param {string} screen
   * @param {Object<string, string>} parameters
   * @returns {Promise<void>}
   * @throws {ClientError} if the first attempt fails
   */
  show(screen, parameters = {}) {
    this.#view = { screen, parameters };
    this.#pending = this.#view;
    this.#request?.abort();
    this.#subscription?.stop();
    const running = this.#running ??= this.#run();
    // The state is reported last, because `onState` may call the client.
    this.#setState('asking');
    return running;
  }

  /**
   * Performs an action of the view. Actions are sent in the order of the calls. The changes arrive on the event stream. If no stream is
   * open, they arrive in the response.
   *
   * @param {string} action
   * @param {Object<string, unknown>} input
   * @param {{key?: string, view?: View}} attempt the idempotency key and the view. To repeat an action whose response was lost, pass the
   *   values of the first call. The server performs the action at most once.
   * @throws {ClientError}
   * @throws {RangeError} if a number in the input is beyond ±(2^53 − 1), because JavaScript may have rounded it
   */
  async perform(action, input = {}, { key = newKey(), view = this.#view } = {}) {
    if (!view) throw new TypeError('perform() requires a view: call show() first');
    // The copy is made first, because it rejects an input that contains itself.
    const copy = JSON.parse(JSON.stringify(input));
    // An id that JavaScript has rounded may be the id of another record.
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
    // The response must be processed as soon as it arrives, because the next action is sent with the new version.
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
    // A failure is ignored, because the action was performed even if its changes could not be loaded.
    await this.#catchUp(view, answer, play).catch(() => {});
  }

  /**
   * Loads the changes of an action, unless a stream delivers them.
   *
   * @param {View} view
   * @param {Exchange=} answer the response to the action, if it has a document
   * @param {Play=} play applies the response, if it is a changeset
   */
  async #catchUp(view, answer, play) {
    if (!this.#view || this.#subscription?.isOpen) return;
    const fits = answer && play && view === this.#view && this.#held?.screen === view.screen;
    // A request in progress may have been sent before the action was performed.
    const isMissed = this.#running || !fits || ['outdated', 'misfit'].includes(this.#take(answer, play));
    if (isMissed) await this.show(this.#view.screen, this.#view.parameters);
    else this.#subscription?.restart();
  }

  /** Drops the stream connection, which is known to be dead. The client then reconnects. */
  dropConnection() {
    this.#subscription?.dropConnection();
  }

  /** Ends the pause before the next attempt. */
  retryNow() {
    this.#subscription?.retryNow();
  }

  /** Closes the stream until `resume` is called. A hidden page needs no stream, and a browser limits the number of its connections. */
  pause() {
    this.#isPaused = true;
    this.#subscription?.stop();
    if (this.#running) return;
    this.#request?.abort();
    if (this.#view) this.#setState('idle');
  }

  /** Reopens the stream, which delivers the changes since the held version. */
  resume() {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    if (this.#running || !this.#view) return;
    if (this.#options.live && !this.#isClosed) this.#setState('reconnecting');
    this.#follow();
  }

  /** Closes the client permanently. */
  close() {
    this.#isClosed = true;
    this.unfollow();
  }

  /** Discards the held snapshot and stops following, for example when the user changes. */
  reset() {
    this.unfollow();
    this.#held = undefined;
  }

  /** Stops following until `show` is called. The held snapshot is kept. */
  unfollow() {
    this.#pending = undefined;
    this.#view = undefined;
    this.#request?.abort();
    this.#subscription?.stop();
    this.#setState('idle');
  }

  /**
   * Loads the pending view, and then each view that became pending meanwhile.
   *
   * @returns {Promise<void>}
   */
  async #run() {
    /** @type {Error | undefined} */
    let failure;
    try {
      while (this.#pending) await this.#next(this.#pending);
    } catch (error) {
      failure = /** @type {Error} */ (error);
    }
    // The loads end before the state is reported, because `onState` may call `show`.
    this.#running = undefined;
    if (failure instanceof ClientError && !failure.isTemporary) this.#setState('idle', failure);
    else this.#follow(failure);
    if (failure) throw failure;
  }

  /**
   * Loads the pending view. If the load fails after another view has become pending, the failure is ignored.
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
   * Sends a request for a view and processes its document. A later `show` cancels the request.
   *
   * @param {View} view
   * @param {string} method
   * @param {string} path
   * @param {object=} body
   * @param {Play=} play applies a changeset
   * @returns {Promise<Outcome>}
   */
  async #receive(view, method, path, body, play) {
    const controller = new AbortController();
    this.#request = controller;
    // A callback may have called `show` after the previous request.
    if (view !== this.#view) controller.abort();
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

  /**
   * Loads the current version of a view.
   *
   * @param {View} view
   */
  async #load(view) {
    const isUsable = this.#held?.screen === view.screen && !this.#needsSnapshot;
    if (!isUsable || !await this.#update(view)) {
      await this.#receive(view, 'GET', target(['screens', view.screen], view.parameters));
    }
    this.#loaded = view;
  }

  /**
   * Requests changes from the held version.
   *
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

  /** Returns the version of the held snapshot. A snapshot must be held. */
  #heldVersion() {
    return /** @type {Snapshot} */ (this.#held).version;
  }

  /**
   * Processes a document as `decision` requires. A document of another screen does not come from the service. For example, a proxy can mix
   * up its stored responses.
   *
   * @param {Exchange} exchange an exchange whose document is a snapshot or a changeset
   * @param {Play=} play applies a changeset
   * @returns {Outcome}
   * @throws {ClientError} if the document belongs to another screen, or is a malformed snapshot
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
   * Holds a received snapshot.
   *
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
   * Updates the held snapshot with a changeset, if it fits.
   *
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

  /**
   * Follows the view with a stream.
   *
   * @param {Error=} failure the reason why the view could not be loaded
   */
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
   * Sets the state of the client. Reports the state if it has changed or if there is an error.
   *
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
 * Loads the module that applies changesets. The first snapshot does not need it.
 *
 * @returns {Promise<typeof import('./changeset.js') | undefined>} undefined if it cannot be loaded; the client then requests snapshots
 */
function loadChangesets() {
  return import('./changeset.js').catch(() => undefined);
}

/**
 * The names of the callbacks.
 *
 * @type {CallbackName[]}
 */
const callbacks = ['onExchange', 'onDocument', 'onSnapshot', 'onMismatch', 'onState'];

/**
 * Wraps a callback. An error that the callback throws is reported as an uncaught error and is not passed on.
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

/**
 * Returns a new `Idempotency-Key`. (`crypto.randomUUID` exists only on pages served over TLS or from localhost.)
 *
 * @returns {string}
 */
export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
