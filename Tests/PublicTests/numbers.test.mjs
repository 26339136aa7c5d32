import assert from 'node:assert/strict';
import { test } from 'node:test';
import './browser.mjs';
import { Client } from '../../Public/relist/client.js';
import { scripted } from './fake-server.mjs';

const snapshot = (version, cells, screen = 'letters') => new Response(
  `{"kind":"snapshot","screen":"${screen}","version":"${version}","layout":"table","sections":[{"id":"s","cells":[${cells.join(',')}]}]}`,
);

/** Returns a client that receives the given responses, and a function that lists the keys in the warnings of the client. */
function clientOf(context, ...answers) {
  const { mock } = context.mock.method(console, 'warn', () => {});
  const names = () => mock.calls.map(({ arguments: [text] }) => /"(.*)" of the screen "(.*)"/.exec(text).slice(1).reverse().join('.'));
  return { client: new Client(scripted(...answers)), names };
}

test('a whole number beyond 2^53 in a document is reported once for each screen and key', async (context) => {
  const cell = (serial, id = 1) => `{"id":"${id}","type":"row","serial":${serial}}`;
  const { client, names } = clientOf(
    context, snapshot('v1', [cell('9007199254740993'), cell('-9007199254740993', 2)]), snapshot('v2', [cell('9007199254740995')]),
    snapshot('d1', [cell('1'.repeat(400))], 'digits'),
  );
  await client.show('letters');
  await client.show('letters');
  await client.show('digits');
  assert.deepEqual(names(), ['letters.serial', 'digits.serial']);
});

test('a whole number beyond 2^53 in the action of a received cell is reported', async (context) => {
  const { client, names } = clientOf(
    context, snapshot('v1', [
      '{"id":"1","type":"row","action":{"name":"weigh","input":{"delivery":9007199254740993,"lots":[1, 12345678901234567890 ]}}}',
    ]),
  );
  await client.show('letters');
  assert.deepEqual(names().sort(), ['letters.delivery', 'letters.lots']);
});

test('an action is not sent if its input has a whole number beyond 2^53', async () => {
  const { requests, fetch } = scripted(snapshot('v1', []), snapshot('v2', []));
  const client = new Client({ fetch });
  await client.show('letters');
  for (const input of [{ delivery: 2 ** 53 }, { delivery: -(2 ** 53) }, { delivery: [1, 9007199254740993] }, { delivery: Infinity }]) {
    await assert.rejects(client.perform('weigh', input), { name: 'RangeError', message: /"delivery"/ });
  }
  assert.equal(requests.length, 1);
  await client.perform('weigh', { kilograms: 2 ** 53 - 1, text: '9007199254740993' });
  assert.equal(requests.length, 2);
});

test('an action is not sent if its input contains itself', async () => {
  const { requests, fetch } = scripted(snapshot('v1', []));
  const client = new Client({ fetch });
  await client.show('letters');
  const input = { lots: [] };
  input.lots.push(input);
  await assert.rejects(client.perform('weigh', input), TypeError);
  assert.equal(requests.length, 1);
});

test('a whole number beyond 2^53 in a changeset is reported', async (context) => {
  const { client, names } = clientOf(context, snapshot('v1', []), new Response(
    '{"kind":"changeset","screen":"letters","from":"v1","version":"v2","stages":'
    + '[{"insertCells":[{"at":[0,0],"cells":[{"id":"1","type":"row","serial":9007199254740993}]}]}]}',
  ));
  await client.show('letters');
  await client.show('letters');
  assert.deepEqual(names(), ['letters.serial']);
});

test('texts, fractions, and whole numbers that JavaScript represents exactly are not reported', async (context) => {
  const { client, names } = clientOf(
    context, snapshot('v1', [
      '{"id":"1234567890123456789","type":"row","a":9007199254740991,"b":0.12345678901234567,"c":1e300,"d":"9007199254740993"}',
    ]),
  );
  await client.show('letters');
  assert.deepEqual(names(), []);
});
