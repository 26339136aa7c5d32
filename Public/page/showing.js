/** Milliseconds in which the change that a deed made comes after its answer. */
const patience = 2000;

/** So many changes wait to be played; beyond that the list goes to the newest at once. */
const limit = 20;

/**
 * @typedef {import('../relist/client.js').Taken} Taken
 * @typedef {import('../relist/changeset.js').Snapshot} Snapshot
 */

/**
 * Each stage of a changeset alone, with the version that it begins with. A list between two stages is no version of the
 * server's, and is named after the version before the first stage.
 *
 * @param {Taken} taken a changeset that was applied
 * @returns {(import('../relist/changeset.js').Played & {from: string})[]}
 */
export function stagesOf({ before, after, steps }) {
  const name = (index) => (index === 0 ? before.version : `${before.version}+${index}`);
  return steps.map((step, index) => {
    const isLast = index === steps.length - 1;
    return { from: name(index), snapshot: isLast ? after : { ...before, sections: step.after, version: name(index + 1) }, steps: [step] };
  });
}

/**
 * Decides what of all that came a list shows now, and what has to wait: nothing moves by itself under a finger,
 * under the focus of who uses a keyboard, or while it is paused. What somebody did here is shown at once.
 */
export class Showing {
  #list;
  #events;
  #waiting = [];
  /** How many came of which those are what is left. */
  #count = 0;
  #isPlaying = false;
  #past;
  #present;
  #isPaused = false;
  #isTouched = false;
  /** How much that was asked for here is under way, and until when what comes is taken for what came of it. */
  #deeds = 0;
  #expectedUntil = 0;
  #options = {};
  isSlow = false;

  /**
   * @param {import('../relist/render.js').ListView} list
   * @param {object} events
   * @param {(snapshot: Snapshot, shown?: import('../relist/render.js').Shown) => void} events.onShown
   * @param {(count: number) => void} events.onWaiting how many changes wait now
   * @param {(taken: Taken, stage: number) => void} events.onStage a stage is played by itself
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

  /** Options of `ListView.render` for what comes next: the language, and once where to look. */
  set options(options) {
    this.#options = options;
  }

  /**
   * Shows at once what comes while something is done that was asked for here, or the first change after it.
   *
   * @template Value
   * @param {Promise<Value>} deed
   * @returns {Promise<Value>}
   */
  async during(deed) {
    this.#deeds += 1;
    this.#expectedUntil = Infinity;
    this.#release();
    try {
      return await deed;
    } finally {
      this.#deeds -= 1;
      if (this.#expectedUntil === Infinity && this.#deeds === 0) this.#expectedUntil = performance.now() + patience;
    }
  }

  /** Another version has come to be held. @param {Taken} taken */
  take(taken) {
    this.#present = taken.after;
    if (this.isPast) return;
    if (this.#mustWait(taken)) return this.#wait(taken);
    if (this.#waiting.length === 0) return this.#play(taken);
    // Nothing is shown before what came before it.
    this.#wait(taken);
    return this.show();
  }

  /** @param {boolean} isPaused */
  pause(isPaused) {
    this.#isPaused = isPaused;
    this.#release();
  }

  /** Somebody's pointer or focus is on a row, or has left it. @param {boolean} isTouched */
  touch(isTouched) {
    if (isTouched === this.#isTouched) return;
    this.#isTouched = isTouched;
    if (!isTouched) this.#release();
  }

  /** Shows what waits, whatever it waits for. */
  show() {
    const all = this.#waiting;
    this.#forget();
    for (const taken of all) this.#apply(taken);
  }

  /** Looks at something else than the present. @param {Snapshot} snapshot @param {ReturnType<typeof stagesOf>[0]=} stage that leads there */
  lookAt(snapshot, stage) {
    this.#past = snapshot;
    this.#forget();
    if (stage && this.#list.snapshot?.version === stage.from) this.#events.onShown(snapshot, this.#list.play(stage));
    else this.#render(snapshot);
  }

  /** Looks at the present again. */
  lookAtPresent() {
    this.#past = undefined;
    this.#forget();
    if (this.#present) this.#render(this.#present);
  }

  /** Plays a change of the past again, one stage after the other. @param {Taken} taken */
  replay(taken) {
    this.lookAt(taken.before);
    return this.#playSlowly(taken);
  }

  clear() {
    this.#past = undefined;
    this.#present = undefined;
    this.#forget();
  }

  #mustWait({ outcome, after, exchange }) {
    if (this.#isPlaying) return true;
    const isExpected = this.#deeds > 0 || performance.now() < this.#expectedUntil;
    const isAwaited = isExpected || this.#list.snapshot?.screen !== after.screen;
    this.#expectedUntil = 0;
    if (isAwaited) return false;
    if (this.#isPaused || this.#waiting.length > 0) return true;
    if (!this.#isTouched || outcome !== 'apply') return false;
    return exchange.document.stages.some((stage) => Object.keys(stage).some((verb) => !/^update/.test(verb)));
  }

  #wait(taken) {
    this.#waiting.push(taken);
    this.#count += 1;
    if (this.#waiting.length > limit) this.#waiting = [{ ...taken, outcome: 'replace' }];
    if (!this.#isPlaying) this.#events.onWaiting(this.#count);
  }

  #release() {
    const isFree = !this.#isTouched || this.#deeds > 0;
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
    const isHeld = this.#deeds === 0 && (this.#isPaused || this.#isTouched);
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

  #forget() {
    this.#waiting = [];
    this.#count = 0;
    this.#events.onWaiting(0);
  }
}
