import { either } from '../../relist/client/exchanges.js';

/** Milliseconds that a slow network adds to each answer and each event. */
const latency = 2000;

/** A version that no server ever handed out. */
const unknown = 'aaaaaaaaaaaaaaaaaaaaaaaaaa';

/**
 * The way to a server with faults that can be switched on, to see what a client does about them.
 *
 * @example
 * const transport = new Transport(fetch);
 * const client = new Client({ fetch: transport.fetch });
 * transport.isOffline = true;
 */
export class Transport {
  /** Whether each answer and event comes late. */
  isSlow = false;
  #fetch;
  #isOffline = false;
  /** What is under way, and whether it is a stream. */
  #open = new Map();
  #forgets = false;
  #damages = false;
  #wait;

  /**
   * @param {typeof fetch} fetch
   * @param {((milliseconds: number) => Promise<void>)=} wait
   */
  constructor(fetch, wait = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); })) {
    // A browser's `fetch` is no method of anything else.
    this.#fetch = (...request) => fetch(...request);
    this.#wait = wait;
  }

  get isOffline() {
    return this.#isOffline;
  }

  /** Whether nobody is to be reached; open streams break. */
  set isOffline(isOffline) {
    this.#isOffline = isOffline;
    if (isOffline) for (const connection of this.#open.keys()) connection.abort();
  }

  /** The next version that a client presents is one that the server does not know; open streams are opened anew. */
  forget() {
    this.#forgets = true;
    for (const [connection, isStream] of this.#open) if (isStream) connection.abort();
  }

  /** The next changeset that comes does not fit what the client holds. */
  damage() {
    this.#damages = true;
  }

  /** Like the `fetch` of a browser, with these faults. @type {typeof fetch} */
  fetch = async (url, options = {}) => {
    if (this.#isOffline) throw new TypeError('offline');
    const connection = new AbortController();
    const signal = options.signal ? either([options.signal, connection.signal]) : connection.signal;
    this.#open.set(connection, false);
    signal.addEventListener('abort', () => this.#open.delete(connection), { once: true });
    try {
      const response = await this.#fetch(...this.#forgotten(url, { ...options, signal }));
      await this.#delay();
      return this.#passed(response, connection);
    } catch (error) {
      this.#open.delete(connection);
      throw error;
    }
  };

  async #delay() {
    if (this.isSlow) await this.#wait(latency);
  }

  #forgotten(url, options) {
    const isInBody = typeof options.body === 'string' && /"version":"/.test(options.body);
    if (!this.#forgets || !(isInBody || /[?&]version=/.test(url))) return [url, options];
    this.#forgets = false;
    if (!isInBody) return [url.replace(/([?&]version=)[^&]*/, `$1${unknown}`), options];
    return [url, { ...options, body: options.body.replace(/("version":")[^"]*/, `$1${unknown}`) }];
  }

  /** The answer, a piece at a time. */
  #passed(response, connection) {
    const { status, statusText, headers, body } = response;
    if (body === null) {
      this.#open.delete(connection);
      return response;
    }
    const isStream = headers.get('Content-Type')?.startsWith('text/event-stream');
    this.#open.set(connection, isStream === true);
    const decoder = new TextDecoder();
    const passing = new TransformStream({
      transform: async (chunk, controller) => {
        if (isStream) await this.#delay();
        controller.enqueue(this.#damages ? new TextEncoder().encode(this.#damaged(decoder.decode(chunk))) : chunk);
      },
      flush: () => { this.#open.delete(connection); },
    });
    const passed = body.pipeThrough(passing, { signal: connection.signal });
    return new Response(passed, { status, statusText, headers });
  }

  #damaged(text) {
    const damaged = text.replace(/"stages":\[\{/, '"stages":[{"deleteCells":[[9999,0,1]]},{');
    if (damaged !== text) this.#damages = false;
    return damaged;
  }
}
