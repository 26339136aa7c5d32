import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '../../Public/relist/client.js';
// The client loads this module when it follows a screen. In a test it is loaded already.
import '../../Public/relist/client/connecting.js';
import { scripted } from './fake-server.mjs';

const snapshot = (screen, version = 'v1') => ({ kind: 'snapshot', screen, version, layout: 'list', sections: [] });
const problem = (status) => new Response('{}', { status });
const hanging = (signal) => new Promise((_, reject) => { signal.onabort = () => reject(signal.reason); });
const streamOf = (document) => new Response(`event: ${document.kind}\ndata: ${JSON.stringify(document)}\n\n`, {
  headers: { 'Content-Type': 'text/event-stream' },
});
const turn = () => new Promise(setImmediate);

/** Returns a client that makes no further attempt after a failure. */
const clientOf = (server, options) => new Client({ fetch: server.fetch, schedule: () => {}, ...options });

for (const [status, live] of [[404, false], [404, true], [503, false], [503, true]]) {
  test(`a view that onState shows after ${status} is loaded by a client with live: ${live}`, async () => {
    const server = scripted(problem(status), snapshot('second'));
    let second;
    const client = clientOf(server, { live, onState: (state) => {
      if (state !== 'asking') second ??= client.show('second');
    } });
    await assert.rejects(client.show('first'));
    await second;
    assert.equal(client.held.screen, 'second');
    client.close();
  });
}

test('a view that onState shows at the start of a load replaces the loaded view', async () => {
  const server = scripted(snapshot('second'));
  let second;
  const client = clientOf(server, { onState: (state) => {
    if (state === 'asking') second ??= client.show('second');
  } });
  await client.show('first');
  assert.equal(client.held.screen, 'second');
  assert.deepEqual(server.requests, ['GET /screens/second']);
});

test('a client that onState resets at the start of a load can load another view', async () => {
  const states = [];
  const client = clientOf(scripted(snapshot('second')), { onState: (state) => {
    states.push(state);
    if (states.length === 1) client.reset();
  } });
  await client.show('first');
  assert.deepEqual(states, ['asking', 'idle']);
  await client.show('second');
  assert.equal(client.held.screen, 'second');
});

test('a client that is reset during a load reports the next load', async () => {
  const states = [];
  const client = clientOf(scripted(hanging, snapshot('second')), { onState: (state) => states.push(state) });
  client.show('first');
  await turn();
  client.reset();
  await client.show('second');
  assert.deepEqual(states, ['asking', 'idle', 'asking', 'idle']);
});

test('a view that onState shows during resume is loaded and followed once', async () => {
  const server = scripted(snapshot('first'), hanging, snapshot('second'), hanging, hanging);
  let second;
  const client = clientOf(server, { live: true, onState: (state) => {
    if (state === 'reconnecting') second ??= client.show('second');
  } });
  await client.show('first');
  await turn();
  client.pause();
  client.resume();
  await second;
  await turn();
  const paths = server.requests.slice(2).map((line) => line.split(' ')[1]);
  assert.deepEqual(paths, ['/screens/second', '/screens/second/changes?version=v1']);
  client.close();
});

test('an earlier view is not requested after onMismatch has shown another view', async () => {
  const misfit = { kind: 'changeset', screen: 's', from: 'v1', version: 'v2', stages: [{ deleteCells: [[0, 0, 1]] }] };
  const server = scripted(snapshot('s'), misfit, snapshot('s', 'v2'));
  const client = clientOf(server, { onMismatch: () => { client.show('s', { of: 'second' }); } });
  await client.show('s');
  await client.show('s', { of: 'first' });
  assert.deepEqual(server.requests.slice(2), ['GET /screens/s?of=second']);
});

for (const name of ['onExchange', 'onDocument', 'onSnapshot']) {
  test(`no other state is reported after ${name} has paused the client`, async () => {
    const server = scripted(snapshot('s'), streamOf(snapshot('s', 'v2')));
    const states = [];
    let calls = 0;
    const client = clientOf(server, { live: true, onState: (state) => states.push(state), [name]: () => {
      calls += 1;
      if (calls === 2) client.pause();
    } });
    await client.show('s');
    while (calls < 2) await turn();
    await turn();
    assert.deepEqual(states, ['asking', 'idle']);
  });
}

test('an event of an earlier view is ignored after onExchange has shown another view', async () => {
  const server = scripted(snapshot('s'), streamOf(snapshot('s', 'v2')), snapshot('s', 'v3'));
  const versions = [];
  let calls = 0;
  let second;
  const client = clientOf(server, { live: true, onSnapshot: ({ version }) => versions.push(version), onExchange: () => {
    calls += 1;
    if (calls === 2) second = client.show('s', { of: 'second' });
  } });
  await client.show('s');
  while (!second) await turn();
  await second;
  assert.deepEqual(versions, ['v1', 'v3']);
  client.close();
});

test('a load that pause interrupts is not shown in a later view', async () => {
  const waiting = [];
  const server = scripted(problem(503), () => new Promise((resolve) => { waiting.push(resolve); }), snapshot('s', 'new'));
  const versions = [];
  const wakes = [];
  const client = new Client({
    live: true, fetch: server.fetch, schedule: (_, wake) => wakes.push(wake), onSnapshot: ({ version }) => versions.push(version),
  });
  await assert.rejects(client.show('s'));
  wakes[0]();
  while (!waiting.length) await turn();
  client.pause();
  client.resume();
  await turn();
  client.reset();
  const shown = client.show('s', { of: 'second' });
  waiting[0](new Response(JSON.stringify(snapshot('s', 'old'))));
  await shown;
  assert.deepEqual(versions, ['new']);
  client.close();
});
