/**
 * A field of an action's input, as `GET /screens` describes it. `source` says whether the user or the cell provides the value.
 *
 * @typedef {import('../catalog.js').Parameter & {required: boolean, source: 'user' | 'cell'}} Field
 */

/**
 * Returns the fields that a form shows to the user. If a field is required, they are all fields. Otherwise, they are the fields for which the
 * cell provides a value, so that an action can be performed at once.
 *
 * @param {{input?: Field[]} | undefined} description of the action
 * @param {object} input the values that the cell provides
 * @returns {Field[]}
 */
export function promptedFields(description, input = {}) {
  const fields = (description?.input ?? []).filter(({ source }) => source !== 'cell');
  return fields.some(({ required }) => required) ? fields : fields.filter(({ name }) => Object.hasOwn(input, name));
}

/**
 * Returns the input of an action. It consists of the values from the cell and the values that the user entered. If both contain a value for
 * the same field, the user's value is sent. In a number field, a text that is not a number, or that JavaScript would round to another whole
 * number, is sent unchanged, so that the server rejects it.
 *
 * @param {Field[]} fields
 * @param {object} given
 * @param {Object<string, string | boolean>} written
 * @returns {object}
 */
export function inputOf(fields, given, written) {
  const input = { ...given };
  for (const field of fields) input[field.name] = valueOf(field, written[field.name], Object.hasOwn(given, field.name));
  return input;
}

/**
 * Returns the value of a field. An optional field that the cell provides no value for stays null until the user enters a text or checks the
 * box.
 */
function valueOf({ type, required }, written, isGiven) {
  if (written === undefined) return null;
  if (type === 'integer' || type === 'number') return numberOf(written);
  if (!written && !required && !isGiven) return null;
  return written === '' && type !== 'text' ? null : written;
}

function numberOf(written) {
  const text = String(written).trim().replace(',', '.');
  if (text === '') return null;
  return Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER ? Number(text) : written;
}

/**
 * Assigns the errors of a problem to the fields that they point to. Errors that point to no field are returned in `rest`.
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
