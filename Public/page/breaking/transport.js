/** The delay in milliseconds that a slow network adds to each response and each event. */
const latency = 2000;

/** The statuses of responses that cannot have a body (Fetch, section 2.2.3). */
const nullBodyStatuses = [101, 103, 204, 205, 304];

/** A version that no server has issued. */
const unknown = 'aaaaaaaaaaaaaaaaaaaaaaaaaa';

/**
 * A network connection with simulated faults.
 *
 * @example
 * const transport = new Transport(fetch);
 * const client = new Client({ fetch: transport.fetch });
 * transport.isOffline = true;
 */
export class Transport {
  /** A Boolean value that indicates whether each response and event is delayed. */
  isSlow = false;
  #fetch;
  #isOffline = false;
  /** The open connections, each with a Boolean value that indicates whether it is a stream. */
  #open = new Map();
  /** Functions that are called when the fault affects a request or a changeset. Undefined while there is no such fault. */
  #onUnknown;
  #onDamaged;
  #wait;

  /**
   * @param {typeof fetch} fetch
   * @param {((milliseconds: number) => Promise<void>)=} wait
   */
  constructor(fetch, wait = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); })) {
    // Browsers throw if `fetch` is called as a method of an object other than `window`.
    this.#fetch = (...request) => fetch(...request);
    this.#wait = wait;
  }

  get isOffline() {
    return this.#isOffline;
  }

  /** A Boolean value that indicates whether requests fail. Setting it to true also breaks all open connections. */
  set isOffline(isOffline) {
    this.#isOffline = isOffline;
    if (isOffline) for (const connection of this.#open.keys()) connection.abort();
  }

  /**
   * Replaces the version in the next request with an unknown version. Also breaks open streams, so that clients reconnect.
   *
   * @param {() => void=} onPresented
   */
  presentUnknownVersion(onPresented = () => {}) {
    this.#onUnknown = onPresented;
    for (const [connection, isStream] of this.#open) if (isStream) connection.abort();
  }

  /** Makes the next changeset invalid. @param {() => void=} onDamaged */
  damageChangeset(onDamaged = () => {}) {
    this.#onDamaged = onDamaged;
  }

  /** Sends a request through the simulated network. @type {typeof fetch} */
  fetch = async (url, options = {}) => {
    if (this.#isOffline) throw new TypeError('offline');
    const connection = new AbortController();
    const { signal } = connection;
    if (options.signal) abortWith(options.signal, connection);
    this.#open.set(connection, false);
    signal.addEventListener('abort', () => this.#open.delete(connection), { once: true });
    try {
      const response = await this.#fetch(...this.#withUnknownVersion(url, { ...options, signal }));
      await this.#delay();
      return this.#piped(response, connection);
    } catch (error) {
      this.#open.delete(connection);
      throw error;
    }
  };

  async #delay() {
    if (this.isSlow) await this.#wait(latency);
  }

  #withUnknownVersion(url, options) {
    const isInBody = typeof options.body === 'string' && /"version":"/.test(options.body);
    if (!this.#onUnknown || !(isInBody || /[?&]version=/.test(url))) return [url, options];
    this.#onUnknown();
    this.#onUnknown = undefined;
    if (!isInBody) return [url.replace(/([?&]version=)[^&]*/, `$1${unknown}`), options];
    return [url, { ...options, body: options.body.replace(/("version":")[^"]*/, `$1${unknown}`) }];
  }

  /** Returns the response with a body that passes through the simulated network. */
  #piped(response, connection) {
    const { status, statusText, headers, body } = response;
    // Chromium gives a response with the status 204 an empty body, but does not construct such a response.
    if (body === null || nullBodyStatuses.includes(status)) {
      this.#open.delete(connection);
      return response;
    }
    const isStream = headers.get('Content-Type')?.startsWith('text/event-stream');
    this.#open.set(connection, isStream === true);
    const passing = new TransformStream({
      transform: async (chunk, controller) => {
        if (isStream) await this.#delay();
        controller.enqueue(this.#onDamaged ? this.#damaged(chunk) : chunk);
      },
      flush: () => { this.#open.delete(connection); },
    });
    const passed = body.pipeThrough(passing, { signal: connection.signal });
    return new Response(passed, { status, statusText, headers });
  }

  /** Each character of the text stands for one byte, because a chunk may end within a character of UTF-8. */
  #damaged(chunk) {
    const text = Array.from(chunk, (byte) => String.fromCharCode(byte)).join('');
    const damaged = text.replace(/"stages":\[\{/, '"stages":[{"deleteCells":[[9999,0,1]]},{');
    if (damaged === text) return chunk;
    this.#onDamaged();
    this.#onDamaged = undefined;
    return Uint8Array.from(damaged, (byte) => byte.charCodeAt(0));
  }
}

/**
 * Aborts a connection when the signal of its request aborts. (`AbortSignal.any` is not in all supported browsers yet.)
 *
 * @param {AbortSignal} signal
 * @param {AbortController} connection
 */
function abortWith(signal, connection) {
  if (signal.aborted) connection.abort(signal.reason);
  signal.addEventListener('abort', () => connection.abort(signal.reason), { once: true, signal: connection.signal });
}
