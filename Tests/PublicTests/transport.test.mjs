import assert from 'node:assert/strict';
import { test } from 'node:test';
import './browser.mjs';
import { Transport } from '../../Public/page/breaking/transport.js';
import { FakeServer } from './fake-server.mjs';
import { Watched } from './watched.mjs';

function faultTest(name, body) {
  test(name, { timeout: 60_000 }, async () => {
    const server = await new FakeServer().start();
    const waits = [];
    const transport = new Transport(server.fetch, async (milliseconds) => { waits.push(milliseconds); });
    const watched = new Watched(transport.fetch);
    try {
      server.set(['a']);
      await watched.client.show('letters');
      await watched.until(() => watched.state === 'live');
      await body({ server, transport, watched, waits });
    } finally {
      watched.client.close();
      await server.stop();
    }
  });
}

faultTest('an offline client reconnects and catches up with a changeset', async ({ server, transport, watched }) => {
  transport.isOffline = true;
  await watched.until(() => watched.state === 'reconnecting');
  server.set(['a', 'b']);
  transport.isOffline = false;
  await watched.until(() => watched.letters === 'ab');
  assert.deepEqual(watched.kinds, ['snapshot', 'changeset']);
});

test('a response that cannot have a body passes through the network', async () => {
  const { body } = new Response('');
  const transport = new Transport(async () => ({ status: 204, statusText: '', headers: new Headers(), body }));
  assert.equal((await transport.fetch('/')).status, 204);
});

faultTest('a slow network delays each event', async ({ server, transport, watched, waits }) => {
  transport.isSlow = true;
  server.set(['a', 'b']);
  await watched.until(() => watched.letters === 'ab');
  assert.deepEqual(waits, [2000]);
});

faultTest('the client receives a snapshot if it presents an unknown version', async ({ transport, watched }) => {
  transport.presentUnknownVersion();
  await watched.until(() => watched.kinds.length === 2);
  assert.deepEqual(watched.kinds, ['snapshot', 'snapshot']);
  assert.equal(watched.letters, 'a');
});

faultTest('the client requests a snapshot after a damaged changeset', async ({ server, transport, watched }) => {
  let count = 0;
  transport.damageChangeset(() => { count += 1; });
  server.set(['a', 'b']);
  await watched.until(() => watched.letters === 'ab');
  assert.deepEqual(watched.misfits, ['out-of-bounds']);
  assert.equal(count, 1);
  server.set(['c']);
  await watched.until(() => watched.letters === 'c');
  assert.equal(watched.kinds.at(-1), 'changeset', 'only one was damaged');
});

test('characters that are split across chunks arrive unchanged before a damaged changeset', async () => {
  const bytes = new TextEncoder().encode('é"stages":[{}]');
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(bytes.slice(0, 1));
      controller.enqueue(bytes.slice(1));
      controller.close();
    },
  });
  const transport = new Transport(async () => new Response(body));
  transport.damageChangeset();
  assert.equal(await (await transport.fetch('/')).text(), 'é"stages":[{"deleteCells":[[9999,0,1]]},{}]');
});
