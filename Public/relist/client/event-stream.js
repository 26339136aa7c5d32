/**
 * @typedef {object} Message one event of a stream
 * @property {string} event
 * @property {string} data
 * @property {string=} id
 */

/** Reads `text/event-stream` as the HTML standard has it, from text that comes in any pieces. */
export class EventParser {
  #rest = '';
  #endedWithReturn = false;
  /** @type {number=} milliseconds to wait before coming back, where the stream has said so */
  retry;
  #id;
  #event = '';
  #data = [];

  /**
   * @param {string} text
   * @returns {Message[]} the events that it completes
   */
  push(text) {
    const fresh = this.#endedWithReturn && text.startsWith('\n') ? text.slice(1) : text;
    if (text) this.#endedWithReturn = text.endsWith('\r');
    const lines = (this.#rest + fresh).split(/\r\n|\r|\n/);
    this.#rest = lines.pop();
    return lines.map((line) => this.#line(line)).filter(Boolean);
  }

  #line(line) {
    if (line === '') return this.#dispatch();
    const [, name, value] = /^([^:]*)(?:: ?)?(.*)$/s.exec(line);
    if (name === 'data') this.#data.push(value);
    if (name === 'event') this.#event = value;
    if (name === 'id' && !value.includes('\0')) this.#id = value;
    if (name === 'retry' && /^\d+$/.test(value)) this.retry = Number(value);
    return undefined;
  }

  #dispatch() {
    const [event, data] = [this.#event || 'message', this.#data];
    this.#event = '';
    this.#data = [];
    return data.length ? { event, data: data.join('\n'), id: this.#id } : undefined;
  }
}

/**
 * The events of a response, until it ends. A connection that is silent for too long is dead, whatever
 * the system thinks of it: a living one sends comments.
 *
 * @param {Response} response
 * @param {object} options
 * @param {number} options.silence milliseconds
 * @param {() => void} options.onSilence ends the connection
 * @param {(milliseconds: number) => void} options.onRetry
 * @returns {AsyncGenerator<Message>}
 */
export async function* messages(response, { silence, onSilence, onRetry }) {
  const parser = new EventParser();
  const decoder = new TextDecoder();
  let timer;
  try {
    const reader = response.body.getReader();
    for (;;) {
      timer = setTimeout(onSilence, silence);
      const { done, value } = await reader.read();
      clearTimeout(timer);
      if (done) return;
      const complete = parser.push(decoder.decode(value, { stream: true }));
      if (parser.retry !== undefined) onRetry(parser.retry);
      yield* complete;
    }
  } finally {
    clearTimeout(timer);
  }
}
