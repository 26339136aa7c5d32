import assert from 'node:assert/strict';
import { Client } from '../../Public/relist/client.js';
// The client loads this module, and `changeset.js`, when it follows a screen. In a test they are loaded already.
import '../../Public/relist/client/connecting.js';

const view = { screen: 'letters', layout: 'table', sections: [] };
const encoder = new TextEncoder();

/** Returns the document that a step describes, or undefined. */
function documentOf({ answer, stream, from, version, misfit }) {
  const kind = answer ?? stream;
  if (kind === 'snapshot') return { kind, version, ...view };
  if (kind !== 'changeset') return undefined;
  return { kind, screen: view.screen, from, version, stages: misfit ? [{ deleteCells: [[7, 0, 1]] }] : [] };
}

/** A request of the client, with functions that respond to it. */
class Request {
  /** A Boolean value that indicates whether the request is in progress. */
  isOpen = true;
  #respond;
  #fail;
  #body;

  constructor(world, path, { method, headers, body, signal }) {
    this.name = nameOf(path, { method, headers, body });
    this.key = headers['Idempotency-Key'];
    this.isStream = headers.Accept === 'text/event-stream';
    this.response = new Promise((resolve, reject) => { [this.#respond, this.#fail] = [resolve, reject]; });
    const cancel = () => {
      if (!this.isOpen) return;
      world.record('cancels', this.name);
      this.break(signal.reason);
    };
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
  }

  answer(status, text, headers) {
    this.isOpen = false;
    this.#respond(new Response(status === 204 ? null : text, { status, headers }));
  }

  write(text) {
    if (!this.#body) {
      const stream = new ReadableStream({ start: (controller) => { this.#body = controller; } });
      this.#respond(new Response(stream, { headers: { 'Content-Type': 'text/event-stream' } }));
    }
    if (text) this.#body.enqueue(encoder.encode(text));
  }

  end() {
    this.write('');
    this.isOpen = false;
    this.#body.close();
  }

  break(error = new TypeError('The connection is lost.')) {
    this.isOpen = false;
    if (this.#body) this.#body.error(error);
    else this.#fail(error);
  }
}

/** Returns the name that the cases use for a request. */
function nameOf(path, { method = 'GET', headers, body }) {
  const url = new URL(path, 'http://host');
  const version = JSON.parse(body ?? '{}').version ?? url.searchParams.get('version');
  const position = headers['Relist-Position'] ? ` at ${headers['Relist-Position']}` : '';
  if (headers.Accept === 'text/event-stream') return `stream from ${version}${position}`;
  if (method === 'GET') return `${headers.Prefer?.startsWith('wait=') ? `poll from ${version}` : 'snapshot'}${position}`;
  if (url.pathname.endsWith('/changes')) return `changes from ${version}${position}`;
  return `action ${headers['Idempotency-Key']} ${headers.Prefer === 'return=minimal' ? 'minimal' : `from ${version}`}${position}`;
}

const states = { asking: 'connecting', reconnecting: 'connecting', live: 'live', stale: 'stale', idle: 'idle' };

/** A runner that performs the steps of a case on a client. The server, the clock and the owner of the client are simulated. */
export class World {
  #client;
  #timers;
  #random;
  #requests = [];
  #pauses = [];
  #now = 0;
  #state;
  #renew;
  /** The reaction of the client since the previous step. */
  #seen = {};
  /** The keys of the ended actions, with their outcomes. */
  #ends = [];
  #expectedEnds = [];

  /**
   * @param {import('node:test').TestContext} context
   * @param {boolean} isLive
   * @param {number} random the factor for the random part of each pause, from 0 to 1
   */
  constructor(context, isLive, random) {
    this.#timers = context.mock.timers;
    this.#timers.enable({ apis: ['setTimeout'] });
    context.mock.method(performance, 'now', () => this.#now);
    this.#random = random;
    let token = 'old';
    this.#client = new Client({
      live: isLive, random: () => random,
      fetch: (path, options) => this.#send(path, options),
      schedule: (milliseconds, wake) => {
        this.record('pauses', milliseconds);
        this.#pauses.push({ end: this.#now + milliseconds, wake });
      },
      token: (refused) => {
        if (!refused) return token;
        this.record('renewals', true);
        return new Promise((resolve) => {
          this.#renew = (isRenewed) => {
            if (isRenewed) token += '+';
            resolve(isRenewed ? token : undefined);
          };
        });
      },
      onState: (state, error) => { this.#state = error && state === 'idle' ? 'stopped' : states[state]; },
      onDocument: ({ outcome }) => { if (['replace', 'apply'].includes(outcome)) this.record('takes', outcome); },
    });
  }

  record(what, value) {
    (this.#seen[what] ??= []).push(value);
  }

  /** Performs a step, and compares the reaction of the client with the expected reaction of the case. */
  async step(step) {
    this.#seen = {};
    const { requests = [], cancels = [], takes, discards, pause, renews = false, ends = {}, state } = step.client ?? {};
    this.#expectedEnds.push(...Object.entries(ends));
    const before = discards ? undefined : this.#client.held?.version;
    const held = takes ? step.version : before;
    this.#perform(step);
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    const seen = this.#seen;
    const pauses = pause ? [pause[0] + this.#random * (pause[1] - pause[0])] : [];
    assert.deepEqual({
      requests: (seen.requests ?? []).sort(), cancels: seen.cancels ?? [], takes: seen.takes ?? [], pauses: seen.pauses ?? [],
      renewals: seen.renewals ?? [], held: this.#client.held?.version, state: state && this.#state,
    }, {
      requests: [...requests].sort(), cancels, takes: takes ? [takes] : [], pauses, renewals: renews ? [true] : [], held, state,
    });
  }

  /**
   * Compares the outcomes of all actions with the expected outcomes. This is done after the last step, because the client reports an outcome
   * only after it has loaded the changes of the action.
   */
  finish() {
    assert.deepEqual(this.#ends, this.#expectedEnds);
  }

  close() {
    this.#client.close();
  }

  #send(path, options) {
    const request = new Request(this, path, options);
    this.#requests.push(request);
    this.record('requests', request.name);
    return request.response;
  }

  #perform(step) {
    if (step.owner) this.#own(step);
    else if (step.answer) this.#answer(step);
    else if (step.stream) this.#stream(step);
    else if (step.time) this.#pass(step);
    else if (step.token) this.#renew(step.token === 'renewed');
    else if (step.network) this.#client.retryNow();
    else assert.fail(`unknown step ${JSON.stringify(step)}`);
  }

  #own({ owner, key }) {
    switch (owner) {
      case 'follow':
      case 'load':
      case 'show': return this.#client.show('letters').catch(() => {});
      case 'pause': return this.#client.pause();
      case 'resume': return this.#client.resume();
      case 'reset': return this.#client.reset();
      case 'perform': return this.#act(key);
      default: return assert.fail(`unknown owner ${owner}`);
    }
  }

  async #act(key) {
    try {
      await this.#client.perform('add', {}, { key });
      this.#ends.push([key, 'performed']);
    } catch (error) {
      this.#ends.push([key, error.isNotPerformed ? 'rejected' : 'undecided']);
    }
  }

  /** Returns the request in progress for which `matches` returns true. Fails unless there is exactly one such request. */
  #open(matches) {
    const found = this.#requests.filter((request) => request.isOpen && matches(request));
    assert.equal(found.length, 1, 'one request is in progress');
    return found[0];
  }

  #answer({ to, ...step }) {
    // A browser rejects a cancelled request immediately, so no response can arrive.
    if (to === 'cancelled') return;
    const request = this.#open(({ key }) => key === to);
    const headers = {
      ...(step.position && { 'Relist-Position': step.position }), ...(step.retryAfter && { 'Retry-After': String(step.retryAfter) }),
      ...(step.sharedMaxAge && { 'Cache-Control': `public, s-maxage=${step.sharedMaxAge}` }),
    };
    switch (step.answer) {
      case 'lost': return request.break();
      case 'empty': return request.answer(204, '', headers);
      case 'page': return request.answer(step.status ?? 200, '<html>', { 'Content-Type': 'text/html' });
      case 'json': return request.answer(200, '{"blocked":true}', { 'Content-Type': 'application/json' });
      case 'problem': return request.answer(step.status, JSON.stringify({ outcome: step.outcome }), headers);
      default: return request.answer(200, JSON.stringify(documentOf(step)), headers);
    }
  }

  #stream(step) {
    const request = this.#open(({ isStream }) => isStream);
    const { stream, version } = step;
    switch (stream) {
      case 'opens': return request.write('');
      case 'ends': return request.end();
      case 'breaks': return request.break();
      case 'comment': return request.write(':\n\n');
      case 'retry': return request.write(`retry: ${step.milliseconds}\n\n`);
      case 'stale': return request.write('event: stale\ndata: {}\n\n');
      case 'unknown': return request.write('event: other\ndata: {}\n\n');
      case 'current': return request.write(`event: current\nid: ${version}\ndata: ${JSON.stringify({ version })}\n\n`);
      default: return request.write(`event: ${stream}\nid: ${version}\ndata: ${JSON.stringify(documentOf(step))}\n\n`);
    }
  }

  #pass({ time, milliseconds }) {
    const end = time === 'passes' ? this.#now + milliseconds : Math.max(this.#now, ...this.#pauses.map((pause) => pause.end));
    this.#timers.tick(end - this.#now);
    this.#now = end;
    const due = this.#pauses.filter((pause) => pause.end <= end);
    this.#pauses = this.#pauses.filter((pause) => pause.end > end);
    for (const { wake } of due) wake();
  }
}
