import { element, pushButton } from '../relist/render/dom.js';
import { Demonstration } from './demonstrating/demonstration.js';
import { phrases } from './inspecting/phrases.js';
import { Inspector } from './inspecting/inspector.js';
import { loadStyle } from './device.js';

/** The inspector, the edits and the fault switches around the phones. They are loaded after the first list is shown. */
export class Surroundings {
  #page;
  inspector;
  demonstration;
  #code;
  #shown = {};

  /** @param {object} page functions of the page */
  constructor(page) {
    this.#page = page;
    const part = (id) => document.getElementById(id);
    const totals = { sent: part('sent'), instead: part('instead'), share: part('share') };
    this.inspector = new Inspector(part('inspector'), totals, { devices: page.devices, secrets: () => secretsOf(page.catalog()) });
    this.demonstration = new Demonstration(part('edits'), { ...page, device: () => page.devices()[0] });
    part('inspector').append(this.#breaking(), this.#code = this.#coding());
    for (const button of part('panes').querySelectorAll('button')) button.addEventListener('click', () => choosePane(button));
  }

  /** Loads the style sheet. */
  static prepare() {
    return loadStyle('styles/inspector.css');
  }

  /** Updates everything after the screen or the language has changed. */
  show() {
    const { screen, locale } = this.#page.address();
    this.inspector.show(locale, screen);
    this.demonstration.show();
    this.#showCode();
  }

  take(taken, device) {
    this.inspector.take(taken, device);
    if (device === 1) this.demonstration.show();
  }

  get #phrases() {
    return phrases(this.#page.address().locale);
  }

  #coding() {
    const code = this.inspector.fold('code', 'code', [element('p', 'hint'), element('pre', 'swift')]);
    code.hidden = true;
    code.addEventListener('toggle', () => this.#fillCode());
    return code;
  }

  #showCode() {
    const source = this.#page.described()?.example?.source;
    const texts = this.#phrases;
    this.#code.hidden = !source;
    this.#code.querySelector('.hint').textContent = texts.codeHint;
    if (this.#shown.source === source && this.#shown.texts === texts) return;
    this.#shown = { source, texts };
    this.#code.querySelector('pre').replaceChildren();
    this.#fillCode();
  }

  async #fillCode() {
    const { source, texts } = this.#shown;
    const pre = this.#code.querySelector('pre');
    if (!this.#code.open || !source || pre.hasChildNodes()) return;
    const [{ partsOf, nodesOf }, answer] = await Promise.all([import('./coding/code.js'), this.#page.fetch(source)]);
    if (!answer.ok || source !== this.#shown.source || pre.hasChildNodes()) return;
    pre.replaceChildren(...nodesOf(partsOf(await answer.text()), texts.lines));
  }

  /** Builds the switches for network faults. */
  #breaking() {
    const { transport } = this.#page;
    const fold = this.inspector.fold('breaking', 'faults', [this.inspector.named(element('p', 'hint'), 'faultsHint')]);
    for (const [name, phrase] of [['isOffline', 'offline'], ['isSlow', 'slowNetwork']]) {
      const box = Object.assign(element('input'), { type: 'checkbox' });
      box.addEventListener('change', () => {
        transport()[name] = box.checked;
        for (const { client } of this.#page.devices()) client.retryNow();
      });
      fold.append(element('label', 'switch', [box, this.inspector.named(element('span'), phrase)]));
    }
    for (const [fault, phrase] of [['presentUnknownVersion', 'forget'], ['damageChangeset', 'damage']]) {
      fold.append(this.inspector.named(pushButton('', '', () => transport()[fault]()), phrase));
    }
    return fold;
  }
}

/** Returns the names of inputs that must not be displayed. */
function secretsOf(catalog) {
  const inputs = (catalog?.screens ?? []).flatMap(({ actions = [] }) => actions.flatMap(({ input = [] }) => input));
  return new Set(inputs.filter(({ format }) => format === 'password').map(({ name }) => name));
}

function choosePane(button) {
  document.body.dataset.pane = button.value;
  for (const other of button.parentNode.children) other.setAttribute('aria-pressed', String(other === button));
}
