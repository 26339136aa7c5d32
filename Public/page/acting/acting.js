import { ClientError, newKey } from '../../relist/client.js';
import { nameOf } from '../../relist/render.js';
import { translated } from '../phrases.js';
import { promptedFields, errorsByField, inputOf } from './fields.js';
import { failure, phrases as actingPhrases } from './phrases.js';

/** The maximum number of attempts with an unknown outcome that are kept. */
const maximumAttempts = 20;

/** The time in milliseconds after which the page says that an action is in progress. */
const slowness = 3000;

/**
 * Performs the actions that the user chooses in a list: asks for missing input, sends the action, and shows errors at their fields.
 */
export class ActionRunner {
  #client;
  #sheet;
  #describe;
  #onProblem;
  #phrases;
  /** The attempts that are in progress or whose outcome is unknown, oldest first. */
  #attempts = [];
  /** The attempts that take long. */
  #slow = new Set();
  /** The shown notice: `attempt` and `isRepeatable`, or `isInProgress` if it says that actions are in progress; and `remove`. */
  #reported;
  /** The number of forms that were opened. */
  #forms = 0;
  /** The action of the form that was opened last, with the view that contains the action. */
  #asked;

  /**
   * @param {import('../../relist/client.js').Client & {shown: object | undefined}} client `shown` is the snapshot that the list shows
   * @param {import('./sheet.js').Sheet} sheet
   * @param {(action: string) => object | undefined} describe returns the description of an action of the shown screen
   * @param {(text: string, retry?: () => void, isTemporary?: boolean, kind?: string) => () => void} onProblem shows a notice, and returns
   *   a function that removes the notice
   * @param {() => ReturnType<typeof import('../phrases.js').phrases>} phrases
   */
  constructor(client, sheet, describe, onProblem, phrases) {
    this.#client = client;
    this.#sheet = sheet;
    this.#describe = describe;
    this.#onProblem = onProblem;
    this.#phrases = phrases;
  }

  /**
   * Performs the chosen action, or shows a menu if there are several actions to choose from.
   *
   * @param {import('../../relist/render.js').Choice} choice
   * @param {HTMLElement} source receives the focus afterwards
   */
  choose({ view, action, actions }, source) {
    // The row is looked up before the menu opens, because it may be deleted meanwhile. The list may still show a row whose deletion is held
    // back. The view may be a header with an id, which is no cell.
    const isOfCell = this.#cell(view.id, this.#client.shown) !== undefined;
    const begin = (chosen) => this.#begin(view, chosen, source, isOfCell);
    if (action) begin(action);
    else this.#sheet.menu(nameOf(view), actions, source, begin);
  }

  /**
   * Performs an action that needs no input from the user.
   *
   * @param {string} name
   * @param {object} input
   * @param {object=} view
   * @param {string=} cell the id of the cell that the action changes
   * @param {HTMLElement=} source is busy meanwhile
   * @returns {Promise<boolean>} whether the action succeeded
   */
  async perform(name, input, view, cell, source) {
    return this.#send(this.#attempt(name, input, { view, cell }), source);
  }

  /**
   * Shows the current values in an open form, because its cell may have changed or been deleted. Removes the notice of an action whose
   * result is shown.
   */
  refresh() {
    if (this.#reported?.isRepeatable && this.#showsResult(this.#reported.attempt)) this.#removeNotice();
    if (this.#asked) this.#updateForm(this.#asked);
  }

  #updateForm(asked) {
    const isDeleted = asked.isOfCell && this.#client.held !== undefined && this.#cell(asked.view.id) === undefined;
    this.#sheet.update(this.#currentInput(asked), isDeleted ? actingPhrases(this.#phrases().tag).deleted : '');
  }

  /** Returns the input that an action of a cell has in the held snapshot, or else the input that it had. */
  #currentInput({ view: { id }, action }) {
    return (this.#actions(id).find((one) => one?.name === action.name && one.title === action.title) ?? action).input ?? {};
  }

  #actions(id) {
    const { action, actions = [] } = this.#cell(id) ?? {};
    return [action, ...actions];
  }

  #cell(id, snapshot = this.#client.held) {
    const cells = snapshot?.sections.flatMap((section) => section.cells) ?? [];
    return id === undefined ? undefined : cells.find((one) => one.id === id);
  }

  /** Returns whether the cell of an attempt has changed since the attempt began. */
  #hasChanged({ cell, before }) {
    return JSON.stringify(this.#cell(cell)) !== before;
  }

  /**
   * Returns whether the cell of an attempt shows the result. Either it no longer offers the action with the input that was chosen in the
   * cell, or it offers the action with the value that was entered. Any other change of the cell may be that of another user.
   */
  #showsResult(attempt) {
    return this.#isOffered(attempt) !== attempt.wasOffered;
  }

  #isOffered({ name, input, cell }) {
    return this.#actions(cell).some((one) => one?.name === name && textOf(one.input ?? {}) === textOf(input));
  }

  #begin(view, action, source, isOfCell) {
    const description = this.#describe(action.name);
    const fields = promptedFields(description, action.input);
    const heading = headingOf(view, action, description);
    // The form of a destructive action is its confirmation.
    if (fields.length > 0) return this.#ask({ view, action, isOfCell }, heading, fields, source);
    const perform = () => this.#send(this.#attempt(action.name, action.input ?? {}, { cell: view.id, wasOffered: view.id !== undefined }), source);
    return action.destructive ? this.#sheet.confirm(heading, source, perform) : perform();
  }

  #ask(asked, heading, fields, source) {
    const { view, action } = asked;
    const shown = this.#client.view;
    const form = this.#forms += 1;
    this.#asked = asked;
    this.#sheet.form(heading, fields, this.#currentInput(asked), source, async (written, ...shownForm) => {
      const input = inputOf(fields, this.#currentInput(asked), written);
      return this.#submit(this.#attempt(action.name, input, { view: shown, cell: view.id, form }), fields, source, ...shownForm);
    });
    this.#updateForm(asked);
  }

  /**
   * Returns an attempt to perform an action. The latest attempt is returned if it has the same input and its outcome is unknown. It keeps
   * its key, so the server performs the action at most once. After another action, or after its cell has changed, the same input is a new
   * action. In a form, only the form decides: the same input in another form is another action. `wasOffered` says whether the user has
   * chosen this input in the cell.
   */
  #attempt(name, input, { view = this.#client.view, cell, form = 0, wasOffered = false }) {
    const identity = JSON.stringify([name, input, view, form]);
    const last = this.#attempts.at(-1);
    if (last?.identity === identity && (form > 0 || !this.#hasChanged(last))) return last;
    const attempt = { name, input, view, key: newKey(), identity, cell, before: JSON.stringify(this.#cell(cell)) };
    attempt.wasOffered = wasOffered || this.#isOffered(attempt);
    this.#attempts.push(attempt);
    if (this.#attempts.length > maximumAttempts) this.#attempts.shift();
    return attempt;
  }

  async #submit(attempt, fields, source, closed, showProgress) {
    closed.addEventListener('abort', () => this.#noteSlow(attempt), { once: true });
    try {
      await this.#perform(attempt, () => (closed.aborted ? this.#noteSlow(attempt) : showProgress(this.#saving)));
      return undefined;
    } catch (error) {
      if (!isFailure(error)) throw error;
      if (closed.aborted) return this.#report(error, attempt, source);
      const found = errorsByField(error.errors ?? [], fields);
      for (const [name, detail] of found.fields) {
        found.fields.set(name, translated(error, detail, fields.find((field) => field.name === name), this.#phrases()));
      }
      if (found.fields.size === 0 && found.rest.length === 0) found.rest.push(failure(error, this.#phrases(), attempt.isInDoubt));
      return found;
    }
  }

  #report(error, attempt, source) {
    if (attempt.isPerformed) return;
    const isFinal = !attempt.isInDoubt && (error.isRejection ?? true);
    if (!isFinal && attempt.mayBePerformed && this.#showsResult(attempt)) return;
    const retry = isFinal ? undefined : () => this.#send(attempt, source);
    const remove = this.#onProblem(failure(error, this.#phrases(), attempt.isInDoubt), retry);
    this.#reported = { attempt, isRepeatable: !isFinal, remove };
  }

  #removeNotice() {
    this.#reported?.remove();
    this.#reported = undefined;
    this.#showProgress();
  }

  async #send(attempt, source) {
    source?.setAttribute('aria-busy', 'true');
    try {
      await this.#perform(attempt);
      return true;
    } catch (error) {
      if (!isFailure(error)) throw error;
      this.#report(error, attempt, source);
      return false;
    } finally {
      source?.removeAttribute('aria-busy');
    }
  }

  /** Shows a notice while an attempt takes long, unless there is another notice. */
  #showProgress() {
    if (this.#reported || this.#slow.size === 0) return;
    this.#reported = { isInProgress: true, remove: this.#onProblem(this.#saving, undefined, false, 'progress') };
  }

  get #saving() {
    return actingPhrases(this.#phrases().tag).saving;
  }

  /** @param {object} attempt @param {() => void=} onSlow called once if the attempt is in progress for a long time */
  async #perform(attempt, onSlow = () => this.#noteSlow(attempt)) {
    if (!this.#reported?.isInProgress) this.#removeNotice();
    attempt.pending = (attempt.pending ?? 0) + 1;
    const timer = setTimeout(onSlow, slowness);
    try {
      await this.#client.perform(attempt.name, attempt.input, attempt);
      attempt.isPerformed = true;
      this.#settle(attempt);
    } catch (error) {
      // An earlier request of the attempt may have been performed, even if the service rejects this one.
      attempt.isInDoubt = attempt.mayBePerformed === true && !error.isNotPerformed;
      // The action was certainly not performed if the service itself rejected every request of the attempt.
      attempt.mayBePerformed ||= error.outcome !== 'not-performed';
      const isLast = attempt.pending === 1;
      if (attempt.isPerformed || isLast && (error.isNotPerformed || !attempt.mayBePerformed)) this.#settle(attempt);
      throw error;
    } finally {
      attempt.pending -= 1;
      clearTimeout(timer);
      if (attempt.pending === 0) this.#slow.delete(attempt);
      if (this.#reported?.isInProgress && this.#slow.size === 0) this.#removeNotice();
    }
  }

  #noteSlow(attempt) {
    if (attempt.pending > 0) this.#slow.add(attempt);
    this.#showProgress();
  }

  /** Removes an attempt whose outcome is known. A performed action supersedes all earlier attempts. */
  #settle(attempt) {
    const index = this.#attempts.indexOf(attempt);
    if (index >= 0) this.#attempts.splice(attempt.isPerformed ? 0 : index, attempt.isPerformed ? index + 1 : 1);
  }
}

/** Returns an input as a text to compare. Fields that are null count as left out. */
function textOf(input) {
  return JSON.stringify(Object.entries(input).filter(([, value]) => value !== null));
}

/**
 * Returns the title of an action, and the name of its row unless both are the same. An action that selecting a row performs has no title of
 * its own, so it has that of its description.
 *
 * @returns {import('./sheet.js').Heading}
 */
function headingOf(view, { name, title, destructive: isDestructive = false }, description) {
  const subject = nameOf(view);
  const action = title ?? description?.title ?? (isDestructive ? name : subject);
  return { action, subject: subject === action ? undefined : subject, isDestructive };
}

/** Returns whether an error is shown to the user. With a `RangeError`, the client has sent nothing, because JavaScript rounds the input. */
function isFailure(error) {
  return error instanceof ClientError || error instanceof RangeError;
}
