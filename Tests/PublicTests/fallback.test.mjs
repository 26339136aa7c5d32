import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apply, normalSnapshot, shownOf } from '../../Public/relist/changeset.js';
import { Registry, rowOf } from '../../Public/relist/render/registry.js';

const note = { type: 'note', text: 'Update the app to see this.' };
const known = (type) => ['row', 'note'].includes(type);
const cell = (content) => ({ id: '1', type: 'chart', points: [1, 2], ...content });

test('a view of a known type is shown, whatever fallback it has', () => {
  for (const fallback of [undefined, null, note]) {
    const view = { id: '1', type: 'row', fallback };
    assert.equal(shownOf(view, known), view);
  }
});

test('the fallback of a cell has the id of the cell, and the fallback of a header has no id', () => {
  assert.deepEqual(shownOf(cell({ fallback: note }), known), { ...note, id: '1' });
  assert.equal(shownOf({ type: 'chart', fallback: note }, known), note);
});

test('a view of an unknown type is not shown if its fallback is null', () => {
  assert.equal(shownOf(cell({ fallback: null }), known), undefined);
});

test('a view is returned unchanged if neither its type nor the type of its fallback is known', () => {
  for (const fallback of [undefined, { type: 'hologram' }, { type: 'hologram', fallback: note }, {}, 'note', 7]) {
    const view = cell({ fallback });
    assert.equal(shownOf(view, known), view);
  }
});

test('a registry knows the types that have renderers', () => {
  const registry = new Registry({ configure() {} });
  assert.equal(registry.shown(cell({ fallback: null })), undefined);
  registry.register('chart', { configure() {} });
  assert.deepEqual(registry.shown(cell({ fallback: null })), cell({ fallback: null }));
});

test('a fallback may be null, and optional keys of a fallback that are null are removed', () => {
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

test('the generic row of a cell omits the fallback of the cell', () => {
  assert.deepEqual(rowOf({ id: '1', type: 'chart', fallback: note }), { title: '1', facts: [] });
});
