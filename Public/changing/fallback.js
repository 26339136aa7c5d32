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
