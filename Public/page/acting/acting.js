import { ClientError, newKey } from '../../relist/client.js';
import { nameOf } from '../../relist/render/registry.js';
import { sentence } from '../phrases.js';
import { askedFields, errorsByField, inputOf } from './fields.js';

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
  async perform(name, input) {
    return this.#send({ name, input });
  }

  #begin(view, action, source) {
    if (action.destructive) {
      const sure = () => this.#send({ name: action.name, input: action.input ?? {} }, source);
      this.#sheet.confirm(nameOf(view), action, source, sure);
      return;
    }
    const fields = askedFields(this.#describe(action.name), action.input);
    if (fields.length === 0) {
      this.#send({ name: action.name, input: action.input ?? {} }, source);
      return;
    }
    this.#ask(nameOf(view), action, fields, source);
  }

  #ask(name, action, fields, source) {
    let attempt;
    this.#sheet.form(action.title ?? name, fields, action.input ?? {}, source, async (written) => {
      const input = inputOf(fields, action.input, written);
      // The same input after an answer that was lost is the same attempt, and is performed once.
      if (JSON.stringify(input) !== JSON.stringify(attempt?.input)) attempt = { name: action.name, input, key: undefined };
      return this.#submit(attempt, fields);
    });
  }

  async #submit(attempt, fields) {
    try {
      await this.#perform(attempt);
      return undefined;
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      // What was surely refused is another attempt next time; what may have been done is the same one.
      if (error.isDefinite) attempt.input = undefined;
      const found = errorsByField(error.errors, fields);
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
      this.#onProblem(error, error.mayPass ? () => this.#send(attempt, source) : undefined);
      return false;
    } finally {
      source?.removeAttribute('aria-busy');
    }
  }

  #perform(attempt) {
    attempt.key ??= newKey();
    attempt.view ??= this.#client.view;
    return this.#client.perform(attempt.name, attempt.input, attempt);
  }
}
