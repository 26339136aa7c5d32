import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowOf } from '../../Public/content.js';

test('a title-like field stands out and the rest are facts', () => {
  assert.deepEqual(rowOf({ id: '7534-1', type: 'delivery', name: 'Barley', weight: 10.5, note: null, place: { x: 1 } }), {
    title: 'Barley',
    facts: [
      { key: 'weight', text: '10.5', structured: false },
      { key: 'note', text: 'null', structured: false },
      { key: 'place', text: '{"x":1}', structured: true },
    ],
    marks: ['delivery', '7534-1'],
    actions: [],
  });
});

test('a plain value stands opposite the title, a structured one is a fact', () => {
  assert.equal(rowOf({ id: 'a', type: 'fact', label: 'Set', value: false }).value, 'false');
  const row = rowOf({ id: 'a', type: 'fact', label: 'Set', value: [1] });
  assert.equal('value' in row, false);
  assert.deepEqual(row.facts, [{ key: 'value', text: '[1]', structured: true }]);
});

test('a view without a title-like field is called by its id, or else by its type', () => {
  assert.equal(rowOf({ id: 'a', type: 'fact', title: '' }).title, 'a');
  assert.equal(rowOf({ type: 'divider' }).title, 'divider');
});

test('the keys of the protocol are no content', () => {
  const row = rowOf({
    id: 'a', type: 'album', $later: 1, size: { width: 10, height: 20 }, link: { screen: 'artist' },
    action: { name: 'open' }, actions: [{ name: 'drop', title: 'Drop' }],
  });
  assert.deepEqual(row, {
    title: 'a', facts: [], marks: ['album', 'a', '10 × 20'], actions: ['open', 'Drop'], link: { screen: 'artist' },
  });
  assert.deepEqual(rowOf({ type: 'track', size: { height: 120 } }).marks, ['track', 'height 120']);
});
