import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FakeElement, MovingElement, createDocument } from './fake-dom.mjs';
import { play } from '../../Public/relist/changeset.js';
import { ListView, setParts } from '../../Public/relist/render.js';
import { Registry } from '../../Public/relist/render/registry.js';

// The folder of the cases. `StageCasesTests.swift` runs the same cases. The README of the folder describes them.
const folder = new URL('../Fixtures/Stages/', import.meta.url);
const cases = readdirSync(folder).filter((name) => name.endsWith('.json'))
  .flatMap((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')));

/** A list view in an empty document, and the nodes that it shows. */
class Shown {
  /** The ids of the cells whose content was set since the last stage. */
  filled = [];

  constructor(Element, snapshot) {
    createDocument(Element);
    const [scroller, root] = ['div', 'div'].map((tag) => document.createElement(tag));
    document.body.append(scroller);
    scroller.append(root);
    this.root = root;
    const registry = new Registry({ configure: (row, view) => this.#configure(row, view) });
    this.list = new ListView(root, { scroller, registry, href: () => undefined, onSelect() {} });
    this.list.render(snapshot);
    this.takeChanges();
  }

  /** Returns the nodes that were put or removed, and the ids of the cells whose content was set, since the last call. */
  takeChanges() {
    const { filled } = this;
    this.filled = [];
    return { ...FakeElement.takeChanges(), filled };
  }

  #configure(row, { id, title }) {
    if (id !== undefined) this.filled.push(`cell ${id}`);
    setParts(row, { title });
  }

  get sections() {
    return this.root.children.map((section) => describe(section));
  }

  /** The nodes of sections and cells, by `section id` or `cell id`. */
  get nodes() {
    const sections = this.root.children;
    const cells = sections.flatMap((section) => part(section, 'cells').children);
    return new Map([...sections.map((node) => [`section ${node.dataset.id}`, node]), ...cells.map((node) => [`cell ${node.dataset.id}`, node])]);
  }
}

const part = (node, name) => node.children.find(({ className }) => className.split(' ')[0] === name);
const titleOf = (view) => part(view, 'row').children.find(({ dataset }) => dataset.part === 'title').textContent;
const titlesIn = (list) => list.children.map((one) => titleOf(one.className === '' ? one.children[0] : one));
const textOf = (view) => `${view.dataset.type} ${titleOf(view)}`;

/** Returns a shown section in the notation of the cases. */
function describe(section) {
  const [header, footer, loose] = ['header', 'footer', 'supplementary'].map((name) => part(section, name));
  const cells = part(section, 'cells').children.map((cell) => {
    const badges = part(cell, 'badges');
    return `${cell.dataset.id} ${textOf(cell)}${badges ? ` (${titlesIn(badges).join(', ')})` : ''}`;
  });
  return {
    section: section.dataset.id, ...(header && { header: textOf(header) }), cells, ...(footer && { footer: textOf(footer) }),
    ...(loose && { loose: titlesIn(loose) }),
  };
}

/** Returns the names of the sections and cells that a stage changes. `before` and `after` are the lists before and after the stage. */
function namesOf(performs, before, after) {
  const section = (list, at) => `section ${list[at].id}`;
  const cell = (list, [at, item]) => `cell ${list[at].cells[item].id}`;
  const cells = (list, at) => list[at].cells.map(({ id }) => `cell ${id}`);
  const { deleteSections = [], insertSections = [], moveSections = [] } = performs;
  const { updateCells = [], deleteCells = [], insertCells = [], moveCells = [] } = performs;
  return {
    updated: updateCells.map((at) => cell(before, at)),
    deleted: [...deleteSections.flatMap((at) => [section(before, at), ...cells(before, at)]), ...deleteCells.map((at) => cell(before, at))],
    inserted: [...insertSections.flatMap((at) => [section(after, at), ...cells(after, at)]), ...insertCells.map((at) => cell(after, at))],
    moved: [...moveSections.map(([from]) => section(before, from)), ...moveCells.map((at) => cell(before, at))],
  };
}

/** Performs a stage. Checks that the list view puts, removes and fills only the nodes that the stage names. */
function perform(shown, snapshot, step, performs) {
  const before = shown.nodes;
  const { updated, deleted, inserted, moved } = namesOf(performs, step.before, step.after);
  shown.list.play({ snapshot, steps: [step] });
  const after = shown.nodes;
  const { put, removed, filled } = shown.takeChanges();
  const named = (nodes, changed) => [...nodes].filter(([, node]) => changed.has(node)).map(([name]) => name).sort();
  assert.deepEqual(named(after, put), [...inserted, ...moved].sort(), 'the nodes that were put');
  assert.deepEqual(named(before, removed), deleted.sort(), 'the nodes that were removed');
  assert.deepEqual(filled.sort(), [...updated, ...inserted.filter((name) => name.startsWith('cell '))].sort(), 'the cells that were filled');
  const kept = [...before.keys()].filter((name) => !deleted.includes(name));
  for (const name of kept) assert.equal(after.get(name), before.get(name), `the node of ${name}`);
  assert.equal(after.size, kept.length + inserted.length);
}

for (const { name, before, changeset, stages } of cases) {
  for (const [browser, Element] of [['with moveBefore', MovingElement], ['without moveBefore', FakeElement]]) {
    test(`${name}: each stage is performed in place (${browser})`, () => {
      const { snapshot, steps } = play(before, changeset);
      const shown = new Shown(Element, before);
      assert.equal(steps.length, stages.length);
      for (const [index, step] of steps.entries()) {
        const { performs, shows } = stages[index];
        perform(shown, { ...snapshot, sections: step.after }, step, performs);
        assert.deepEqual(shown.sections, shows, `stage ${index + 1}`);
      }
    });
  }

  test(`${name}: all stages together show the last list and keep the nodes`, () => {
    const shown = new Shown(MovingElement, before);
    const nodes = shown.nodes;
    const last = stages.at(-1)?.shows ?? shown.sections;
    shown.list.play(play(before, changeset));
    assert.deepEqual(shown.sections, last);
    for (const [id, node] of shown.nodes) if (nodes.has(id)) assert.equal(node, nodes.get(id));
  });
}
