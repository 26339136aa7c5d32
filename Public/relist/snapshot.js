/**
 * @typedef {import('./protocol.js').View} View
 * @typedef {import('./protocol.js').Cell} Cell
 * @typedef {import('./protocol.js').SectionViews} SectionViews
 * @typedef {import('./protocol.js').Supplementary} Supplementary
 * @typedef {import('./protocol.js').Section} Section
 * @typedef {import('./protocol.js').Snapshot} Snapshot
 */

/**
 * Checks and normalizes a received snapshot.
 *
 * @param {Snapshot} snapshot
 * @returns {Snapshot}
 * @throws {ChangesetError} if the snapshot is malformed
 */
export function checkedSnapshot(snapshot) {
  const { version, sections } = snapshot;
  if (typeof version !== 'string' || !Array.isArray(sections)) throw malformed('snapshot', sections);
  sections.forEach((section) => sectionIn('snapshot', section));
  checkIdentifiers(sections);
  return normalSnapshot(snapshot);
}

/** @param {Section[]} sections */
export function checkIdentifiers(sections) {
  const cells = new Set();
  const ids = new Set();
  for (const section of sections) {
    if (ids.size === ids.add(section.id).size) throw new ChangesetError('repeated-section', { id: section.id });
    for (const { id } of section.cells) {
      if (cells.size === cells.add(id).size) throw new ChangesetError('repeated-cell', { id });
    }
  }
}

/**
 * Checks and normalizes the cell of an operation.
 *
 * @param {string} verb
 * @param {unknown} cell
 */
export function cellIn(verb, cell) {
  if (!isObject(cell) || typeof cell.id !== 'string' || typeof cell.type !== 'string') throw malformed(verb, cell);
  return normalView(/** @type {Cell} */ (cell));
}

/**
 * Checks and normalizes the section of an operation.
 *
 * @param {string} verb
 * @param {unknown} section
 */
export function sectionIn(verb, section) {
  const fits = isObject(section) && typeof section.id === 'string' && Array.isArray(section.cells) && hasViews(section);
  if (!fits) throw malformed(verb, section);
  const checked = /** @type {Section} */ (section);
  checked.cells.forEach((cell) => cellIn(verb, cell));
  return normalSection(checked);
}

/**
 * @param {{header?: unknown, footer?: unknown, supplementary?: unknown}} views
 * @returns {views is SectionViews}
 */
export function hasViews(views) {
  const { header, footer, supplementary } = views;
  return [header, footer].every((view) => view == null || isObject(view))
    && (supplementary == null || (Array.isArray(supplementary) && supplementary.every((one) => isObject(one?.view))));
}

/**
 * @param {unknown} value
 * @returns {value is Object<string, unknown>}
 */
export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * @param {string | undefined} verb
 * @param {unknown} found
 */
export function malformed(verb, found) {
  return new ChangesetError('malformed', { verb, found });
}

/**
 * @typedef {'not-a-changeset' | 'other-screen' | 'other-version' | 'unknown-key' | 'mixed-stage' |
 *   'malformed' | 'not-ascending' | 'out-of-bounds' | 'source-twice' | 'target-twice' |
 *   'other-cell' | 'repeated-section' | 'repeated-cell'} MisfitReason
 */

/** An error that says why a changeset does not fit a snapshot. */
export class ChangesetError extends Error {
  /** @type {MisfitReason} */
  reason;
  /** @type {object} depends on the reason */
  data;

  /**
   * @param {MisfitReason} reason
   * @param {object} data
   */
  constructor(reason, data) {
    super(`${reason} ${JSON.stringify(data)}`);
    this.name = 'ChangesetError';
    this.reason = reason;
    this.data = data;
  }
}

// Normalization makes equal documents compare as equal. It removes empty lists of supplementary views, and optional keys whose value is
// null, but keeps nulls in content. Normal values stay the same objects.

/** @type {(keyof View)[]} */
const optionalOfView = ['size', 'action', 'actions', 'link'];

/**
 * Returns a normalized snapshot, without its `reason`.
 *
 * @param {Snapshot} snapshot
 * @returns {Snapshot}
 */
export function normalSnapshot({ kind, screen, version, layout, title, sections }) {
  const normal = /** @type {Snapshot} */ ({ kind, screen, version, layout });
  if (title != null) normal.title = title;
  normal.sections = mapped(sections, normalSection);
  return normal;
}

/** @param {Section} section */
export function normalSection(section) {
  const { header, cells, footer, supplementary } = section;
  const normal = {
    header: header == null ? undefined : normalView(header),
    cells: mapped(cells, normalView),
    footer: footer == null ? undefined : normalView(footer),
    supplementary: supplementary?.length ? mapped(supplementary, normalSupplementary) : undefined,
  };
  const keys = /** @type {(keyof typeof normal)[]} */ (Object.keys(normal));
  const same = keys.every((key) => (
    normal[key] === section[key] && (normal[key] !== undefined) === (key in section)
  ));
  return same ? section : withoutAbsent({ ...section, ...normal }, keys);
}

/**
 * @template {View} AnyView
 * @param {AnyView} view
 * @returns {AnyView}
 */
function normalView(view) {
  const { fallback } = view;
  // A null fallback means that nothing is shown. Without a fallback, the view itself is shown.
  const normal = typeof fallback === 'object' && fallback !== null ? normalView(fallback) : fallback;
  if (normal === fallback && !optionalOfView.some((key) => key in view && view[key] == null)) return view;
  return withoutAbsent({ ...view, ...(normal !== fallback && { fallback: normal }) }, optionalOfView);
}

/** @param {Supplementary} supplementary */
function normalSupplementary(supplementary) {
  const view = normalView(supplementary.view);
  return view === supplementary.view ? supplementary : { ...supplementary, view };
}

/**
 * @template {object} Model
 * @param {Model} object
 * @param {(keyof Model)[]} keys
 */
function withoutAbsent(object, keys) {
  for (const key of keys) if (object[key] == null) delete object[key];
  return object;
}

/**
 * @template Item
 * @param {Item[]} elements
 * @param {(element: Item) => Item} transform
 * @returns {Item[]} the same array if no element changed
 */
function mapped(elements, transform) {
  /** @type {Item[] | undefined} */
  let changed;
  elements.forEach((element, index) => {
    const normal = transform(element);
    if (normal !== element) (changed ??= [...elements])[index] = normal;
  });
  return changed ?? elements;
}

/**
 * Returns the view to show: a view of a known type, its `fallback` if the type of the fallback is known, with the id of the cell, or else
 * the view itself.
 *
 * @example
 * const view = shownOf(cell, (type) => renderers.has(type));
 * if (view) render(view);
 *
 * @param {View} view
 * @param {(type: string) => boolean} isKnown
 * @returns {View | undefined} undefined if the fallback is null: nothing is shown, but the cell remains an element of the list
 */
export function shownOf(view, isKnown) {
  const { id, type, fallback } = view;
  if (fallback === undefined || isKnown(type)) return view;
  if (fallback === null) return undefined;
  if (!isKnown(fallback.type)) return view;
  return id === undefined ? fallback : { ...fallback, id };
}
