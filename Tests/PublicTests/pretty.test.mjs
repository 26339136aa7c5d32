import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pretty } from '../../Public/page/inspecting/pretty.js';

test('it indents as JSON.stringify does', () => {
  for (const value of [{ a: [1, { b: null }], c: {}, d: [], e: [[]], f: 'x' }, [], {}, [[], {}], 'a', 1, [{ a: {} }, 2]]) {
    assert.equal(pretty(JSON.stringify(value)), JSON.stringify(value, null, 2));
  }
});

test('strings are left alone, whatever is in them', () => {
  const value = { 'a:{': 'b,]"\\', c: '\n \\"' };
  assert.equal(pretty(JSON.stringify(value)), JSON.stringify(value, null, 2));
});

test('every digit stays', () => {
  assert.equal(pretty('[12345678901234567890,1.50]'), '[\n  12345678901234567890,\n  1.50\n]');
});
