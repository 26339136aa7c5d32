/** So many rows are filled at once, and after them as many as a frame has time for. */
const atOnce = 150;
const milliseconds = 6;

/**
 * Fills the rows of a list: those that are seen at once, and in a large list the rest in pieces, so
 * that nobody who types or scrolls has to wait for what they do not see.
 */
export class Filling {
  #isSeen;
  #count = 0;
  #later = new Map();
  #channel = new MessageChannel();

  constructor() {
    this.#channel.port1.onmessage = () => this.#fillSome();
  }

  /** A list is going to be shown. @param {((row: object) => boolean)=} isSeen for a large one */
  begin(isSeen) {
    this.#isSeen = isSeen;
    this.#count = 0;
  }

  /**
   * @param {import('./rows.js').RowNode} row
   * @param {() => void} show
   */
  fill(row, show) {
    this.#later.delete(row);
    this.#count += 1;
    if (!this.#isSeen || this.#count <= atOnce || this.#isSeen(row)) show();
    else this.#wait(row, show);
  }

  clear() {
    this.#later.clear();
  }

  #wait(row, show) {
    if (this.#later.size === 0) this.#channel.port2.postMessage(undefined);
    this.#later.set(row, show);
  }

  #fillSome() {
    const end = performance.now() + milliseconds;
    for (const [row, show] of this.#later) {
      if (performance.now() > end) break;
      this.#later.delete(row);
      if (row.node.isConnected) show();
    }
    if (this.#later.size > 0) this.#channel.port2.postMessage(undefined);
  }
}
