import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apply, shownOf } from '../../Public/relist/changeset.js';
import { normalSnapshot } from '../../Public/relist/changeset.js';
import { rowOf } from '../../Public/relist/render/registry.js';
import { Registry } from '../../Public/relist/render/registry.js';

const note = { type: 'note', text: 'Update the app to see this.' };
const known = (type) => ['row', 'note'].includes(type);
const cell = (content) => ({ id: '1', type: 'chart', points: [1, 2], ...content });

test('a type that is known is shown, whatever it would fall back to', () => {
  for (const fallback of [undefined, null, note]) {
    const view = { id: '1', type: 'row', fallback };
    assert.equal(shownOf(view, known), view);
  }
});

test('a fallback is shown under the id of its cell, and a header has none', () => {
  assert.deepEqual(shownOf(cell({ fallback: note }), known), { ...note, id: '1' });
  assert.equal(shownOf({ type: 'chart', fallback: note }, known), note);
});

test('null shows nothing', () => {
  assert.equal(shownOf(cell({ fallback: null }), known), undefined);
});

test('without a fallback that is known it is left to the client', () => {
  for (const fallback of [undefined, { type: 'hologram' }, {}, 'note', 7]) {
    const view = cell({ fallback });
    assert.equal(shownOf(view, known), view);
  }
});

test('a fallback of a fallback is not looked at', () => {
  const view = cell({ fallback: { type: 'hologram', fallback: note } });
  assert.equal(shownOf(view, known), view);
});

test('a registry knows the types that have a renderer', () => {
  const registry = new Registry({ configure() {} });
  assert.equal(registry.shown(cell({ fallback: null })), undefined);
  registry.register('chart', { configure() {} });
  assert.deepEqual(registry.shown(cell({ fallback: null })), cell({ fallback: null }));
});

test('null and absent are two in a fallback, and one within it', () => {
  const snapshot = (...cells) => ({ kind: 'snapshot', screen: 's', version: 'v1', layout: 'table', sections: [{ id: 'a', cells }] });
  const before = snapshot(cell({ fallback: null }), { ...cell({ fallback: { ...note, link: null } }), id: '2' });
  const held = normalSnapshot(before);
  assert.equal(held.sections[0].cells[0], before.sections[0].cells[0]);
  assert.deepEqual(held.sections[0].cells[1], { ...cell({ fallback: note }), id: '2' });
  assert.equal(normalSnapshot(held).sections, held.sections);
  const update = { updateCells: [{ at: [0, 0], cell: cell({ size: null, fallback: { ...note, size: null } }) }] };
  const after = apply(held, { kind: 'changeset', screen: 's', from: 'v1', version: 'v2', stages: [update] });
  assert.deepEqual(after.sections[0].cells[0], cell({ fallback: note }));
});

test('a cell of which nothing is shown has its place', () => {
  const cells = ['1', '2', '3'].map((id) => ({ id, type: id === '2' ? 'chart' : 'row', fallback: null }));
  const snapshot = { kind: 'snapshot', screen: 's', version: 'v1', layout: 'table', sections: [{ id: 'a', cells }] };
  const stages = [{ deleteCells: [[0, 2, 1]] }];
  const after = apply(snapshot, { kind: 'changeset', screen: 's', from: 'v1', version: 'v2', stages });
  assert.deepEqual(after.sections[0].cells.map(({ id }) => id), ['1', '2']);
});

test('a fallback is no fact of the cell that brings it', () => {
  assert.deepEqual(rowOf({ id: '1', type: 'chart', fallback: note }), { title: '1', facts: [] });
});
