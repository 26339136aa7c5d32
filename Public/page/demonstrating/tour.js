import { moveOf } from './edits.js';

/** Milliseconds: a letter, a look. */
const pace = { letter: 700, look: 3200 };

/** The delivery that goes to another day and back, and where it belongs. */
const guest = { delivery: '7556-1', home: '2018-07-12' };

/**
 * What a tour asks of the page.
 *
 * @typedef {object} Stage
 * @property {(screen: string) => Promise<void>} go
 * @property {(changed: Object<string, string | undefined>) => Promise<void>} change parameters
 * @property {(name: string, input: object, view: object) => Promise<boolean>} perform
 * @property {() => object} view that is shown
 * @property {() => import('../../relist/changeset.js').Snapshot | undefined} snapshot what is shown
 * @property {(phrase: string) => void} say
 * @property {(milliseconds: number, signal: AbortSignal) => Promise<void>=} pause rejects when it is aborted
 */

/**
 * A short demonstration of the example screens that runs until somebody stops it. It leaves the data as it was:
 * who stops it between a deed and its opposite has the opposite done.
 */
export class Tour {
  #stage;
  #stopping;
  #undo;

  /** @param {Stage} stage */
  constructor(stage) {
    this.#stage = { pause, ...stage };
  }

  get isRunning() {
    return this.#stopping !== undefined;
  }

  /** Runs, again and again. @returns {Promise<void>} resolves when it has been stopped and all is as it was */
  async run() {
    const stopping = new AbortController();
    this.#stopping = stopping;
    try {
      while (!stopping.signal.aborted) await this.#once(stopping.signal);
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
    } finally {
      await this.#undoWhatWasDone();
      if (this.#stopping === stopping) this.#stopping = undefined;
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
    this.#stage.say('wifi');
    await this.#stage.pause(2 * pace.look, signal);
  }

  async #search(signal) {
    await this.#go('mountains', signal);
    this.#stage.say('type');
    await this.#stage.pause(pace.letter, signal);
    for (const q of ['m', 'mo', 'mon', 'mont']) await this.#change({ q }, pace.letter, signal);
    await this.#stage.pause(pace.look, signal);
    await this.#change({ q: undefined }, pace.letter, signal);
    this.#stage.say('sort');
    await this.#change({ sort: 'height' }, pace.look, signal);
    await this.#change({ sort: undefined }, pace.look, signal);
  }

  /** Only a delivery that is where it belongs is moved: who finds it elsewhere would bring it back there. */
  async #deliver(signal) {
    await this.#go('deliveries', signal);
    await this.#stage.pause(pace.letter, signal);
    const found = moveOf(this.#stage.snapshot(), guest.delivery);
    if (found?.from !== guest.home) return;
    this.#stage.say('move');
    const view = this.#stage.view();
    this.#undo = () => this.#stage.perform('reschedule', { delivery: guest.delivery, day: guest.home }, view);
    await this.#stage.perform('reschedule', { delivery: guest.delivery, day: found.to }, view);
    await this.#stage.pause(pace.look, signal);
    this.#stage.say('back');
    await this.#undoWhatWasDone();
    await this.#stage.pause(pace.look, signal);
  }

  async #go(screen, signal) {
    await this.#stage.go(screen);
    signal.throwIfAborted();
  }

  async #change(parameters, milliseconds, signal) {
    await this.#stage.change(parameters);
    await this.#stage.pause(milliseconds, signal);
  }

  async #undoWhatWasDone() {
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
