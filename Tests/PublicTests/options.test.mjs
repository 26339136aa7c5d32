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

test('an option that is undefined has its default value', async (context) => {
  context.mock.method(globalThis, 'fetch', async () => new Response(JSON.stringify(snapshot)));
  const names = ['base', 'fetch', 'timeout', 'token', 'live', 'random', 'schedule', 'onExchange', 'onState'];
  const client = new Client(Object.fromEntries(names.map((name) => [name, undefined])));
  await client.show('s');
  assert.equal(client.held.version, 'v1');
});
