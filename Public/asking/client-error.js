/** Says why the server could not be had to answer as the protocol has it. */
export class ClientError extends Error {
  /** @type {'unreachable' | 'problem' | 'unexpected'} */
  reason;
  /** @type {import('./exchanges.js').Exchange} */
  exchange;

  /**
   * @param {'unreachable' | 'problem' | 'unexpected'} reason
   * @param {import('./exchanges.js').Exchange} exchange
   */
  constructor(reason, exchange) {
    super(`${reason}: ${exchange.method} ${exchange.path} ${exchange.status}`);
    this.name = 'ClientError';
    this.reason = reason;
    this.exchange = exchange;
  }

  /** Whether the same question may be answered later: nobody was there, or nobody could answer just now. */
  get mayPass() {
    return this.reason === 'unreachable' || this.exchange.status >= 500 || this.exchange.status === 429;
  }

  /** @returns {number} milliseconds that the server asked to be left alone for */
  get retryAfter() {
    const seconds = Number(this.exchange.retryAfter);
    return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0;
  }

  /** @returns {{pointer?: string, parameter?: string, detail: string}[]} what was wrong with the input, where that is known */
  get errors() {
    const errors = this.exchange.document?.errors;
    return Array.isArray(errors) ? errors.filter((error) => typeof error?.detail === 'string') : [];
  }
}
