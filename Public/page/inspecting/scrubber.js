import { Timeline } from './timeline.js';

/** Goes back and forth over the versions that were seen. */
export class Scrubber {
  #parts;
  #timeline = new Timeline();
  #onShow;

  /**
   * @param {object} parts
   * @param {HTMLInputElement} parts.range
   * @param {HTMLButtonElement} parts.back
   * @param {HTMLButtonElement} parts.forward
   * @param {HTMLButtonElement} parts.live
   * @param {HTMLElement} parts.label
   * @param {(snapshot: import('../../relist/changeset.js').Snapshot, isLive: boolean) => void} onShow
   */
  constructor(parts, onShow) {
    this.#parts = parts;
    this.#onShow = onShow;
    parts.range.addEventListener('input', () => this.#go(Number(parts.range.value)));
    parts.back.addEventListener('click', () => this.#go(this.#timeline.index - 1));
    parts.forward.addEventListener('click', () => this.#go(this.#timeline.index + 1));
    parts.live.addEventListener('click', () => this.live());
    this.#update();
  }

  get isLive() {
    return this.#timeline.isLive;
  }

  /** A version came. It is shown unless an older one is being looked at. */
  add(snapshot) {
    this.#timeline.add(snapshot);
    this.#update();
    if (this.#timeline.isLive) this.#onShow(this.#timeline.snapshot, true);
  }

  /** Looks at the present again. */
  live() {
    if (!this.isLive) this.#go(this.#timeline.length - 1);
  }

  clear() {
    this.#timeline.clear();
    this.#update();
  }

  #go(index) {
    if (this.#timeline.length === 0) return;
    this.#timeline.choose(index);
    this.#update();
    this.#onShow(this.#timeline.snapshot, this.#timeline.isLive);
  }

  #update() {
    const { range, back, forward, live, label } = this.#parts;
    const { index, length, isLive } = this.#timeline;
    range.max = Math.max(length - 1, 0);
    range.value = Math.max(index, 0);
    range.disabled = length < 2;
    const text = length === 0 ? 'No version yet' : `Version ${index + 1} of ${length}`;
    range.setAttribute('aria-valuetext', text);
    label.textContent = text;
    back.disabled = index <= 0;
    forward.disabled = isLive;
    live.disabled = isLive;
  }
}
