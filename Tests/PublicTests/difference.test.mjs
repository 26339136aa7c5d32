import assert from 'node:assert/strict';
import { test } from 'node:test';
import { announcement, phrases } from '../../Public/page/phrases.js';
import { difference } from '../../Public/relist/render.js';

const cell = (id, content = {}) => ({ id, type: 'delivery', ...content });
const section = (id, ids, views = {}) => ({ id, cells: ids.map((one) => (typeof one === 'string' ? cell(one) : one)), ...views });
const keys = (found) => {
  const all = Object.entries(found).map(([name, ids]) => [name, [...ids.keys()]]);
  return Object.fromEntries(all.filter(([, ids]) => ids.length > 0));
};
const between = (before, after) => keys(difference(before, after));

test('what stays as it is is not named', () => {
  assert.deepEqual(between([section('a', ['1', '2'])], [section('a', ['1', '2'])]), {});
});

test('cells that come, go, change and move are told apart', () => {
  const after = [section('a', ['3', '1', cell('4', { weight: 2 }), '9'])];
  const found = between([section('a', ['1', '2', '3', '4'])], after);
  assert.deepEqual(found, { inserted: ['9'], deleted: ['2'], moved: ['3'], updated: ['4'] });
});

test('a cell that changes section moved, and may have changed too', () => {
  const after = [section('a', []), section('b', ['2', cell('1', { weight: 2 })])];
  assert.deepEqual(between([section('a', ['1']), section('b', ['2'])], after), { moved: ['1'], updated: ['1'] });
});

test('sections come, go and move; only views that were there before and changed are updated', () => {
  const titled = (title) => section('a', ['1'], { header: { type: 'h', title }, footer: { type: 'f' } });
  const before = [titled('A'), section('b', []), section('c', ['2'])];
  const after = [section('c', ['2'], { header: { type: 'h' } }), titled('B'), section('d', [])];
  assert.deepEqual(between(before, after), {
    insertedSections: ['d'], deletedSections: ['b'], movedSections: ['c'], updatedHeaders: ['a'],
  });
});

test('a change is said in words', () => {
  const said = (before, after) => announcement(difference(before, after), phrases('en'));
  assert.equal(said([section('a', ['1'])], [section('a', ['1', '2', '3', '4'])]), '3 deliveries added');
  assert.equal(said([section('a', ['1', '2'])], [section('a', ['2'])]), '1 delivery removed');
  const after = [section('a', ['3', cell('1', { x: 1 }), '2'])];
  assert.equal(said([section('a', ['1', '2', '3'])], after), '1 delivery moved, 1 delivery changed');
  const mixed = [cell('n', { type: 'artistHeader' }), cell('m', { type: 'box' }), cell('o', { type: 'box' })];
  assert.equal(said([], [section('a', mixed)]), '1 artist header added, 2 boxes added');
  assert.equal(said([section('a', ['1']), section('b', ['2'])], [section('b', ['2']), section('a', ['1'])]), '1 section moved');
  assert.equal(said([section('a', ['1'])], [section('a', ['1'])]), '');
});
