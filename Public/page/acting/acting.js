import { ClientError, newKey } from '../../relist/client.js';
import { nameOf } from '../../relist/render/registry.js';
import { sentence, translated } from '../phrases.js';
import { askedFields, errorsByField, inputOf } from './fields.js';

/** So many of which nothing is known are remembered. */
const most = 20;

/**
 * Turns what was chosen in a list into actions: asks for what is missing, performs, and says at its
 * field what was wrong.
 */
export class Acting {
  #client;
  #sheet;
  #describe;
  #onProblem;
  #phrases;
  /** Attempts of which it is not known whether they were performed. */
  #undecided = new Map();

  /**
   * @param {import('../../relist/client.js').Client} client
   * @param {import('./sheet.js').Sheet} sheet
   * @param {(action: string) => object | undefined} describe the description of an action of the screen that is shown
   * @param {(error: ClientError, retry?: () => void) => void} onProblem
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
   * @param {import('../../relist/render/rows.js').Choice} choice
   * @param {HTMLElement} source gets the focus back
   */
  choose({ view, action, actions }, source) {
    if (action) this.#begin(view, action, source);
    else this.#sheet.menu(nameOf(view), actions, source, (chosen) => this.#begin(view, chosen, source));
  }

  /**
   * Performs an action for which nothing has to be asked.
   *
   * @returns {Promise<boolean>} whether it was done
   */
  async perform(name, input, view) {
    return this.#send(this.#attempt(name, input, view));
  }

  #begin(view, action, source) {
    const perform = () => this.#send(this.#attempt(action.name, action.input ?? {}), source);
    if (action.destructive) return this.#sheet.confirm(nameOf(view), action, source, perform);
    const fields = askedFields(this.#describe(action.name), action.input);
    if (fields.length === 0) return perform();
    return this.#ask(nameOf(view), action, fields, source);
  }

  #ask(name, action, fields, source) {
    this.#sheet.form(action.title ?? name, fields, action.input ?? {}, source, async (written) => {
      const input = inputOf(fields, action.input, written);
      return this.#submit(this.#attempt(action.name, input), fields);
    });
  }

  /** The same as one that may have been performed is the same attempt, whichever form it comes from, and is performed once. */
  #attempt(name, input, view = this.#client.view) {
    const identity = JSON.stringify([name, input, view]);
    const attempt = this.#undecided.get(identity) ?? { name, input, view, key: newKey(), identity };
    this.#undecided.set(identity, attempt);
    if (this.#undecided.size > most) this.#undecided.delete(this.#undecided.keys().next().value);
    return attempt;
  }

  async #submit(attempt, fields) {
    try {
      await this.#perform(attempt);
      return undefined;
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      const found = errorsByField(error.errors, fields);
      for (const [name, detail] of found.fields) {
        found.fields.set(name, translated(error, detail, fields.find((field) => field.name === name), this.#phrases()));
      }
      if (found.fields.size === 0 && found.rest.length === 0) found.rest.push(sentence(error, this.#phrases()));
      return found;
    }
  }

  async #send(attempt, source) {
    source?.setAttribute('aria-busy', 'true');
    try {
      await this.#perform(attempt);
      return true;
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      this.#onProblem(error, error.isRefusal ? undefined : () => this.#send(attempt, source));
      return false;
    } finally {
      source?.removeAttribute('aria-busy');
    }
  }

  async #perform(attempt) {
    attempt.underWay = (attempt.underWay ?? 0) + 1;
    try {
      await this.#client.perform(attempt.name, attempt.input, attempt);
      attempt.isDone = true;
      this.#note(attempt, true);
    } catch (error) {
      // An action that the service itself has only ever refused was not performed.
      attempt.mayBeDone ||= error.outcome !== 'not-performed';
      const isLast = attempt.underWay === 1;
      this.#note(attempt, attempt.isDone || isLast && (error.isDefinite || !attempt.mayBeDone));
      throw error;
    } finally {
      attempt.underWay -= 1;
    }
  }

  /** Another attempt at the same may have taken its place. */
  #note(attempt, isDecided) {
    const { identity } = attempt;
    if ((this.#undecided.get(identity) ?? attempt) !== attempt) return;
    if (isDecided) this.#undecided.delete(identity);
    else this.#undecided.set(identity, attempt);
  }
}
