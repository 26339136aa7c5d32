import assert from 'node:assert/strict';
import { test } from 'node:test';
import './browser.mjs';
import { Client } from '../../Public/relist/client.js';
import { Position } from '../../Public/relist/client/exchanges.js';

const field = 'Relist-Position';
const snapshot = (version) => ({ kind: 'snapshot', screen: 'letters', version, layout: 'table', sections: [] });
const changeset = (from, version = from) => ({ kind: 'changeset', screen: 'letters', from, version, stages: [] });

function answer(document, { position = undefined, status = 200, ...fields } = {}) {
  const headers = { ...fields, ...(position && { [field]: position }) };
  return new Response(status === 204 ? null : JSON.stringify(document), { status, headers });
}

/** A stream of one event, which then stays open until it is left. */
const stream = (document) => (signal) => {
  const text = `event: ${document.kind}\ndata: ${JSON.stringify(document)}\n\n`;
  const body = new ReadableStream({ start: (controller) => {
    controller.enqueue(new TextEncoder().encode(text));
    signal.addEventListener('abort', () => controller.error(signal.reason), { once: true });
  } });
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream', 'Relist-Replica': 'c' } });
};

/** A server that gives the answers it was told to, in turn, and keeps which position each request said. */
function server(...answers) {
  const said = [];
  const fetch = async (_, { headers, signal }) => {
    said.push(headers[field]);
    const given = await answers.shift();
    if (given instanceof Error) throw given;
    return typeof given === 'function' ? given(signal) : given;
  };
  return { said, fetch };
}

/** Has three seconds go by whenever somebody looks at the clock. */
function hurry(t) {
  let time = 0;
  t.mock.method(performance, 'now', () => (time += 3000));
}

async function shown(...answers) {
  const { said, fetch } = server(answer(snapshot('v1')), ...answers);
  const exchanges = [];
  const client = new Client({ fetch, onExchange: (exchange) => exchanges.push(exchange) });
  await client.show('letters');
  return { client, said, exchanges };
}

test('a server that says no position is told none', async () => {
  const { client, said } = await shown(answer(changeset('v1', 'v2')), answer(changeset('v2')));
  await client.perform('add');
  await client.show('letters');
  assert.deepEqual(said, [undefined, undefined, undefined]);
});

test('the position of what was done is said until a document has come that was asked for with it', async (t) => {
  hurry(t);
  const { client, said } = await shown(answer(changeset('v1', 'v2'), { position: '7' }), answer(changeset('v2')), answer(changeset('v2')));
  await client.perform('add');
  await client.show('letters');
  await client.show('letters');
  assert.deepEqual(said, [undefined, undefined, '7', undefined]);
});

test('for three seconds it is said with all that is asked, as another replica may not have heard of it', async (t) => {
  let time = 0;
  t.mock.method(performance, 'now', () => time);
  const { client, said } = await shown(answer(changeset('v1', 'v2'), { position: '7' }), answer(changeset('v2')), answer(changeset('v2')), answer(changeset('v2')));
  await client.perform('add');
  await client.show('letters');
  await client.show('letters');
  time = 2999;
  await client.show('letters');
  assert.deepEqual(said, [undefined, undefined, '7', '7', '7']);
});

test('where caches that serve many may keep an answer it is said for as long as they do', () => {
  let time = 0;
  const position = new Position(() => time);
  for (const text of [null, 'no-store', 'public, max-age=0, must-revalidate, s-maxage=10', 'public, s-maxage=2']) position.noteKeeping(text);
  position.learn('7');
  time = 35_999;
  position.settle('7');
  assert.equal(position.known, '7');
  time = 36_000;
  position.settle('7');
  assert.equal(position.known, undefined);
});

test('no problem, no lost answer, and no list of screens shows that a server has come so far', async () => {
  const { client, said } = await shown(
    answer(changeset('v1'), { position: '7' }), answer({}, { status: 503 }), new TypeError('gone'), answer({ screens: [] }), answer(changeset('v1')),
  );
  await client.perform('add');
  await assert.rejects(client.show('letters'));
  await assert.rejects(client.show('letters'));
  await client.catalog();
  await client.show('letters');
  assert.deepEqual(said.slice(2), ['7', '7', '7', '7']);
});

test('an answer of which only the head came says the position, too', async () => {
  const body = new ReadableStream({ pull: (controller) => controller.error(new TypeError('gone')) });
  const { client, said } = await shown(new Response(body, { headers: { [field]: '7' } }), answer(changeset('v1')));
  await assert.rejects(client.perform('add'));
  await client.show('letters');
  assert.deepEqual(said.slice(2), ['7']);
});

test('a token stands for those that its action was asked for with', () => {
  const position = new Position();
  position.learn('a', undefined);
  position.learn('b', 'a');
  assert.equal(position.known, 'b');
  position.learn('b', 'b');
  assert.equal(position.known, 'b');
});

test('after actions at the same time all their tokens are said, until another action is answered or each has settled', () => {
  let time = 0;
  const position = new Position(() => time);
  position.learn('a', undefined);
  time = 1000;
  position.learn('b', undefined);
  assert.equal(position.known, 'a, b');
  time = 3500;
  position.settle('a, b');
  assert.equal(position.known, 'b');
  position.learn('c', undefined);
  position.learn('d', 'b, c');
  assert.equal(position.known, 'd');
});

test('a token that is answered again has been known for as long as before', () => {
  let time = 0;
  const position = new Position(() => time);
  position.learn('a', undefined);
  time = 2000;
  position.learn('a', 'a');
  time = 3000;
  position.settle('a');
  assert.equal(position.known, undefined);
});

test('an answer that was asked for before something was done does not count as one from after it', async (t) => {
  hurry(t);
  let respond;
  const late = new Promise((resolve) => { respond = resolve; });
  const { client, said } = await shown(
    answer(changeset('v1'), { position: '7' }), late, answer(changeset('v1'), { position: '8' }), answer(changeset('v1')), answer(changeset('v1')),
  );
  await client.perform('add');
  const asked = client.show('letters');
  const done = client.perform('add');
  while (said.length < 4) await new Promise(setImmediate);
  respond(answer(changeset('v1')));
  await Promise.all([asked, done]);
  await client.show('letters');
  assert.deepEqual(said, [undefined, undefined, '7', '7', '8', undefined]);
});

test('what an action answers with a position of its own is not yet at every other replica', async () => {
  const { client, said } = await shown(
    answer(changeset('v1', 'v2'), { position: '7' }), answer(changeset('v2', 'v3'), { position: '8' }), answer(changeset('v3')),
  );
  await client.perform('add');
  await client.perform('add');
  await client.show('letters');
  assert.deepEqual(said.slice(2), ['7', '8']);
});

test('what is no token is none', async () => {
  for (const position of ['', '7, 8', '7 8', 'a'.repeat(101)]) {
    const { client, said } = await shown(answer(changeset('v1'), { position }), answer(changeset('v1')));
    await client.perform('add');
    await client.show('letters');
    assert.deepEqual(said.slice(2), [undefined], position);
  }
});

test('a stream is opened with the position, and its first event is one from after it', async (t) => {
  hurry(t);
  const { said, fetch } = server(
    answer(snapshot('v1')), new TypeError('gone'), answer(changeset('v1'), { position: '7' }), stream(changeset('v1', 'v2')), answer(changeset('v2')),
  );
  let hear;
  const event = new Promise((resolve) => { hear = resolve; });
  const client = new Client({
    live: true, fetch, onExchange: (exchange) => exchange.isEvent && hear(exchange),
    // The first stream is lost, and before another is opened something is done.
    schedule: (_, wake) => client.perform('add').then(wake),
  });
  await client.show('letters');
  assert.equal((await event).replica, 'c');
  await client.show('letters');
  client.close();
  assert.deepEqual(said.slice(0, 5), [undefined, undefined, undefined, '7', undefined]);
});

test('an exchange tells which replica answered, the last of those that were asked', async () => {
  const { client, exchanges } = await shown(
    answer(changeset('v1'), { 'Relist-Replica': '127.0.0.1:1, 127.0.0.1:2' }), answer({}, { status: 503, 'Relist-Replica': 'b' }),
  );
  await client.show('letters');
  await assert.rejects(client.show('letters'));
  assert.deepEqual(exchanges.map(({ replica }) => replica), [undefined, '127.0.0.1:2', 'b']);
});
