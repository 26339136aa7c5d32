/**
 * @typedef {{id: string, type: string, [content: string]: unknown}} Cell
 * @typedef {{type: string, [content: string]: unknown}} View
 * @typedef {{kind: string, cell?: string, item?: number, view: View}} Supplementary
 * @typedef {{id: string, header?: View, cells: Cell[], footer?: View, supplementary?: Supplementary[]}} Section
 * @typedef {{kind: 'snapshot', screen: string, version: string, layout: string, title?: string, sections: Section[]}} Snapshot
 * @typedef {{kind: 'changeset', screen: string, from: string, version: string, title?: string, stages: object[]}} Changeset
 * @typedef {{operations: object, before: Section[], after: Section[]}} Step a stage, with the list before and after it
 * @typedef {{snapshot: Snapshot, steps: Step[]}} Played
 */

/**
 * Turns the snapshot that a client holds into the one that a changeset leads to.
 *
 * Nothing that comes in is changed, and what the changeset does not name is the same object in
 * the result, so that a renderer can tell by identity what to leave alone.
 *
 * @example
 * if (changeset.from === held.version) held = apply(held, changeset);
 *
 * @param {Snapshot} snapshot
 * @param {Changeset} changeset
 * @returns {Snapshot}
 * @throws {ChangesetError} where the changeset does not fit the snapshot
 */
export function apply(snapshot, changeset) {
  return play(snapshot, changeset).snapshot;
}

/**
 * Applies a changeset, and returns the steps to its result, too: for a renderer that performs them, or a text that explains them.
 *
 * @param {Snapshot} snapshot
 * @param {Changeset} changeset
 * @returns {Played}
 * @throws {ChangesetError} where the changeset does not fit the snapshot
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

/** Ids are what a renderer keys its nodes by; a changeset that repeats one cannot be shown. */
function checkIdentifiers(sections) {
  const cells = new Set();
  const ids = new Set();
  for (const section of sections) {
    if (ids.size === ids.add(section.id).size) throw new ChangesetError('repeated-section', { id: section.id });
    for (const { id } of section.cells) {
      if (cells.size === cells.add(id).size) throw new ChangesetError('repeated-cell', { id });
    }
  }
}

/** The verbs of a stage that only touches cells, each given one of its operations. */
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

/** The verbs of a stage that only touches sections. */
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

/** One stage under way: edits are collected here and made all at once, as a batch update is. */
class Stage {
  #before;
  #edits = new Map();
  #last = new Map();

  constructor(sections) {
    this.#before = sections;
    this.sections = new ListEdit(sections, []);
  }

  /** @returns {ListEdit} the edit of the cells of the section at that place */
  cells(place) {
    if (place >= this.#before.length) throw new ChangesetError('out-of-bounds', { place: [place] });
    if (!this.#edits.has(place)) this.#edits.set(place, new ListEdit(this.#before[place].cells, [place]));
    return this.#edits.get(place);
  }

  /** Holds a verb to the order that the protocol promises. Equal places are for the edit to judge. */
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

function applyStage(sections, operations) {
  if (!isObject(operations)) throw malformed(undefined, operations);
  const verbs = Object.keys(operations);
  const unknown = verbs.find((verb) => !Object.hasOwn(cellVerbs, verb) && !Object.hasOwn(sectionVerbs, verb));
  if (unknown !== undefined) throw new ChangesetError('unknown-key', { key: unknown });
  const table = verbs.some((verb) => Object.hasOwn(cellVerbs, verb)) ? cellVerbs : sectionVerbs;
  if (!verbs.every((verb) => Object.hasOwn(table, verb))) throw new ChangesetError('mixed-stage', { verbs });
  const stage = new Stage(sections);
  for (const verb of verbs) {
    if (!Array.isArray(operations[verb])) throw malformed(verb, operations[verb]);
    for (const operation of operations[verb]) table[verb](stage, operation);
  }
  return stage.finish();
}

/** A key that is not understood may mean something, so an operation that has one is refused. */
function fields(verb, operation, required, optional = []) {
  if (!isObject(operation) || !required.every((key) => Object.hasOwn(operation, key))) throw malformed(verb, operation);
  const key = Object.keys(operation).find((key) => !required.includes(key) && !optional.includes(key));
  if (key !== undefined) throw new ChangesetError('unknown-key', { key: `${verb}.${key}` });
  return operation;
}

function places(verb, values, count) {
  const fits = Array.isArray(values) && values.length === count
    && values.every((value) => Number.isSafeInteger(value) && value >= 0);
  if (!fits) throw malformed(verb, values);
  return values;
}

function run(verb, values, count) {
  if (places(verb, values, count).at(-1) === 0) throw malformed(verb, values);
  return values;
}

function cellIn(verb, cell) {
  if (!isObject(cell) || typeof cell.id !== 'string' || typeof cell.type !== 'string') throw malformed(verb, cell);
  return normalCell(cell);
}

function sectionIn(verb, section) {
  const fits = isObject(section) && typeof section.id === 'string' && Array.isArray(section.cells) && hasViews(section);
  if (!fits) throw malformed(verb, section);
  section.cells.forEach((cell) => cellIn(verb, cell));
  return normalSection(section);
}

function hasViews({ header, footer, supplementary }) {
  return [header, footer].every((view) => view == null || isObject(view))
    && (supplementary == null || (Array.isArray(supplementary) && supplementary.every((one) => isObject(one?.view))));
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function malformed(verb, found) {
  return new ChangesetError('malformed', { verb, found });
}

const gone = Symbol('gone');

/**
 * Collects what one stage does to one list, the cells of a section or the sections of a screen,
 * and builds the new list once: sources count in the list before, targets in the list after.
 */
class ListEdit {
  #before;
  #where;
  #sources = new Map();
  #gone = 0;
  #runs = [];
  #placed = 0;

  /**
   * @param {object[]} before
   * @param {number[]} where the place of the list itself, for errors
   */
  constructor(before, where) {
    this.#before = before;
    this.#where = where;
  }

  /** Takes a run out and returns it: a delete forgets it, a move places it somewhere. */
  take(start, count) {
    this.#check(start, count, this.#before.length);
    for (let index = start; index < start + count; index += 1) this.#claim(index, gone);
    this.#gone += count;
    return this.#before.slice(start, start + count);
  }

  /** @param {(old: object) => object} change */
  replace(index, change) {
    this.#check(index, 1, this.#before.length);
    this.#claim(index, change(this.#before[index]));
  }

  /** Where a run may lie is only known at the end, once it is known how long the list becomes. */
  place(start, elements) {
    this.#runs.push({ start, elements });
    this.#placed += elements.length;
  }

  finish() {
    const after = new Array(this.#before.length - this.#gone + this.#placed).fill(gone);
    for (const { start, elements } of this.#runs) this.#put(elements, start, after);
    let next = 0;
    this.#before.forEach((old, index) => {
      const kept = this.#sources.has(index) ? this.#sources.get(index) : old;
      if (kept === gone) return;
      while (after[next] !== gone) next += 1;
      after[next] = kept;
    });
    return after;
  }

  #put(elements, start, after) {
    this.#check(start, elements.length, after.length);
    elements.forEach((element, offset) => {
      const index = start + offset;
      if (after[index] !== gone) throw new ChangesetError('target-twice', { place: [...this.#where, index] });
      after[index] = element;
    });
  }

  #claim(index, kept) {
    if (this.#sources.has(index)) throw new ChangesetError('source-twice', { place: [...this.#where, index] });
    this.#sources.set(index, kept);
  }

  #check(start, count, length) {
    if (start + count > length) {
      throw new ChangesetError('out-of-bounds', { place: [...this.#where, start], count, length });
    }
  }
}

/**
 * @typedef {'not-a-changeset' | 'other-screen' | 'other-version' | 'unknown-key' | 'mixed-stage' |
 *   'malformed' | 'not-ascending' | 'out-of-bounds' | 'source-twice' | 'target-twice' |
 *   'other-cell' | 'repeated-section' | 'repeated-cell'} Misfit
 */

/** Says why a changeset does not fit the snapshot that it was to be applied to. */
export class ChangesetError extends Error {
  /** @type {Misfit} */
  reason;
  /** @type {object} where it was found, in the terms of its reason */
  data;

  /**
   * @param {Misfit} reason
   * @param {object} data
   */
  constructor(reason, data) {
    super(`${reason} ${JSON.stringify(data)}`);
    this.name = 'ChangesetError';
    this.reason = reason;
    this.data = data;
  }
}


/**
 * Writes documents the one way in which they are compared: where absent, null and, for
 * supplementary views, an empty list mean the same, the key is absent. What is in that form
 * already stays the same object. Content keeps its nulls.
 */

const optionalOfView = ['size', 'action', 'actions', 'link'];

/** @param {Snapshot} snapshot @returns {Snapshot} */
export function normalSnapshot({ kind, screen, version, layout, title, sections }) {
  const normal = /** @type {Snapshot} */ ({ kind, screen, version, layout });
  if (title != null) normal.title = title;
  normal.sections = mapped(sections, normalSection);
  return normal;
}

function normalSection(section) {
  const { header, cells, footer, supplementary } = section;
  const normal = {
    header: header == null ? undefined : normalView(header),
    cells: mapped(cells, normalCell),
    footer: footer == null ? undefined : normalView(footer),
    supplementary: supplementary?.length ? mapped(supplementary, normalSupplementary) : undefined,
  };
  const same = Object.keys(normal).every((key) => (
    normal[key] === section[key] && (normal[key] !== undefined) === (key in section)
  ));
  return same ? section : withoutAbsent({ ...section, ...normal }, Object.keys(normal));
}

function normalCell(cell) {
  return normalView(cell);
}

function normalView(view) {
  const { fallback } = view;
  // Null is not absent there: it says that nothing is shown.
  const normal = typeof fallback === 'object' && fallback !== null ? normalView(fallback) : fallback;
  if (normal === fallback && !optionalOfView.some((key) => key in view && view[key] == null)) return view;
  return withoutAbsent({ ...view, ...(normal !== fallback && { fallback: normal }) }, optionalOfView);
}

function normalSupplementary(supplementary) {
  const view = normalView(supplementary.view);
  return view === supplementary.view ? supplementary : { ...supplementary, view };
}

function withoutAbsent(object, keys) {
  for (const key of keys) if (object[key] == null) delete object[key];
  return object;
}

/** @returns the same array where nothing in it changed */
function mapped(elements, transform) {
  let changed;
  elements.forEach((element, index) => {
    const normal = transform(element);
    if (normal !== element) (changed ??= [...elements])[index] = normal;
  });
  return changed ?? elements;
}

/**
 * What a client shows of a cell or a view: itself, or where its type is not known the `fallback` that it brings,
 * under its own id. One that brings none, or one of a type that is not known either, is left to the client.
 *
 * @example
 * const view = shownOf(cell, (type) => renderers.has(type));
 * if (view) render(view);
 *
 * @param {Cell | View} view
 * @param {(type: string) => boolean} isKnown
 * @returns {Cell | View | undefined} undefined for nothing: it
 *   keeps its place in the list, and takes no room
 */
export function shownOf(view, isKnown) {
  const { id, type, fallback } = /** @type {Cell & {fallback?: Cell | null}} */ (view);
  if (fallback === undefined || isKnown(type)) return view;
  if (fallback === null) return undefined;
  if (!isKnown(fallback.type)) return view;
  return id === undefined ? fallback : { ...fallback, id };
}
