import { element, pushButton, updateChildren } from '../../relist/elements.js';
import { sizeText } from '../inspecting/entry-list.js';
import { phrases } from '../inspecting/phrases.js';
import { editsOf } from './edits.js';
import { Tour } from './tour.js';

/** Events that stop the tour. */
const stopEvents = ['pointerdown', 'keydown', 'wheel', 'touchstart'];

/**
 * The row of buttons that edit the shown screen. For an example screen, the row has prepared edits and a guided tour. For any other screen,
 * the row has the actions that the screen declares.
 */
export class Demonstration {
  #page;
  #tour;
  /** The announced text of the caption, without its button. */
  #text = element('span');
  #caption = element('p', 'caption', [this.#text]);
  #next;
  #captioned;
  #player = pushButton('demonstration', '', () => this.#toggle());
  #buttons = element('div', 'buttons');

  /**
   * @param {HTMLElement} bar
   * @param {object} page
   * @param {() => import('../device.js').Device} page.device the first phone
   * @param {() => import('../device.js').Device[]} page.devices
   * @param {() => import('../inspecting/inspector.js').Inspector} page.inspector
   * @param {() => object | undefined} page.described
   * @param {() => {screens: object[]}} page.catalog
   * @param {() => {screen?: string, parameters: Object<string, string>, locale?: string}} page.address
   * @param {(changed: Object<string, string | undefined>) => Promise<void>} page.change
   * @param {(screen: string, parameters: Object<string, string>) => Promise<void>} page.go
   * @param {() => void} page.openUsage opens the code for clients
   */
  constructor(bar, page) {
    this.#page = page;
    this.#text.setAttribute('aria-live', 'polite');
    this.#caption.hidden = true;
    this.#tour = new Tour({
      go: page.go, view: () => page.device().client.view,
      perform: (...request) => page.device().perform(...request),
      reveal: (cell) => { for (const { list } of page.devices()) list.reveal(cell); },
      snapshot: () => page.device().client.held, setCaption: (phrase) => this.#setCaption(this.#phrases.tour[phrase]),
    });
    bar.replaceChildren(this.#player, this.#caption, this.#buttons);
    // Navigating away or leaving the page stops the tour.
    for (const name of ['pagehide', 'popstate']) window.addEventListener(name, () => this.stop());
    document.addEventListener('visibilitychange', () => document.hidden && this.stop());
    for (const name of stopEvents) {
      window.addEventListener(name, (event) => this.#leave(event), { capture: true, passive: true });
    }
  }

  /** Shows the edits that are possible now. */
  show() {
    const { device, described, catalog, address } = this.#page;
    this.#player.hidden = !catalog().screens.some(({ example }) => example);
    this.#player.textContent = this.#tour.isRunning ? this.#phrases.tour.pause : this.#phrases.tour.play;
    if (this.#tour.isRunning) this.#caption.hidden = false;
    else if (this.#captioned !== this.#place) this.#caption.hidden = true;
    this.#buttons.hidden = this.#tour.isRunning;
    const screen = described();
    const snapshot = device().client.held;
    // The edits of the previous screen are invalid while the next screen is loading.
    if (!screen || snapshot?.screen !== screen.name) {
      this.#showButtons([]);
      return;
    }
    const edits = screen.example ? this.#edits(screen, snapshot, { ...address().parameters }) : this.#declared(screen);
    this.#showButtons(edits);
  }

  /** Starts the tour automatically on the first visit, unless the user prefers reduced motion. */
  start() {
    const isReduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const examples = this.#page.catalog().screens.filter(({ example }) => example).map(({ name }) => name);
    if (!isReduced && !this.#tour.isRunning && examples.includes('deliveries')) this.#run();
  }

  /**
   * Stops the tour, or hides its last caption. The Tab key may lead to the button in the last caption. The caption stays until an edit has
   * been clicked, because the edit would move away from the pointer.
   */
  #leave({ target, key }) {
    if (this.#player.contains(target) || this.#caption.contains(target)) return;
    if (this.#tour.isRunning) this.stop();
    else if (!this.#caption.hidden && key !== 'Tab' && !this.#buttons.contains(target)) this.#hideCaption();
  }

  #hideCaption() {
    this.#caption.hidden = true;
    this.show();
  }

  /** Stops the tour. The tour restores the data before it ends. */
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
    const { inspector } = this.#page;
    const before = inspector().lastChange;
    const end = this.#tour.run();
    this.#ignoreTouch(true);
    this.show();
    let result;
    try {
      result = await end;
    } finally {
      this.#ignoreTouch(false);
      const change = inspector().lastChange;
      // The change of the tour can also arrive as a snapshot, which is no changeset.
      const isShown = result === 'shown' && change !== before;
      this.#caption.hidden = !isShown && result !== 'moved';
      if (isShown) this.#showSizes(change);
      else if (!this.#caption.hidden) this.#showEnd(this.#phrases.tour.moved, this.#phrases.edits.restore, () => this.#restore());
      this.show();
    }
  }

  /** Shows the sizes of the change of the tour, and a button that leads to the code for clients. The text is written and announced once. */
  async #showSizes(change) {
    const texts = this.#phrases;
    const textOf = ({ sent, whole }, phrase) => texts.tour[phrase](sizeText(sent, texts), sizeText(whole, texts));
    await this.#page.inspector().measure([change]);
    // The user may have acted meanwhile.
    if (this.#tour.isRunning || this.#caption.hidden) return;
    this.#showEnd(textOf(change.plain, 'end'), texts.use, () => this.#page.openUsage());
    if (change.compressed) this.#text.append(element('span', 'compressed', ` ${textOf(change.compressed, 'compressed')}`));
  }

  #showEnd(text, next, onNext) {
    this.#setCaption(text);
    this.#next = pushButton('next', next, onNext);
    this.#caption.append(this.#next);
  }

  #setCaption(text) {
    this.#next?.remove();
    this.#text.textContent = text;
    this.#captioned = this.#place;
  }

  /** The shown screen in its language. A caption is about one of them. */
  get #place() {
    const { screen, locale } = this.#page.address();
    return `${screen} ${locale}`;
  }

  /** Restores the example data, and runs the tour again. */
  async #restore() {
    this.#hideCaption();
    const { example } = this.#page.described() ?? {};
    if (example?.restore && await this.#page.device().perform(example.restore, {}) && !this.#tour.isRunning) this.#run();
  }

  #ignoreTouch(ignoresTouch) {
    for (const { showing } of this.#page.devices()) showing.ignoreTouch(ignoresTouch);
  }

  #edits({ name, example }, snapshot, parameters) {
    const texts = this.#phrases.edits;
    const edits = editsOf(name, snapshot, parameters).map((edit) => ({
      title: texts[edit.name],
      perform: (source) => (edit.action ? this.#perform(edit, source) : this.#page.change(edit.parameters)),
    }));
    if (!example.restore) return edits;
    return [...edits, { title: texts.restore, perform: (source) => this.#restoreShown(example.restore, source) }];
  }

  /** Restores the example data. If the shown data does not change, a caption says that it is the example data. */
  async #restoreShown(name, source) {
    const { client } = this.#page.device();
    const { held: before, view } = client;
    if (!await this.#perform({ action: { name } }, source)) return;
    // The changes may still be on their way.
    if (client.held === before && client.view === view) await client.show(view.screen, view.parameters).catch(() => {});
    if (client.held?.version !== before.version || client.view?.screen !== view.screen || this.#tour.isRunning) return;
    this.#setCaption(this.#phrases.edits.restored);
    this.#caption.hidden = false;
  }

  /**
   * Performs an edit, unless its button is busy. Each list scrolls to the cell first, if the cell is out of sight, so that its change is
   * seen.
   */
  async #perform({ cell, action: { name, input = {} } }, source) {
    if (source?.ariaBusy === 'true') return false;
    const device = this.#page.device();
    const { view } = device.client;
    const isHidden = ({ part }) => cell !== undefined && !isInSight(cell, part('list'), part('scroll'));
    await Promise.all(this.#page.devices().filter(isHidden).map(({ list, part }) => {
      list.reveal(cell);
      return endOfScrolling(part('scroll'));
    }));
    return device.perform(name, input, view, cell, source);
  }

  /** Returns the actions that the user can start without choosing a cell. */
  #declared({ actions = [] }) {
    const free = actions.filter(({ input = [] }) => !input.some(({ source, required }) => source === 'cell' && required));
    return free.map((action) => ({
      title: action.title ?? action.name,
      perform: (source) => this.#page.device().begin({ name: action.name, title: action.title, input: {} }, source),
    }));
  }

  #showButtons(edits) {
    updateChildren(this.#buttons, edits, () => pushButton('edit'), (button, { title, perform }) => {
      if (button.textContent !== title) button.textContent = title;
      button.onclick = () => {
        if (!this.#caption.hidden) this.#hideCaption();
        perform(button);
      };
    });
  }
}

/** Returns whether a cell is completely visible. @param {string} cell @param {HTMLElement} list @param {HTMLElement} scroller */
function isInSight(cell, list, scroller) {
  const node = list.querySelector(`.cell[data-id="${CSS.escape(cell)}"]`);
  const [row, frame] = [node, scroller].map((one) => one?.getBoundingClientRect());
  return row !== undefined && row.top >= Math.max(frame.top, 0) && row.bottom <= Math.min(frame.bottom, window.innerHeight);
}

/** The number of frames without motion after which an element has stopped to scroll. */
const stillFrames = 4;

/** @param {HTMLElement} scroller */
async function endOfScrolling(scroller) {
  let last;
  for (let frames = 0; frames < stillFrames; frames += 1) {
    const { top } = scroller.firstElementChild.getBoundingClientRect();
    if (top !== last) frames = 0;
    last = top;
    await new Promise(requestAnimationFrame);
  }
}
