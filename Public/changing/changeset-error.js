/**
 * @typedef {'not-a-changeset' | 'other-screen' | 'other-version' | 'unknown-key' | 'mixed-stage' |
 *   'malformed' | 'not-ascending' | 'out-of-bounds' | 'source-twice' | 'target-twice' |
 *   'other-cell' | 'repeated-section' | 'repeated-cell'} Misfit
 */

/** Says why a changeset does not fit the snapshot that it was to be applied to. */
export class ChangesetError extends Error {
  /** @type {Misfit} */
  reason;
  /** @type {object} where it was found, in the terms of its reason */
  data;

  /**
   * @param {Misfit} reason
   * @param {object} data
   */
  constructor(reason, data) {
    super(`${reason} ${JSON.stringify(data)}`);
    this.name = 'ChangesetError';
    this.reason = reason;
    this.data = data;
  }
}
