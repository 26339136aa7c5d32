import { setAttribute } from '../../relist/elements.js';
import { stagesOf } from '../showing.js';

/** The speed of animations in slow motion. */
const slowMotion = 0.2;

/** The version of the screen that the first phone shows, and the controls that choose a version or a stage of its changeset. */
export class Versions {
  #parts;
  #page;
  /** The entry of the earlier version that the first phone shows. It is undefined while the phone shows the newest version. */
  #past;
  /** The number of stages of the shown changeset that the first phone shows. It is undefined if the phone shows all stages. */
  #stage;

  /**
   * @param {Object<string, HTMLElement>} parts the controls
   * @param {object} page
   * @param {() => import('../device.js').Device[]} page.devices
   * @param {() => import('./timeline.js').Entry[]} page.entries the entries of the versions of the screen, oldest first
   * @param {() => boolean} page.isShortened returns whether older versions may have been discarded
   * @param {() => ReturnType<typeof import('./phrases.js').phrases>} page.phrases
   * @param {() => void} page.onPresent called when the newest version was chosen
   * @param {(entry: import('./timeline.js').Entry, stage?: number) => void} page.onChoose called with a version, or with a version and the
   *   number of stages to show
   */
  constructor(parts, page) {
    this.#parts = parts;
    this.#page = page;
    parts.versions.addEventListener('input', () => this.#go(Number(parts.versions.value) - 1));
    parts.slow.addEventListener('change', () => this.#setSpeed());
    const index = () => page.entries().indexOf(this.#current);
    const actions = {
      older: () => this.#go(index() - 1), newer: () => this.#go(index() + 1), present: () => page.onPresent(),
      play: () => this.#play(), back: () => this.#step(-1), forward: () => this.#step(1),
    };
    for (const [name, perform] of Object.entries(actions)) {
      parts[name].addEventListener('click', async () => {
        if (parts[name].getAttribute('aria-disabled') === 'true') return;
        await perform();
        parts.announcement.textContent = parts.version.textContent;
      });
    }
  }

  /** The entry of the earlier version that the first phone shows. @returns {import('./timeline.js').Entry | undefined} */
  get past() {
    return this.#past;
  }

  /** Discards the earlier version, after the screen has changed. */
  reset() {
    [this.#past, this.#stage] = [];
  }

  /**
   * Shows an entry, or the list after some of its stages, on the first phone.
   *
   * @param {import('./timeline.js').Entry} entry
   * @param {number=} stage the number of stages
   */
  lookAt(entry, stage) {
    const { showing } = this.#first;
    [this.#past, this.#stage] = [entry, stage];
    const stages = stage === undefined ? [] : stagesIn(entry);
    if (stage === undefined) showing.lookAt(entry.taken.after);
    else if (stage === 0) showing.lookAt(entry.taken.before);
    else showing.lookAt(stages[stage - 1].snapshot, stages[stage - 1]);
  }

  /** Shows the newest version on the first phone. */
  lookAtPresent() {
    this.reset();
    const { phone, showing } = this.#first;
    // A paused phone holds back changes. It is resumed, so that it shows the newest version.
    if (showing.isPast && showing.isPaused) this.#first.pause(false);
    showing.lookAtPresent();
    phone.update({ past: undefined });
  }

  /** Updates the controls, and the notice on the first phone. */
  update() {
    const { versions: range, version, announcement, older, newer, present, back, forward, play } = this.#parts;
    const all = this.#page.entries();
    const index = all.indexOf(this.#current);
    const stages = this.#current ? stagesIn(this.#current).length : 0;
    range.max = Math.max(all.length, 1);
    range.value = Math.max(index + 1, 1);
    const texts = this.#page.phrases();
    const place = all.length === 0 ? texts.none : texts.versionOf(index + 1, all.length, this.#page.isShortened());
    version.textContent = this.#stage === undefined ? place : texts.stageOf(this.#stage, stages);
    range.setAttribute('aria-valuetext', version.textContent);
    // Screen readers announce only the versions that the user chooses.
    announcement.textContent = '';
    this.#updatePhone(index, all.length, stages);
    // Buttons are disabled with `aria-disabled`, so that they can keep the focus.
    disable(older, index <= 0);
    disable(newer, index >= all.length - 1);
    disable(present, !this.#first.showing.isPast);
    disable(back, stages === 0 || this.#stage === 0);
    disable(forward, stages === 0 || (this.#stage ?? stages) === stages);
    disable(play, stages === 0);
  }

  /** Shows a notice on the phone. The notice says which earlier version the phone displays. */
  #updatePhone(index, count, stages) {
    const { phone, showing } = this.#first;
    if (!showing.isPast) return;
    phone.update({ past: { index: index + 1, count, ...(this.#stage !== undefined && { stage: this.#stage, stages }) } });
  }

  get #first() {
    return this.#page.devices()[0];
  }

  /** The entry of the shown version. */
  get #current() {
    const all = this.#page.entries();
    return all.includes(this.#past) ? this.#past : all.at(-1);
  }

  #go(index) {
    const entry = this.#page.entries()[index];
    if (entry) this.#page.onChoose(entry);
  }

  #step(way) {
    const entry = this.#current;
    const count = stagesIn(entry).length;
    this.#page.onChoose(entry, Math.min(Math.max((this.#stage ?? count) + way, 0), count));
  }

  async #play() {
    const entry = this.#current;
    const { list, showing } = this.#first;
    list.speed = this.#isSlow ? slowMotion : 0.5;
    this.#page.onChoose(entry, 0);
    const isDone = await showing.replay(entry.taken);
    list.speed = this.#isSlow ? slowMotion : 1;
    if (isDone) this.#page.onChoose(entry);
  }

  get #isSlow() {
    return this.#parts.slow.checked;
  }

  #setSpeed() {
    for (const { list, showing } of this.#page.devices()) {
      list.speed = this.#isSlow ? slowMotion : 1;
      showing.isSlow = this.#isSlow;
    }
  }
}

function stagesIn({ taken }) {
  return taken?.outcome === 'apply' ? stagesOf(taken) : [];
}

function disable(button, isDisabled) {
  setAttribute(button, 'aria-disabled', isDisabled && 'true');
}
