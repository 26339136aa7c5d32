import { Client } from '../../Public/relist/client.js';

/** A client that follows a server, with a way to wait for what it comes to. */
export class Watched {
  states = [];
  pauses = [];
  misfits = [];
  /** Of the documents that came. */
  kinds = [];
  onExchange = () => {};
  #waiting = [];

  constructor(fetch) {
    this.client = new Client({
      live: true, fetch, random: () => 1,
      // Pauses are counted, not waited for.
      schedule: (milliseconds, wake) => { this.pauses.push(milliseconds); setImmediate(wake); },
      onState: (state) => this.#see(() => this.states.push(state)),
      onTaken: ({ exchange }) => this.#see(() => this.kinds.push(exchange.document.kind)),
      onExchange: (exchange) => this.onExchange(exchange),
      onMisfit: ({ reason }) => this.misfits.push(reason),
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
