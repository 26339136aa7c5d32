import { element, pushButton, setAttribute } from '../../relist/elements.js';
import { phrases } from '../phrases.js';
import { controlOf } from './control.js';
import { phrases as actingPhrases } from './phrases.js';

let count = 0;

/**
 * @typedef {object} Heading
 * @property {string} action the title of an action
 * @property {string=} subject the name of the row that the action changes
 * @property {boolean=} isDestructive
 */

/**
 * A sheet over a list: a form, a menu or a confirmation. The phone behind the sheet is inert, and the Tab key stays in the sheet. The rest
 * of the page can be used meanwhile, so the sheet is not modal for screen readers. Escape and the browser's Back button close the sheet.
 * Afterwards, the focus returns to the element that opened the sheet.
 */
export class Sheet {
  #layer;
  #behind;
  #locale;
  #source;
  #onClose;
  /** A Boolean value that indicates whether the browser's history has an entry for the sheet. */
  #isInHistory = false;
  /** A Boolean value that indicates whether the history entry of a closed sheet is being removed. */
  #isRemovingEntry = false;
  #address;
  /** The controls of the open form. */
  #controls = [];
  /** Aborts when the open form is closed. @type {AbortController | undefined} */
  #closed;

  /**
   * @param {HTMLElement} layer covers the phone; hidden while there is no sheet
   * @param {HTMLElement[]} behind elements that are inert while the sheet is open
   * @param {() => string} locale
   * @param {() => void} onClose
   */
  constructor(layer, behind, locale, onClose) {
    this.#layer = layer;
    this.#behind = behind;
    this.#locale = locale;
    this.#onClose = onClose;
    layer.addEventListener('keydown', (event) => this.#handleKey(event));
    layer.addEventListener('click', ({ target }) => target === layer && this.close());
  }

  get isOpen() {
    return !this.#layer.hidden;
  }

  /**
   * Opens a menu of actions.
   *
   * @param {string} title
   * @param {{name: string, title?: string, disabled?: boolean}[]} actions
   * @param {HTMLElement} source
   * @param {(action: object) => void} onChoose
   */
  menu(title, actions, source, onChoose) {
    const buttons = actions.map((action) => {
      const button = pushButton(action.destructive ? 'choice destructive' : 'choice', action.title ?? action.name, () => {
        this.close();
        onChoose(action);
      });
      button.disabled = action.disabled === true;
      return button;
    });
    const close = pushButton('cancel', this.#phrases.close, () => this.close());
    this.#open(title, [element('div', 'choices', buttons), close], source);
  }

  /**
   * Asks for a confirmation of a destructive action.
   *
   * @param {Heading} heading
   * @param {HTMLElement} source
   * @param {() => void} onSure
   */
  confirm(heading, source, onSure) {
    const sure = pushButton('done destructive', heading.action, () => {
      this.close();
      onSure();
    });
    const keep = pushButton('cancel', this.#phrases.keep, () => this.close());
    this.#open(contentOf(heading), [element('div', 'ends', [keep, sure])], source);
  }

  /**
   * Opens a form with fields. The form of a destructive action is its confirmation, so its buttons have the same texts.
   *
   * @param {Heading} heading
   * @param {import('./fields.js').Field[]} fields
   * @param {object} values initial values
   * @param {HTMLElement} source
   * @param {(written: object, closed: AbortSignal, showProgress: (text: string) => void) =>
   *   Promise<{fields: Map<string, string>, rest: string[]} | undefined>} onSubmit returns the errors, or undefined to close the sheet;
   *   `closed` aborts when the form is closed, and `showProgress` shows a text until the submission ends
   */
  form(heading, fields, values, source, onSubmit) {
    const texts = this.#phrases;
    const controls = fields.map((field) => controlOf(field, values[field.name], texts));
    const form = element('form', 'form', controls.map(({ node }) => node));
    const closed = new AbortController();
    form.noValidate = true;
    const [done, cancel] = heading.isDestructive
      ? [element('button', 'done destructive', heading.action), texts.keep] : [element('button', 'done', texts.done), texts.cancel];
    const rest = element('p', 'error');
    // It is outside of the form, because changes of a busy element are not announced.
    const [progress, warning] = [element('p', 'hint'), element('p', 'warning error')];
    for (const one of [rest, progress, warning]) one.setAttribute('role', 'alert');
    form.append(rest, element('div', 'ends', [pushButton('cancel', cancel, () => this.close()), done]));
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (form.getAttribute('aria-busy') === 'true') return;
      form.setAttribute('aria-busy', 'true');
      const written = Object.fromEntries(controls.map(({ name, value }) => [name, value()]));
      const wrong = await onSubmit(written, closed.signal, (text) => {
        progress.textContent = text;
        form.before(progress);
      });
      progress.remove();
      form.removeAttribute('aria-busy');
      if (!wrong && !closed.signal.aborted) this.close();
      if (wrong) showErrors(wrong, controls, rest);
    });
    if (heading.isDestructive) form.addEventListener('keydown', (event) => guardEnter(event, done));
    this.#open(contentOf(heading), [warning, form], source);
    this.#controls = controls;
    this.#closed = closed;
    form.querySelector('input, select')?.select?.();
  }

  /**
   * Shows new values in the open form, except in fields that the user has edited.
   *
   * @param {object} values
   * @param {string} warning shown while it is not empty
   */
  update(values, warning) {
    for (const control of this.#controls) control.update(values[control.name]);
    const node = this.#layer.querySelector('.warning');
    if (node && node.textContent !== warning) node.textContent = warning;
  }

  close() {
    if (!this.isOpen) return;
    this.#hide();
    // The history entry is removed later, and only if no sheet is open then. A choice in a menu may open a form that uses the same entry.
    setTimeout(() => this.#removeHistoryEntry());
  }

  /** Handles a `popstate` event. @returns {boolean} whether the event belongs to the sheet and must not navigate */
  handleBack() {
    // If the user has followed a link beside the sheet, the location has changed, and the page must handle the event.
    const isHandled = this.#isRemovingEntry || (this.isOpen && location.href === this.#address);
    this.#isRemovingEntry = false;
    if (this.isOpen) {
      this.#isInHistory = false;
      this.#hide();
    }
    return isHandled;
  }

  /**
   * Gives up the history entry of the sheet, because the page replaces it with an entry for another address. After this call, closing the
   * sheet does not remove the entry.
   */
  releaseHistoryEntry() {
    this.#isInHistory = false;
    this.#address = undefined;
  }

  #hide() {
    this.#layer.hidden = true;
    this.#layer.replaceChildren();
    this.#controls = [];
    for (const node of this.#behind) node.inert = false;
    this.#onClose();
    if (this.#source?.isConnected) this.#source.focus({ preventScroll: true });
    this.#closed?.abort();
  }

  #addHistoryEntry() {
    if (this.#isInHistory) return;
    this.#isInHistory = true;
    this.#address = location.href;
    history.pushState({ ...history.state, sheet: true }, '');
  }

  #removeHistoryEntry() {
    if (this.isOpen || !this.#isInHistory) return;
    this.#isInHistory = false;
    // If the user has navigated meanwhile, the current history entry does not belong to the sheet.
    if (!history.state?.sheet) return;
    this.#isRemovingEntry = true;
    history.back();
  }

  #handleKey(event) {
    if (event.key === 'Escape') return this.close();
    if (event.key !== 'Tab') return undefined;
    const all = [...this.#layer.querySelectorAll('input, select, button:enabled')];
    const [first, last] = [all[0], all.at(-1)];
    const isAtEnd = document.activeElement === (event.shiftKey ? first : last) || !all.includes(document.activeElement);
    if (!isAtEnd || !first) return undefined;
    event.preventDefault();
    return (event.shiftKey ? last : first).focus();
  }

  get #phrases() {
    return { ...phrases(this.#locale()), ...actingPhrases(this.#locale()) };
  }

  #open(title, content, source) {
    this.#closed?.abort();
    this.#source = source;
    const heading = element('h2', 'heading', title);
    heading.id = `sheet-${count += 1}`;
    const sheet = element('div', 'sheet', [heading, ...content]);
    setAttribute(sheet, 'role', 'dialog');
    setAttribute(sheet, 'aria-labelledby', heading.id);
    setAttribute(sheet, 'tabindex', '-1');
    this.#layer.replaceChildren(sheet);
    this.#layer.hidden = false;
    this.#addHistoryEntry();
    for (const node of this.#behind) node.inert = true;
    (sheet.querySelector('input, select, button:not(:disabled)') ?? sheet).focus({ preventScroll: true });
  }
}

/** Moves the focus to the button if the Enter key is pressed in a field, so that neither this press nor a held key performs an action. */
function guardEnter(event, button) {
  if (event.key !== 'Enter' || event.isComposing) return;
  const isInField = event.target.matches('input, select');
  if (isInField || (event.target === button && event.repeat)) event.preventDefault();
  if (isInField) button.focus();
}

function contentOf({ action, subject }) {
  return subject === undefined ? [action] : [action, ' ', element('small', 'subject', subject)];
}

function showErrors({ fields, rest }, controls, whole) {
  for (const control of controls) control.setError(fields.get(control.name));
  whole.textContent = rest.join('\n');
  controls.find(({ name }) => fields.has(name))?.focus();
}
