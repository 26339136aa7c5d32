import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { apply, ChangesetError } from '../../Public/relist/changeset.js';

const cell = (id, content = {}) => ({ id, type: 'row', ...content });
const section = (id, cellIds, rest = {}) => ({ id, cells: cellIds.map((one) => cell(one)), ...rest });
const snapshot = (...sections) => ({ kind: 'snapshot', screen: 'letters', version: 'v1', layout: 'table', sections });
const changeset = (...stages) => ({ kind: 'changeset', screen: 'letters', from: 'v1', version: 'v2', stages });

/** Returns a short notation of a list of sections: `a: 1 2 | b: 3`. */
const short = ({ sections }) => sections.map(({ id, cells }) => [`${id}:`, ...cells.map((one) => one.id)].join(' ')).join(' | ');
const long = (text) => snapshot(...text.split(' | ').map((part) => {
  const [id, ...cells] = part.split(' ');
  return section(id.slice(0, -1), cells);
}));

const frozen = (value) => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
};

function leads(before, stages, after) {
  const applied = apply(frozen(long(before)), frozen(changeset(...stages)));
  assert.equal(short(applied), after);
  return applied;
}

function rejects(reason, data, stage, before = 'a: 1 2 3 | b: 4 5') {
  assert.throws(() => apply(long(before), changeset(stage)), (error) => {
    assert.ok(error instanceof ChangesetError, error.stack);
    assert.deepEqual({ reason: error.reason, data: error.data }, { reason, data });
    return true;
  });
}

test('a changeset without stages changes only the version', () => {
  const before = frozen(long('a: 1 2'));
  assert.deepEqual(apply(before, changeset()), { ...before, version: 'v2' });
});

test('a changeset changes the title only if it has a title', () => {
  const before = { ...long('a: 1'), title: 'Old' };
  assert.equal(apply(before, { ...changeset(), title: 'New' }).title, 'New');
  assert.equal(apply(before, { ...changeset(), title: '' }).title, '');
  assert.equal(apply(before, changeset()).title, 'Old');
  assert.equal(apply(before, { ...changeset(), title: null }).title, 'Old');
});

test('the reason of a snapshot is removed when a changeset is applied', () => {
  assert.equal('reason' in apply({ ...long('a: 1'), reason: 'initial' }, changeset()), false);
});

test('unknown keys at the top level of a changeset are ignored', () => {
  assert.equal(apply(long('a: 1'), { ...changeset(), later: true }).version, 'v2');
});

test('updateCells replaces the whole cell at its place', () => {
  const update = { at: [1, 0], cell: cell('3', { title: 'new' }) };
  const applied = leads('a: 1 2 | b: 3 4', [{ updateCells: [update] }], 'a: 1 2 | b: 3 4');
  assert.deepEqual(applied.sections[1].cells[0], { id: '3', type: 'row', title: 'new' });
});

const n = section('n', ['8']);
const m = section('m', ['9']);
for (const [name, before, stages, after] of [
  ['the places of insertSections are indexes in the list after the stage', 'a: 1 | b: 2', [{ insertSections: [{ at: 0, section: n }, { at: 2, section: m }] }], 'n: 8 | a: 1 | m: 9 | b: 2'],
  ['the places of deleteCells are indexes in the list before the stage', 'a: 1 2 3 4 5', [{ deleteCells: [[0, 0, 2], [0, 3, 1]] }], 'a: 3 5'],
  ['the places of insertCells are indexes in the list after the stage', 'a: 1 2',
    [{ insertCells: [{ at: [0, 0], cells: [cell('7'), cell('8')] }, { at: [0, 4], cells: [cell('9')] }] }], 'a: 7 8 1 2 9'],
  ['cells can be inserted into an empty section', 'a:', [{ insertCells: [{ at: [0, 0], cells: [cell('1')] }] }], 'a: 1'],
  ['moveCells keeps consecutive cells together', 'a: 1 2 3 4 5', [{ moveCells: [[0, 0, 0, 3, 2]] }], 'a: 3 4 5 1 2'],
  ['moveCells exchanges cells between sections', 'a: 1 2 | b: 3 4', [{ moveCells: [[0, 0, 1, 1, 1], [1, 1, 0, 0, 1]] }], 'a: 4 2 | b: 3 1'],
  ['the places of deleteSections are indexes in the list before the stage', 'a: 1 | b: 2 | c: 3', [{ deleteSections: [0, 2] }], 'b: 2'],
  ['the sources of moveSections are indexes in the list before the stage, and its targets are indexes in the list after the stage', 'a: 1 | b: 2 | c: 3', [{ moveSections: [[0, 2]] }], 'b: 2 | c: 3 | a: 1'],
  ['moveSections exchanges sections', 'a: 1 | b: 2 | c: 3', [{ moveSections: [[2, 0], [0, 2]] }], 'c: 3 | b: 2 | a: 1'],
  ['deletes, inserts and moves of one stage are independent', 'a: 1 2 3 4 5', [{
    deleteCells: [[0, 1, 1]],
    insertCells: [{ at: [0, 0], cells: [cell('8')] }, { at: [0, 4], cells: [cell('9')] }],
    moveCells: [[0, 4, 0, 1, 1]],
  }], 'a: 8 5 1 3 9 4'],
  ['a move whose source and target are the same index is valid, because other operations shift the cells', 'a: 1 2 3', [{ deleteCells: [[0, 0, 1]], moveCells: [[0, 1, 0, 1, 1]] }], 'a: 3 2'],
  ['sections can be deleted and moved in one stage', 'a: 1 | b: 2 | c: 3 | d: 4', [{ deleteSections: [1], moveSections: [[3, 0]] }], 'd: 4 | a: 1 | c: 3'],
  ['cells move out of a deleted section into an inserted one', 'a: 1 2 | b: 3',
    [{ insertSections: [{ at: 0, section: m }] }, { moveCells: [[1, 0, 0, 0, 2]] }, { deleteSections: [1] }], 'm: 1 2 9 | b: 3'],
]) {
  test(name, () => { leads(before, stages, after); });
}

test('updateSections replaces all views of a section and removes the views that it omits', () => {
  const views = { header: { type: 'h', title: 'old' }, footer: { type: 'f' }, supplementary: [{ kind: 'badge', cell: '1', view: { type: 'b' } }] };
  const before = frozen(snapshot(section('a', ['1'], views)));
  const header = { type: 'h', title: 'new' };
  const applied = apply(before, changeset({ updateSections: [{ at: 0, header }] }));
  assert.deepEqual(applied.sections, [{ id: 'a', header, cells: [cell('1')] }]);
  const emptied = apply(before, changeset({ updateSections: [{ at: 0, header: null, footer: null, supplementary: [] }] }));
  assert.deepEqual(emptied.sections, [section('a', ['1'])]);
});

test('a cell can be updated in one stage and moved in a later stage', () => {
  const applied = leads('a: 1 2', [
    { updateCells: [{ at: [0, 0], cell: cell('1', { title: 'new' }) }] },
    { moveCells: [[0, 0, 0, 1, 1]] },
  ], 'a: 2 1');
  assert.equal(applied.sections[0].cells[1].title, 'new');
});

test('cells and sections that a changeset does not touch stay the same objects', () => {
  const before = long('a: 1 2 | b: 3');
  const applied = apply(before, changeset({ deleteCells: [[0, 0, 1]] }));
  assert.equal(applied.sections[1], before.sections[1]);
  assert.equal(applied.sections[0].cells[0], before.sections[0].cells[1]);
});

test('optional keys that are null are removed, and nulls in content are kept', () => {
  const dull = { size: null, action: null, actions: null, link: null };
  const before = frozen({ ...snapshot({ ...section('a', []), cells: [cell('1', { note: null, ...dull })], header: null, footer: null, supplementary: [] }), title: null });
  const insertSections = [{ at: 1, section: { ...section('b', []), header: { type: 'h', ...dull }, cells: [cell('2', dull)], footer: null,
    supplementary: [{ kind: 'badge', item: 0, view: { type: 'v', ...dull } }] } }];
  assert.deepEqual(apply(before, changeset({ insertSections })), {
    ...snapshot(
      { id: 'a', cells: [cell('1', { note: null })] },
      { id: 'b', header: { type: 'h' }, cells: [cell('2')], supplementary: [{ kind: 'badge', item: 0, view: { type: 'v' } }] },
    ),
    version: 'v2',
  });
});

test('an empty list of actions is kept', () => {
  const update = { at: [0, 0], cell: cell('1', { actions: [], link: undefined }) };
  assert.deepEqual(apply(long('a: 1'), changeset({ updateCells: [update] })).sections[0].cells, [cell('1', { actions: [] })]);
});

test('a document that is not a changeset is rejected', () => {
  for (const document of [null, long('a: 1'), { ...changeset(), stages: undefined }, { ...changeset(), version: undefined }]) {
    assert.throws(() => apply(long('a: 1'), document), { name: 'ChangesetError', reason: 'not-a-changeset' });
  }
});

test('a changeset for a different screen or from a different version is rejected', () => {
  assert.throws(() => apply(long('a: 1'), { ...changeset(), screen: 'digits' }), { reason: 'other-screen', data: { held: 'letters', named: 'digits' } });
  assert.throws(() => apply(long('a: 1'), { ...changeset(), from: 'v0' }), { reason: 'other-version', data: { held: 'v1', named: 'v0' } });
});

test('an unknown key in a stage is rejected', () => {
  rejects('unknown-key', { key: 'swapCells' }, { swapCells: [] });
  rejects('unknown-key', { key: 'toString' }, { toString: [] });
  rejects('unknown-key', { key: 'insertCells.animation' }, { insertCells: [{ at: [0, 0], cells: [cell('9')], animation: 'fade' }] });
});

test('a stage with operations on both cells and sections is rejected', () => {
  const verbs = ['deleteCells', 'deleteSections'];
  rejects('mixed-stage', { verbs }, { deleteCells: [[0, 0, 1]], deleteSections: [1] });
});

test('an operation whose source is outside of the list before the stage is rejected', () => {
  rejects('out-of-bounds', { place: [0, 2], count: 2, length: 3 }, { deleteCells: [[0, 2, 2]] });
  rejects('out-of-bounds', { place: [1, 2], count: 1, length: 2 }, { moveCells: [[1, 2, 0, 0, 1]] });
  rejects('out-of-bounds', { place: [0, 3], count: 1, length: 3 }, { updateCells: [{ at: [0, 3], cell: cell('9') }] });
  rejects('out-of-bounds', { place: [2] }, { deleteCells: [[2, 0, 1]] });
  rejects('out-of-bounds', { place: [2], count: 1, length: 2 }, { deleteSections: [2] });
  rejects('out-of-bounds', { place: [2], count: 1, length: 2 }, { moveSections: [[2, 0]] });
  rejects('out-of-bounds', { place: [2], count: 1, length: 2 }, { updateSections: [{ at: 2 }] });
});

test('an operation whose target is outside of the list after the stage is rejected', () => {
  rejects('out-of-bounds', { place: [0, 4], count: 1, length: 4 }, { insertCells: [{ at: [0, 4], cells: [cell('9')] }] });
  rejects('out-of-bounds', { place: [0, 2], count: 2, length: 3 }, { moveCells: [[0, 0, 0, 2, 2]] });
  rejects('out-of-bounds', { place: [2] }, { moveCells: [[0, 0, 2, 0, 1]] });
  rejects('out-of-bounds', { place: [3], count: 1, length: 3 }, { insertSections: [{ at: 3, section: section('n', []) }] });
  rejects('out-of-bounds', { place: [2], count: 1, length: 2 }, { moveSections: [[0, 2]] });
});

test('two operations on the same source place are rejected', () => {
  rejects('source-twice', { place: [0, 1] }, { deleteCells: [[0, 0, 2], [0, 1, 1]] });
  rejects('source-twice', { place: [0, 0] }, { deleteCells: [[0, 0, 1]], moveCells: [[0, 0, 1, 0, 1]] });
  rejects('source-twice', { place: [0, 0] }, { updateCells: [{ at: [0, 0], cell: cell('1') }], moveCells: [[0, 0, 1, 0, 1]] });
  rejects('source-twice', { place: [1] }, { deleteSections: [1], moveSections: [[1, 0]] });
  rejects('source-twice', { place: [0] }, { updateSections: [{ at: 0 }, { at: 0 }] });
});

test('two operations on the same target place are rejected', () => {
  rejects('target-twice', { place: [0, 1] }, { insertCells: [{ at: [0, 0], cells: [cell('8'), cell('9')] }], moveCells: [[0, 0, 0, 1, 1]] });
  rejects('target-twice', { place: [1, 0] }, { moveCells: [[0, 0, 1, 0, 1], [0, 1, 1, 0, 1]] });
  rejects('target-twice', { place: [0] }, { insertSections: [{ at: 0, section: section('n', []) }], moveSections: [[1, 0]] });
});

test('an update whose id differs from the id of the cell at its place is rejected', () => {
  rejects('other-cell', { place: [0, 1], held: '2', named: '3' }, { updateCells: [{ at: [0, 1], cell: cell('3') }] });
});

test('deletes and inserts whose places are not in ascending order are rejected', () => {
  rejects('not-ascending', { verb: 'deleteCells', place: [0, 0] }, { deleteCells: [[0, 1, 1], [0, 0, 1]] });
  rejects('not-ascending', { verb: 'deleteCells', place: [0, 2] }, { deleteCells: [[1, 0, 1], [0, 2, 1]] });
  rejects('not-ascending', { verb: 'deleteSections', place: [0] }, { deleteSections: [1, 0] });
  const at = (place, id) => ({ at: place, section: section(id, []) });
  rejects('not-ascending', { verb: 'insertSections', place: [0] }, { insertSections: [at(1, 'n'), at(0, 'm')] });
  const cells = (place, id) => ({ at: place, cells: [cell(id)] });
  rejects('not-ascending', { verb: 'insertCells', place: [0, 0] }, { insertCells: [cells([0, 1], '8'), cells([0, 0], '9')] });
});

test('a changeset that results in repeated ids is rejected', () => {
  rejects('repeated-cell', { id: '5' }, { insertCells: [{ at: [0, 0], cells: [cell('5')] }] });
  rejects('repeated-section', { id: 'b' }, { insertSections: [{ at: 0, section: section('b', []) }] });
});

test('malformed operations are rejected', () => {
  const malformed = (verb, found, operations) => rejects('malformed', { verb, found }, { [verb]: operations });
  rejects('malformed', { verb: undefined, found: null }, null);
  malformed('deleteCells', 'all', 'all');
  malformed('deleteCells', [0, 0], [[0, 0]]);
  malformed('deleteCells', [0, 0, 0], [[0, 0, 0]]);
  malformed('deleteCells', [0, -1, 1], [[0, -1, 1]]);
  malformed('moveCells', [0, 0, 0, 0.5, 1], [[0, 0, 0, 0.5, 1]]);
  malformed('deleteSections', ['0'], ['0']);
  malformed('moveSections', [0], [[0]]);
  malformed('updateCells', { at: [0, 0] }, [{ at: [0, 0] }]);
  malformed('updateCells', { id: '1' }, [{ at: [0, 0], cell: { id: '1' } }]);
  malformed('insertCells', { at: [0, 0], cells: [] }, [{ at: [0, 0], cells: [] }]);
  malformed('insertSections', { id: 'n' }, [{ at: 0, section: { id: 'n' } }]);
  malformed('insertSections', { id: 'n', cells: [], header: 'text' }, [{ at: 0, section: { id: 'n', cells: [], header: 'text' } }]);
  malformed('updateSections', { at: 0, supplementary: [{ kind: 'badge' }] }, [{ at: 0, supplementary: [{ kind: 'badge' }] }]);
});

test('a section is rebuilt only once for any number of operations on its cells', () => {
  const ids = Array.from({ length: 20_000 }, (_, index) => `c${index}`);
  const sections = [section('a', ids)];
  let reads = 0;
  sections[0].cells = new Proxy(sections[0].cells, { get: (...access) => { reads += 1; return Reflect.get(...access); } });
  const moveCells = ids.map((_, index) => [0, index, 0, ids.length - 1 - index, 1]);
  const applied = apply(snapshot(...sections), changeset({ moveCells }));
  assert.equal(applied.sections[0].cells[0].id, 'c19999');
  assert.ok(reads < 20 * ids.length, `${reads} reads of ${ids.length} cells`);
});

const fixtures = new URL('../Fixtures/Changesets/', import.meta.url);
const names = existsSync(fixtures) ? readdirSync(fixtures).filter((name) => name.endsWith('.json')) : [];

test('the folder of changeset fixtures is not empty', () => {
  assert.ok(names.length > 0, `no fixtures in ${fixtures.pathname}`);
});

for (const name of names) {
  test(`the changeset of ${name} turns its source into its target`, () => {
    const { source, changeset: written, target } = JSON.parse(readFileSync(new URL(name, fixtures), 'utf8'));
    assert.deepEqual(apply(frozen(source), frozen(written)), target);
  });
}
