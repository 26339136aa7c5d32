/**
 * @typedef {object} Field one field of an action's input, as `GET /screens` describes it
 * @property {string} name
 * @property {string=} title
 * @property {'text' | 'integer' | 'number' | 'boolean' | 'date' | 'choice'} type
 * @property {'password' | 'email' | 'search'=} format
 * @property {string=} shape in words
 * @property {boolean} required
 * @property {'user' | 'cell'} source
 * @property {string[]=} choices
 * @property {string[]=} titles of the choices
 * @property {{value: string, title?: string}[]=} values
 * @property {number=} minimum
 * @property {number=} maximum
 * @property {number=} limit in characters
 */

/**
 * The fields that a user is asked for: those that a cell gives a beginning for, and those that must be.
 *
 * @param {{input?: Field[]} | undefined} description of the action
 * @param {object} input what the cell gives
 * @returns {Field[]}
 */
export function askedFields(description, input = {}) {
  const fields = (description?.input ?? []).filter(({ source }) => source !== 'cell');
  return fields.filter(({ name, required }) => required || Object.hasOwn(input, name));
}

/**
 * The input of an action: what the cell gives, and what the user wrote instead. What is no number is
 * sent as it was written, for the server to say what it should be.
 *
 * @param {Field[]} fields
 * @param {object} given
 * @param {Object<string, string | boolean>} written
 * @returns {object}
 */
export function inputOf(fields, given, written) {
  const input = { ...given };
  for (const field of fields) input[field.name] = valueOf(field, written[field.name]);
  return input;
}

function valueOf({ type, required }, written) {
  if (written === undefined) return null;
  if (type === 'integer' || type === 'number') return numberOf(written);
  if (written === '' && (type !== 'text' || !required)) return type === 'text' ? '' : null;
  return written;
}

function numberOf(written) {
  const text = String(written).trim().replace(',', '.');
  if (text === '') return null;
  return Number.isFinite(Number(text)) ? Number(text) : written;
}

/**
 * Which errors of a problem belong to which field, and what is left to be said of the whole.
 *
 * @param {{pointer?: string, detail: string}[]} errors
 * @param {Field[]} fields
 * @returns {{fields: Map<string, string>, rest: string[]}}
 */
export function errorsByField(errors, fields) {
  const names = new Set(fields.map(({ name }) => name));
  const found = { fields: new Map(), rest: [] };
  for (const { pointer = '', detail } of errors) {
    const [, name] = /^\/input\/([^/]+)/.exec(pointer) ?? [];
    const known = name?.replaceAll('~1', '/').replaceAll('~0', '~');
    if (names.has(known)) found.fields.set(known, [found.fields.get(known), detail].filter(Boolean).join(' '));
    else found.rest.push(detail);
  }
  return found;
}
