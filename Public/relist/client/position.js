/** The header with position tokens, which only servers with replicas use. */
export const positionField = 'Relist-Position';

/** The time in milliseconds until every replica knows a commit. */
const replicaBound = 3000;

/** The maximum number of tokens. Only concurrent actions leave more than one. */
const limit = 16;

/**
 * The position tokens of a client's actions. Requests contain the token of an action until a document that includes the action has arrived
 * and all replicas have had time to catch up.
 */
export class Position {
  /**
   * The tokens with their times of arrival in milliseconds.
   *
   * @type {Map<string, number>}
   */
  #tokens = new Map();
  /** The minimum time in milliseconds for which a token is sent. */
  #bound = replicaBound;
  /** @type {() => number} */
  #now;

  /** @param {() => number} now returns the time in milliseconds */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  get value() {
    return this.#tokens.size ? [...this.#tokens.keys()].join(', ') : undefined;
  }

  /**
   * Records the token of a response, in place of those that were sent with the request.
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
   * Extends the time for which tokens are sent, because shared caches may respond with an older state.
   *
   * @param {string | null} text a value of `Cache-Control`
   */
  noteCaching(text) {
    const [, seconds] = /\bs-maxage=(\d{1,9})/.exec(text ?? '') ?? [];
    // With the configuration in `Operations.md`, nginx serves a response for at most twice its `s-maxage` and ten seconds, and counts whole
    // seconds.
    if (seconds) this.#bound = Math.max(this.#bound, replicaBound + 1000 * (2 * Number(seconds) + 13));
  }

  /**
   * Removes the tokens of a request whose document has arrived, unless they are too young.
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
