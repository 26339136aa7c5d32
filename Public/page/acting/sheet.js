import { element, setAttribute } from '../../relist/render/dom.js';
import { phrases } from '../phrases.js';
import { controlOf } from './control.js';

let count = 0;

/**
 * The sheet that comes up over a list to ask for something: a form, or a choice between actions.
 * What lies behind it cannot be reached meanwhile, nor what lies beside it with the Tab key. Escape closes it, the
 * browser's Back does, and the focus goes back to where it came from.
 */
export class Sheet {
  #layer;
  #behind;
  #locale;
  #source;
  #onClose;
  /** Whether the browser's history has an entry for it, and whether that is being left because it was closed. */
  #isInHistory = false;
  #isLeaving = false;
  #address;

  /**
   * @param {HTMLElement} layer lies over the list, and is hidden while there is no sheet
   * @param {HTMLElement[]} behind what cannot be reached while there is one
   * @param {() => string} locale
   * @param {() => void} onClose
   */
  constructor(layer, behind, locale, onClose) {
    this.#layer = layer;
    this.#behind = behind;
    this.#locale = locale;
    this.#onClose = onClose;
    layer.addEventListener('keydown', (event) => this.#keep(event));
    layer.addEventListener('click', ({ target }) => target === layer && this.close());
  }

  get isOpen() {
    return !this.#layer.hidden;
  }

  /**
   * @param {string} title
   * @param {{name: string, title?: string, disabled?: boolean}[]} actions
   * @param {HTMLElement} source
   * @param {(action: object) => void} onChoose
   */
  menu(title, actions, source, onChoose) {
    const buttons = actions.map((action) => {
      const button = this.#button(action.destructive ? 'choice destructive' : 'choice', action.title ?? action.name, () => {
        this.close();
        onChoose(action);
      });
      button.disabled = action.disabled === true;
      return button;
    });
    const close = this.#button('cancel', this.#phrases.close, () => this.close());
    this.#open(title, [element('div', 'choices', buttons), close], source);
  }

  /**
   * Asks before something is taken away.
   *
   * @param {string} title
   * @param {{name: string, title?: string}} action
   * @param {HTMLElement} source
   * @param {() => void} onSure
   */
  confirm(title, action, source, onSure) {
    const sure = this.#button('done destructive', action.title ?? action.name, () => {
      this.close();
      onSure();
    });
    const keep = this.#button('cancel', this.#phrases.keep, () => this.close());
    this.#open(title, [element('div', 'ends', [keep, sure])], source);
  }

  /**
   * @param {string} title
   * @param {import('./fields.js').Field[]} fields
   * @param {object} values what the form begins with
   * @param {HTMLElement} source
   * @param {(written: object) => Promise<{fields: Map<string, string>, rest: string[]} | undefined>} onSubmit
   *   answers with what was wrong; with nothing, and the sheet closes
   */
  form(title, fields, values, source, onSubmit) {
    const controls = fields.map((field) => controlOf(field, values[field.name]));
    const form = element('form', 'form', controls.map(({ node }) => node));
    form.noValidate = true;
    const [rest, done] = [element('p', 'error'), element('button', 'done', this.#phrases.done)];
    rest.setAttribute('role', 'alert');
    form.append(rest, element('div', 'ends', [this.#button('cancel', this.#phrases.cancel, () => this.close()), done]));
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (form.getAttribute('aria-busy') === 'true') return;
      form.setAttribute('aria-busy', 'true');
      const wrong = await onSubmit(Object.fromEntries(controls.map(({ name, value }) => [name, value()])));
      form.removeAttribute('aria-busy');
      if (!wrong && form.isConnected) this.close();
      if (wrong) showErrors(wrong, controls, rest);
    });
    this.#open(title, [form], source);
    form.querySelector('input, select')?.select?.();
  }

  close() {
    if (!this.isOpen) return;
    this.#hide();
    // Who chooses in a menu comes to a form, which has the same entry.
    setTimeout(() => this.#leaveHistory());
  }

  /** Somebody went back. @returns {boolean} whether that was about the sheet, and no other page is to be shown */
  handlesBack() {
    // Somebody may have gone elsewhere by a link beside it.
    const isHandled = this.#isLeaving || (this.isOpen && location.href === this.#address);
    this.#isLeaving = false;
    if (this.isOpen) {
      this.#isInHistory = false;
      this.#hide();
    }
    return isHandled;
  }

  /** What it has in the browser's history belongs to another address from now on. */
  yieldHistory() {
    this.#isInHistory = false;
    this.#address = undefined;
  }

  #hide() {
    this.#layer.hidden = true;
    this.#layer.replaceChildren();
    for (const node of this.#behind) node.inert = false;
    this.#onClose();
    if (this.#source?.isConnected) this.#source.focus({ preventScroll: true });
  }

  #enterHistory() {
    if (this.#isInHistory) return;
    this.#isInHistory = true;
    this.#address = location.href;
    history.pushState({ ...history.state, sheet: true }, '');
  }

  #leaveHistory() {
    if (this.isOpen || !this.#isInHistory) return;
    this.#isInHistory = false;
    // Somebody who has gone elsewhere meanwhile is not brought back.
    if (!history.state?.sheet) return;
    this.#isLeaving = true;
    history.back();
  }

  #keep(event) {
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
    return phrases(this.#locale());
  }

  #open(title, content, source) {
    this.#source = source;
    const heading = element('h2', 'heading', title);
    heading.id = `sheet-${count += 1}`;
    const sheet = element('div', 'sheet', [heading, ...content]);
    setAttribute(sheet, 'role', 'dialog');
    setAttribute(sheet, 'aria-modal', 'true');
    setAttribute(sheet, 'aria-labelledby', heading.id);
    setAttribute(sheet, 'tabindex', '-1');
    this.#layer.replaceChildren(sheet);
    this.#layer.hidden = false;
    this.#enterHistory();
    for (const node of this.#behind) node.inert = true;
    (sheet.querySelector('input, select, button:not(:disabled)') ?? sheet).focus({ preventScroll: true });
  }

  #button(name, text, onClick) {
    const button = element('button', name, text);
    button.type = 'button';
    button.addEventListener('click', onClick);
    return button;
  }
}

function showErrors({ fields, rest }, controls, whole) {
  for (const control of controls) control.complain(fields.get(control.name));
  whole.textContent = rest.join('\n');
  controls.find(({ name }) => fields.has(name))?.focus();
}
