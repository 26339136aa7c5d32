import assert from 'node:assert/strict';
import { test } from 'node:test';
import { staying } from '../../Public/relist/render/dom.js';

const stay = (...positions) => [...staying(positions)].sort((a, b) => a - b);

test('what keeps its order stays', () => {
  assert.deepEqual(stay(0, 1, 2), [0, 1, 2]);
  assert.deepEqual(stay(), []);
});

test('one that moves lets all others stay', () => {
  assert.deepEqual(stay(1, 2, 3, 0), [0, 1, 2]);
  assert.deepEqual(stay(3, 0, 1, 2), [1, 2, 3]);
});

test('what is new does not stay', () => {
  assert.deepEqual(stay(-1, 0, -1, 1), [1, 3]);
  assert.deepEqual(stay(-1, -1), []);
});

test('as many stay as can', () => {
  assert.equal(stay(3, 1, 4, 0, 5, 9, 2, 6).length, 4);
  assert.equal(stay(4, 3, 2, 1, 0).length, 1);
});
