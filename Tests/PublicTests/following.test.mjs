import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventParser } from '../../Public/relist/client/connecting.js';
import { Backoff, StreamSubscription, StreamSupport } from '../../Public/relist/client/following.js';

const pauses = (backoff, count) => Array.from({ length: count }, () => backoff.next());

test('the pauses between attempts double up to a maximum until an attempt succeeds', () => {
  const backoff = new Backoff(() => 1);
  assert.deepEqual(pauses(backoff, 8), [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  backoff.reset();
  assert.deepEqual(pauses(backoff, 2), [500, 1000]);
});

test('half of each pause between attempts is random', () => {
  assert.deepEqual(pauses(new Backoff(() => 0), 3), [250, 500, 1000]);
});

test('the pause between attempts is at least as long as the server requests', () => {
  assert.equal(new Backoff(() => 0).next(7000), 7250);
});

test('the retry field of a stream sets the first pause between attempts', () => {
  const backoff = new Backoff(() => 1);
  backoff.base = 2000;
  assert.deepEqual(pauses(backoff, 2), [2000, 4000]);
});

const stream = 'retry: 2500\n\n: pulse\n\nevent: changeset\nid: v2\ndata: {"a":1}\n\n'
  + 'event:snapshot\r\nid:v3\r\ndata:{\r\ndata: }\r\n\r\ndata\n\n';
const events = [
  { event: 'changeset', data: '{"a":1}', id: 'v2' },
  { event: 'snapshot', data: '{\n}', id: 'v3' },
  { event: 'message', data: '', id: 'v3' },
];

test('events are parsed as the HTML standard defines', () => {
  const parser = new EventParser();
  assert.deepEqual(parser.push(stream), events);
  assert.equal(parser.retry, 2500);
});

test('events are parsed from text in pieces of any size', () => {
  for (let cut = 0; cut <= stream.length; cut += 1) {
    const parser = new EventParser();
    assert.deepEqual([...parser.push(stream.slice(0, cut)), ...parser.push(stream.slice(cut))], events, `cut at ${cut}`);
  }
  const parser = new EventParser();
  assert.deepEqual([...stream].flatMap((letter) => parser.push(letter)), events);
});

test('each character of a long event is searched for line ends only once', (context) => {
  let searched = 0;
  const { split } = String.prototype;
  context.mock.method(String.prototype, 'split', function count(...separator) {
    searched += this.length;
    return split.apply(this, separator);
  });
  const parser = new EventParser();
  const pieces = ['data: ', ...Array(100).fill('x'.repeat(10)), '\n\n'];
  const complete = pieces.flatMap((piece) => parser.push(piece));
  assert.equal(complete[0].data.length, 1000);
  assert.equal(searched, pieces.join('').length);
});

test('incomplete or empty events are ignored', () => {
  const parser = new EventParser();
  assert.deepEqual(parser.push('event: changeset\n\nid: 1\n\nother: x\n\nretry: soon\n\ndata: unfinished\n'), []);
  assert.equal(parser.retry, undefined);
});

test('the client is reconnecting while it is unknown whether a stream delivers anything', async () => {
  const support = new StreamSupport();
  support.noteStream(false);
  const states = [];
  const host = { isLoaded: () => true, version: () => 'v1', setState: (state) => states.push(state) };
  await new Promise((resolve) => {
    const exchanges = { open: () => new Promise(() => resolve()) };
    const subscription = new StreamSubscription(exchanges, host, support, { schedule: () => {} });
    subscription.follow({ screen: 'letters', parameters: {} });
  });
  assert.deepEqual(states, ['reconnecting']);
});
