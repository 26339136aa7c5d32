import assert from 'node:assert/strict';
import { test } from 'node:test';
import './browser.mjs';
// The client loads this module when it needs it. In a test it is loaded already.
import '../../Public/relist/changeset.js';
import { Client, ClientError, decision } from '../../Public/relist/client.js';
import { scripted } from './fake-server.mjs';

const cell = (id) => ({ id, type: 'row' });
const snapshot = (version, ids = [], screen = 'letters') => (
  { kind: 'snapshot', screen, version, layout: 'table', sections: [{ id: 's', cells: ids.map(cell) }] }
);
const changeset = (from, version, ...stages) => ({ kind: 'changeset', screen: 'letters', from, version, stages });
const inserts = (id) => ({ insertCells: [{ at: [0, 0], cells: [cell(id)] }] });
const misfit = { deleteCells: [[7, 0, 1]] };

/**
 * Returns a client and the list of its requests. The client receives the given responses one after the other. It has already shown the
 * first response.
 */
async function shown(...answers) {
  const { fetch, ...recorded } = scripted(...answers);
  const client = new Client({ fetch });
  await client.show('letters');
  return { client, ...recorded };
}

function problem(status, members) {
  return new Response(JSON.stringify(members), { status, headers: { 'Content-Type': 'application/problem+json' } });
}

function promised() {
  const pair = {};
  pair.promise = new Promise((resolve) => { pair.resolve = resolve; });
  return pair;
}

const ids = ({ held }) => held.sections[0].cells.map((one) => one.id);

test('a snapshot of another screen is not shown', async () => {
  const client = new Client({ fetch: scripted(snapshot('v1', ['1'], 'others')).fetch });
  await assert.rejects(client.show('letters'), { reason: 'unexpected' });
  assert.equal(client.held, undefined);
});

test('a snapshot that is malformed is not shown', async () => {
  const client = new Client({ fetch: scripted({ ...snapshot('v1'), sections: [{ id: 's', cells: [{}] }] }).fetch });
  await assert.rejects(client.show('letters'), ({ reason, cause }) => reason === 'unexpected' && cause.reason === 'malformed');
  assert.equal(client.held, undefined);
});

test('an action fails if the response is a document of another screen', async () => {
  const { client } = await shown(snapshot('v1', ['1']), snapshot('v2', ['2'], 'others'));
  await assert.rejects(client.perform('add'), { reason: 'unexpected' });
  assert.deepEqual(ids(client), ['1']);
});

test('each request is sent with the token, and no reported exchange contains the token', async () => {
  const reported = [];
  const { sent, fetch } = scripted(snapshot('v1', ['1']), changeset('v1', 'v2', inserts('2')));
  const client = new Client({ fetch, token: async () => 'secret', onExchange: (exchange) => reported.push(exchange) });
  await client.show('letters');
  await client.perform('add');
  assert.deepEqual(sent.map(({ Authorization }) => Authorization), ['Bearer secret', 'Bearer secret']);
  assert.ok(!JSON.stringify(reported).includes('secret'));
});

test('after a 401, a new token is requested and the request is repeated once', async () => {
  const refusals = [];
  const answers = [snapshot('v1', ['1']), problem(401, {}), changeset('v1', 'v2', inserts('2'))];
  const { requests, sent, fetch } = scripted(...answers);
  let token = 'old';
  const source = (refused) => {
    if (refused) refusals.push(refused.token);
    if (refused) token = 'new';
    return token;
  };
  const client = new Client({ fetch, token: source });
  await client.show('letters');
  await client.perform('add', {}, { key: 'k' });
  assert.deepEqual(refusals, ['old']);
  assert.equal(requests[1], requests[2]);
  assert.deepEqual(sent.map(({ Authorization }) => Authorization), ['Bearer old', 'Bearer old', 'Bearer new']);
  assert.deepEqual(sent.map((headers) => headers['Idempotency-Key']), [undefined, 'k', 'k']);
  assert.deepEqual(ids(client), ['2', '1']);
});

test('a 401 is reported as a problem if the client receives no new token', async () => {
  for (const token of [undefined, () => undefined, () => 'same']) {
    const { requests, fetch } = scripted(problem(401, { detail: 'Name the caller.' }));
    const client = new Client({ fetch, ...(token && { token }) });
    await assert.rejects(client.show('letters'), (error) => error instanceof ClientError && error.exchange.status === 401);
    assert.equal(requests.length, 1);
  }
});

test('the error of a token source is the cause of the error, and the request is not repeated', async () => {
  const cause = new Error('The session has ended.');
  for (const token of [() => { throw cause; }, async () => { throw cause; }, (refused) => { if (refused) throw cause; }]) {
    const { requests, fetch } = scripted(problem(401, {}));
    const states = [];
    const client = new Client({
      fetch, token, live: true, onState: (state, error) => states.push([state, error?.cause]), schedule: (_, wake) => setImmediate(wake),
    });
    await assert.rejects(client.show('letters'), { name: 'ClientError', reason: 'token', cause, isTemporary: false, isRejection: false });
    assert.deepEqual(states, [['asking', undefined], ['idle', cause]]);
    assert.ok(requests.length <= 1);
    await assert.rejects(client.perform('add'), { reason: token.length ? 'unreachable' : 'token' });
  }
});

test('a request that is superseded before it is sent needs no token', async () => {
  const rejections = [];
  const note = (error) => rejections.push(error);
  process.on('unhandledRejection', note);
  const client = new Client({ fetch: scripted().fetch, token: async () => { throw new Error('none'); } });
  client.show('letters', { q: 'a' }).catch(() => {});
  await assert.rejects(client.show('letters', { q: 'b' }), { reason: 'token' });
  await new Promise((later) => { setImmediate(later); });
  process.off('unhandledRejection', note);
  assert.deepEqual(rejections, []);
});

test('a token source that never returns delays each action by the timeout only', async () => {
  const client = new Client({ fetch: scripted(problem(500, {})).fetch, token: () => new Promise(() => {}), timeout: 10 });
  const view = { screen: 'letters', parameters: {} };
  for (const action of ['first', 'second']) await assert.rejects(client.perform(action, {}, { view }), { reason: 'unreachable' });
});

test('a failure of the network is the cause of the error', async () => {
  const cause = new TypeError('refused');
  await assert.rejects(new Client({ fetch: scripted(cause).fetch }).show('letters'), { reason: 'unreachable', cause });
});

test('only one new token is requested if several concurrent requests receive a 401', async () => {
  let asks = 0;
  let token = 'old';
  const answer = promised();
  const fetch = async (path, { headers }) => (
    headers.Authorization === 'Bearer new' ? new Response(JSON.stringify(snapshot('v1', ['1']))) : problem(401, {})
  );
  const source = async (refused) => {
    if (!refused) return token;
    asks += 1;
    await answer.promise;
    token = 'new';
    return token;
  };
  const client = new Client({ fetch, token: source });
  const all = [client.show('letters'), client.perform('add', {}, { view: { screen: 'letters', parameters: {} } }), client.catalog().catch(() => {})];
  while (asks === 0) await new Promise((resolve) => { setImmediate(resolve); });
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => { setImmediate(resolve); });
  answer.resolve();
  await Promise.all(all);
  assert.equal(asks, 1);
});

test('a stream whose token has expired is reopened from the held version with a new token', async () => {
  const requests = [];
  let token = 'old';
  const live = promised();
  const fetch = async (path, { headers, signal }) => {
    requests.push(`${headers.Authorization} ${path}`);
    if (headers.Accept !== 'text/event-stream') return new Response(JSON.stringify(snapshot('v1', ['1'])));
    if (requests.length > 2 && headers.Authorization === 'Bearer old') return problem(401, {});
    const isNew = headers.Authorization === 'Bearer new';
    const event = `id: v2\nevent: changeset\ndata: ${JSON.stringify(changeset('v1', 'v2', inserts('2')))}\n\n`;
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(isNew ? event : 'retry: 1\n\n'));
        if (!isNew) controller.close();
        else signal.addEventListener('abort', () => controller.close());
      },
    });
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
  };
  const client = new Client({
    fetch, live: true, schedule: (milliseconds, wake) => setImmediate(wake),
    token: (refused) => {
      if (refused) token = 'new';
      return token;
    },
    onSnapshot: ({ version }) => version === 'v2' && live.resolve(),
  });
  await client.show('letters');
  await live.promise;
  client.close();
  const stream = '/screens/letters/changes?version=v1';
  assert.deepEqual(requests, [
    'Bearer old /screens/letters', `Bearer old ${stream}`, `Bearer old ${stream}`, `Bearer new ${stream}`,
  ]);
  assert.deepEqual(ids(client), ['2', '1']);
});

test('after a reset no snapshot is held, and the next request is for a snapshot', async () => {
  const { client, requests } = await shown(snapshot('v1', ['1']), snapshot('v2', ['2']));
  client.reset();
  assert.equal(client.held, undefined);
  await client.show('letters');
  assert.deepEqual(requests, ['GET /screens/letters', 'GET /screens/letters']);
});

test('a screen is first requested with GET and its parameters', async () => {
  const { requests, fetch } = scripted(snapshot('v1', ['1']));
  const client = new Client({ fetch });
  await client.show('letters', { q: 'a&b', locale: 'fr' });
  assert.deepEqual(requests, ['GET /screens/letters?q=a%26b&locale=fr']);
  assert.deepEqual(client.held, snapshot('v1', ['1']));
});

test('a changeset from the held version is applied', async () => {
  const { client, requests } = await shown(snapshot('v1', ['1']), changeset('v1', 'v2', inserts('2')));
  await client.show('letters', { q: 'a' });
  assert.equal(requests[1], 'POST /screens/letters/changes?q=a {"version":"v1"}');
  assert.deepEqual(client.held, snapshot('v2', ['2', '1']));
});

test('a changeset that results in the held version is ignored', async () => {
  const shown = [];
  const { requests, fetch } = scripted(snapshot('v1', ['1']), changeset('v0', 'v1', inserts('1')), changeset('v1', 'v1'));
  const client = new Client({ fetch, onSnapshot: (held) => shown.push(held.version) });
  await client.show('letters');
  await client.show('letters');
  await client.show('letters');
  assert.deepEqual(ids(client), ['1']);
  assert.deepEqual(shown, ['v1']);
  assert.equal(requests.length, 3);
});

test('after a changeset from another version, the client requests changes from the held version', async () => {
  const { client, requests } = await shown(snapshot('v1'), changeset('v5', 'v6', inserts('6')), changeset('v1', 'v7', inserts('7')));
  await client.show('letters');
  const request = 'POST /screens/letters/changes {"version":"v1"}';
  assert.deepEqual(requests.slice(1), [request, request]);
  assert.deepEqual(ids(client), ['7']);
});

test('after three changesets from other versions, the client requests a snapshot', async () => {
  const other = changeset('v5', 'v6');
  const { client, requests } = await shown(snapshot('v1'), other, other, other, snapshot('v6', ['6']));
  await client.show('letters');
  assert.deepEqual(requests.map((one) => one.split(' ')[0]), ['GET', 'POST', 'POST', 'POST', 'GET']);
  assert.equal(client.held.version, 'v6');
});

test('a snapshot in response to a request for changes replaces the held snapshot', async () => {
  const { client } = await shown(snapshot('v1', ['1']), { ...snapshot('v9', ['9']), reason: 'smaller' });
  await client.show('letters');
  assert.deepEqual(client.held, snapshot('v9', ['9']));
});

test('after a changeset that cannot be applied to the held snapshot, the client requests a snapshot', async () => {
  const reasons = [];
  const { requests, fetch } = scripted(snapshot('v1', ['1']), changeset('v1', 'v2', misfit), snapshot('v2', ['2']));
  const client = new Client({ fetch, onMismatch: (error) => reasons.push(error.reason) });
  await client.show('letters');
  await client.show('letters', { q: 'a' });
  assert.equal(requests[2], 'GET /screens/letters?q=a');
  assert.deepEqual(reasons, ['out-of-bounds']);
  assert.deepEqual(client.held, snapshot('v2', ['2']));
});

test('the client requests a snapshot if it holds no version of the screen', async () => {
  const { client, requests } = await shown(snapshot('v1'), snapshot('d1', [], 'digits'));
  await client.show('digits');
  assert.equal(requests[1], 'GET /screens/digits');
  assert.equal(client.held.screen, 'digits');
});

test('a call of show() cancels the requests of earlier calls, even if they are not sent yet', async () => {
  const hanging = (signal) => new Promise((_, reject) => { signal.addEventListener('abort', () => reject(signal.reason)); });
  const { requests, fetch } = scripted(hanging, { screens: [] }, snapshot('v1', ['abc']));
  const client = new Client({ fetch });
  const first = client.show('letters', { q: 'a' });
  const screens = client.catalog();
  await new Promise(setImmediate);
  assert.deepEqual(requests, ['GET /screens/letters?q=a', 'GET /screens'], 'the list of screens does not wait');
  await Promise.all([first, client.show('letters', { q: 'ab' }), client.show('letters', { q: 'abc' }), screens]);
  assert.deepEqual(requests.slice(2), ['GET /screens/letters?q=abc']);
  assert.deepEqual(ids(client), ['abc']);
});

test('a response that has arrived is not shown if show() is called again', async () => {
  const body = promised();
  const late = { ok: true, status: 200, url: '', headers: new Headers(), text: () => body.promise };
  const { fetch } = scripted(() => late, snapshot('v2', ['2']));
  const versions = [];
  const client = new Client({ fetch, onSnapshot: ({ version }) => versions.push(version) });
  const first = client.show('letters', { q: 'a' });
  await new Promise(setImmediate);
  body.resolve(JSON.stringify(snapshot('v1', ['1'])));
  await Promise.all([first, client.show('letters', { q: 'ab' })]);
  assert.deepEqual(versions, ['v2']);
});

test('a problem is thrown with its document, and the held snapshot stays', async () => {
  const detail = 'q has at most 20 letters';
  const { client } = await shown(snapshot('v1', ['1']), problem(400, { title: 'Bad Request', status: 400, detail }));
  await assert.rejects(client.show('letters'), (error) => {
    assert.ok(error instanceof ClientError);
    assert.deepEqual([error.reason, error.exchange.status, error.exchange.document.detail], ['problem', 400, detail]);
    return true;
  });
  assert.equal(client.held.version, 'v1');
});

test('the problem of a superseded request is ignored', async () => {
  let respond;
  const { fetch } = scripted(new Promise((resolve) => { respond = resolve; }), snapshot('v1', ['1']));
  const client = new Client({ fetch });
  client.show('letters', { q: 'wrong' });
  // A request that was not sent yet would not be sent at all.
  await new Promise((sent) => { setImmediate(sent); });
  const shown = client.show('letters', { q: 'right' });
  respond(problem(400, {}));
  await shown;
  assert.equal(client.held.version, 'v1');
});

test('a request can be repeated after the server was unreachable', async () => {
  const answers = [];
  const { fetch } = scripted(new Promise((_, reject) => { reject(new TypeError('refused')); }), snapshot('v1'));
  const client = new Client({ fetch, onExchange: ({ status }) => answers.push(status) });
  await assert.rejects(client.show('letters'), { name: 'ClientError', reason: 'unreachable' });
  await client.show('letters');
  assert.deepEqual(answers, [0, 200]);
  assert.equal(client.held.version, 'v1');
});

test('a response that is not a valid document is reported as an error', async () => {
  const { fetch } = scripted(new Response('<html>'), { kind: 'menu' }, snapshot('v1'), new Response('null'));
  const client = new Client({ fetch });
  await assert.rejects(client.catalog(), { name: 'ClientError', reason: 'unexpected' });
  await assert.rejects(client.show('letters'), { name: 'ClientError', reason: 'unexpected' });
  await client.show('letters');
  await assert.rejects(client.show('letters'), { name: 'ClientError', reason: 'unexpected' });
});

test('the report of an exchange has its response and the data to repeat its request', async () => {
  const exchanges = [];
  const { fetch } = scripted(new Response('{"screens":[],"note":"é"}'));
  await new Client({ fetch, onExchange: (exchange) => exchanges.push(exchange) }).catalog({ locale: 'fr' });
  const [{ milliseconds, response, ...exchange }] = exchanges;
  assert.ok(response.headers instanceof Headers);
  assert.ok(milliseconds >= 0);
  assert.deepEqual(exchange, {
    method: 'GET', path: '/screens?locale=fr', url: '/screens?locale=fr', headers: {}, body: undefined, status: 200, retryAfter: null,
    language: undefined, takesTokens: false, text: '{"screens":[],"note":"é"}', document: { screens: [], note: 'é' },
  });
});

test('each document is reported with the snapshots before and after it', async () => {
  const reported = [];
  const { fetch } = scripted(snapshot('v1', ['1']), changeset('v1', 'v2', inserts('2')), changeset('v2', 'v2'));
  const client = new Client({ fetch, onDocument: ({ outcome, before, after }) => reported.push([outcome, before?.version, after.version]) });
  for (let time = 0; time < 3; time += 1) await client.show('letters');
  assert.deepEqual(reported, [['replace', undefined, 'v1'], ['apply', 'v1', 'v2'], ['ignore', 'v2', 'v2']]);
});

test('if onDocument() resets the client, onSnapshot() is not called', async () => {
  const snapshots = [];
  const { fetch } = scripted(snapshot('v1'));
  const client = new Client({ fetch, onDocument: () => client.reset(), onSnapshot: (held) => snapshots.push(held) });
  await client.show('letters');
  assert.deepEqual(snapshots, []);
});

test('an action is sent with a key, and its changeset is applied', async () => {
  const { requests, sent, fetch } = scripted(snapshot('v1', ['1']), changeset('v1', 'v2', inserts('2')));
  const client = new Client({ fetch });
  await client.show('letters', { q: 'a' });
  await client.perform('add', { letter: 'b' });
  assert.equal(requests[1], 'POST /screens/letters/actions/add?q=a {"version":"v1","input":{"letter":"b"}}');
  assert.match(sent[1]['Idempotency-Key'], /^[0-9a-f]{32}$/);
  assert.deepEqual(ids(client), ['2', '1']);
});

test('an action before the first call of show() fails with a message that says what to do', async () => {
  await assert.rejects(new Client({ fetch: scripted().fetch }).perform('add'), { name: 'TypeError', message: /call show\(\) first/ });
});

test('a repeated action has the key of the first attempt', async () => {
  const { client, sent } = await shown(snapshot('v1'), Promise.reject(new TypeError('lost')), changeset('v1', 'v2', inserts('2')));
  const attempt = { key: 'k1' };
  await assert.rejects(client.perform('add', {}, attempt), { reason: 'unreachable' });
  await client.perform('add', {}, attempt);
  assert.deepEqual(sent.slice(1).map((headers) => headers['Idempotency-Key']), ['k1', 'k1']);
  assert.equal(client.held.version, 'v2');
});

test('validation errors of an action are thrown with their fields', async () => {
  const errors = [{ pointer: '/input/kilograms', detail: 'Too heavy.' }];
  const { client } = await shown(snapshot('v1'), problem(422, { errors }));
  await assert.rejects(client.perform('weigh', {}), (error) => {
    assert.deepEqual([error.reason, error.isTemporary, error.errors], ['problem', false, errors]);
    return true;
  });
});

test('if the response to an action is a changeset from another version, the client requests changes', async () => {
  const { client, requests } = await shown(snapshot('v1'), changeset('v8', 'v9'), changeset('v1', 'v9', inserts('9')));
  await client.perform('add', {});
  assert.equal(requests[2], 'POST /screens/letters/changes {"version":"v1"}');
  assert.deepEqual(ids(client), ['9']);
});

test('the kind, screen and versions of a document determine what the client does with it', () => {
  const held = snapshot('v1');
  assert.equal(decision(held, snapshot('v1')), 'replace');
  assert.equal(decision(held, changeset('v1', 'v2')), 'apply');
  assert.equal(decision(held, changeset('v0', 'v1')), 'ignore');
  assert.equal(decision(held, changeset('v1', 'v1')), 'ignore');
  assert.equal(decision(held, changeset('v2', 'v3')), 'outdated');
  assert.equal(decision(held, { ...changeset('v1', 'v2'), screen: 'digits' }), 'outdated');
  assert.equal(decision(held, { kind: 'menu' }), 'outdated');
});

test('a request without a response within the timeout fails as unreachable', async () => {
  const fetch = (url, { signal }) => new Promise((_, reject) => { signal.addEventListener('abort', () => reject(signal.reason)); });
  await assert.rejects(new Client({ fetch, timeout: 1 }).catalog(), { reason: 'unreachable' });
});

test('all requests are sent to paths below the base URL', async () => {
  const requests = [];
  const fetch = async (url) => {
    requests.push(url);
    return new Response('{"screens":[]}');
  };
  await new Client({ fetch, base: 'https://host/lists/' }).catalog({ locale: 'fr' });
  assert.deepEqual(requests, ['https://host/lists/screens?locale=fr']);
});

test('the outcome of an action is read only from a problem document that the service itself sent', () => {
  const error = (document, reason = 'problem') => new ClientError(reason, { method: 'POST', path: '/', status: 500, document });
  for (const outcome of ['performed', 'not-performed', 'unknown']) assert.equal(error({ outcome }).outcome, outcome);
  for (const other of [error(undefined), error({}), error({ outcome: 'done' }), error({ outcome: 'performed' }, 'unexpected')]) {
    assert.equal(other.outcome, undefined);
  }
  const proxied = new ClientError('problem', { method: 'POST', path: '/', status: 422, document: {} });
  assert.equal(proxied.isNotPerformed, false);
});

test('if a problem says that an action was performed, the changes of the action are requested', async () => {
  const { client, requests } = await shown(snapshot('v1'), problem(500, { outcome: 'performed' }), changeset('v1', 'v2', inserts('2')));
  await client.perform('add', {});
  assert.equal(requests[2], 'POST /screens/letters/changes {"version":"v1"}');
  assert.deepEqual(ids(client), ['2']);
});

test('an action that was performed succeeds even if the view cannot be requested', async () => {
  const { client } = await shown(snapshot('v1'), problem(500, { outcome: 'performed' }), problem(503), problem(503));
  await client.perform('add', {});
  assert.equal(client.held.version, 'v1');
});

test('an action that was performed succeeds even if a later view has an invalid name', async () => {
  const { client } = await shown(snapshot('v1'), snapshot('v2'));
  const action = client.perform('add', {});
  await Promise.all([assert.rejects(client.show('\ud800'), URIError), action]);
});

test('retryAfter is at most 300 s, so that no timer overflows', () => {
  const error = (retryAfter) => new ClientError('problem', { method: 'GET', path: '/', status: 503, retryAfter });
  assert.equal(error('7').retryAfter, 7000);
  assert.equal(error('2592000').retryAfter, 300_000);
  for (const none of [null, undefined, '-1', 'Wed, 21 Oct 2026 07:28:00 GMT']) assert.equal(error(none).retryAfter, 0);
});

test('the values of isNotPerformed and isRejection depend on the status of the problem', () => {
  const error = (status, reason = 'problem') => (
    new ClientError(reason, { method: 'POST', path: '/', status, document: { outcome: 'not-performed' } }));
  assert.equal(error(422).isNotPerformed, true);
  for (const status of [400, 401, 403, 404, 405, 406, 408, 409, 413, 415, 425, 429, 500, 502, 503, 504]) {
    assert.equal(error(status).isNotPerformed, false, String(status));
  }
  for (const status of [400, 403, 404, 405, 406, 413, 415, 422]) assert.equal(error(status).isRejection, true, String(status));
  for (const status of [401, 408, 409, 425, 429, 500, 502, 503, 504]) assert.equal(error(status).isRejection, false, String(status));
  for (const other of [error(0, 'unreachable'), error(422, 'unexpected')]) {
    assert.equal(other.isNotPerformed, false);
    assert.equal(other.isRejection, false);
  }
});
