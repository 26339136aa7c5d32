import { once } from 'node:events';
import { createServer } from 'node:http';

/**
 * A server whose screens all have the same cells, which a test sets. The server keeps all versions and has event streams. Each changeset
 * replaces all cells.
 */
export class FakeServer {
  /** The requests in order: `GET /screens/letters`, `STREAM v1`, `POST add {…} key`. */
  requests = [];
  #versions = [[]];
  #streams = new Set();
  #server;
  #waiting = [];
  /**
   * Special outcomes of the next requests: a status, `break` to perform the action and break the connection, or `hang` to send no
   * response.
   */
  next = [];
  /** The text that each stream begins with. */
  opening = '';
  /** The media type of streams. */
  streamType = 'text/event-stream';
  /** A Boolean value that indicates whether a stream reports that its version is current. */
  confirms = true;

  async start(port = 0) {
    this.#server = createServer((request, response) => this.#answer(request, response));
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get port() {
    return this.#server.address().port;
  }

  /** @returns a `fetch` that sends requests to this server */
  get fetch() {
    return (path, options) => fetch(`http://127.0.0.1:${this.port}${path}`, options);
  }

  /** Changes the list and notifies streams. */
  set(letters) {
    this.#versions.push(letters);
    for (const stream of [...this.#streams]) stream.send();
  }

  /** Writes a text to all streams. */
  write(text) {
    for (const { response } of this.#streams) response.write(text);
  }

  /** Breaks the connections of all streams. */
  breakStreams() {
    for (const { response } of this.#streams) response.destroy();
  }

  async stop() {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  /** Waits until a matching request has been received. A request that was received before the call also counts. */
  async hasRequest(pattern, count = 1) {
    while (this.requests.filter((line) => pattern.test(line)).length < count) {
      await new Promise((resolve) => { this.#waiting.push(resolve); });
    }
  }

  /** Waits until the given number of streams is open. */
  async hasStreams(count) {
    while (this.#streams.size !== count) await new Promise((resolve) => { this.#waiting.push(resolve); });
  }

  #record(line) {
    this.requests.push(line);
    this.#waiting.splice(0).forEach((resolve) => resolve());
  }

  async #answer(request, response) {
    const url = new URL(request.url, 'http://host');
    let text = '';
    for await (const chunk of request) text += chunk;
    const body = text && JSON.parse(text);
    if (request.headers.accept === 'text/event-stream') return this.#stream(url, response);
    this.#record([request.method, url.pathname + url.search, text, request.headers['idempotency-key']].filter(Boolean).join(' '));
    const instead = this.next.shift();
    if (typeof instead === 'number') return response.writeHead(instead, { 'Content-Type': 'application/problem+json' }).end('{}');
    if (url.pathname.includes('/actions/') && body.input.letters) this.set(body.input.letters);
    if (instead === 'break') return request.socket.destroy();
    if (instead === 'hang') return undefined;
    if (request.headers.prefer === 'return=minimal') return response.writeHead(204).end();
    const document = request.method === 'GET' ? this.snapshot() : this.changeset(body.version);
    return response.end(JSON.stringify({ ...document, screen: url.pathname.split('/')[2] }));
  }

  #stream(url, response) {
    let sent = url.searchParams.get('version');
    this.#record(`STREAM ${sent}`);
    const instead = this.next.shift();
    if (instead) {
      response.writeHead(instead, { 'Content-Type': 'application/problem+json' }).end('{}');
      return;
    }
    response.writeHead(200, { 'Content-Type': this.streamType });
    response.write('retry: 1000\n\n');
    if (this.opening) response.write(this.opening);
    const stream = { response, send: () => {
      const document = this.changeset(sent);
      if (document.from === document.version) {
        if (this.confirms) response.write(`event: current\nid: ${sent}\ndata: ${JSON.stringify({ version: sent })}\n\n`);
        return;
      }
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

/**
 * Returns a simulated server that sends the given answers one after the other. Each answer is a document, a `Response`, an error, a function
 * that receives the abort signal and returns a response, or a promise of one of these.
 *
 * @returns the `fetch` of the server, and for each request a line of text (`requests`) and the headers (`sent`)
 */
export function scripted(...answers) {
  const [requests, sent] = [[], []];
  const fetch = async (path, { method, body, headers, signal }) => {
    requests.push(body ? `${method} ${path} ${body}` : `${method} ${path}`);
    sent.push(headers);
    const answer = await answers.shift();
    if (answer === undefined) throw new TypeError('no answer left');
    if (answer instanceof Error) throw answer;
    if (typeof answer === 'function') return answer(signal);
    return answer instanceof Response ? answer : new Response(JSON.stringify(answer));
  };
  return { requests, sent, fetch };
}
