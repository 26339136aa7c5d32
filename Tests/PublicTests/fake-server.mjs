import { once } from 'node:events';
import { createServer } from 'node:http';

/**
 * A server with one screen, `letters`, whose letters a test sets. It keeps all its versions, answers
 * with changesets that replace all cells, and streams.
 */
export class FakeServer {
  /** What was asked, in order: `GET /screens/letters`, `STREAM v1`, `POST add {…} key`. */
  asked = [];
  #versions = [[]];
  #streams = new Set();
  #server;
  #waiting = [];
  /** What answers the next requests instead: a status, `break` for no answer after the deed, or `hang`. */
  next = [];
  /** What each stream begins with. */
  opening = '';

  async start(port = 0) {
    this.#server = createServer((request, response) => this.#answer(request, response));
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get port() {
    return this.#server.address().port;
  }

  /** @returns a `fetch` that finds this server */
  get fetch() {
    return (path, options) => fetch(`http://127.0.0.1:${this.port}${path}`, options);
  }

  /** The list changes, and streams tell. */
  set(letters) {
    this.#versions.push(letters);
    for (const stream of [...this.#streams]) stream.send();
  }

  /** Writes this to all streams, whatever it is. */
  write(text) {
    for (const { response } of this.#streams) response.write(text);
  }

  /** Ends all streams as a broken connection does. */
  breakStreams() {
    for (const { response } of this.#streams) response.destroy();
  }

  async stop() {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  /** Resolves when something was asked that fits; what was asked before it was called counts. */
  async isAsked(pattern, times = 1) {
    while (this.asked.filter((line) => pattern.test(line)).length < times) {
      await new Promise((resolve) => { this.#waiting.push(resolve); });
    }
  }

  /** Resolves when so many streams are open. */
  async hasStreams(count) {
    while (this.#streams.size !== count) await new Promise((resolve) => { this.#waiting.push(resolve); });
  }

  #note(line) {
    this.asked.push(line);
    this.#waiting.splice(0).forEach((resolve) => resolve());
  }

  async #answer(request, response) {
    const url = new URL(request.url, 'http://host');
    let text = '';
    for await (const chunk of request) text += chunk;
    const body = text && JSON.parse(text);
    if (request.headers.accept === 'text/event-stream') return this.#stream(url, response);
    this.#note([request.method, url.pathname + url.search, text, request.headers['idempotency-key']].filter(Boolean).join(' '));
    const instead = this.next.shift();
    if (typeof instead === 'number') return response.writeHead(instead, { 'Content-Type': 'application/problem+json' }).end('{}');
    if (url.pathname.includes('/actions/') && body.input.letters) this.set(body.input.letters);
    if (instead === 'break') return request.socket.destroy();
    if (instead === 'hang') return undefined;
    if (request.headers.prefer === 'return=minimal') return response.writeHead(204).end();
    return response.end(JSON.stringify(request.method === 'GET' ? this.snapshot() : this.changeset(body.version)));
  }

  #stream(url, response) {
    let sent = url.searchParams.get('version');
    this.#note(`STREAM ${sent}`);
    const instead = this.next.shift();
    if (instead) {
      response.writeHead(instead, { 'Content-Type': 'application/problem+json' }).end('{}');
      return;
    }
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write('retry: 100\n\n');
    if (this.opening) response.write(this.opening);
    const stream = { response, send: () => {
      const document = this.changeset(sent);
      if (document.from === document.version) return;
      sent = document.version;
      response.write(`event: ${document.kind}\nid: ${sent}\ndata: ${JSON.stringify(document)}\n\n`);
    } };
    this.#streams.add(stream);
    response.on('close', () => {
      this.#streams.delete(stream);
      this.#waiting.splice(0).forEach((resolve) => resolve());
    });
    stream.send();
  }

  get version() {
    return `v${this.#versions.length}`;
  }

  snapshot() {
    const sections = [{ id: 's', cells: this.#versions.at(-1).map(cell) }];
    return { kind: 'snapshot', screen: 'letters', version: this.version, layout: 'table', sections };
  }

  changeset(from) {
    const old = this.#versions[Number(from?.slice(1)) - 1];
    if (!old) return { ...this.snapshot(), reason: from ? 'unknown-version' : 'initial' };
    const [letters, stages] = [this.#versions.at(-1), []];
    const stage = {};
    if (old.length) stage.deleteCells = [[0, 0, old.length]];
    if (letters.length) stage.insertCells = [{ at: [0, 0], cells: letters.map(cell) }];
    if (from !== this.version && Object.keys(stage).length > 0) stages.push(stage);
    return { kind: 'changeset', screen: 'letters', from, version: this.version, stages };
  }
}

function cell(id) {
  return { id, type: 'letter' };
}
