/** So many versions are kept; what they share is kept once. */
const limit = 200;

/** The versions of one screen that were seen, in order, and which of them is looked at. */
export class Timeline {
  #snapshots = [];
  /** Undefined while the newest is looked at, whichever that is. */
  #chosen;

  /** @param {import('../../relist/changeset.js').Snapshot} snapshot */
  add(snapshot) {
    const last = this.#snapshots.at(-1);
    if (last?.screen !== snapshot.screen) this.clear();
    else if (last.version === snapshot.version) return;
    this.#snapshots.push(snapshot);
    if (this.#snapshots.length <= limit) return;
    this.#snapshots.shift();
    if (this.#chosen !== undefined) this.#chosen = Math.max(this.#chosen - 1, 0);
  }

  clear() {
    this.#snapshots = [];
    this.#chosen = undefined;
  }

  /** @param {number} index the last one is the present, and stays it */
  choose(index) {
    this.#chosen = index >= this.length - 1 ? undefined : Math.max(index, 0);
  }

  /** Looks at a version, where it is still kept. @param {string} version */
  chooseVersion(version) {
    const index = this.#snapshots.findLastIndex((snapshot) => snapshot.version === version);
    if (index >= 0) this.choose(index);
    return index >= 0;
  }

  get length() {
    return this.#snapshots.length;
  }

  get index() {
    return this.#chosen ?? this.length - 1;
  }

  get isLive() {
    return this.#chosen === undefined;
  }

  /** @returns {import('../../relist/changeset.js').Snapshot | undefined} */
  get snapshot() {
    return this.#snapshots[this.index];
  }
}
