import { element } from '../../relist/elements.js';

const keywords = new Set([
  'import', 'public', 'private', 'struct', 'enum', 'extension', 'static', 'let', 'var', 'func', 'case', 'return', 'try', 'await', 'async',
  'throws', 'for', 'in', 'if', 'else', 'guard', 'switch', 'some', 'any', 'where', 'typealias', 'self', 'Self', 'nil', 'true', 'false',
  'throw',
]);
const token = /\/\/.*|"(?:\\.|[^"\\])*"|[A-Za-z_]\w*|[^\s\w"]+|\s+|\d[\d_.]*|"/g;

/** Matches code that shows how a screen is made. */
const essential = /\bfunc (?:content|model)\(|\bstatic let name\b|\bstruct \w+: Screen\b/;
/** Matches the function that returns the content of a screen. */
const content = /\bfunc content\(/;
/** Blocks with at most this number of lines are never folded. */
const foldThreshold = 4;

/**
 * Splits the code of a screen into blocks. Blocks that do not show how a screen is made are folded.
 *
 * @param {string} source Swift code, indented with four spaces
 * @returns {{text: string, isFolded: boolean}[]}
 */
export function partsOf(source) {
  const all = blocks(source.trimEnd().split('\n')).map((lines) => ({ lines, text: lines.join('\n') }));
  // The function that returns the content of the screen comes first, so that it is seen without scrolling.
  const [first, rest] = [all.filter(({ text }) => content.test(text)), all.filter(({ text }) => !content.test(text))];
  return [...first, ...rest].map(({ lines, text }) => (
    { text, isFolded: lines.filter((line) => line.trim()).length > foldThreshold && !essential.test(text) }
  ));
}

/**
 * Creates an element for each block of code. The element of a folded block can be unfolded.
 *
 * @param {{text: string, isFolded: boolean}[]} parts
 * @param {(count: number) => string} many returns a text for a number of lines
 * @returns {HTMLElement[]}
 */
export function nodesOf(parts, many) {
  return parts.map(({ text, isFolded }, index) => {
    if (!isFolded) return element('div', 'open', coloured(`${text}\n`));
    const lines = text.split('\n');
    const head = lines.find((line) => line.trim() && !/^\s*(?:\/\/|@)/.test(line)) ?? lines[0];
    const count = element('span', 'count', `… ${many(lines.length)}`);
    const summary = element('summary', '', [...coloured(head.replace(/\s*\{\s*$/, ' ')), count]);
    const fold = element('details', 'folded', [summary, element('div', '', coloured(`${text}\n`))]);
    summary.id = `code-${index}`;
    fold.setAttribute('aria-labelledby', summary.id);
    return fold;
  });
}

/** Splits lines of code into blocks. Each member of a type and each other declaration is one block, together with its comments. */
function blocks(lines) {
  const found = [[]];
  for (const line of lines) {
    const last = found.at(-1);
    const isBoundary = last.length > 0 && last.at(-1).trim() === '' && /^(?: {4})?\S/.test(line);
    if (isBoundary) found.push([line]);
    else last.push(line);
  }
  return found;
}

function coloured(text) {
  return [...text.matchAll(token)].map(([part]) => {
    if (part.startsWith('//')) return element('span', 'comment', part);
    if (part.startsWith('"')) return element('span', 'string', part);
    return keywords.has(part) ? element('span', 'keyword', part) : document.createTextNode(part);
  });
}
