/**
 * What a change of a list comes to, for whoever animates or announces it. Cells and sections are
 * named by their ids. One that moved and changed is in both sets.
 *
 * @typedef {object} Difference
 * @property {Map<string, import('../changeset.js').Cell>} inserted
 * @property {Map<string, import('../changeset.js').Cell>} deleted
 * @property {Map<string, import('../changeset.js').Cell>} moved
 * @property {Map<string, import('../changeset.js').Cell>} updated
 * @property {Set<string>} insertedSections
 * @property {Set<string>} deletedSections
 * @property {Set<string>} movedSections
 * @property {Set<string>} updatedHeaders those of which the header was there and changed
 * @property {Set<string>} updatedFooters likewise
 *
 * @typedef {{operations: object, before: import('../changeset.js').Section[], after: import('../changeset.js').Section[]}} Step
 */

/** What each operation of a stage adds. Places of sources count in the list before. */
const verbs = {
  updateCells: ({ cell }, change) => add(change.updated, [cell]),
  insertCells: ({ cells }, change) => add(change.inserted, cells),
  deleteCells: ([section, item, count], change, { before }) => add(change.deleted, run(before, section, item, count)),
  moveCells: ([section, item, , , count], change, { before }) => add(change.moved, run(before, section, item, count)),
  insertSections({ section }, change) {
    change.insertedSections.add(section.id);
    add(change.inserted, section.cells);
  },
  deleteSections(place, change, { before }) {
    change.deletedSections.add(before[place].id);
    add(change.deleted, before[place].cells);
  },
  moveSections: ([from], change, { before }) => change.movedSections.add(before[from].id),
  updateSections({ at }, change, { before, after }) {
    const { id } = before[at];
    if (isOther(before[at].header, after[at].header)) change.updatedHeaders.add(id);
    if (isOther(before[at].footer, after[at].footer)) change.updatedFooters.add(id);
  },
};

/**
 * What the stages of a changeset do, as its operations say.
 *
 * @param {Step[]} steps from `changeset.js`
 * @returns {Difference}
 */
export function changeOf(steps) {
  const change = none();
  for (const step of steps) {
    for (const [verb, operations] of Object.entries(step.operations)) {
      for (const operation of operations) verbs[verb](operation, change, step);
    }
  }
  return change;
}

/**
 * What lies between two snapshots of which nobody says how the one became the other.
 *
 * @param {import('../changeset.js').Section[]} before
 * @param {import('../changeset.js').Section[]} after
 * @returns {Difference}
 */
export function difference(before, after) {
  const olds = new Map(before.map((section, index) => [section.id, { section, index }]));
  const ids = new Set(after.map(({ id }) => id));
  const stay = staying(after.map(({ id }) => olds.get(id)?.index ?? -1));
  const kept = after.filter(({ id }) => olds.has(id));
  return {
    ...cellsOf(before, after),
    insertedSections: new Set(after.filter(({ id }) => !olds.has(id)).map(({ id }) => id)),
    deletedSections: new Set(before.filter(({ id }) => !ids.has(id)).map(({ id }) => id)),
    movedSections: new Set(after.filter(({ id }, index) => olds.has(id) && !stay.has(index)).map(({ id }) => id)),
    updatedHeaders: updatedViews('header', kept, olds),
    updatedFooters: updatedViews('footer', kept, olds),
  };
}

/** A snapshot that replaces another brings new objects; what reads the same is the same. */
export function isSame(view, other) {
  return view === other || (view !== undefined && other !== undefined && JSON.stringify(view) === JSON.stringify(other));
}

/**
 * Finds what may stay where it is when the rest moves around it: a longest increasing
 * subsequence. A node that is not detached keeps its focus, selection and running animation.
 *
 * @param {number[]} positions where each element was before, in the new order; -1 where it was not
 * @returns {Set<number>} the indexes in `positions` of those that stay
 */
export function staying(positions) {
  const tails = [];
  const previous = new Array(positions.length);
  positions.forEach((position, index) => {
    if (position < 0) return;
    const length = firstNotBelow(tails, position, positions);
    previous[index] = tails[length - 1];
    tails[length] = index;
  });
  const stay = new Set();
  for (let index = tails.at(-1); index !== undefined; index = previous[index]) stay.add(index);
  return stay;
}

function none() {
  const [inserted, deleted, moved, updated] = [new Map(), new Map(), new Map(), new Map()];
  const sets = ['insertedSections', 'deletedSections', 'movedSections', 'updatedHeaders', 'updatedFooters'];
  return { inserted, deleted, moved, updated, ...Object.fromEntries(sets.map((name) => [name, new Set()])) };
}

function add(cells, more) {
  for (const cell of more) cells.set(cell.id, cell);
}

function run(sections, section, item, count) {
  return sections[section].cells.slice(item, item + count);
}

function isOther(old, view) {
  return old !== undefined && view !== undefined && !isSame(old, view);
}

function cellsOf(before, after) {
  const olds = placesOf(before);
  const found = none();
  for (const { id, cells } of after) {
    const places = cells.map((cell) => (olds.get(cell.id)?.section === id ? olds.get(cell.id).index : -1));
    const stay = staying(places);
    cells.forEach((cell, index) => {
      const old = olds.get(cell.id);
      if (!old) found.inserted.set(cell.id, cell);
      else if (!stay.has(index)) found.moved.set(cell.id, cell);
      if (old && !isSame(old.cell, cell)) found.updated.set(cell.id, cell);
      olds.delete(cell.id);
    });
  }
  for (const [id, { cell }] of olds) found.deleted.set(id, cell);
  return found;
}

function placesOf(sections) {
  return new Map(sections.flatMap(({ id, cells }) => cells.map((cell, index) => [cell.id, { section: id, index, cell }])));
}

function updatedViews(key, kept, olds) {
  return new Set(kept.filter((section) => isOther(olds.get(section.id).section[key], section[key])).map(({ id }) => id));
}

function firstNotBelow(tails, position, positions) {
  let low = 0;
  let high = tails.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (positions[tails[middle]] < position) low = middle + 1;
    else high = middle;
  }
  return low;
}
