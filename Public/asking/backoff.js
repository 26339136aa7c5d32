/** Says how long to wait before the next attempt: longer each time, and not all clients at once. */
export class Backoff {
  /** Milliseconds before the first attempt, at most; a stream's `retry:` sets it. */
  base = 500;
  #most;
  #random;
  #attempts = 0;

  /**
   * @param {object} options
   * @param {number=} options.most milliseconds
   * @param {(() => number)=} options.random from 0 up to 1
   */
  constructor({ most = 30_000, random = Math.random } = {}) {
    this.#most = most;
    this.#random = random;
  }

  /**
   * @param {number} least milliseconds that the server asked for
   * @returns {number} milliseconds
   */
  next(least = 0) {
    const ceiling = Math.min(this.#most, this.base * 2 ** this.#attempts);
    this.#attempts = Math.min(this.#attempts + 1, 16);
    return least + ceiling * (0.5 + this.#random() / 2);
  }

  /** An attempt succeeded. */
  reset() {
    this.#attempts = 0;
  }
}
