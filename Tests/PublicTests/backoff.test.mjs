import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Backoff } from '../../Public/relist/client/following.js';

const pauses = (backoff, count) => Array.from({ length: count }, () => backoff.next());

test('pauses double up to the most there is, and begin anew after a success', () => {
  const backoff = new Backoff({ most: 3000, random: () => 1 });
  assert.deepEqual(pauses(backoff, 5), [500, 1000, 2000, 3000, 3000]);
  backoff.reset();
  assert.deepEqual(pauses(backoff, 2), [500, 1000]);
});

test('not all come back at once: half of a pause is chance', () => {
  assert.deepEqual(pauses(new Backoff({ random: () => 0 }), 3), [250, 500, 1000]);
});

test('a server that asked to be left alone is left alone', () => {
  assert.equal(new Backoff({ random: () => 0 }).next(7000), 7250);
});

test('a stream says how long to wait at first', () => {
  const backoff = new Backoff({ random: () => 1 });
  backoff.base = 2000;
  assert.deepEqual(pauses(backoff, 2), [2000, 4000]);
});
