import assert from 'node:assert/strict';
import test from 'node:test';
import { Acting } from '../../Public/page/acting/acting.js';
import { phrases } from '../../Public/page/phrases.js';
import { ClientError } from '../../Public/relist/client.js';

/** The document of an action that the service refuses. */
const refused = { outcome: 'not-performed' };

/** A client that is answered as a test says, and the keys that it was given. A response with an error of the client is the service's own. */
function acting(...statuses) {
  const keys = [];
  const client = {
    view: { screen: 'deliveries', parameters: {} },
    perform: async (name, input, { key }) => {
      keys.push(key);
      const status = statuses.shift() ?? 200;
      const document = status >= 400 && status < 500 ? refused : undefined;
      if (status !== 200) throw new ClientError('problem', { method: 'POST', path: '/', status, document });
    },
  };
  return { keys, acting: new Acting(client, {}, () => undefined, () => {}, () => phrases('en')) };
}

test('what may have been done is sent again under its key, whatever refuses it meanwhile', async () => {
  const { keys, acting: page } = acting(503, 404, 200, 200);
  for (let count = 0; count < 4; count += 1) await page.perform('schedule', { kilograms: 1 });
  assert.equal(new Set(keys.slice(0, 3)).size, 1);
  assert.notEqual(keys[3], keys[0]);
});

test('a refusal of a proxy says nothing of an action', async () => {
  const client = { view: { screen: 'deliveries', parameters: {} } };
  const page = new Acting(client, {}, () => undefined, () => {}, () => phrases('en'));
  for (const status of [403, 404, 413, 422, 429, 502]) {
    const keys = [];
    client.perform = async (name, input, { key }) => {
      keys.push(key);
      throw new ClientError('problem', { method: 'POST', path: '/', status, document: { title: 'Blocked' } });
    };
    for (let count = 0; count < 2; count += 1) await page.perform('schedule', { status });
    assert.equal(new Set(keys).size, 1, String(status));
  }
});

test('what is refused takes no place from what may have been done', async () => {
  const { keys, acting: page } = acting(503, ...Array(40).fill(400));
  await page.perform('schedule', { kilograms: 1 });
  for (let kilograms = 2; kilograms < 42; kilograms += 1) await page.perform('schedule', { kilograms });
  await page.perform('schedule', { kilograms: 1 });
  assert.equal(keys.at(-1), keys[0]);
  assert.equal(new Set(keys).size, 41);
});

/** Answers come when, and as, a test says. */
function held() {
  const [keys, ends] = [[], []];
  const client = {
    view: {},
    perform: (name, input, { key }) => new Promise((resolve, reject) => {
      keys.push(key);
      ends.push((status) => {
        if (status === 200) return resolve();
        const exchange = { method: 'POST', path: '/', status, document: refused };
        return reject(new ClientError(status === 0 ? 'unreachable' : 'problem', exchange));
      });
    }),
  };
  return { keys, ends, acting: new Acting(client, {}, () => undefined, () => {}, () => phrases('en')) };
}

for (const status of [404, 422]) {
  test(`a ${status} while the same is under way says nothing of that`, async () => {
    const { keys, ends, acting: page } = held();
    const both = [page.perform('schedule', {}), page.perform('schedule', {})];
    ends[1](status);
    await both[1];
    ends[0](0);
    await both[0];
    page.perform('schedule', {});
    assert.equal(new Set(keys).size, 1);
  });
}

test('what is done again on purpose is kept, whatever comes of the attempt before it', async () => {
  const { keys, ends, acting: page } = held();
  const both = [page.perform('schedule', {}), page.perform('schedule', {})];
  ends[0](200);
  await both[0];
  const again = page.perform('schedule', {});
  ends[2](0);
  await again;
  ends[1](0);
  await both[1];
  page.perform('schedule', {});
  assert.deepEqual([keys[1], keys[3]], [keys[0], keys[2]]);
  assert.notEqual(keys[2], keys[0]);
});
