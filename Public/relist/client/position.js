/** The field in which a server with replicas says how far it has come, and a client how far it has seen it. */
export const positionField = 'Relist-Position';

/**
 * How far a server had come when it last did something for this client. Until an answer was made there, each request says
 * so: no replica answers it with a state from before. A server that says no position is told none.
 */
export class Position {
  /** @type {bigint | undefined} */
  #known;

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
    if (this.#known === undefined || this.#known < position) this.#known = position;
  }

  /**
   * Forgets what was said with a request, now that a document has come which was made at it or past it.
   *
   * @param {bigint | undefined} said
   */
  settle(said) {
    if (said !== undefined && said === this.#known) this.#known = undefined;
  }
}
