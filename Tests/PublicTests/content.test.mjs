import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowOf, words } from '../../Public/relist/render/registry.js';

test('a title-like field stands out, a value stands opposite, and the rest are facts', () => {
  assert.deepEqual(rowOf({ id: '7534-1', type: 'delivery', name: 'Barley', weight: 10.5, isWeighed: true, place: { x: 1 } }), {
    title: 'Barley',
    value: '10.5',
    facts: [{ key: 'Is weighed', text: 'true' }, { key: 'Place', text: '{"x":1}' }],
  });
});

test('a text stands below the title, or is the title where there is no other', () => {
  const row = rowOf({ type: 'note', title: 'Rain', text: 'No harvest' });
  assert.deepEqual([row.title, row.detail], ['Rain', 'No harvest']);
  assert.deepEqual(rowOf({ type: 'note', text: 'No harvest' }), { title: 'No harvest', facts: [] });
});

test('a structured value is a fact', () => {
  const row = rowOf({ id: 'a', type: 'fact', label: 'Set', value: ['x', 2] });
  assert.equal('value' in row, false);
  assert.deepEqual(row.facts, [{ key: 'Value', text: 'x, 2' }]);
});

test('a view without a title-like field is called by its id, or else by its type', () => {
  assert.equal(rowOf({ id: 'a', type: 'fact', title: '' }).title, 'a');
  assert.equal(rowOf({ type: 'divider' }).title, 'divider');
});

test('what is empty, and the keys of the protocol, are not worth saying', () => {
  assert.deepEqual(rowOf({
    id: 'a', type: 'album', $later: 1, note: null, tags: [], subtitle: '', size: { height: 20 }, link: { screen: 'artist' },
    action: { name: 'open' }, actions: [{ name: 'drop', title: 'Drop' }],
  }), { title: 'a', facts: [] });
});

test('names of the code are read as words', () => {
  assert.deepEqual(['isWeighed', 'delivery_day', 'q'].map(words), ['Is weighed', 'Delivery day', 'Q']);
});
