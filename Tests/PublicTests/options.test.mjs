import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '../../Public/relist/client.js';

const snapshot = { kind: 'snapshot', screen: 's', version: 'v1', layout: 'list', sections: [] };

for (const timeout of [undefined, Infinity, 2 ** 31]) {
  test(`a request does not fail at once with the timeout ${timeout}`, async (context) => {
    const delays = [];
    const { setTimeout } = globalThis;
    context.mock.method(globalThis, 'setTimeout', (run, delay) => {
      delays.push(delay);
      return setTimeout(run, 30_000);
    });
    const client = new Client({ timeout, fetch: async () => new Response(JSON.stringify(snapshot)) });
    await client.show('s');
    assert.deepEqual(delays, [timeout === undefined ? 30_000 : 2_000_000_000]);
  });
}

test('after a renewal of a token has not ended in time, the next request starts another renewal', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const renewals = [() => new Promise(() => {}), () => 'new'];
  let hasStarted;
  const started = new Promise((resolve) => { hasStarted = resolve; });
  const client = new Client({
    token: (refused) => {
      if (!refused) return 'old';
      hasStarted();
      return renewals.shift()();
    },
    fetch: async (_, { headers }) => (
      headers.Authorization === 'Bearer new' ? new Response(JSON.stringify(snapshot)) : new Response('{}', { status: 401 })),
  });
  const first = client.show('s');
  await started;
  context.mock.timers.tick(30_000);
  await assert.rejects(first, { reason: 'unreachable' });
  const second = client.show('s');
  await new Promise(setImmediate);
  context.mock.timers.tick(30_000);
  await second;
  assert.equal(client.held.version, 'v1');
});

test('an option that is undefined has its default value', async (context) => {
  context.mock.method(globalThis, 'fetch', async () => new Response(JSON.stringify(snapshot)));
  const names = ['base', 'fetch', 'timeout', 'token', 'live', 'random', 'schedule', 'onExchange', 'onState'];
  const client = new Client(Object.fromEntries(names.map((name) => [name, undefined])));
  await client.show('s');
  assert.equal(client.held.version, 'v1');
});
