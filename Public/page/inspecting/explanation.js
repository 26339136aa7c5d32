import { nameOf, words } from '../../relist/render.js';

/**
 * An operation in words, with the ids of the cells and sections that it affects.
 *
 * @typedef {{verb: 'update' | 'insert' | 'delete' | 'move', text: string, cells: string[], sections: string[], operation: string}} Line
 * @typedef {{title: string, lines: Line[]}} Explanation the explanation of one stage
 */

/**
 * The functions that explain an operation, by the kind of the operation. A source of an operation is an index in the list before the
 * stage. A target is an index in the list after the stage.
 */
const verbs = {
  updateCells({ at: [section, item], cell }, { before }, texts) {
    const old = before[section].cells[item];
    return line('update', `${nameOf(cell)}${texts.colon}${changesOf(old, cell, texts)}`, [cell]);
  },
  insertSections({ section }, step, texts) {
    const { cells } = section;
    const content = cells.length === 0 ? texts.emptyAtFirst : texts.withCells(texts.cells(cells.length));
    return line('insert', texts.inserted(titleOf(section, texts), content), cells, [section]);
  },
  deleteCells([section, item, count], { before }, texts) {
    const cells = before[section].cells.slice(item, item + count);
    return line('delete', texts.deletedFrom(namesOf(cells, texts), titleOf(before[section], texts)), cells);
  },
  insertCells({ at: [section], cells }, { after }, texts) {
    return line('insert', texts.insertedInto(namesOf(cells, texts), titleOf(after[section], texts)), cells);
  },
  moveCells([fromSection, fromItem, toSection, toItem, count], { before }, texts) {
    const cells = before[fromSection].cells.slice(fromItem, fromItem + count);
    const [names, from] = [namesOf(cells, texts), titleOf(before[fromSection], texts)];
    const text = fromSection === toSection
      ? texts.movedWithin(names, fromItem + 1, toItem + 1, from)
      : texts.movedAcross(names, from, titleOf(before[toSection], texts));
    return line('move', text, cells);
  },
  deleteSections(place, { before }, texts) {
    return line('delete', texts.sectionDeleted(titleOf(before[place], texts)), before[place].cells, [before[place]]);
  },
  moveSections([from, to], { before }, texts) {
    return line('move', texts.sectionMoved(titleOf(before[from], texts), from + 1, to + 1), [], [before[from]]);
  },
  updateSections({ at, header, footer, supplementary }, { before }, texts) {
    const old = before[at];
    const isSame = JSON.stringify(old.supplementary ?? []) === JSON.stringify(supplementary ?? []);
    const headerChange = viewChange(texts.header, old.header, header, texts);
    const changed = [headerChange, viewChange(texts.footer, old.footer, footer, texts), isSame ? '' : texts.supplementary].filter(Boolean);
    // The text of a changed header contains the old title of the section, so the title is not repeated.
    const name = headerChange && old.header ? '' : `${titleOf(old, texts)}${texts.colon}`;
    return line('update', `${name}${changed.join(', ')}`, [], [old]);
  },
};

/**
 * Explains each operation of a changeset.
 *
 * @param {import('../../relist/changeset.js').Step[]} steps
 * @param {ReturnType<typeof import('./phrases.js').phrases>} texts
 * @returns {Explanation[]}
 */
export function explain(steps, texts) {
  return steps.map((step, stage) => ({
    title: titleOfStage(Object.keys(step.operations), texts),
    lines: Object.entries(step.operations).flatMap(([verb, all]) => all.map((operation, index) => (
      { ...verbs[verb](operation, step, texts), operation: `${stage}.${verb}.${index}` }
    ))),
  }));
}

function titleOfStage([verb, ...others], { titles }) {
  if (titles[verb] && others.length === 0) return titles[verb];
  return verb.endsWith('Cells') ? titles.cells : titles.sections;
}

function line(verb, text, cells, sections = []) {
  return { verb, text, cells: cells.map(({ id }) => id), sections: sections.map(({ id }) => id) };
}

function titleOf({ id, header }, texts) {
  return texts.named(header ? nameOf(header) : id);
}

function namesOf(cells, texts) {
  const names = cells.slice(0, 3).map(nameOf).join(', ');
  return cells.length > 3 ? texts.others(names, cells.length - 3) : names;
}

function viewChange(name, old, view, texts) {
  if (JSON.stringify(old) === JSON.stringify(view)) return '';
  if (view == null) return texts.removed(name);
  return old === undefined ? texts.addedView(name) : `${name} ${changesOf(old, view, texts)}`;
}

/** Keys without visible content. They are mentioned only if nothing else changed. */
const unseen = ['fallback', 'action', 'actions', 'link'];

/** Describes the changed keys, with old and new values if they are short: `value 10.766 t → 11.200 t`. */
function changesOf(old, view, texts) {
  const keys = [...new Set([...Object.keys(old), ...Object.keys(view)])];
  const all = keys.filter((key) => JSON.stringify(old[key]) !== JSON.stringify(view[key]));
  const seen = all.filter((key) => !unseen.includes(key));
  const changed = seen.length > 0 ? seen : all;
  const parts = changed.map((key) => (texts.keys[key] ?? words(key).toLowerCase()) + wayOf(old[key], view[key], texts));
  return parts.length > 0 ? parts.join(', ') : texts.changed;
}

function wayOf(old, value, texts) {
  return isPlain(old) && isPlain(value) ? ` ${written(old, texts)} → ${written(value, texts)}` : '';
}

function isPlain(value) {
  return value === undefined || value === null || typeof value !== 'object';
}

function written(value, texts) {
  if (value === undefined || value === null || value === '') return texts.nothing;
  const text = String(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
