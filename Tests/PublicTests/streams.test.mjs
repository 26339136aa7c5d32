import assert from 'node:assert/strict';
import { test } from 'node:test';
import './browser.mjs';
import { watchStreams } from '../../Public/page/inspecting/streams.js';
import { FakeServer } from './fake-server.mjs';
import { Watched } from './watched.mjs';

function streamTest(name, body) {
  test(name, { timeout: 60_000 }, async () => {
    const server = await new FakeServer().start();
    const failures = [];
    const network = { isDown: false };
    const send = (...request) => (network.isDown ? Promise.reject(new TypeError('offline')) : server.fetch(...request));
    // The network works again after the third failure.
    const watched = new Watched(watchStreams(send, (exchange) => {
      if (failures.push(exchange) === 3) network.isDown = false;
    }));
    try {
      server.set(['a']);
      await watched.client.show('letters');
      await watched.until(() => watched.state === 'live');
      await body({ server, watched, failures, network });
    } finally {
      watched.client.close();
      await server.stop();
    }
  });
}

streamTest('a broken stream, each failed attempt to reopen it, and the first event of the next stream are reported', async ({ server, watched, failures, network }) => {
  network.isDown = true;
  server.breakStreams();
  await watched.until(() => watched.state === 'reconnecting');
  await watched.until(() => watched.state === 'live');
  const reports = failures.map(({ status, isStream, first }) => [status, isStream, first]);
  assert.deepEqual(reports, [[200, true, undefined], [0, true, undefined], [0, true, undefined], [200, true, 'current']]);
  assert.match(failures[0].path, /^\/screens\/letters\/changes\?version=/);
});

streamTest('the first event after a failure is the changeset that was missed', async ({ server, watched, failures, network }) => {
  network.isDown = true;
  server.breakStreams();
  await watched.until(() => watched.state === 'reconnecting');
  server.set(['b']);
  await watched.until(() => watched.letters === 'b');
  assert.equal(failures.at(-1).first, 'changeset');
});

streamTest('a stream that the client ends is not reported', async ({ server, watched, failures }) => {
  watched.client.pause();
  await server.hasStreams(0);
  watched.client.resume();
  await server.hasStreams(1);
  server.set(['b']);
  await watched.until(() => watched.letters === 'b');
  assert.deepEqual(failures, []);
});

test('a report contains no token', async () => {
  const failures = [];
  const headers = { Accept: 'text/event-stream', Authorization: 'Bearer secret' };
  await assert.rejects(watchStreams(() => Promise.reject(new TypeError('offline')), (exchange) => failures.push(exchange))('/x', { headers }));
  assert.ok(!JSON.stringify(failures).includes('secret'));
});
