import { element } from '../relist/render/dom.js';
import { Demonstration } from './demonstrating/demonstration.js';
import { phrases } from './inspecting/phrases.js';
import { Inspector } from './inspecting/inspector.js';
import { loadStyle } from './device.js';

/** Everything around the phones. It is loaded when the first list is there, so that nobody waits for it. */
export class Surroundings {
  #page;
  #inspector;
  #demonstration;
  #code;
  #shown = {};

  /** @param {object} page what the page lets it know and do */
  constructor(page) {
    this.#page = page;
    const part = (id) => document.getElementById(id);
    const totals = { sent: part('sent'), instead: part('instead'), share: part('share') };
    this.#inspector = new Inspector(part('inspector'), totals, { devices: page.devices, secrets: () => secretsOf(page.catalog()) });
    this.#demonstration = new Demonstration(part('edits'), { ...page, device: () => page.devices()[0] });
    part('inspector').append(this.#breaking(), this.#code = this.#coding());
    for (const button of part('panes').querySelectorAll('button')) button.addEventListener('click', () => choosePane(button));
  }

  /** Loads what it looks like, without which it is not to be seen. */
  static prepare() {
    return loadStyle('styles/inspector.css');
  }

  /** The screen or the language may be another now. */
  show() {
    const { screen, locale } = this.#page.address();
    this.#inspector.show(locale, screen);
    this.#demonstration.show();
    this.#showCode();
  }

  add(exchange, device) {
    this.#inspector.add(exchange, device);
  }

  take(taken, device) {
    this.#inspector.take(taken, device);
    if (device === 1) this.#demonstration.show();
  }

  showStage(taken, stage) {
    this.#inspector.showStage(taken, stage);
  }

  lookAtPresent() {
    this.#inspector.lookAtPresent();
  }

  demonstrate() {
    this.#demonstration.start();
  }

  get #phrases() {
    return phrases(this.#page.address().locale);
  }

  #coding() {
    const code = this.#inspector.fold('code', 'code', [element('p', 'hint'), element('pre', 'swift')]);
    code.hidden = true;
    code.addEventListener('toggle', () => this.#fillCode());
    return code;
  }

  #showCode() {
    const source = this.#page.described()?.example?.source;
    const said = this.#phrases;
    this.#code.hidden = !source;
    this.#code.querySelector('.hint').textContent = said.codeHint;
    if (this.#shown.source === source && this.#shown.said === said) return;
    this.#shown = { source, said };
    this.#code.querySelector('pre').replaceChildren();
    this.#fillCode();
  }

  async #fillCode() {
    const { source, said } = this.#shown;
    const pre = this.#code.querySelector('pre');
    if (!this.#code.open || !source || pre.hasChildNodes()) return;
    const [{ partsOf, nodesOf }, answer] = await Promise.all([import('./coding/code.js'), this.#page.fetch(source)]);
    if (!answer.ok || source !== this.#shown.source || pre.hasChildNodes()) return;
    pre.replaceChildren(...nodesOf(partsOf(await answer.text()), said.lines));
  }

  /** Switches in the way between the page and its server. */
  #breaking() {
    const { transport } = this.#page;
    const fold = this.#inspector.fold('breaking', 'broken', [this.#inspector.named(element('p', 'hint'), 'breakHint')]);
    for (const [name, phrase] of [['isOffline', 'offline'], ['isSlow', 'slowNetwork']]) {
      const box = Object.assign(element('input'), { type: 'checkbox' });
      box.addEventListener('change', () => {
        transport()[name] = box.checked;
        for (const { client } of this.#page.devices()) client.hurry();
      });
      fold.append(element('label', 'switch', [box, this.#inspector.named(element('span'), phrase)]));
    }
    for (const [deed, phrase] of [['forget', 'forget'], ['damage', 'damage']]) {
      const button = this.#inspector.named(element('button'), phrase);
      button.type = 'button';
      button.addEventListener('click', () => transport()[deed]());
      fold.append(button);
    }
    return fold;
  }
}

/** Inputs that nobody is to read over a shoulder. */
function secretsOf(catalog) {
  const inputs = (catalog?.screens ?? []).flatMap(({ actions = [] }) => actions.flatMap(({ input = [] }) => input));
  return new Set(inputs.filter(({ format }) => format === 'password').map(({ name }) => name));
}

function choosePane(button) {
  document.body.dataset.pane = button.value;
  for (const other of button.parentNode.children) other.setAttribute('aria-pressed', String(other === button));
}
