import { ChangesetError } from './changeset-error.js';

const gone = Symbol('gone');

/**
 * Collects what one stage does to one list, the cells of a section or the sections of a screen,
 * and builds the new list once: sources count in the list before, targets in the list after.
 */
export class ListEdit {
  #before;
  #where;
  #sources = new Map();
  #gone = 0;
  #runs = [];
  #placed = 0;

  /**
   * @param {object[]} before
   * @param {number[]} where the place of the list itself, for errors
   */
  constructor(before, where) {
    this.#before = before;
    this.#where = where;
  }

  /** Takes a run out and returns it: a delete forgets it, a move places it somewhere. */
  take(start, count) {
    this.#check(start, count, this.#before.length);
    for (let index = start; index < start + count; index += 1) this.#claim(index, gone);
    this.#gone += count;
    return this.#before.slice(start, start + count);
  }

  /** @param {(old: object) => object} change */
  replace(index, change) {
    this.#check(index, 1, this.#before.length);
    this.#claim(index, change(this.#before[index]));
  }

  /** Where a run may lie is only known at the end, once it is known how long the list becomes. */
  place(start, elements) {
    this.#runs.push({ start, elements });
    this.#placed += elements.length;
  }

  finish() {
    const after = new Array(this.#before.length - this.#gone + this.#placed).fill(gone);
    for (const { start, elements } of this.#runs) this.#put(elements, start, after);
    let next = 0;
    this.#before.forEach((old, index) => {
      const kept = this.#sources.has(index) ? this.#sources.get(index) : old;
      if (kept === gone) return;
      while (after[next] !== gone) next += 1;
      after[next] = kept;
    });
    return after;
  }

  #put(elements, start, after) {
    this.#check(start, elements.length, after.length);
    elements.forEach((element, offset) => {
      const index = start + offset;
      if (after[index] !== gone) throw new ChangesetError('target-twice', { place: [...this.#where, index] });
      after[index] = element;
    });
  }

  #claim(index, kept) {
    if (this.#sources.has(index)) throw new ChangesetError('source-twice', { place: [...this.#where, index] });
    this.#sources.set(index, kept);
  }

  #check(start, count, length) {
    if (start + count > length) {
      throw new ChangesetError('out-of-bounds', { place: [...this.#where, start], count, length });
    }
  }
}
