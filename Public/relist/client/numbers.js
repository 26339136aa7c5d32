/** The maximum number of warnings of a client. */
const warningLimit = 100;

/** A pattern that matches integers of 16 or more digits in JSON. JavaScript represents all shorter integers exactly. */
const longInteger = /[[:,]\s*-?(\d{16,})(?=\s*[,}\]])/g;

/**
 * Warns about integers that JavaScript cannot represent exactly, because it rounds integers beyond ±(2^53 − 1). If an `action.input`
 * contains a rounded integer as an id, the action has the wrong target.
 */
export class NumberWarnings {
  /** The screens and keys of the warnings. */
  #warned = new Set();

  /**
   * Checks a received document.
   *
   * @param {string} screen
   * @param {string} text the JSON of the document
   * @param {unknown} document
   */
  check(screen, text, document) {
    for (const [, digits] of text.matchAll(longInteger)) {
      if (!Number.isSafeInteger(Number(digits))) return this.checkInput(screen, document);
    }
    return undefined;
  }

  /**
   * Checks the input of an action.
   *
   * @param {string} screen
   * @param {unknown} input
   */
  checkInput(screen, input) {
    /** @type {[key: string, value: unknown][]} */
    const rest = [['', input]];
    for (let next = rest.pop(); next; next = rest.pop()) {
      const [key, value] = next;
      if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) this.#warn(screen, key);
      if (typeof value !== 'object' || value === null) continue;
      // The elements of an array are reported under the key of the array.
      for (const [name, member] of Object.entries(value)) rest.push([Array.isArray(value) ? key : name, member]);
    }
  }

  /**
   * Warns about a number, but only once for each screen and key.
   *
   * @param {string} screen
   * @param {string} key
   */
  #warn(screen, key) {
    const name = JSON.stringify([screen, key]);
    if (this.#warned.has(name) || this.#warned.size >= warningLimit) return;
    this.#warned.add(name);
    console.warn(`Relist: "${key}" of the screen "${screen}" is a whole number beyond 2^53, which JavaScript rounds. Use a text instead.`);
  }
}
