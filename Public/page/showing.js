/** The time in milliseconds after a request of the user in which the first change counts as its result. */
export const attributionTime = 2000;

/** The maximum number of waiting changes. More are merged into one change to the newest version. */
const limit = 20;

/**
 * @typedef {import('../relist/client.js').DocumentResult} DocumentResult
 * @typedef {import('../relist/changeset.js').Snapshot} Snapshot
 */

/**
 * Splits a changeset into stages from version to version. Between two stages, the version is the first one with the number of performed
 * stages, as in `version+1`.
 *
 * @param {DocumentResult} taken
 */
export function stagesOf({ before, after, steps }) {
  const name = (index) => (index === 0 ? before.version : `${before.version}+${index}`);
  return steps.map((step, index) => {
    const isLast = index === steps.length - 1;
    return { from: name(index), snapshot: isLast ? after : { ...before, sections: step.after, version: name(index + 1) }, steps: [step] };
  });
}

/**
 * Decides which changes a list shows at once. Changes by other users wait while the pointer or the focus is on a row, and while the list is
 * paused.
 */
export class Showing {
  #list;
  #events;
  #waiting = [];
  /** The number of waiting changes, including merged ones. */
  #count = 0;
  #isPlaying = false;
  #past;
  #present;
  #isPaused = false;
  #isTouched = false;
  #ignoresTouch = false;
  #requests = 0;
  /** The time until which the next change counts as the result of a request of the user. */
  #expectedUntil = 0;
  #options = {};
  isSlow = false;

  /**
   * @param {import('../relist/render.js').ListView} list
   * @param {object} events functions: `onShown`, `onWaiting` with the number of waiting changes, and `onStage` before a single stage
   */
  constructor(list, events) {
    this.#list = list;
    this.#events = events;
  }

  get isPaused() {
    return this.#isPaused;
  }

  get isPast() {
    return this.#past !== undefined;
  }

  /** Options of `ListView.render` for the next change; `scrollTop` is used once. */
  set options(options) {
    this.#options = options;
  }

  /**
   * Waits for a request of the user. Changes meanwhile, and the first one after it, are shown at once.
   *
   * @template Value
   * @param {Promise<Value>} request
   */
  async during(request) {
    this.#requests += 1;
    this.#expectedUntil = Infinity;
    this.#release();
    try {
      return await request;
    } finally {
      this.#requests -= 1;
      if (this.#expectedUntil === Infinity && this.#requests === 0) this.#expectedUntil = performance.now() + attributionTime;
    }
  }

  /** @param {DocumentResult} taken */
  take(taken) {
    this.#present = taken.after;
    if (this.isPast) return;
    if (this.#mustWait(taken)) return this.#wait(taken);
    if (this.#waiting.length === 0) return this.#play(taken);
    // Earlier changes must be shown first.
    this.#wait(taken);
    return this.show();
  }

  pause(isPaused) {
    this.#isPaused = isPaused;
    this.#release();
  }

  /** Records whether the user's pointer or focus is on a row. @param {boolean} isTouched */
  touch(isTouched) {
    if (isTouched === this.#isTouched) return;
    this.#isTouched = isTouched;
    if (!isTouched) this.#release();
  }

  /** During a tour, the pointer often rests on a row. @param {boolean} ignoresTouch */
  ignoreTouch(ignoresTouch) {
    this.#ignoresTouch = ignoresTouch;
    this.#release();
  }

  show() {
    const all = this.#waiting;
    this.#discardWaiting();
    for (const taken of all) this.#apply(taken);
  }

  /** Shows an earlier version, or the list after a stage. @param {Snapshot} snapshot @param {ReturnType<typeof stagesOf>[0]=} stage */
  lookAt(snapshot, stage) {
    this.#past = snapshot;
    this.#discardWaiting();
    if (stage && this.#list.snapshot?.version === stage.from) this.#events.onShown(snapshot, this.#list.play(stage));
    else this.#render(snapshot);
  }

  lookAtPresent() {
    this.#past = undefined;
    this.#discardWaiting();
    if (this.#present) this.#render(this.#present);
  }

  /** Animates a past change again, stage by stage. @param {DocumentResult} taken */
  replay(taken) {
    this.lookAt(taken.before);
    return this.#playSlowly(taken);
  }

  clear() {
    this.#past = undefined;
    this.#present = undefined;
    this.#discardWaiting();
  }

  get #isHeldByTouch() {
    return this.#isTouched && !this.#ignoresTouch;
  }

  #mustWait({ outcome, after, exchange }) {
    if (this.#isPlaying) return true;
    const isExpected = this.#requests > 0 || performance.now() < this.#expectedUntil;
    const isAwaited = isExpected || this.#list.snapshot?.screen !== after.screen;
    this.#expectedUntil = 0;
    if (isAwaited) return false;
    if (this.#isPaused || this.#waiting.length > 0) return true;
    if (!this.#isHeldByTouch || outcome !== 'apply') return false;
    return exchange.document.stages.some((stage) => Object.keys(stage).some((verb) => !/^update/.test(verb)));
  }

  #wait(taken) {
    this.#waiting.push(taken);
    this.#count += 1;
    if (this.#waiting.length > limit) this.#waiting = [{ ...taken, outcome: 'replace' }];
    if (!this.#isPlaying) this.#events.onWaiting(this.#count);
  }

  #release() {
    const isFree = !this.#isHeldByTouch || this.#requests > 0;
    if (!this.#isPaused && isFree && !this.#isPlaying && this.#waiting.length > 0) this.show();
  }

  #play(taken) {
    if (this.isSlow && taken.outcome === 'apply' && taken.exchange.document.stages.length > 0) this.#playThenGoOn(taken);
    else this.#apply(taken);
  }

  async #playThenGoOn(taken) {
    this.#isPlaying = true;
    try {
      await this.#playSlowly(taken);
    } finally {
      this.#isPlaying = false;
    }
    if (this.isPast || this.#waiting.length === 0) return;
    const isHeld = this.#requests === 0 && (this.#isPaused || this.#isHeldByTouch);
    if (isHeld) {
      this.#events.onWaiting(this.#count);
      return;
    }
    this.#count -= 1;
    this.#play(this.#waiting.shift());
  }

  async #playSlowly(taken) {
    for (const [index, stage] of stagesOf(taken).entries()) {
      if (this.#list.snapshot?.version !== stage.from) return false;
      this.#events.onStage(taken, index);
      this.#events.onShown(stage.snapshot, this.#list.play(stage));
      await this.#list.settled;
    }
    return true;
  }

  #apply({ outcome, before, after, steps }) {
    const isNext = outcome === 'apply' && this.#list.snapshot?.version === before.version && this.#list.snapshot.screen === after.screen;
    if (!isNext) return this.#render(after);
    return this.#events.onShown(after, this.#list.play({ snapshot: after, steps }, this.#takeOptions()));
  }

  #render(snapshot) {
    this.#events.onShown(snapshot, this.#list.render(snapshot, this.#takeOptions()));
  }

  #takeOptions() {
    const options = this.#options;
    this.#options = { locale: options.locale };
    return options;
  }

  #discardWaiting() {
    this.#waiting = [];
    this.#count = 0;
    this.#events.onWaiting(0);
  }
}
