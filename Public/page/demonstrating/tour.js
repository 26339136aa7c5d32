import { moveOf } from './edits.js';

/** The pause in milliseconds in which the user can look at a result, and the pause after the list has begun to scroll. */
const pace = { look: 3200, scroll: 1200 };

/** The delivery that the tour moves to the next day. It is the last one of its day, so its old and its new place are both visible. */
const sample = { contract: '240500-000', delivery: '5034-1', home: '2018-07-16' };

/**
 * The functions of the page that a tour calls.
 *
 * @typedef {object} TourHost
 * @property {(screen: string, parameters: Object<string, string>) => Promise<void>} go
 * @property {(cell: string) => void} reveal scrolls all phones to a cell
 * @property {(name: string, input: object, view: object, cell: string) => Promise<boolean>} perform
 * @property {() => object} view the shown view
 * @property {() => import('../../relist/changeset.js').Snapshot | undefined} snapshot the shown snapshot
 * @property {(phrase: string) => void} setCaption
 * @property {(milliseconds: number, signal: AbortSignal) => Promise<void>=} pause rejects when the signal aborts
 */

/**
 * The result of a tour: it has shown its change to the end, or it could not, because another user has moved its delivery.
 *
 * @typedef {'shown' | 'moved'} Result
 */

/**
 * A guided tour of one change of a large screen. If it has moved a delivery before it is stopped, it moves the delivery back.
 */
export class Tour {
  #host;
  #stopping;
  #undo;

  /** @param {TourHost} host */
  constructor(host) {
    this.#host = { pause, ...host };
  }

  get isRunning() {
    return this.#stopping !== undefined;
  }

  /**
   * Runs the tour once.
   *
   * @returns {Promise<Result | undefined>} resolves after the last attempt to restore the data; undefined if the tour was stopped or failed
   */
  async run() {
    const stopping = new AbortController();
    this.#stopping = stopping;
    try {
      return await this.#deliver(stopping.signal);
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
      return undefined;
    } finally {
      try {
        await this.#undoMove();
      } finally {
        this.#stopping = undefined;
      }
    }
  }

  stop() {
    this.#stopping?.abort(new Error('stopped'));
  }

  /**
   * Moves the sample delivery to the next day and back. If another user has moved the delivery from its original day, the tour does not
   * move it. If an earlier tour could not move it back, this tour does so first.
   *
   * @returns {Promise<Result | undefined>}
   */
  async #deliver(signal) {
    const { contract, delivery } = sample;
    await this.#host.go('deliveries', { contract });
    signal.throwIfAborted();
    this.#host.setCaption('large');
    await this.#host.pause(pace.look, signal);
    if (!this.#isAtHome && this.#undo && await this.#undoMove()) await this.#host.pause(pace.scroll, signal);
    if (!this.#isAtHome) return this.#undo || !this.#host.snapshot() ? undefined : 'moved';
    this.#undo = undefined;
    const found = moveOf(this.#host.snapshot(), delivery);
    this.#host.setCaption('reveal');
    this.#host.reveal(delivery);
    await this.#host.pause(pace.scroll, signal);
    if (!await this.#move(found.to)) return undefined;
    await this.#host.pause(pace.look, signal);
    if (!this.#undo && !this.#isAtHome) return 'moved';
    this.#host.setCaption('back');
    if (!await this.#undoMove()) return undefined;
    await this.#host.pause(pace.look, signal);
    return 'shown';
  }

  /**
   * Moves the sample delivery, unless the tour of another user has just moved it. The other tour also moves it back.
   *
   * @returns {Promise<boolean>} whether the delivery was moved
   */
  async #move(day) {
    if (!this.#isAtHome) return true;
    const { delivery, home } = sample;
    const view = this.#host.view();
    this.#undo = () => this.#host.perform('reschedule', { delivery, day: home }, view, delivery);
    return this.#host.perform('reschedule', { delivery, day }, view, delivery);
  }

  get #isAtHome() {
    const snapshot = this.#host.snapshot();
    return snapshot !== undefined && moveOf(snapshot, sample.delivery)?.from === sample.home;
  }

  /** Moves the delivery back. If this fails, the next call tries again. @returns {Promise<boolean>} whether the delivery is back */
  async #undoMove() {
    const undo = this.#undo;
    if (!undo || !await undo()) return !undo;
    this.#undo = undefined;
    return true;
  }
}

function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    }, { once: true });
  });
}
