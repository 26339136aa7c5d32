import { element, pushButton } from '../../relist/elements.js';
import { copyText } from '../inspecting/copying.js';
import { linesOf } from './lines.js';

let count = 0;

/** The code that shows a screen or performs an action in other clients, with one tab per language. */
export class Usage {
  #tabs = element('fieldset', 'segments');
  #code = element('pre', 'code');
  #copy = pushButton('', '', () => copyText(this.#code, this.#copy, this.#texts));
  #chosen = 'SwiftUI';
  #group = `usage-${count += 1}`;
  #lines = [];
  #texts;

  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.#tabs.addEventListener('change', ({ target }) => {
      this.#chosen = target.value;
      this.#showCode();
    });
    this.#code.tabIndex = 0;
    parent.replaceChildren(this.#tabs, this.#code, this.#copy);
  }

  /**
   * Shows the code for a screen or an action.
   *
   * @param {import('./lines.js').Shown} shown
   * @param {ReturnType<typeof import('../inspecting/phrases.js').phrases>} texts
   */
  show(shown, texts) {
    this.#texts = texts;
    this.#lines = linesOf(shown);
    if (this.#tabs.childElementCount === 0) {
      this.#tabs.replaceChildren(element('legend', 'unseen'), ...this.#lines.map(({ name }) => tab(name, this.#group)));
    }
    this.#tabs.firstElementChild.textContent = texts.language;
    for (const input of this.#tabs.querySelectorAll('input')) input.checked = input.value === this.#chosen;
    this.#showCode();
  }

  #showCode() {
    const { code } = this.#lines.find(({ name }) => name === this.#chosen);
    this.#copy.textContent = this.#texts.copy;
    if (this.#code.textContent !== code) this.#code.textContent = code;
  }
}

function tab(value, name) {
  const input = Object.assign(element('input'), { type: 'radio', name, value });
  return element('label', '', [input, element('span', '', value)]);
}
