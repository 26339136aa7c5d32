import assert from 'node:assert/strict';
import { test } from 'node:test';
import './browser.mjs';
// The client loads this module when it needs it. In a test it is loaded already.
import '../../Public/relist/changeset.js';
import { Client } from '../../Public/relist/client.js';
import { Position } from '../../Public/relist/client/position.js';
import { scripted } from './fake-server.mjs';

const field = 'Relist-Position';
const positions = (sent) => sent.map((headers) => headers[field]);
const snapshot = (version) => ({ kind: 'snapshot', screen: 'letters', version, layout: 'table', sections: [] });
const changeset = (from, version = from) => ({ kind: 'changeset', screen: 'letters', from, version, stages: [] });

function answer(document, { position = undefined, status = 200, ...fields } = {}) {
  const headers = { ...fields, ...(position && { [field]: position }) };
  return new Response(status === 204 ? null : JSON.stringify(document), { status, headers });
}

/** Returns a stream that sends one event and stays open until it is aborted. */
const stream = (document) => (signal) => {
  const text = `event: ${document.kind}\ndata: ${JSON.stringify(document)}\n\n`;
  const body = new ReadableStream({ start: (controller) => {
    controller.enqueue(new TextEncoder().encode(text));
    signal.addEventListener('abort', () => controller.error(signal.reason), { once: true });
  } });
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream', 'Relist-Replica': 'c' } });
};

/** Makes the clock advance by three seconds each time it is read. */
function advanceClock(t) {
  let time = 0;
  t.mock.method(performance, 'now', () => (time += 3000));
}

async function shown(...answers) {
  const { sent, fetch } = scripted(answer(snapshot('v1')), ...answers);
  const exchanges = [];
  const client = new Client({ fetch, onExchange: (exchange) => exchanges.push(exchange) });
  await client.show('letters');
  return { client, sent, exchanges };
}

test('no position is sent to a server that sends no positions', async () => {
  const { client, sent } = await shown(answer(changeset('v1', 'v2')), answer(changeset('v2')));
  await client.perform('add');
  await client.show('letters');
  assert.deepEqual(positions(sent), [undefined, undefined, undefined]);
});

test('the position of an action is sent until a document that includes the action has arrived', async (t) => {
  advanceClock(t);
  const { client, sent } = await shown(answer(changeset('v1', 'v2'), { position: '7' }), answer(changeset('v2')), answer(changeset('v2')));
  await client.perform('add');
  await client.show('letters');
  await client.show('letters');
  assert.deepEqual(positions(sent), [undefined, undefined, '7', undefined]);
});

test('the position of an action is sent for three seconds, because another replica may be behind', async (t) => {
  let time = 0;
  t.mock.method(performance, 'now', () => time);
  const { client, sent } = await shown(answer(changeset('v1', 'v2'), { position: '7' }), answer(changeset('v2')), answer(changeset('v2')), answer(changeset('v2')));
  await client.perform('add');
  await client.show('letters');
  await client.show('letters');
  time = 2999;
  await client.show('letters');
  assert.deepEqual(positions(sent), [undefined, undefined, '7', '7', '7']);
});

test('the position of an action is sent for as long as a shared cache may respond with an older state', () => {
  let time = 0;
  const position = new Position(() => time);
  for (const text of [null, 'no-store', 'public, max-age=0, must-revalidate, s-maxage=10', 'public, s-maxage=2']) position.noteCaching(text);
  position.learn('7');
  time = 35_999;
  position.settle('7');
  assert.equal(position.value, '7');
  time = 36_000;
  position.settle('7');
  assert.equal(position.value, undefined);
});

test('a problem, a lost response or a list of screens does not remove the position of an action', async () => {
  const { client, sent } = await shown(
    answer(changeset('v1'), { position: '7' }), answer({}, { status: 503 }), new TypeError('gone'), answer({ screens: [] }), answer(changeset('v1')),
  );
  await client.perform('add');
  await assert.rejects(client.show('letters'));
  await assert.rejects(client.show('letters'));
  await client.catalog();
  await client.show('letters');
  assert.deepEqual(positions(sent).slice(2), ['7', '7', '7', '7']);
});

test('the position in the header of a response is used even if the body of the response is lost', async () => {
  const body = new ReadableStream({ pull: (controller) => controller.error(new TypeError('gone')) });
  const { client, sent } = await shown(new Response(body, { headers: { [field]: '7' } }), answer(changeset('v1')));
  await assert.rejects(client.perform('add'));
  await client.show('letters');
  assert.deepEqual(positions(sent).slice(2), ['7']);
});

test('the position token that an action returns replaces the tokens that were sent with the action', () => {
  const position = new Position();
  position.learn('a', undefined);
  position.learn('b', 'a');
  assert.equal(position.value, 'b');
  position.learn('b', 'b');
  assert.equal(position.value, 'b');
});

test('all position tokens of concurrent actions are sent until a later response replaces or confirms them', () => {
  let time = 0;
  const position = new Position(() => time);
  position.learn('a', undefined);
  time = 1000;
  position.learn('b', undefined);
  assert.equal(position.value, 'a, b');
  time = 3500;
  position.settle('a, b');
  assert.equal(position.value, 'b');
  position.learn('c', undefined);
  position.learn('d', 'b, c');
  assert.equal(position.value, 'd');
});

test('a position token that is received again keeps the time at which it was first received', () => {
  let time = 0;
  const position = new Position(() => time);
  position.learn('a', undefined);
  time = 2000;
  position.learn('a', 'a');
  time = 3000;
  position.settle('a');
  assert.equal(position.value, undefined);
});

test('a response to a request before an action does not remove the action’s position', async (t) => {
  advanceClock(t);
  let respond;
  const late = new Promise((resolve) => { respond = resolve; });
  const { client, sent } = await shown(
    answer(changeset('v1'), { position: '7' }), late, answer(changeset('v1'), { position: '8' }), answer(changeset('v1')), answer(changeset('v1')),
  );
  await client.perform('add');
  const asked = client.show('letters');
  while (sent.length < 3) await new Promise(setImmediate);
  const done = client.perform('add');
  while (sent.length < 4) await new Promise(setImmediate);
  respond(answer(changeset('v1')));
  await Promise.all([asked, done]);
  await client.show('letters');
  assert.deepEqual(positions(sent), [undefined, undefined, '7', '7', '8', undefined]);
});

test('the position in the response to an action is sent with the next request', async () => {
  const { client, sent } = await shown(
    answer(changeset('v1', 'v2'), { position: '7' }), answer(changeset('v2', 'v3'), { position: '8' }), answer(changeset('v3')),
  );
  await client.perform('add');
  await client.perform('add');
  await client.show('letters');
  assert.deepEqual(positions(sent).slice(2), ['7', '8']);
});

test('an invalid position token is ignored', async () => {
  for (const position of ['', '7, 8', '7 8', 'a'.repeat(101)]) {
    const { client, sent } = await shown(answer(changeset('v1'), { position }), answer(changeset('v1')));
    await client.perform('add');
    await client.show('letters');
    assert.deepEqual(positions(sent).slice(2), [undefined], position);
  }
});

test('a stream is opened with the position of an action, and its first event removes the position', async (t) => {
  advanceClock(t);
  const { sent, fetch } = scripted(
    answer(snapshot('v1')), new TypeError('gone'), answer(changeset('v1'), { position: '7' }), stream(changeset('v1', 'v2')), answer(changeset('v2')),
  );
  let hear;
  const event = new Promise((resolve) => { hear = resolve; });
  const client = new Client({
    live: true, fetch, onExchange: (exchange) => exchange.isEvent && hear(exchange),
    // The first stream is lost. An action is performed before the next stream is opened.
    schedule: (_, wake) => client.perform('add').then(wake),
  });
  await client.show('letters');
  assert.equal((await event).response.headers.get('Relist-Replica'), 'c');
  await client.show('letters');
  client.close();
  assert.deepEqual(positions(sent).slice(0, 5), [undefined, undefined, undefined, '7', undefined]);
});
