const token = /"(?:\\.|[^"\\])*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/**
 * Indents JSON without reading it into values, so that it shows every digit that was sent.
 *
 * @param {string} json valid JSON
 */
export function pretty(json) {
  const parts = [];
  let depth = 0;
  let last = '';
  const line = () => parts.push('\n', '  '.repeat(depth));
  for (const [text] of json.matchAll(token)) {
    const closes = text === '}' || text === ']';
    if (closes) depth -= 1;
    const opened = last === '{' || last === '[';
    if (last === ',' || opened !== closes) line();
    parts.push(text === ':' ? ': ' : text);
    if (text === '{' || text === '[') depth += 1;
    last = text;
  }
  return parts.join('');
}
