import { moveOf } from './edits.js';

/** Pauses in milliseconds: a short pause between letters, and a long pause in which the user can look at a result. */
const pace = { letter: 700, look: 3200 };

/** The delivery that the tour moves, and the original day of the delivery. */
const sample = { delivery: '7556-1', home: '2018-07-12' };

/**
 * The functions of the page that a tour calls.
 *
 * @typedef {object} TourHost
 * @property {(screen: string) => Promise<void>} go
 * @property {(changed: Object<string, string | undefined>) => Promise<void>} change changes parameters
 * @property {(name: string, input: object, view: object) => Promise<boolean>} perform
 * @property {() => object} view the shown view
 * @property {() => import('../../relist/changeset.js').Snapshot | undefined} snapshot the shown snapshot
 * @property {(phrase: string) => void} setCaption
 * @property {(milliseconds: number, signal: AbortSignal) => Promise<void>=} pause rejects when the signal aborts
 */

/**
 * A guided tour of the example screens. It repeats until it is stopped. If it has moved a delivery before it is stopped, it moves the
 * delivery back.
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

  /** Runs the tour repeatedly. @returns {Promise<void>} resolves when the tour was stopped and has restored the data */
  async run() {
    const stopping = new AbortController();
    this.#stopping = stopping;
    try {
      while (!stopping.signal.aborted) await this.#once(stopping.signal);
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
    } finally {
      await this.#undoMove();
      this.#stopping = undefined;
    }
  }

  stop() {
    this.#stopping?.abort(new Error('stopped'));
  }

  async #once(signal) {
    await this.#watch(signal);
    await this.#search(signal);
    await this.#deliver(signal);
  }

  async #watch(signal) {
    await this.#go('wifi', signal);
    this.#host.setCaption('wifi');
    await this.#host.pause(2 * pace.look, signal);
  }

  async #search(signal) {
    await this.#go('mountains', signal);
    this.#host.setCaption('type');
    await this.#host.pause(pace.letter, signal);
    for (const q of ['m', 'mo', 'mon', 'mont']) await this.#change({ q }, pace.letter, signal);
    await this.#host.pause(pace.look, signal);
    await this.#change({ q: undefined }, pace.letter, signal);
    this.#host.setCaption('sort');
    await this.#change({ sort: 'height' }, pace.look, signal);
    await this.#change({ sort: undefined }, pace.look, signal);
  }

  /**
   * Moves the sample delivery to another day and back. If another user has moved the delivery from its original day, the tour does not move
   * it.
   */
  async #deliver(signal) {
    await this.#go('deliveries', signal);
    await this.#host.pause(pace.letter, signal);
    const found = moveOf(this.#host.snapshot(), sample.delivery);
    if (found?.from !== sample.home) return;
    this.#host.setCaption('move');
    const view = this.#host.view();
    this.#undo = () => this.#host.perform('reschedule', { delivery: sample.delivery, day: sample.home }, view);
    await this.#host.perform('reschedule', { delivery: sample.delivery, day: found.to }, view);
    await this.#host.pause(pace.look, signal);
    this.#host.setCaption('back');
    await this.#undoMove();
    await this.#host.pause(pace.look, signal);
  }

  async #go(screen, signal) {
    await this.#host.go(screen);
    signal.throwIfAborted();
  }

  async #change(parameters, milliseconds, signal) {
    await this.#host.change(parameters);
    await this.#host.pause(milliseconds, signal);
  }

  async #undoMove() {
    const undo = this.#undo;
    this.#undo = undefined;
    await undo?.();
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
