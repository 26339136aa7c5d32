/** The field in which a server with replicas says how far it has come, and a client how far it has seen it. */
export const positionField = 'Relist-Position';

/** For how long a replica may give, to who says no position, what was there before: then none does. In milliseconds. */
const bound = 3000;

/**
 * How far a server had come when it last did something for this client. Until an answer was made there, and any replica would give
 * one, each request says so: no replica answers it with a state from before. A server that says no position is told none.
 */
export class Position {
  /** @type {bigint | undefined} */
  #known;
  #learnedAt = 0;
  /** @type {() => number} */
  #now;

  /** @param {() => number} now the time in milliseconds */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** @returns {bigint | undefined} what a request that is sent now has to say */
  get known() {
    return this.#known;
  }

  /**
   * Takes what an answer says, where it says one.
   *
   * @param {string | null} text decimal digits
   */
  learn(text) {
    if (!/^\d{1,18}$/.test(text ?? '')) return;
    const position = BigInt(text);
    if (this.#known !== undefined && this.#known >= position) return;
    this.#known = position;
    this.#learnedAt = this.#now();
  }

  /**
   * Forgets what was said with a request, now that a document has come which was made at it or past it; not so soon that another
   * replica, which has not heard of it, could give what was there before.
   *
   * @param {bigint | undefined} said
   */
  settle(said) {
    if (said !== undefined && said === this.#known && this.#now() - this.#learnedAt >= bound) this.#known = undefined;
  }
}
