/** The name of the header field with position tokens. It is used only if the server has replicas. */
export const positionField = 'Relist-Position';

/** The maximum time in milliseconds until every replica knows a commit. Until then, a replica may respond with an older state. */
const replicaBound = 3000;

/**
 * The maximum number of tokens that a client holds. The token in the response to an action replaces the tokens that were in the request for
 * this action, so a client holds several tokens only after concurrent actions.
 */
const limit = 16;

/**
 * The position tokens of a client's actions. After an action, each request contains the token of the action. The client stops sending the
 * token when a document that includes the action has arrived and all replicas have had time to catch up. Each of several concurrent actions
 * has its own token. If the server sends no tokens, the client sends none.
 */
export class Position {
  /**
   * The tokens, each with the time in milliseconds when it was received.
   *
   * @type {Map<string, number>}
   */
  #tokens = new Map();
  /** The minimum time in milliseconds during which the client sends a token with each request. */
  #bound = replicaBound;
  /**
   * Returns the current time in milliseconds.
   *
   * @type {() => number}
   */
  #now;

  /** @param {() => number} now returns the current time in milliseconds */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /**
   * The current value of the position header, or undefined if there are no tokens.
   *
   * @returns {string | undefined}
   */
  get value() {
    return this.#tokens.size ? [...this.#tokens.keys()].join(', ') : undefined;
  }

  /**
   * Records the token of a response, if the response has one. The new token replaces the tokens that were sent with the request.
   *
   * @param {string | null} token
   * @param {string | undefined} sent
   */
  learn(token, sent) {
    if (!token || !/^[^\s,]{1,100}$/.test(token)) return;
    const learnedAt = this.#tokens.get(token) ?? this.#now();
    for (const earlier of sent?.split(', ') ?? []) this.#tokens.delete(earlier);
    this.#tokens.set(token, learnedAt);
    const [oldest] = this.#tokens.keys();
    if (this.#tokens.size > limit) this.#tokens.delete(oldest);
  }

  /**
   * Extends the minimum time for which tokens are sent, because shared caches may keep a response for some time. Otherwise a cache might
   * respond with an older state to a request without a position.
   *
   * @param {string | null} text a value of `Cache-Control`
   */
  noteCaching(text) {
    const [, seconds] = /\bs-maxage=(\d{1,9})/.exec(text ?? '') ?? [];
    // While nginx refreshes an expired response, it may still serve the expired response. With the configuration in `Operations.md`, a
    // response is served for at most twice its `s-maxage` and ten more seconds. Three seconds are added because nginx counts whole seconds.
    if (seconds) this.#bound = Math.max(this.#bound, replicaBound + 1000 * (2 * Number(seconds) + 13));
  }

  /**
   * Removes the tokens that were sent with a request. Call this function after the document of the response has arrived. A token that is
   * younger than the minimum time is kept, because another replica or a cache might still respond with an older state.
   *
   * @param {string | undefined} sent
   */
  settle(sent) {
    for (const token of sent?.split(', ') ?? []) {
      const learnedAt = this.#tokens.get(token);
      if (learnedAt !== undefined && this.#now() - learnedAt >= this.#bound) this.#tokens.delete(token);
    }
  }
}
