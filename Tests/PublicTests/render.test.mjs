import assert from 'node:assert/strict';
import { test } from 'node:test';
import { announcement } from '../../Public/page/announcing.js';
import { difference } from '../../Public/relist/render.js';
import { stationary } from '../../Public/relist/render/dom.js';
import { rowOf, words } from '../../Public/relist/render/registry.js';

const stay = (...positions) => [...stationary(positions)].sort((a, b) => a - b);

test('elements that are in order stay in place', () => {
  assert.deepEqual(stay(0, 1, 2), [0, 1, 2]);
  assert.deepEqual(stay(), []);
});

test('if one element moves, the others stay in place', () => {
  assert.deepEqual(stay(1, 2, 3, 0), [0, 1, 2]);
  assert.deepEqual(stay(3, 0, 1, 2), [1, 2, 3]);
});

test('a new element is not one of the elements that stay in place', () => {
  assert.deepEqual(stay(-1, 0, -1, 1), [1, 3]);
  assert.deepEqual(stay(-1, -1), []);
});

test('as many elements as possible stay in place', () => {
  assert.equal(stay(3, 1, 4, 0, 5, 9, 2, 6).length, 4);
  assert.equal(stay(4, 3, 2, 1, 0).length, 1);
});

test('a generic row shows a title, a value and all other members of its view', () => {
  assert.deepEqual(rowOf({ id: '7534-1', type: 'delivery', name: 'Barley', weight: 10.5, isWeighed: true, place: { x: 1 } }), {
    title: 'Barley',
    value: '10.5',
    facts: [{ key: 'Is weighed', text: 'true' }, { key: 'Place', text: '{"x":1}' }],
  });
});

test('a generic row shows `text` below the title, or as the title', () => {
  const row = rowOf({ type: 'note', title: 'Rain', text: 'No harvest' });
  assert.deepEqual([row.title, row.detail], ['Rain', 'No harvest']);
  assert.deepEqual(rowOf({ type: 'note', text: 'No harvest' }), { title: 'No harvest', facts: [] });
});

test('a value that is a list is shown with the other members of a generic row', () => {
  const row = rowOf({ id: 'a', type: 'fact', label: 'Set', value: ['x', 2] });
  assert.equal('value' in row, false);
  assert.deepEqual(row.facts, [{ key: 'Value', text: 'x, 2' }]);
});

test('a generic row shows the id or the type of its view if there is no title', () => {
  assert.equal(rowOf({ id: 'a', type: 'fact', title: '' }).title, 'a');
  assert.equal(rowOf({ type: 'divider' }).title, 'divider');
});

test('a generic row omits empty values and the members that the protocol defines', () => {
  assert.deepEqual(rowOf({
    id: 'a', type: 'album', $later: 1, note: null, tags: [], subtitle: '', size: { height: 20 }, link: { screen: 'artist' },
    action: { name: 'open' }, actions: [{ name: 'drop', title: 'Drop' }],
  }), { title: 'a', facts: [] });
});

test('a generic row keeps its dates, so that they can be shown with the current time', () => {
  const [placed, due] = [{ $date: '2026-07-12T09:00:00Z', style: 'relative' }, { $date: '2026-07-12T09:30:00Z', style: 'timer' }];
  assert.deepEqual(rowOf({ id: '7', type: 'order', name: 'Tea', duration: due, placed, at: { $date: 'noon' } }), {
    title: 'Tea', value: due, facts: [{ key: 'Placed', text: placed }, { key: 'At', text: '{"$date":"noon"}' }],
  });
});

test('identifiers are converted to words', () => {
  assert.deepEqual(['isWeighed', 'delivery_day', 'q'].map(words), ['Is weighed', 'Delivery day', 'Q']);
});

const cell = (id, content = {}) => ({ id, type: 'delivery', ...content });
const section = (id, ids, views = {}) => ({ id, cells: ids.map((one) => (typeof one === 'string' ? cell(one) : one)), ...views });
const keys = (found) => {
  const all = Object.entries(found).map(([name, ids]) => [name, [...ids.keys()]]);
  return Object.fromEntries(all.filter(([, ids]) => ids.length > 0));
};
const between = (before, after) => keys(difference(before, after));

test('a difference does not contain unchanged cells', () => {
  assert.deepEqual(between([section('a', ['1', '2'])], [section('a', ['1', '2'])]), {});
});

test('inserted, deleted, updated and moved cells are distinguished', () => {
  const after = [section('a', ['3', '1', cell('4', { weight: 2 }), '9'])];
  const found = between([section('a', ['1', '2', '3', '4'])], after);
  assert.deepEqual(found, { inserted: ['9'], deleted: ['2'], moved: ['3'], updated: ['4'] });
});

test('a cell with a new section and new content is reported as moved and as updated', () => {
  const after = [section('a', []), section('b', ['2', cell('1', { weight: 2 })])];
  assert.deepEqual(between([section('a', ['1']), section('b', ['2'])], after), { moved: ['1'], updated: ['1'] });
});

test('inserted, deleted and moved sections and updated headers are distinguished', () => {
  const titled = (title) => section('a', ['1'], { header: { type: 'h', title }, footer: { type: 'f' } });
  const before = [titled('A'), section('b', []), section('c', ['2'])];
  const after = [section('c', ['2'], { header: { type: 'h' } }), titled('B'), section('d', [])];
  assert.deepEqual(between(before, after), {
    insertedSections: ['d'], deletedSections: ['b'], movedSections: ['c'], updatedHeaders: ['a'],
  });
});

test('a change is announced to screen readers in words', () => {
  const announced = (before, after) => announcement(difference(before, after), 'en');
  assert.equal(announced([section('a', ['1'])], [section('a', ['1', '2', '3', '4'])]), '3 deliveries added');
  assert.equal(announced([section('a', ['1', '2'])], [section('a', ['2'])]), '1 delivery removed');
  const after = [section('a', ['3', cell('1', { x: 1 }), '2'])];
  assert.equal(announced([section('a', ['1', '2', '3'])], after), '1 delivery moved, 1 delivery changed');
  const mixed = [cell('n', { type: 'artistHeader' }), cell('m', { type: 'box' }), cell('o', { type: 'box' })];
  assert.equal(announced([], [section('a', mixed)]), '1 artist header added, 2 boxes added');
  assert.equal(announced([section('a', ['1']), section('b', ['2'])], [section('b', ['2']), section('a', ['1'])]), '1 section moved');
  assert.equal(announced([section('a', ['1'])], [section('a', ['1'])]), '');
});
