import { nameOf, rowOf, words } from '../../relist/render/registry.js';

/**
 * One operation in words, with the ids of what it is about.
 *
 * @typedef {{verb: 'update' | 'insert' | 'delete' | 'move', text: string, cells: string[], sections: string[], operation: string}} Line
 * @typedef {{title: string, lines: Line[]}} Explanation of one stage
 */

/** What each operation says. Places of sources count in the list before, of targets in the list after. */
const verbs = {
  updateCells({ at: [section, item], cell }, { before }, said) {
    const old = before[section].cells[item];
    return line('update', `${nameOf(cell)}: ${changesOf(old, cell, said)}`, [cell]);
  },
  insertSections({ section }, step, said) {
    const { cells } = section;
    const content = cells.length === 0 ? said.emptyAtFirst : said.withCells(said.cells(cells.length));
    return line('insert', said.inserted(titleOf(section, said), content), cells, [section]);
  },
  deleteCells([section, item, count], { before }, said) {
    const cells = before[section].cells.slice(item, item + count);
    return line('delete', said.deletedFrom(namesOf(cells, said), titleOf(before[section], said)), cells);
  },
  insertCells({ at: [section], cells }, { after }, said) {
    return line('insert', said.insertedInto(namesOf(cells, said), titleOf(after[section], said)), cells);
  },
  moveCells([fromSection, fromItem, toSection, toItem, count], { before }, said) {
    const cells = before[fromSection].cells.slice(fromItem, fromItem + count);
    const [names, from] = [namesOf(cells, said), titleOf(before[fromSection], said)];
    const text = fromSection === toSection
      ? said.movedWithin(names, fromItem + 1, toItem + 1, from)
      : said.movedAcross(names, from, titleOf(before[toSection], said));
    return line('move', text, cells);
  },
  deleteSections(place, { before }, said) {
    return line('delete', said.sectionDeleted(titleOf(before[place], said)), before[place].cells, [before[place]]);
  },
  moveSections([from, to], { before }, said) {
    return line('move', said.sectionMoved(titleOf(before[from], said), from + 1, to + 1), [], [before[from]]);
  },
  updateSections({ at, header, footer, supplementary }, { before }, said) {
    const old = before[at];
    const isSame = JSON.stringify(old.supplementary ?? []) === JSON.stringify(supplementary ?? []);
    const headerChange = viewChange(said.header, old.header, header, said);
    const changed = [headerChange, viewChange(said.footer, old.footer, footer, said), isSame ? '' : said.supplementary].filter(Boolean);
    // A header that changed says itself which one it was.
    const name = headerChange && old.header ? '' : `${titleOf(old, said)}: `;
    return line('update', `${name}${changed.join(', ')}`, [], [old]);
  },
};

/**
 * Says what each operation of a changeset does.
 *
 * @param {import('../../relist/changeset.js').Step[]} steps
 * @param {ReturnType<typeof import('./phrases.js').phrases>} said
 * @returns {Explanation[]}
 */
export function explain(steps, said) {
  return steps.map((step, stage) => ({
    title: titleOfStage(Object.keys(step.operations), said),
    lines: Object.entries(step.operations).flatMap(([verb, all]) => all.map((operation, index) => (
      { ...verbs[verb](operation, step, said), operation: `${stage}.${verb}.${index}` }
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

function titleOf({ id, header }, said) {
  return said.named(header ? rowOf(header).title : id);
}

function namesOf(cells, said) {
  const names = cells.slice(0, 3).map(nameOf).join(', ');
  return cells.length > 3 ? said.others(names, cells.length - 3) : names;
}

function viewChange(name, old, view, said) {
  if (JSON.stringify(old) === JSON.stringify(view)) return '';
  if (view == null) return said.removed(name);
  return old === undefined ? said.addedView(name) : `${name} ${changesOf(old, view, said)}`;
}

/** They follow from what is seen, and are only worth a word where nothing else changed. */
const unseen = ['fallback', 'action', 'actions', 'link'];

/** `value 10.766 t → 11.200 t`, for as much of it as reads well. */
function changesOf(old, view, said) {
  const keys = [...new Set([...Object.keys(old), ...Object.keys(view)])];
  const all = keys.filter((key) => JSON.stringify(old[key]) !== JSON.stringify(view[key]));
  const seen = all.filter((key) => !unseen.includes(key));
  const changed = seen.length > 0 ? seen : all;
  const parts = changed.map((key) => words(key).toLowerCase() + wayOf(old[key], view[key], said));
  return parts.length > 0 ? parts.join(', ') : said.changed;
}

function wayOf(old, value, said) {
  return isPlain(old) && isPlain(value) ? ` ${written(old, said)} → ${written(value, said)}` : '';
}

function isPlain(value) {
  return value === undefined || value === null || typeof value !== 'object';
}

function written(value, said) {
  if (value === undefined || value === null || value === '') return said.nothing;
  const text = String(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
