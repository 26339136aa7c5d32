import { steps } from '../../relist/changeset.js';
import { nameOf, rowOf, words } from '../../relist/render/registry.js';
import { many } from '../phrases.js';

/**
 * One operation in words, with the ids of what it is about.
 *
 * @typedef {{verb: 'update' | 'insert' | 'delete' | 'move', text: string, cells: string[], sections: string[]}} Line
 * @typedef {{title: string, lines: Line[]}} Explanation of one stage
 */

const titles = {
  updateCells: 'Update cells', insertSections: 'Insert sections', cells: 'Delete, insert and move cells',
  sections: 'Delete and move sections', updateSections: 'Update headers, footers and supplementary views',
};

/** What each operation says. Places of sources count in the list before, of targets in the list after. */
const verbs = {
  updateCells({ at: [section, item], cell }, { before }) {
    const old = before[section].cells[item];
    return line('update', `${nameOf(cell)}: ${changesOf(old, cell)}`, [cell]);
  },
  insertSections({ section }) {
    const { cells } = section;
    const content = cells.length === 0 ? ', empty at first' : ` with ${many(cells.length, 'cell')}`;
    return line('insert', `${titleOf(section)}: a section${content}`, cells, [section]);
  },
  deleteCells([section, item, count], { before }) {
    const cells = before[section].cells.slice(item, item + count);
    return line('delete', `${namesOf(cells)}: deleted from ${titleOf(before[section])}`, cells);
  },
  insertCells({ at: [section], cells }, { after }) {
    return line('insert', `${namesOf(cells)}: inserted into ${titleOf(after[section])}`, cells);
  },
  moveCells([fromSection, fromItem, toSection, toItem, count], { before }) {
    const cells = before[fromSection].cells.slice(fromItem, fromItem + count);
    const way = fromSection === toSection
      ? `moved from place ${fromItem + 1} to ${toItem + 1} of ${titleOf(before[fromSection])}`
      : `moved from ${titleOf(before[fromSection])} to ${titleOf(before[toSection])}`;
    return line('move', `${namesOf(cells)}: ${way}`, cells);
  },
  deleteSections(place, { before }) {
    return line('delete', `${titleOf(before[place])}: the section is deleted`, before[place].cells, [before[place]]);
  },
  moveSections([from, to], { before }) {
    return line('move', `${titleOf(before[from])}: the section moves from place ${from + 1} to ${to + 1}`, [], [before[from]]);
  },
  updateSections({ at, header, footer, supplementary }, { before }) {
    const old = before[at];
    const changed = [
      viewChange('header', old.header, header), viewChange('footer', old.footer, footer),
      JSON.stringify(old.supplementary ?? []) === JSON.stringify(supplementary ?? []) ? '' : 'supplementary views changed',
    ].filter(Boolean);
    // A header that changed says itself which one it was.
    const name = changed[0]?.startsWith('header ') && old.header ? '' : `${titleOf(old)}: `;
    return line('update', `${name}${changed.join(', ')}`, [], [old]);
  },
};

/**
 * Says what each operation of a changeset does.
 *
 * @param {import('../../relist/changeset.js').Snapshot} before what it was applied to
 * @param {import('../../relist/changeset.js').Changeset} changeset
 * @returns {Explanation[]}
 */
export function explain(before, changeset) {
  return steps(before, changeset).map((step) => ({
    title: titleOfStage(Object.keys(step.operations)),
    lines: Object.entries(step.operations).flatMap(([verb, all]) => all.map((operation) => verbs[verb](operation, step))),
  }));
}

function titleOfStage([verb, ...others]) {
  if (titles[verb] && others.length === 0) return titles[verb];
  return verb.endsWith('Cells') ? titles.cells : titles.sections;
}

function line(verb, text, cells, sections = []) {
  return { verb, text, cells: cells.map(({ id }) => id), sections: sections.map(({ id }) => id) };
}

function titleOf({ id, header }) {
  return header ? `“${rowOf(header).title}”` : `“${id}”`;
}

function namesOf(cells) {
  const names = cells.slice(0, 3).map(nameOf).join(', ');
  return cells.length > 3 ? `${names} and ${many(cells.length - 3, 'other')}` : names;
}

function viewChange(name, old, view) {
  if (JSON.stringify(old) === JSON.stringify(view)) return '';
  if (view == null) return `${name} removed`;
  return old === undefined ? `${name} added` : `${name} ${changesOf(old, view)}`;
}

/** They follow from what is seen, and are only worth a word where nothing else changed. */
const unseen = ['fallback', 'action', 'actions', 'link'];

/** `value 10.766 t → 11.200 t`, for as much of it as reads well. */
function changesOf(old, view) {
  const keys = [...new Set([...Object.keys(old), ...Object.keys(view)])];
  const all = keys.filter((key) => JSON.stringify(old[key]) !== JSON.stringify(view[key]));
  const seen = all.filter((key) => !unseen.includes(key));
  const changed = seen.length > 0 ? seen : all;
  const parts = changed.map((key) => words(key).toLowerCase() + wayOf(old[key], view[key]));
  return parts.length > 0 ? parts.join(', ') : 'changed';
}

function wayOf(old, value) {
  return isPlain(old) && isPlain(value) ? ` ${said(old)} → ${said(value)}` : '';
}

function isPlain(value) {
  return value === undefined || value === null || typeof value !== 'object';
}

function said(value) {
  if (value === undefined || value === null || value === '') return 'none';
  const text = String(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
