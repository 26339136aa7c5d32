
/**
 * Writes documents the one way in which they are compared: where absent, null and, for
 * supplementary views, an empty list mean the same, the key is absent. What is in that form
 * already stays the same object. Content keeps its nulls.
 */

const optionalOfView = ['size', 'action', 'actions', 'link'];

export function normalSnapshot({ kind, screen, version, layout, title, sections }) {
  const normal = { kind, screen, version, layout };
  if (title != null) normal.title = title;
  normal.sections = mapped(sections, normalSection);
  return normal;
}

export function normalSection(section) {
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

export function normalCell(cell) {
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
 * @param {import('../changeset.js').Cell | import('../changeset.js').View} view
 * @param {(type: string) => boolean} isKnown
 * @returns {import('../changeset.js').Cell | import('../changeset.js').View | undefined} undefined for nothing: it
 *   keeps its place in the list, and takes no room
 */
export function shownOf(view, isKnown) {
  const { id, type, fallback } = view;
  if (fallback === undefined || isKnown(type)) return view;
  if (fallback === null) return undefined;
  if (!isKnown(fallback.type)) return view;
  return id === undefined ? fallback : { ...fallback, id };
}
