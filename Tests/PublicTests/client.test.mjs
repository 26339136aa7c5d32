import assert from 'node:assert/strict';
import { test } from 'node:test';
import './browser.mjs';
import { Client, ClientError, decision } from '../../Public/relist/client.js';

const cell = (id) => ({ id, type: 'row' });
const snapshot = (version, ids = [], screen = 'letters') => (
  { kind: 'snapshot', screen, version, layout: 'table', sections: [{ id: 's', cells: ids.map(cell) }] }
);
const changeset = (from, version, ...stages) => ({ kind: 'changeset', screen: 'letters', from, version, stages });
const inserts = (id) => ({ insertCells: [{ at: [0, 0], cells: [cell(id)] }] });
const misfit = { deleteCells: [[7, 0, 1]] };

/** A server that gives the answers it was told to, in turn, and keeps what it was asked. */
function server(...answers) {
  const asked = [];
  const sent = [];
  const fetch = async (path, { method, body, headers }) => {
    asked.push(body ? `${method} ${path} ${body}` : `${method} ${path}`);
    sent.push(headers);
    const answer = await answers.shift();
    if (answer === undefined) throw new TypeError('no answer left');
    return answer instanceof Response ? answer : new Response(JSON.stringify(answer));
  };
  return { asked, sent, fetch };
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

test('each request says who asks, and no exchange that is told of says it', async () => {
  const told = [];
  const { sent, fetch } = server(snapshot('v1', ['1']), changeset('v1', 'v2', inserts('2')));
  const client = new Client({ fetch, token: async () => 'secret', onExchange: (exchange) => told.push(exchange) });
  await client.show('letters');
  await client.perform('add');
  assert.deepEqual(sent.map(({ Authorization }) => Authorization), ['Bearer secret', 'Bearer secret']);
  assert.ok(told.every(({ isSignedIn }) => isSignedIn));
  assert.ok(!JSON.stringify(told).includes('secret'));
});

test('a token that is refused is asked for anew, and what was asked for is asked once more from the version held', async () => {
  const refusals = [];
  const answers = [snapshot('v1', ['1']), problem(401, {}), changeset('v1', 'v2', inserts('2'))];
  const { asked, sent, fetch } = server(...answers);
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
  assert.equal(asked[1], asked[2]);
  assert.deepEqual(sent.map(({ Authorization }) => Authorization), ['Bearer old', 'Bearer old', 'Bearer new']);
  assert.deepEqual(sent.map((headers) => headers['Idempotency-Key']), [undefined, 'k', 'k']);
  assert.deepEqual(ids(client), ['2', '1']);
});

test('where there is no other token, the refusal is the answer', async () => {
  for (const token of [undefined, () => undefined, () => 'same']) {
    const { asked, fetch } = server(problem(401, { detail: 'Say who asks.' }));
    const client = new Client({ fetch, ...(token && { token }) });
    await assert.rejects(client.show('letters'), (error) => error instanceof ClientError && error.exchange.status === 401);
    assert.equal(asked.length, 1);
  }
});

test('several requests that are refused at once have one new token asked for', async () => {
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

test('a stream that ended with its token goes on by the version held, with a new one', async () => {
  const asked = [];
  let token = 'old';
  const live = promised();
  const fetch = async (path, { headers, signal }) => {
    asked.push(`${headers.Authorization} ${path}`);
    if (headers.Accept !== 'text/event-stream') return new Response(JSON.stringify(snapshot('v1', ['1'])));
    if (asked.length > 2 && headers.Authorization === 'Bearer old') return problem(401, {});
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
    onHeld: ({ version }) => version === 'v2' && live.resolve(),
  });
  await client.show('letters');
  await live.promise;
  client.close();
  const stream = '/screens/letters/changes?version=v1';
  assert.deepEqual(asked, [
    'Bearer old /screens/letters', `Bearer old ${stream}`, `Bearer old ${stream}`, `Bearer new ${stream}`,
  ]);
  assert.deepEqual(ids(client), ['2', '1']);
});

test('what is forgotten is not held, and the next look is a snapshot', async () => {
  const { asked, fetch } = server(snapshot('v1', ['1']), snapshot('v2', ['2']));
  const client = new Client({ fetch });
  await client.show('letters');
  client.forget();
  assert.equal(client.held, undefined);
  await client.show('letters');
  assert.deepEqual(asked, ['GET /screens/letters', 'GET /screens/letters']);
});

test('the first look at a screen is a GET with its parameters', async () => {
  const { asked, fetch } = server(snapshot('v1', ['1']));
  const client = new Client({ fetch });
  await client.show('letters', { q: 'a&b', locale: 'fr' });
  assert.deepEqual(asked, ['GET /screens/letters?q=a%26b&locale=fr']);
  assert.deepEqual(client.held, snapshot('v1', ['1']));
});

test('a changeset from the held version is applied', async () => {
  const { asked, fetch } = server(snapshot('v1', ['1']), changeset('v1', 'v2', inserts('2')));
  const client = new Client({ fetch });
  await client.show('letters');
  await client.show('letters', { q: 'a' });
  assert.equal(asked[1], 'POST /screens/letters/changes?q=a {"version":"v1"}');
  assert.deepEqual(client.held, snapshot('v2', ['2', '1']));
});

test('a changeset to the held version is ignored', async () => {
  const shown = [];
  const { asked, fetch } = server(snapshot('v1', ['1']), changeset('v0', 'v1', inserts('1')), changeset('v1', 'v1'));
  const client = new Client({ fetch, onHeld: (held) => shown.push(held.version) });
  await client.show('letters');
  await client.show('letters');
  await client.show('letters');
  assert.deepEqual(ids(client), ['1']);
  assert.deepEqual(shown, ['v1']);
  assert.equal(asked.length, 3);
});

test('a changeset between other versions makes it ask again from what it holds', async () => {
  const { asked, fetch } = server(snapshot('v1'), changeset('v5', 'v6', inserts('6')), changeset('v1', 'v7', inserts('7')));
  const client = new Client({ fetch });
  await client.show('letters');
  await client.show('letters');
  const question = 'POST /screens/letters/changes {"version":"v1"}';
  assert.deepEqual(asked.slice(1), [question, question]);
  assert.deepEqual(ids(client), ['7']);
});

test('a server that never answers from the held version is asked for a snapshot', async () => {
  const other = changeset('v5', 'v6');
  const { asked, fetch } = server(snapshot('v1'), other, other, other, snapshot('v6', ['6']));
  const client = new Client({ fetch });
  await client.show('letters');
  await client.show('letters');
  assert.deepEqual(asked.map((one) => one.split(' ')[0]), ['GET', 'POST', 'POST', 'POST', 'GET']);
  assert.equal(client.held.version, 'v6');
});

test('a snapshot that answers a request for changes replaces', async () => {
  const { fetch } = server(snapshot('v1', ['1']), { ...snapshot('v9', ['9']), reason: 'smaller' });
  const client = new Client({ fetch });
  await client.show('letters');
  await client.show('letters');
  assert.deepEqual(client.held, snapshot('v9', ['9']));
});

test('a changeset that does not fit leads to a GET of the snapshot', async () => {
  const reasons = [];
  const { asked, fetch } = server(snapshot('v1', ['1']), changeset('v1', 'v2', misfit), snapshot('v2', ['2']));
  const client = new Client({ fetch, onMisfit: (error) => reasons.push(error.reason) });
  await client.show('letters');
  await client.show('letters', { q: 'a' });
  assert.equal(asked[2], 'GET /screens/letters?q=a');
  assert.deepEqual(reasons, ['out-of-bounds']);
  assert.deepEqual(client.held, snapshot('v2', ['2']));
});

test('another screen is begun with a snapshot', async () => {
  const { asked, fetch } = server(snapshot('v1'), snapshot('d1', [], 'digits'));
  const client = new Client({ fetch });
  await client.show('letters');
  await client.show('digits');
  assert.equal(asked[1], 'GET /screens/digits');
  assert.equal(client.held.screen, 'digits');
});

test('one question is under way at a time, and of those that wait the last one counts', async () => {
  const first = promised();
  const { asked, fetch } = server(first.promise, { screens: [] }, changeset('v1', 'v2', inserts('abc')));
  const client = new Client({ fetch });
  const shows = ['a', 'ab', 'abc'].map((q) => client.show('letters', { q }));
  const screens = client.catalog();
  await new Promise(setImmediate);
  assert.deepEqual(asked, ['GET /screens/letters?q=a', 'GET /screens'], 'the list of screens waits for none');
  first.resolve(snapshot('v1'));
  await Promise.all([...shows, screens]);
  assert.deepEqual(asked.slice(2), ['POST /screens/letters/changes?q=abc {"version":"v1"}']);
  assert.deepEqual(ids(client), ['abc']);
});

test('a problem is thrown with its document and leaves what is held', async () => {
  const detail = 'q has at most 20 letters';
  const { fetch } = server(snapshot('v1', ['1']), problem(400, { title: 'Bad Request', status: 400, detail }));
  const client = new Client({ fetch });
  await client.show('letters');
  await assert.rejects(client.show('letters'), (error) => {
    assert.ok(error instanceof ClientError);
    assert.deepEqual([error.reason, error.exchange.status, error.exchange.document.detail], ['problem', 400, detail]);
    return true;
  });
  assert.equal(client.held.version, 'v1');
});

test('a problem of a question that another one followed is passed over', async () => {
  const { fetch } = server(problem(400, {}), snapshot('v1', ['1']));
  const client = new Client({ fetch });
  client.show('letters', { q: 'wrong' });
  await client.show('letters', { q: 'right' });
  assert.equal(client.held.version, 'v1');
});

test('it can be asked again after a server that was out of reach', async () => {
  const answers = [];
  const { fetch } = server(new Promise((_, reject) => { reject(new TypeError('refused')); }), snapshot('v1'));
  const client = new Client({ fetch, onExchange: ({ status }) => answers.push(status) });
  await assert.rejects(client.show('letters'), { name: 'ClientError', reason: 'unreachable' });
  await client.show('letters');
  assert.deepEqual(answers, [0, 200]);
  assert.equal(client.held.version, 'v1');
});

test('an answer that is no document of the protocol is an error', async () => {
  const { fetch } = server(new Response('<html>'), { kind: 'menu' }, snapshot('v1'), new Response('null'));
  const client = new Client({ fetch });
  await assert.rejects(client.catalog(), { name: 'ClientError', reason: 'unexpected' });
  await assert.rejects(client.show('letters'), { name: 'ClientError', reason: 'unexpected' });
  await client.show('letters');
  await assert.rejects(client.show('letters'), { name: 'ClientError', reason: 'unexpected' });
});

test('each exchange is shown with its bytes, and with what repeats it', async () => {
  const exchanges = [];
  const { fetch } = server(new Response('{"screens":[],"note":"é"}'));
  await new Client({ fetch, onExchange: (exchange) => exchanges.push(exchange) }).catalog({ locale: 'fr' });
  const [{ milliseconds, sent, ...exchange }] = exchanges;
  assert.equal(sent, 26);
  assert.ok(milliseconds >= 0);
  assert.deepEqual(exchange, {
    method: 'GET', path: '/screens?locale=fr', url: '/screens?locale=fr', headers: {}, body: undefined, status: 200, retryAfter: null, language: undefined, isSignedIn: false, takesTokens: false, replica: undefined,
    bytes: 26, text: '{"screens":[],"note":"é"}', document: { screens: [], note: 'é' },
  });
});

test('what became of a document is told with what was held before and after', async () => {
  const told = [];
  const { fetch } = server(snapshot('v1', ['1']), changeset('v1', 'v2', inserts('2')), changeset('v2', 'v2'));
  const client = new Client({ fetch, onTaken: ({ outcome, before, after }) => told.push([outcome, before?.version, after.version]) });
  for (let time = 0; time < 3; time += 1) await client.show('letters');
  assert.deepEqual(told, [['replace', undefined, 'v1'], ['apply', 'v1', 'v2'], ['ignore', 'v2', 'v2']]);
});

test('an action is performed under a key and brings its changes', async () => {
  const { asked, sent, fetch } = server(snapshot('v1', ['1']), changeset('v1', 'v2', inserts('2')));
  const client = new Client({ fetch });
  await client.show('letters', { q: 'a' });
  await client.perform('add', { letter: 'b' });
  assert.equal(asked[1], 'POST /screens/letters/actions/add?q=a {"version":"v1","input":{"letter":"b"}}');
  assert.match(sent[1]['Idempotency-Key'], /^[0-9a-f]{32}$/);
  assert.deepEqual(ids(client), ['2', '1']);
});

test('an action that is repeated has the key of the first attempt', async () => {
  const { sent, fetch } = server(snapshot('v1'), Promise.reject(new TypeError('lost')), changeset('v1', 'v2', inserts('2')));
  const client = new Client({ fetch });
  await client.show('letters');
  const attempt = { key: 'k1' };
  await assert.rejects(client.perform('add', {}, attempt), { reason: 'unreachable' });
  await client.perform('add', {}, attempt);
  assert.deepEqual(sent.slice(1).map((headers) => headers['Idempotency-Key']), ['k1', 'k1']);
  assert.equal(client.held.version, 'v2');
});

test('rules that an action breaks are thrown with their fields', async () => {
  const errors = [{ pointer: '/input/kilograms', detail: 'Too heavy.' }];
  const { fetch } = server(snapshot('v1'), problem(422, { errors }));
  const client = new Client({ fetch });
  await client.show('letters');
  await assert.rejects(client.perform('weigh', {}), (error) => {
    assert.deepEqual([error.reason, error.mayPass, error.errors], ['problem', false, errors]);
    return true;
  });
});

test('an action whose answer does not fit makes it ask', async () => {
  const { asked, fetch } = server(snapshot('v1'), changeset('v8', 'v9'), changeset('v1', 'v9', inserts('9')));
  const client = new Client({ fetch });
  await client.show('letters');
  await client.perform('add', {});
  assert.equal(asked[2], 'POST /screens/letters/changes {"version":"v1"}');
  assert.deepEqual(ids(client), ['9']);
});

test('a document is decided upon by kind, screen and versions alone', () => {
  const held = snapshot('v1');
  assert.equal(decision(held, snapshot('v1')), 'replace');
  assert.equal(decision(held, changeset('v1', 'v2')), 'apply');
  assert.equal(decision(held, changeset('v0', 'v1')), 'ignore');
  assert.equal(decision(held, changeset('v1', 'v1')), 'ignore');
  assert.equal(decision(held, changeset('v2', 'v3')), 'ask');
  assert.equal(decision(held, { ...changeset('v1', 'v2'), screen: 'digits' }), 'ask');
  assert.equal(decision(held, { kind: 'menu' }), 'ask');
});

test('a request that is not answered in time was not answered', async () => {
  const fetch = (url, { signal }) => new Promise((_, reject) => { signal.addEventListener('abort', () => reject(signal.reason)); });
  await assert.rejects(new Client({ fetch, timeout: 1 }).catalog(), { reason: 'unreachable' });
});

test('all paths are below a base', async () => {
  const asked = [];
  const fetch = async (url) => {
    asked.push(url);
    return new Response('{"screens":[]}');
  };
  await new Client({ fetch, base: 'https://host/lists/' }).catalog({ locale: 'fr' });
  assert.deepEqual(asked, ['https://host/lists/screens?locale=fr']);
});

test('the outcome of an action is what the service says, and nothing that another server says', () => {
  const error = (document, reason = 'problem') => new ClientError(reason, { method: 'POST', path: '/', status: 500, document });
  for (const outcome of ['performed', 'not-performed', 'unknown']) assert.equal(error({ outcome }).outcome, outcome);
  for (const other of [error(undefined), error({}), error({ outcome: 'done' }), error({ outcome: 'performed' }, 'unexpected')]) {
    assert.equal(other.outcome, undefined);
  }
  const proxied = new ClientError('problem', { method: 'POST', path: '/', status: 422, document: {} });
  assert.equal(proxied.isDefinite, false);
});

test('an action that was performed but not answered is done, and the view is asked for', async () => {
  const { asked, fetch } = server(snapshot('v1'), problem(500, { outcome: 'performed' }), changeset('v1', 'v2', inserts('2')));
  const client = new Client({ fetch });
  await client.show('letters');
  await client.perform('add', {});
  assert.equal(asked[2], 'POST /screens/letters/changes {"version":"v1"}');
  assert.deepEqual(ids(client), ['2']);
});

test('an action that was performed is done also where the view cannot be asked for', async () => {
  const { fetch } = server(snapshot('v1'), problem(500, { outcome: 'performed' }), problem(503), problem(503));
  const client = new Client({ fetch });
  await client.show('letters');
  await client.perform('add', {});
  assert.equal(client.held.version, 'v1');
});

test('only what was surely not done is asked for under another key, and what is refused is not offered again', () => {
  const error = (status, reason = 'problem') => (
    new ClientError(reason, { method: 'POST', path: '/', status, document: { outcome: 'not-performed' } }));
  assert.equal(error(422).isDefinite, true);
  for (const status of [400, 401, 403, 404, 405, 406, 408, 409, 413, 415, 425, 429, 500, 502, 503, 504]) {
    assert.equal(error(status).isDefinite, false, String(status));
  }
  for (const status of [400, 403, 404, 405, 406, 413, 415, 422]) assert.equal(error(status).isRefusal, true, String(status));
  for (const status of [401, 408, 409, 425, 429, 500, 502, 503, 504]) assert.equal(error(status).isRefusal, false, String(status));
  for (const other of [error(0, 'unreachable'), error(422, 'unexpected')]) {
    assert.equal(other.isDefinite, false);
    assert.equal(other.isRefusal, false);
  }
});
