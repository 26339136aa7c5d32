/**
 * Passes the reports of the phones to the inspector. The inspector, the buttons that edit a screen, and the switches for network faults are
 * loaded after the first list is shown. Until then, the reports are kept.
 */
export class Reports {
  #page;
  #surroundings;
  #isLoading = false;
  /** Reports that arrived before the inspector was loaded. */
  #pending = [];
  /** A connection that simulates network faults. It is created when the user first uses one of the fault switches. */
  #transport;

  /**
   * @param {object} page
   * @param {boolean} page.isFirstVisit whether the page was opened without an address of a screen
   * @param {() => import('../device.js').Devices} page.devices
   * @param {() => string | undefined} page.token
   * @param {() => object} page.surroundings returns the functions of the page for the surroundings
   */
  constructor(page) {
    this.#page = page;
  }

  /** Returns a `fetch` through the simulated network that reports failures of streams. @param {(exchange: object) => void} onFailure */
  fetch(onFailure) {
    return watchStreams((...request) => (this.#transport?.fetch ?? fetch)(...request), onFailure);
  }

  /** Adds an exchange. @param {import('../../relist/client.js').Exchange} exchange @param {number} device */
  add(exchange, device) {
    const arrival = { time: performance.now(), isSignedIn: this.#page.token() !== undefined };
    this.#report((to) => to.inspector.add(exchange, device, arrival));
  }

  /** Records the outcome of an exchange. @param {import('../../relist/client.js').DocumentResult} taken @param {number} device */
  take(taken, device) {
    this.#report((to) => to.take(taken, device));
  }

  /** The inspector; undefined until it is loaded. @returns {import('./inspector.js').Inspector | undefined} */
  get inspector() {
    return this.#surroundings?.inspector;
  }

  /** Updates everything after the screen or the language has changed. */
  show() {
    this.#surroundings?.show();
  }

  /** Loads the inspector and its surroundings once. */
  async load() {
    if (this.#isLoading) return;
    this.#isLoading = true;
    const [{ Surroundings }, { Transport }] = await Promise.all([import('../surroundings.js'), import('../breaking/transport.js')]);
    const devices = this.#page.devices();
    // The style sheet of the inspector and the modules for actions are loaded before the inspector is shown, so that the layout does not
    // shift.
    await Promise.all([Surroundings.prepare(), devices.prepare()]);
    this.#surroundings = new Surroundings({ ...this.#page.surroundings(), transport: () => this.#useTransport(Transport) });
    for (const send of this.#pending.splice(0)) send(this.#surroundings);
    this.#surroundings.show();
    devices.update();
    if (this.#page.isFirstVisit) this.#surroundings.demonstration.start();
  }

  #report(send) {
    if (this.#surroundings) send(this.#surroundings);
    else this.#pending.push(send);
  }

  #useTransport(Transport) {
    if (this.#transport) return this.#transport;
    this.#transport = new Transport(fetch);
    // Dropping the open connections makes the clients reconnect through the transport.
    this.#page.devices().callClients('dropConnection');
    return this.#transport;
  }
}

/**
 * Wraps a `fetch` and reports event streams that could not be opened, or that ended although the client still needed them. The client itself
 * reports all other exchanges.
 *
 * @param {typeof fetch} send
 * @param {(exchange: import('../../relist/client.js').Exchange & {isStream: true}) => void} onFailure called with the status 0 if there was
 *   no response, or else with the status of the response
 * @returns {typeof fetch}
 */
export function watchStreams(send, onFailure) {
  return async (url, options = {}) => {
    const { Authorization: _, ...headers } = options.headers ?? {};
    if (headers.Accept !== 'text/event-stream') return send(url, options);
    const exchange = { method: 'GET', path: url, url, headers, isStream: true, text: '', milliseconds: 0 };
    const report = (status) => {
      if (!options.signal?.aborted) onFailure({ ...exchange, status });
    };
    const response = await send(url, options).catch((error) => {
      report(0);
      throw error;
    });
    return response.ok && response.body ? withEnd(response, () => report(response.status)) : response;
  };
}

/** Returns a response with the same body. Calls a function when the body ends or fails. */
function withEnd({ status, statusText, headers, body }, onEnd) {
  const reader = body.getReader();
  const watched = new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        onEnd();
        return controller.close();
      } catch (error) {
        onEnd();
        throw error;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(watched, { status, statusText, headers });
}
