/** The time in milliseconds without a connection after which the page offers to connect at once. */
const longOutage = 3000;

/** The outages that last long, of all phones. @type {Set<Outage>} */
const all = new Set();

/**
 * Offers to connect at once while the pauses between the attempts of a client become longer. A phone that is live again ends the pauses of
 * the other phones, because they have the same network and server.
 */
export class Outage {
  #client;
  #phone;
  #isReconnecting = false;
  #timer;

  /** @param {import('../relist/client.js').Client} client @param {import('./phone.js').Phone} phone */
  constructor(client, phone) {
    this.#client = client;
    this.#phone = phone;
  }

  /** Handles a new state of the client. @param {import('../relist/client.js').State} state */
  note(state) {
    this.#isReconnecting = state === 'reconnecting';
    all.delete(this);
    this.#wait();
    if (state === 'live') for (const other of [...all]) other.#retry();
  }

  /** Replaces the timer by a new one, or by none if the client is not reconnecting. */
  #wait() {
    clearTimeout(this.#timer);
    if (this.#isReconnecting) this.#timer = setTimeout(() => this.#offer(), longOutage);
  }

  #offer() {
    all.add(this);
    const { unreachable: text, retry } = this.#phone.phrases;
    const act = { text: retry, perform: () => [...all].forEach((one) => one.#retry()) };
    // The notice of a failed action stays.
    if (!this.#phone.offer({ text, act, isTemporary: true, kind: 'outage' })) this.#wait();
  }

  #retry() {
    this.#wait();
    this.#client.retryNow();
  }
}
