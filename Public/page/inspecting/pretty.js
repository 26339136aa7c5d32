const token = /"(?:\\.|[^"\\])*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/**
 * A line of formatted JSON.
 *
 * @typedef {object} Line
 * @property {string} text the text with its indentation
 * @property {string=} operation stage, verb and index of the operation on this line, as in `0.updateCells.3`
 */

/**
 * Indents JSON without parsing its values, so that every digit is kept. Each operation of a changeset is one line.
 *
 * @param {string} json valid JSON
 * @returns {Line[]}
 */
export function lines(json) {
  const writer = new Writer(json.match(token) ?? []);
  writer.value([]);
  return writer.lines;
}

class Writer {
  lines = [{ text: '' }];
  #tokens;
  #next = 0;

  constructor(tokens) {
    this.#tokens = tokens;
  }

  /** Writes the next value of the JSON text. @param {(string | number)[]} path keys and indexes from the root to the value */
  value(path) {
    if (path[0] === 'stages' && path.length === 4) return this.#operation(path);
    const open = this.#put(this.#take());
    if (open === '{' || open === '[') this.#elements(open, path);
    return undefined;
  }

  #elements(open, path) {
    const close = open === '{' ? '}' : ']';
    let index = 0;
    for (; this.#next < this.#tokens.length && this.#tokens[this.#next] !== close; index += 1) {
      this.lines.push({ text: '  '.repeat(path.length + 1) });
      this.value([...path, open === '{' ? this.#key() : index]);
      if (this.#tokens[this.#next] === ',') this.#put(this.#take());
    }
    if (index > 0) this.lines.push({ text: '  '.repeat(path.length) });
    this.#put(this.#take());
  }

  #key() {
    const key = this.#take();
    this.#put(`${key}${this.#take()} `);
    return key.slice(1, -1);
  }

  #operation([, ...path]) {
    this.lines.at(-1).operation = path.join('.');
    let depth = 0;
    do {
      const text = this.#take();
      if (text === '{' || text === '[') depth += 1;
      if (text === '}' || text === ']') depth -= 1;
      this.#put(text === ',' || text === ':' ? `${text} ` : text);
    } while (depth > 0 && this.#next < this.#tokens.length);
  }

  #take() {
    this.#next += 1;
    return this.#tokens[this.#next - 1] ?? '';
  }

  #put(text) {
    this.lines.at(-1).text += text;
    return text;
  }
}
