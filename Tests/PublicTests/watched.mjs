import { Client } from '../../Public/relist/client.js';

/** A client that follows a server. The function `until` waits until a condition is true. */
export class Watched {
  states = [];
  pauses = [];
  misfits = [];
  /** The errors that were reported with a state. */
  errors = [];
  /** The kinds of all documents that have arrived. */
  kinds = [];
  onExchange = () => {};
  #waiting = [];

  constructor(fetch) {
    this.client = new Client({
      live: true, fetch, random: () => 1,
      // Pauses are recorded and skipped.
      schedule: (milliseconds, wake) => { this.pauses.push(milliseconds); setImmediate(wake); },
      onState: (state, error) => this.#see(() => { this.states.push(state); if (error) this.errors.push(error); }),
      onDocument: ({ exchange }) => this.#see(() => this.kinds.push(exchange.document.kind)),
      onExchange: (exchange) => this.onExchange(exchange),
      onMismatch: ({ reason }) => this.misfits.push(reason),
    });
  }

  get letters() {
    return this.client.held?.sections[0].cells.map(({ id }) => id).join('');
  }

  get state() {
    return this.states.at(-1);
  }

  async until(condition) {
    while (!condition()) await new Promise((resolve) => { this.#waiting.push(resolve); });
  }

  #see(note = () => {}) {
    note();
    this.#waiting.splice(0).forEach((resolve) => resolve());
  }
}
