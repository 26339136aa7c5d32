import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { explain as explained } from '../../Public/page/inspecting/explanation.js';
import { phrases as inspectorPhrases } from '../../Public/page/inspecting/phrases.js';
import { play } from '../../Public/relist/changeset.js';

const explain = (before, changeset) => explained(play(before, changeset).steps, inspectorPhrases('en'));

const cell = (id, content = {}) => ({ id, type: 'delivery', number: `No ${id}`, ...content });
const section = (id, ids, views = {}) => ({ id, cells: ids.map((one) => cell(one)), ...views });
const snapshot = (...sections) => ({ kind: 'snapshot', screen: 'd', version: 'v1', layout: 'table', sections });

function explanationOf(before, ...stages) {
  const explained = explain(before, { kind: 'changeset', screen: 'd', from: 'v1', version: 'v2', stages });
  return explained.flatMap(({ title, lines }) => [title, ...lines.map(({ verb, text }) => `${verb}: ${text}`)]);
}

test('the explanation of an update lists the changed values', () => {
  const updateCells = [{ at: [0, 0], cell: cell('1', { weight: '2 t', size: { height: 1 } }) }];
  const lines = explanationOf(snapshot(section('a', ['1'])), { updateCells });
  assert.deepEqual(lines, ['Update cells', 'update: No 1: weight none → 2 t, size']);
});

test('a French explanation has French names and a space before its colon', () => {
  const updateCells = [{ at: [0, 0], cell: cell('1', { detail: 'Fort', other: 1 }) }];
  const changeset = { kind: 'changeset', screen: 'd', from: 'v1', version: 'v2', stages: [{ updateCells }] };
  const [{ lines }] = explained(play(snapshot(section('a', ['1'])), changeset).steps, inspectorPhrases('fr'));
  assert.equal(lines[0].text, 'No 1\u00a0: détail rien → Fort, other rien → 1');
});

test('the explanation of a cell operation names the affected cells and sections', () => {
  const header = { type: 'day', title: 'Monday' };
  const before = snapshot(section('a', ['1', '2', '3'], { header }), section('b', ['4', '5', '6', '7', '8']));
  assert.deepEqual(explanationOf(before, {
    deleteCells: [[1, 0, 5]], insertCells: [{ at: [1, 0], cells: [cell('9')] }], moveCells: [[0, 0, 1, 1, 1], [0, 2, 0, 0, 1]],
  }), [
    'Delete, insert and move cells',
    'delete: No 4, No 5, No 6 and 2 others: deleted from “b”',
    'insert: No 9: inserted into “b”',
    'move: No 1: moved from “Monday” to “b”',
    'move: No 3: moved from place 3 to 1 of “Monday”',
  ]);
});

test('an explanation names a section by its header', () => {
  const header = { type: 'day', title: 'Monday' };
  assert.deepEqual(explanationOf(
    snapshot(section('a', []), section('b', [], { header })),
    { insertSections: [{ at: 0, section: section('n', ['1']) }] },
    { deleteSections: [1], moveSections: [[2, 0]] },
    { updateSections: [{ at: 0, footer: { type: 'f' }, header: { type: 'day', title: 'Tuesday' } }] },
  ), [
    'Insert sections', 'insert: “n”: a section with 1 cell',
    'Delete and move sections', 'delete: “a”: the section is deleted', 'move: “Monday”: the section moves from place 3 to 1',
    'Update headers, footers and supplementary views', 'update: header title Monday → Tuesday, footer added',
  ]);
});

test('each line of an explanation has the ids of the affected cells', () => {
  const [{ lines }] = explain(snapshot(section('a', ['1', '2'])), { kind: 'changeset', screen: 'd', from: 'v1', version: 'v2', stages: [{ deleteCells: [[0, 0, 2]] }] });
  assert.deepEqual(lines[0].cells, ['1', '2']);
});

const fixtures = new URL('../Fixtures/Changesets/', import.meta.url);
for (const name of readdirSync(fixtures)) {
  test(`each operation of ${name} is explained`, () => {
    const { source, changeset } = JSON.parse(readFileSync(new URL(name, fixtures), 'utf8'));
    const lines = explain(source, changeset).flatMap((stage) => stage.lines);
    assert.equal(lines.length, changeset.stages.flatMap((stage) => Object.values(stage).flat(1)).length);
    for (const { text } of lines) assert.doesNotMatch(text, /undefined|\[object/);
  });
}
