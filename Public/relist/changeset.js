import {
  ChangesetError, cellIn, checkIdentifiers, hasViews, isObject, malformed, normalSection, normalSnapshot, sectionIn,
} from './snapshot.js';

export { ChangesetError, checkedSnapshot, normalSnapshot, shownOf } from './snapshot.js';

/**
 * @typedef {import('./protocol.js').Cell} Cell
 * @typedef {import('./protocol.js').Section} Section
 * @typedef {import('./protocol.js').Snapshot} Snapshot
 * @typedef {import('./protocol.js').Changeset} Changeset
 * @typedef {{operations: import('./protocol.js').Stage, before: Section[], after: Section[]}} Step a stage, with the list before and
 *   after it
 * @typedef {{snapshot: Snapshot, steps: Step[]}} Played
 */

/**
 * Applies a changeset to the snapshot that the client holds.
 *
 * The arguments are not changed. Parts that the changeset does not change are the same objects in the result. So a renderer can recognize
 * unchanged parts by identity.
 *
 * @example
 * if (changeset.from === held.version) held = apply(held, changeset);
 *
 * @param {Snapshot} snapshot
 * @param {Changeset} changeset
 * @returns {Snapshot}
 * @throws {ChangesetError} if the changeset does not fit the snapshot
 */
export function apply(snapshot, changeset) {
  return play(snapshot, changeset).snapshot;
}

/**
 * Applies a changeset, and returns the resulting snapshot together with each step. A renderer can animate the steps, and a text can explain
 * them.
 *
 * @param {Snapshot} snapshot
 * @param {Changeset} changeset
 * @returns {Played}
 * @throws {ChangesetError} if the changeset does not fit the snapshot
 */
export function play(snapshot, changeset) {
  checkEnvelope(snapshot, changeset);
  const { sections, ...rest } = normalSnapshot(snapshot);
  const played = /** @type {Snapshot} */ ({ ...rest, version: changeset.version });
  if (changeset.title != null) played.title = changeset.title;
  played.sections = sections;
  const steps = changeset.stages.map((operations) => {
    const before = played.sections;
    played.sections = applyStage(before, operations);
    return { operations, before, after: played.sections };
  });
  checkIdentifiers(played.sections);
  return { snapshot: played, steps };
}

/**
 * Checks that a document is a changeset from the version of a snapshot.
 *
 * @param {Snapshot} snapshot
 * @param {Changeset} changeset
 */
function checkEnvelope(snapshot, changeset) {
  if (changeset?.kind !== 'changeset' || typeof changeset.version !== 'string' || !Array.isArray(changeset.stages)) {
    throw new ChangesetError('not-a-changeset', { kind: changeset?.kind });
  }
  if (changeset.screen !== snapshot.screen) {
    throw new ChangesetError('other-screen', { held: snapshot.screen, named: changeset.screen });
  }
  if (changeset.from !== snapshot.version) {
    throw new ChangesetError('other-version', { held: snapshot.version, named: changeset.from });
  }
}

/** @typedef {(stage: Stage, operation: unknown) => void} Verb checks an operation and adds it to a stage */

/**
 * The functions that check an operation on cells and add it to a stage, by the name of the operation.
 *
 * @type {Object<string, Verb>}
 */
const cellVerbs = {
  updateCells(stage, operation) {
    const { at, cell } = fields('updateCells', operation, ['at', 'cell']);
    const [section, item] = places('updateCells', at, 2);
    const update = cellIn('updateCells', cell);
    stage.cells(section).replace(item, (old) => {
      if (old.id !== update.id) throw new ChangesetError('other-cell', { place: at, held: old.id, named: update.id });
      return update;
    });
  },

  deleteCells(stage, operation) {
    const [section, item, count] = run('deleteCells', operation, 3);
    stage.ascending('deleteCells', [section, item]);
    stage.cells(section).take(item, count);
  },

  insertCells(stage, operation) {
    const { at, cells } = fields('insertCells', operation, ['at', 'cells']);
    const [section, item] = places('insertCells', at, 2);
    if (!Array.isArray(cells) || cells.length === 0) throw malformed('insertCells', operation);
    stage.ascending('insertCells', [section, item]);
    stage.cells(section).place(item, cells.map((cell) => cellIn('insertCells', cell)));
  },

  moveCells(stage, operation) {
    const [fromSection, fromItem, toSection, toItem, count] = run('moveCells', operation, 5);
    stage.cells(toSection).place(toItem, stage.cells(fromSection).take(fromItem, count));
  },
};

/**
 * The functions that check an operation on sections and add it to a stage, by the name of the operation.
 *
 * @type {Object<string, Verb>}
 */
const sectionVerbs = {
  insertSections(stage, operation) {
    const { at, section } = fields('insertSections', operation, ['at', 'section']);
    const [place] = places('insertSections', [at], 1);
    stage.ascending('insertSections', [place]);
    stage.sections.place(place, [sectionIn('insertSections', section)]);
  },

  deleteSections(stage, operation) {
    const [place] = places('deleteSections', [operation], 1);
    stage.ascending('deleteSections', [place]);
    stage.sections.take(place, 1);
  },

  moveSections(stage, operation) {
    const [from, to] = places('moveSections', operation, 2);
    stage.sections.place(to, stage.sections.take(from, 1));
  },

  updateSections(stage, operation) {
    const { at, ...views } = fields('updateSections', operation, ['at'], ['header', 'footer', 'supplementary']);
    const [place] = places('updateSections', [at], 1);
    if (!hasViews(views)) throw malformed('updateSections', operation);
    stage.sections.replace(place, ({ header, footer, supplementary, ...kept }) => normalSection({ ...kept, ...views }));
  },
};

/** A stage that is being applied. It first collects its edits. Then it makes all edits together, like a batch update. */
class Stage {
  #before;
  /**
   * The edits of cells, by the index of their section.
   *
   * @type {Map<number, ListEdit<Cell>>}
   */
  #edits = new Map();
  /**
   * The place of the most recent operation of each kind.
   *
   * @type {Map<string, number[]>}
   */
  #last = new Map();

  /** @param {Section[]} sections */
  constructor(sections) {
    this.#before = sections;
    this.sections = new ListEdit(sections, []);
  }

  /**
   * Returns the `ListEdit` for the cells of a section.
   *
   * @param {number} place the index of the section
   * @returns {ListEdit<Cell>}
   */
  cells(place) {
    if (place >= this.#before.length) throw new ChangesetError('out-of-bounds', { place: [place] });
    const edit = this.#edits.get(place) ?? new ListEdit(this.#before[place].cells, [place]);
    this.#edits.set(place, edit);
    return edit;
  }

  /**
   * Checks that an operation's place does not precede the place of the previous operation of the same kind. Equal places pass this check.
   * If equal places are invalid, `ListEdit` rejects them.
   *
   * @param {string} verb
   * @param {number[]} place
   */
  ascending(verb, place) {
    const last = this.#last.get(verb);
    if (last && (place[0] < last[0] || (place[0] === last[0] && place[1] < last[1]))) {
      throw new ChangesetError('not-ascending', { verb, place });
    }
    this.#last.set(verb, place);
  }

  finish() {
    if (this.#edits.size === 0) return this.sections.finish();
    const after = [...this.#before];
    for (const [place, edit] of this.#edits) after[place] = { ...after[place], cells: edit.finish() };
    return after;
  }
}

/**
 * Returns the sections after a stage.
 *
 * @param {Section[]} sections
 * @param {unknown} operations
 * @returns {Section[]}
 */
function applyStage(sections, operations) {
  if (!isObject(operations)) throw malformed(undefined, operations);
  const verbs = Object.keys(operations);
  const unknown = verbs.find((verb) => !Object.hasOwn(cellVerbs, verb) && !Object.hasOwn(sectionVerbs, verb));
  if (unknown !== undefined) throw new ChangesetError('unknown-key', { key: unknown });
  const table = verbs.some((verb) => Object.hasOwn(cellVerbs, verb)) ? cellVerbs : sectionVerbs;
  if (!verbs.every((verb) => Object.hasOwn(table, verb))) throw new ChangesetError('mixed-stage', { verbs });
  const stage = new Stage(sections);
  for (const verb of verbs) {
    const list = operations[verb];
    if (!Array.isArray(list)) throw malformed(verb, list);
    for (const operation of list) table[verb](stage, operation);
  }
  return stage.finish();
}

/**
 * Returns an operation after checking its keys. An operation with an unknown key is rejected, because the key may change the meaning of
 * the operation.
 *
 * @param {string} verb
 * @param {unknown} operation
 * @param {string[]} required
 * @param {string[]} optional
 */
function fields(verb, operation, required, optional = []) {
  if (!isObject(operation) || !required.every((key) => Object.hasOwn(operation, key))) throw malformed(verb, operation);
  const key = Object.keys(operation).find((key) => !required.includes(key) && !optional.includes(key));
  if (key !== undefined) throw new ChangesetError('unknown-key', { key: `${verb}.${key}` });
  return operation;
}

/**
 * Returns the values of an operation, after checking that they are exactly `count` whole numbers and that none is negative.
 *
 * @param {string} verb
 * @param {unknown} values
 * @param {number} count the required number of values
 * @returns {number[]}
 */
function places(verb, values, count) {
  const fits = Array.isArray(values) && values.length === count
    && values.every((value) => Number.isSafeInteger(value) && value >= 0);
  if (!fits) throw malformed(verb, values);
  return values;
}

/**
 * Returns the values of an operation on consecutive cells. The last value is the number of cells, which must not be zero.
 *
 * @param {string} verb
 * @param {unknown} values
 * @param {number} count the required number of values
 */
function run(verb, values, count) {
  const numbers = places(verb, values, count);
  if (numbers.at(-1) === 0) throw malformed(verb, values);
  return numbers;
}

const removed = Symbol('removed');

/**
 * Collects the operations of one stage on one list, and builds the new list once. The list contains the cells of a section, or the sections
 * of a screen. A source of an operation is an index in the list before the stage. A target is an index in the list after the stage.
 *
 * @template Item
 */
class ListEdit {
  #before;
  #where;
  /**
   * For each source index, the element that replaces the old element, or `removed`.
   *
   * @type {Map<number, Item | typeof removed>}
   */
  #sources = new Map();
  #removed = 0;
  /**
   * The elements to place at each target index.
   *
   * @type {{start: number, elements: Item[]}[]}
   */
  #runs = [];
  #placed = 0;

  /**
   * @param {Item[]} before
   * @param {number[]} where the place of this list, for errors
   */
  constructor(before, where) {
    this.#before = before;
    this.#where = where;
  }

  /**
   * Removes consecutive elements and returns them. A caller that deletes elements discards them. A caller that moves elements places them
   * at another index.
   *
   * @param {number} start
   * @param {number} count
   */
  take(start, count) {
    this.#check(start, count, this.#before.length);
    for (let index = start; index < start + count; index += 1) this.#claim(index, removed);
    this.#removed += count;
    return this.#before.slice(start, start + count);
  }

  /**
   * Replaces an element.
   *
   * @param {number} index
   * @param {(old: Item) => Item} change returns the new element
   */
  replace(index, change) {
    this.#check(index, 1, this.#before.length);
    this.#claim(index, change(this.#before[index]));
  }

  /**
   * Places consecutive elements at a target index. `finish()` checks the index, because the length of the new list is not known earlier.
   *
   * @param {number} start
   * @param {Item[]} elements
   */
  place(start, elements) {
    this.#runs.push({ start, elements });
    this.#placed += elements.length;
  }

  finish() {
    /** @type {(Item | typeof removed)[]} */
    const after = new Array(this.#before.length - this.#removed + this.#placed).fill(removed);
    for (const { start, elements } of this.#runs) this.#put(elements, start, after);
    let next = 0;
    this.#before.forEach((old, index) => {
      const kept = this.#sources.get(index) ?? old;
      if (kept === removed) return;
      while (after[next] !== removed) next += 1;
      after[next] = kept;
    });
    return /** @type {Item[]} */ (after);
  }

  /**
   * Puts elements into the new list.
   *
   * @param {Item[]} elements
   * @param {number} start
   * @param {(Item | typeof removed)[]} after the new list
   */
  #put(elements, start, after) {
    this.#check(start, elements.length, after.length);
    elements.forEach((element, offset) => {
      const index = start + offset;
      if (after[index] !== removed) throw new ChangesetError('target-twice', { place: [...this.#where, index] });
      after[index] = element;
    });
  }

  /**
   * Records the operation on a source index. Rejects a second operation on the same index.
   *
   * @param {number} index
   * @param {Item | typeof removed} kept
   */
  #claim(index, kept) {
    if (this.#sources.has(index)) throw new ChangesetError('source-twice', { place: [...this.#where, index] });
    this.#sources.set(index, kept);
  }

  /**
   * Rejects a range that is not within a list.
   *
   * @param {number} start
   * @param {number} count
   * @param {number} length the length of the list
   */
  #check(start, count, length) {
    if (start + count > length) {
      throw new ChangesetError('out-of-bounds', { place: [...this.#where, start], count, length });
    }
  }
}
