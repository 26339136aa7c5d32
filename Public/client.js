import { apply, ChangesetError } from './changeset.js';
import { normalSnapshot } from './normal.js';

/** @typedef {import('./changeset.js').Snapshot} Snapshot */
/** @typedef {import('./changeset.js').Changeset} Changeset */

/**
 * @typedef {object} Exchange one request and its answer, for whoever watches
 * @property {string} method
 * @property {string} path
 * @property {number} status 0 where no answer came
 * @property {number} bytes of the body, as it is without compression
 * @property {string} text the body
 * @property {object=} document the body, where it is JSON
 */

/** Says why the server could not be had to answer as the protocol has it. */
export class ClientError extends Error {
  /** @type {'unreachable' | 'problem' | 'unexpected'} */
  reason;
  /** @type {Exchange} */
  exchange;

  /**
   * @param {'unreachable' | 'problem' | 'unexpected'} reason
   * @param {Exchange} exchange
   */
  constructor(reason, exchange) {
    super(`${reason}: ${exchange.method} ${exchange.path} ${exchange.status}`);
    this.name = 'ClientError';
    this.reason = reason;
    this.exchange = exchange;
  }
}

/**
 * The protocol's rule for what a client does with a document that brings changes.
 *
 * @param {Snapshot} held
 * @param {Snapshot | Changeset} document
 * @returns {'replace' | 'ignore' | 'apply' | 'ask'}
 */
export function decision(held, document) {
  if (document.kind === 'snapshot') return 'replace';
  if (document.kind !== 'changeset' || document.screen !== held.screen) return 'ask';
  if (document.version === held.version) return 'ignore';
  return document.from === held.version ? 'apply' : 'ask';
}

/** Asking again is for a race that one more question settles; a server that never fits ends in a snapshot. */
const questions = 3;

/** Holds one snapshot and keeps it current, with one request under way at a time. */
export class Client {
  #fetch;
  #onExchange;
  #onHeld;
  #onMisfit;
  #held;
  #wanted;
  #running;
  #turn = Promise.resolve();

  /**
   * @param {object} options
   * @param {typeof fetch=} options.fetch
   * @param {((exchange: Exchange) => void)=} options.onExchange
   * @param {((snapshot: Snapshot) => void)=} options.onHeld called with each snapshot that comes to be held
   * @param {((error: ChangesetError) => void)=} options.onMisfit
   */
  constructor({ fetch = (...request) => globalThis.fetch(...request), onExchange = () => {}, onHeld = () => {}, onMisfit = () => {} } = {}) {
    this.#fetch = fetch;
    this.#onExchange = onExchange;
    this.#onHeld = onHeld;
    this.#onMisfit = onMisfit;
  }

  /** @returns {Snapshot | undefined} */
  get held() {
    return this.#held;
  }

  /** @returns {Promise<object[]>} the screens of the server, described */
  async screens(parameters = {}) {
    const exchange = await this.#exchange('GET', target(['screens'], parameters));
    if (!Array.isArray(exchange.document?.screens)) throw new ClientError('unexpected', exchange);
    return exchange.document.screens;
  }

  /** @returns {Promise<Snapshot>} */
  async snapshot(screen, parameters = {}) {
    const exchange = await this.#exchange('GET', target(['screens', screen], parameters));
    if (exchange.document?.kind !== 'snapshot') throw new ClientError('unexpected', exchange);
    return exchange.document;
  }

  /** @returns {Promise<Snapshot | Changeset>} the way from that version to the newest */
  async changes(screen, parameters, version) {
    const exchange = await this.#exchange('POST', target(['screens', screen, 'changes'], parameters), { version });
    if (typeof exchange.document?.kind !== 'string') throw new ClientError('unexpected', exchange);
    return exchange.document;
  }

  /**
   * Comes to hold what the screen now is for these parameters, by changes where a version of it
   * is held. While a request is under way only the last call counts: who types faster than the
   * server answers skips what lies between.
   */
  show(screen, parameters = {}) {
    this.#wanted = { screen, parameters };
    this.#running ??= this.#run();
    return this.#running;
  }

  async #run() {
    try {
      while (this.#wanted) {
        const { screen, parameters } = this.#wanted;
        this.#wanted = undefined;
        try {
          await this.#bring(screen, parameters);
        } catch (error) {
          if (!this.#wanted) throw error;
        }
      }
    } finally {
      this.#running = undefined;
    }
  }

  async #bring(screen, parameters) {
    if (this.#held?.screen === screen) {
      for (let asked = 0; asked < questions; asked += 1) {
        const outcome = this.#take(await this.changes(screen, parameters, this.#held.version));
        if (outcome === 'misfit') break;
        if (outcome !== 'ask') return;
      }
    }
    this.#take(await this.snapshot(screen, parameters));
  }

  #take(document) {
    const taken = decision(this.#held, document);
    try {
      if (taken === 'replace') this.#hold(normalSnapshot(document));
      if (taken === 'apply') this.#hold(apply(this.#held, document));
      return taken;
    } catch (error) {
      if (!(error instanceof ChangesetError)) throw error;
      this.#onMisfit(error);
      return 'misfit';
    }
  }

  #hold(snapshot) {
    this.#held = snapshot;
    this.#onHeld(snapshot);
  }

  #exchange(method, path, body) {
    const answer = this.#turn.then(() => this.#send(method, path, body));
    this.#turn = answer.catch(() => {});
    return answer;
  }

  async #send(method, path, body) {
    const headers = { Accept: 'application/json, application/problem+json' };
    if (body) headers['Content-Type'] = 'application/json';
    const exchange = { method, path, status: 0, bytes: 0, text: '' };
    try {
      const response = await this.#fetch(path, { method, headers, body: body && JSON.stringify(body) });
      Object.assign(exchange, read(response.status, await response.arrayBuffer()));
    } catch {
      throw new ClientError('unreachable', exchange);
    } finally {
      this.#onExchange(exchange);
    }
    if (exchange.status < 200 || exchange.status > 299) throw new ClientError('problem', exchange);
    return exchange;
  }
}

function read(status, content) {
  const text = new TextDecoder().decode(content);
  const answer = { status, bytes: content.byteLength, text };
  try {
    return { ...answer, document: JSON.parse(text) };
  } catch {
    return answer;
  }
}

function target(segments, parameters) {
  const query = new URLSearchParams(parameters).toString();
  return `/${segments.map(encodeURIComponent).join('/')}${query && `?${query}`}`;
}
