import { element } from '../../relist/render/dom.js';
import { phrases } from '../inspecting/phrases.js';
import { editsOf } from './edits.js';
import { Tour } from './tour.js';

/** Whatever somebody does to a page. */
const touches = ['pointerdown', 'keydown', 'wheel', 'touchstart'];

/**
 * What one can do to the screen that is shown, in a row of buttons: on an example screen edits that are named for
 * what they show, and a tour; on a team's own the actions that it declares.
 */
export class Demonstration {
  #page;
  #tour;
  #caption = element('p', 'caption');
  #player = element('button', 'demonstration');
  #buttons = element('div', 'buttons');
  #isAfoot = false;

  /**
   * @param {HTMLElement} bar
   * @param {object} page
   * @param {() => import('../device.js').Device} page.device
   * @param {() => object | undefined} page.described
   * @param {() => {screens: object[]}} page.catalog
   * @param {() => {screen?: string, parameters: Object<string, string>, locale?: string}} page.address
   * @param {(changed: Object<string, string | undefined>) => Promise<void>} page.change
   * @param {(screen: string) => Promise<void>} page.go
   */
  constructor(bar, page) {
    this.#page = page;
    this.#caption.setAttribute('aria-live', 'off');
    this.#player.type = 'button';
    this.#player.addEventListener('click', () => this.#toggle());
    this.#tour = new Tour({
      go: page.go, change: (changed) => this.#change(changed), view: () => page.device().client.view,
      perform: (name, input, view) => page.device().perform(name, input, view),
      snapshot: () => page.device().client.held, say: (phrase) => { this.#caption.textContent = this.#phrases.tour[phrase]; },
    });
    bar.replaceChildren(this.#player, this.#buttons, this.#caption);
    // Whoever leaves or goes elsewhere has seen enough, too.
    for (const name of ['pagehide', 'popstate']) window.addEventListener(name, () => this.stop());
    document.addEventListener('visibilitychange', () => document.hidden && this.stop());
    for (const name of touches) {
      window.addEventListener(name, ({ target }) => !this.#player.contains(target) && this.stop(), { capture: true, passive: true });
    }
  }

  /** Shows what can be done now. */
  show() {
    const { device, described, catalog, address } = this.#page;
    const screen = described();
    const snapshot = device().client.held;
    // What could be done on the screen before is nothing for this one.
    if (!screen || snapshot?.screen !== screen.name) {
      this.#reuse([]);
      return;
    }
    const edits = screen.example ? this.#edits(screen, snapshot, { ...address().parameters }) : this.#declared(screen);
    this.#reuse(edits);
    this.#player.hidden = !catalog().screens.some(({ example }) => example);
    this.#player.textContent = this.#tour.isRunning ? this.#phrases.tour.pause : this.#phrases.tour.play;
    this.#caption.hidden = !this.#tour.isRunning;
    this.#buttons.hidden = this.#tour.isRunning;
  }

  /** Begins by itself, for who has just come and wants things to move. */
  start() {
    const isReduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const tourable = ['wifi', 'mountains', 'deliveries'];
    const examples = this.#page.catalog().screens.filter(({ example }) => example).map(({ name }) => name);
    if (!isReduced && !this.#isAfoot && tourable.every((name) => examples.includes(name))) this.#run();
  }

  /** Somebody has touched something; what was begun is brought to its end. */
  stop() {
    this.#tour.stop();
  }

  get #phrases() {
    return phrases(this.#page.address().locale);
  }

  #toggle() {
    if (this.#tour.isRunning) this.stop();
    else this.#run();
  }

  async #run() {
    if (this.#isAfoot) return;
    this.#isAfoot = true;
    const running = this.#tour.run();
    this.show();
    await running;
    this.#isAfoot = false;
    this.#caption.textContent = '';
    this.show();
  }

  #change(changed) {
    return this.#page.change(changed);
  }

  #edits({ name, example }, snapshot, parameters) {
    const said = this.#phrases.edits;
    const edits = editsOf(name, snapshot, parameters).map((edit) => ({
      title: said[edit.name],
      perform: () => (edit.action ? this.#page.device().perform(edit.action.name, edit.action.input) : this.#change(edit.parameters)),
    }));
    if (!example.restore) return edits;
    return [...edits, { title: said.restore, perform: () => this.#page.device().perform(example.restore, {}) }];
  }

  /** Those that a user can be asked for, without a cell that they are about. */
  #declared({ actions = [] }) {
    const free = actions.filter(({ input = [] }) => !input.some(({ source, required }) => source === 'cell' && required));
    return free.map((action) => ({
      title: action.title ?? action.name,
      perform: (source) => this.#page.device().begin({ name: action.name, title: action.title, input: {} }, source),
    }));
  }

  /** The same buttons go on, so that one that has the focus keeps it. */
  #reuse(edits) {
    while (this.#buttons.children.length > edits.length) this.#buttons.lastChild.remove();
    edits.forEach(({ title, perform }, index) => {
      const button = this.#buttons.children[index] ?? this.#buttons.appendChild(element('button', 'edit'));
      button.type = 'button';
      if (button.textContent !== title) button.textContent = title;
      button.onclick = () => perform(button);
    });
  }
}
