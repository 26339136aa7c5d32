/**
 * @typedef {object} Shape what a control for a parameter has to take
 * @property {'search' | 'choice' | 'integer' | 'date' | 'text'} kind
 * @property {string[]=} choices
 * @property {number=} minimum
 * @property {number=} maximum
 */

const searches = ['q', 'query', 'search', 'filter'];

/**
 * What the description of a parameter says of its values. A server may say it in keys; otherwise it
 * is read from the words of the shape, and what cannot be read is a text.
 *
 * @param {{name: string, type?: string, shape?: string, choices?: string[], minimum?: number, maximum?: number}} parameter
 * @returns {Shape}
 */
export function shapeOf({ name, type, shape = '', choices, minimum, maximum }) {
  const text = String(shape);
  const [, words] = /^one of (.+)$/.exec(text) ?? [];
  if (type === 'choice' || choices || words) return { kind: 'choice', choices: choices ?? words.split(/, | or /) };
  const [, least, most] = /^a whole number(?: from (-?\d+) to (-?\d+))?/.exec(text) ?? [];
  if (type === 'integer' || /^a whole number/.test(text)) {
    return { kind: 'integer', minimum: minimum ?? numberOf(least), maximum: maximum ?? numberOf(most) };
  }
  if (type === 'date' || /^a date/.test(text)) return { kind: 'date' };
  return { kind: searches.includes(name) ? 'search' : 'text' };
}

function numberOf(text) {
  return text === undefined ? undefined : Number(text);
}
