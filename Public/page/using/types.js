import { rowOf, viewMembers } from '../../relist/render.js';

/**
 * The content of the cells, headers or footers of one type.
 *
 * @typedef {object} ContentType
 * @property {string} type
 * @property {'cell' | 'header' | 'footer'} role
 * @property {string} name the name of the Swift type
 * @property {{name: string, kind: string, isOptional: boolean}[]} members with the Swift type of each
 * @property {{part: 'title' | 'value' | 'detail', name: string, kind: string, isOptional: boolean}[]} shown the members that a row shows
 *
 * @typedef {import('../../relist/changeset.js').Snapshot} Snapshot
 */

/**
 * Returns the types in a snapshot: those of cells, then of headers and footers. A name that is used in two roles is listed once, because a
 * client registers one Swift type for a name.
 *
 * @param {Snapshot} snapshot
 * @returns {ContentType[]}
 */
export function typesOf({ sections }) {
  const views = { cell: sections.flatMap(({ cells }) => cells) };
  for (const role of ['header', 'footer']) views[role] = sections.map((section) => section[role]).filter(Boolean);
  const types = new Map();
  for (const [role, all] of Object.entries(views)) {
    for (const type of new Set(all.map((view) => view.type))) {
      if (!types.has(type)) types.set(type, contentType(type, role, all.filter((view) => view.type === type)));
    }
  }
  return [...types.values()];
}

function contentType(type, role, views) {
  const members = membersOf(views);
  const shown = ['title', 'value', 'detail'].flatMap((part) => {
    const view = views.find((one) => rowOf(one)[part] !== undefined);
    const text = view && rowOf(view)[part];
    const member = members.find(({ name }) => view && String(view[name]) === String(text));
    return member ? [{ part, ...member }] : [];
  });
  return { type, role, name: capitalized(type) + capitalized(role), members, shown };
}

function membersOf(views) {
  const keys = [...new Set(views.flatMap((view) => Object.keys(view)))];
  const names = keys.filter((name) => !viewMembers.includes(name) && /^[a-z]\w*$/i.test(name));
  return names.flatMap((name) => {
    const kinds = new Set(views.map((view) => kindOf(view[name])));
    const isOptional = kinds.delete('nil');
    if (kinds.has('Double')) kinds.delete('Int');
    const [kind] = kinds;
    return kinds.size === 1 && kind ? [{ name, kind, isOptional }] : [];
  });
}

/** Returns the name of the Swift type of a value; an empty name if the value is an object or a list. */
function kindOf(value) {
  if (value === undefined || value === null) return 'nil';
  if (typeof value === 'number') return Number.isInteger(value) ? 'Int' : 'Double';
  return { string: 'String', boolean: 'Bool' }[typeof value] ?? '';
}

/** Converts a name such as `add-row` to the name of a Swift type, such as `AddRow`. @param {string} text */
export function capitalized(text) {
  return text.split(/[^a-z\d]+/i).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
