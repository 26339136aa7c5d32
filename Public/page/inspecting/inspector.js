import { element, pushButton, setAttribute } from '../../relist/elements.js';
import { phrases as pagePhrases } from '../phrases.js';
import { stagesOf } from '../showing.js';
import { Chart } from './chart.js';
import { Detail } from './detail.js';
import { EntryList, sizeText, timeText } from './entry-list.js';
import { measured } from './measuring.js';
import { phrases } from './phrases.js';
import { showSizes } from './sizes.js';
import { Timeline, isAction } from './timeline.js';

/** The speed of animations in slow motion. */
const slowMotion = 0.2;

/**
 * The inspector: a timeline of exchanges and versions, with explanations and sizes. The first phone shows the selected version. Other
 * phones always show the newest version.
 */
export class Inspector {
  #devices;
  #locale;
  #timeline = new Timeline();
  #list;
  #detail;
  #parts;
  #totals;
  /** The selected entry. It is undefined while the newest entry is shown. */
  #chosen;
  /** The entry of the earlier version that the first phone shows. It is undefined while the phone shows the newest version. */
  #past;
  /** The number of stages of the shown changeset that the first phone shows. It is undefined if the phone shows all stages. */
  #stage;
  #newest;
  #screen;
  #texts = [];
  #chart = new Chart();
  #isBeingRead = false;

  /**
   * @param {HTMLElement} root
   * @param {{sent: HTMLElement, instead: HTMLElement, bars: HTMLElement, ticks: HTMLElement}} totals
   * @param {object} page
   * @param {() => import('../device.js').Device[]} page.devices
   * @param {() => ReadonlySet<string>} page.secrets
   */
  constructor(root, totals, { devices, secrets }) {
    this.#devices = devices;
    this.#totals = totals;
    this.#parts = this.#build(root);
    const texts = () => this.#phrases;
    this.#list = new EntryList(this.#parts.exchanges, (entry) => this.#choose(entry), texts);
    this.#detail = new Detail(this.#parts, { onPoint: (target) => this.#first.list.highlight(target), phrases: texts, secrets });
    this.#watchReading(root.querySelector('.detail'));
    this.#first.part('list').addEventListener('pointerover', ({ target }) => this.#detail.pointAt(target.closest('.cell')?.dataset.id));
    this.#first.part('list').addEventListener('pointerleave', () => this.#detail.pointAt(undefined));
  }

  /** Shows the inspector for a screen, in a language. @param {string} locale @param {string} screen */
  show(locale, screen) {
    if (screen !== this.#screen) [this.#chosen, this.#past, this.#stage] = [];
    this.#screen = screen;
    if (locale !== this.#locale) {
      this.#locale = locale;
      for (const write of this.#texts) write();
      for (const entry of this.#timeline.entries) this.#list.show(entry, this.#timeline.entries);
      this.#detail.refresh();
      this.#showTotals();
    }
    this.#update();
  }

  /**
   * Adds an exchange.
   *
   * @param {import('../../relist/client.js').Exchange} exchange
   * @param {number} device
   * @param {import('./measuring.js').Arrival} arrival
   */
  add(exchange, device, arrival) {
    const entry = this.#timeline.add(measured(exchange, arrival), device, Date.now());
    // The selected entry or the shown version may have been discarded as too old.
    if ([this.#chosen, this.#past].some((one) => one && !this.#timeline.entries.includes(one))) this.lookAtPresent();
    this.#showEntry(entry);
    this.#showDetails(entry, !exchange.isEvent && !exchange.isStream && device === 1);
  }

  /** Records the outcome of an exchange. @param {import('../../relist/client.js').DocumentResult} taken @param {number} device */
  take(taken, device) {
    const entry = this.#timeline.take(taken, device);
    if (!entry) return;
    this.#showEntry(entry);
    if (device === 1) this.#showDetails(entry, false);
    this.#update();
  }

  /** Marks a stage that is being animated. @param {import('../../relist/client.js').DocumentResult} taken @param {number} stage */
  showStage(taken, stage) {
    const entry = this.#timeline.entries.find((one) => one.taken === taken);
    if (entry && entry === (this.#chosen ?? this.#newest)) this.#detail.markStage(stage);
  }

  lookAtPresent() {
    [this.#chosen, this.#past, this.#stage] = [];
    const first = this.#first;
    // A paused phone holds back changes. It is resumed, so that it shows the newest version.
    if (first.showing.isPast && first.showing.isPaused) first.pause(false);
    first.showing.lookAtPresent();
    this.#first.phone.update({ past: undefined });
    if (this.#newest) this.#detail.show(this.#newest);
    this.#update();
  }

  #watchReading(detail) {
    const read = (isBeingRead) => () => {
      this.#isBeingRead = isBeingRead;
      if (!isBeingRead && this.#newest && !this.#chosen) this.#showDetails(this.#newest, false);
    };
    for (const name of ['pointerenter', 'focusin']) detail.addEventListener(name, read(true));
    for (const name of ['pointerleave', 'focusout']) detail.addEventListener(name, read(false));
  }

  get #first() {
    return this.#devices()[0];
  }

  get #phrases() {
    return phrases(this.#locale);
  }

  get #versions() {
    return this.#timeline.versions(this.#screen);
  }

  /**
   * Shows the details of a new entry, unless the entry is redundant or an older entry is selected.
   *
   * @param {import('./timeline.js').Entry} entry
   * @param {boolean} isRequested whether the entry has a new request of the first phone
   */
  #showDetails(entry, isRequested) {
    // A new request by the user ends the selection of an older entry.
    if (isRequested && this.#chosen && !this.#first.showing.isPast) this.#chosen = undefined;
    if (isRedundant(entry)) return;
    this.#newest = entry;
    if (this.#chosen && this.#chosen !== entry) return;
    // Details under the pointer or focus are not replaced.
    if (this.#isBeingRead && !isRequested) return;
    this.#list.choose(entry);
    this.#detail.show(entry);
  }

  /** Selects an entry. If the entry is a version, the first phone shows it. Otherwise the phone continues to show its version. */
  #choose(entry, stage) {
    const versions = this.#versions;
    const index = versions.indexOf(entry);
    const isNewest = index >= 0 && index === versions.length - 1 && stage === undefined;
    if (isNewest || entry === this.#newest && stage === undefined) this.lookAtPresent();
    else this.#chosen = entry;
    if (index >= 0 && !isNewest) this.#lookAt(entry, stage);
    this.#list.choose(entry);
    this.#detail.show(entry);
    this.#detail.markStage(stage === undefined || stage === 0 ? undefined : stage - 1);
    this.#update();
  }

  #lookAt(entry, stage) {
    const { showing } = this.#first;
    [this.#past, this.#stage] = [entry, stage];
    const stages = stage === undefined ? [] : this.#stages(entry);
    if (stage === undefined) showing.lookAt(entry.taken.after);
    else if (stage === 0) showing.lookAt(entry.taken.before);
    else showing.lookAt(stages[stage - 1].snapshot, stages[stage - 1]);
  }

  /** Shows a notice on the phone. The notice says which earlier version the phone displays. */
  #updatePhone(index, count, stages) {
    const { phone, showing } = this.#first;
    if (!showing.isPast) return;
    phone.update({ past: { index: index + 1, count, ...(this.#stage !== undefined && { stage: this.#stage, stages }) } });
  }

  #stages({ taken }) {
    return taken?.outcome === 'apply' ? stagesOf(taken) : [];
  }

  #go(index) {
    const entry = this.#versions[index];
    if (entry) this.#choose(entry);
  }

  #step(way) {
    const entry = this.#current;
    const count = this.#stages(entry).length;
    const stage = Math.min(Math.max((this.#stage ?? count) + way, 0), count);
    this.#choose(entry, stage);
  }

  async #play() {
    const entry = this.#current;
    this.#first.list.speed = this.#isSlow ? slowMotion : 0.5;
    this.#choose(entry, 0);
    const isDone = await this.#first.showing.replay(entry.taken);
    this.#first.list.speed = this.#isSlow ? slowMotion : 1;
    if (isDone) this.#choose(entry);
  }

  get #isSlow() {
    return this.#parts.slow.checked;
  }

  #setSpeed() {
    for (const { list, showing } of this.#devices()) {
      list.speed = this.#isSlow ? slowMotion : 1;
      showing.isSlow = this.#isSlow;
    }
  }

  /** The entry of the shown version. */
  get #current() {
    const versions = this.#versions;
    return versions.includes(this.#past) ? this.#past : versions.at(-1);
  }

  #update() {
    const { versions: range, version, older, newer, present, back, forward, play } = this.#parts;
    const all = this.#versions;
    const index = all.indexOf(this.#current);
    const stages = this.#current ? this.#stages(this.#current).length : 0;
    range.max = Math.max(all.length - 1, 0);
    range.value = Math.max(index, 0);
    const texts = this.#phrases;
    const place = all.length === 0 ? texts.none : texts.versionOf(index + 1, all.length);
    version.textContent = this.#stage === undefined ? place : texts.stageOf(this.#stage, stages);
    range.setAttribute('aria-valuetext', version.textContent);
    this.#updatePhone(index, all.length, stages);
    // Buttons are disabled with `aria-disabled`, so that they can keep the focus.
    disable(older, index <= 0);
    disable(newer, index >= all.length - 1);
    disable(present, !this.#first.showing.isPast);
    disable(back, stages === 0 || this.#stage === 0);
    disable(forward, stages === 0 || (this.#stage ?? stages) === stages);
    disable(play, stages === 0);
  }

  /** Shows an entry, with the sizes that were chosen. */
  #showEntry(entry) {
    this.#list.show(entry, this.#timeline.entries);
    this.#showTotals();
    if (this.#list.isCompressed) this.#measure([entry]);
  }

  /** Measures the compressed sizes of entries, and shows the entries again. */
  async #measure(entries) {
    await Promise.all(entries.map((entry) => this.#timeline.measure(entry)));
    for (const entry of entries.filter((one) => this.#timeline.entries.includes(one))) this.#list.show(entry, this.#timeline.entries);
    this.#showTotals();
  }

  #compress(isCompressed) {
    this.#list.isCompressed = isCompressed;
    for (const entry of this.#timeline.entries) this.#list.show(entry, this.#timeline.entries);
    this.#showTotals();
    if (isCompressed) this.#measure([...this.#timeline.entries]);
  }

  /** Shows the size of the last change beside the size of the whole screen, and the sums of all changes. */
  #showTotals() {
    const entries = this.#timeline.entries.filter(({ taken }) => ['apply', 'replace'].includes(taken?.outcome));
    const entry = entries.at(-1);
    if (!entry) return;
    const sizesOf = ({ compressed, plain }) => (this.#list.isCompressed && compressed) || plain;
    const text = (size) => sizeText(size, this.#phrases);
    const { sent, whole } = sizesOf(entry);
    const texts = pagePhrases(this.#locale);
    const coding = sizesOf(entry) === entry.plain ? texts.uncompressed : texts.gzip;
    const delay = delayOf(entry);
    const drawn = delay === undefined ? '' : ` ${texts.drawn(timeText(delay, this.#phrases))}`;
    const isApplied = entry.taken.outcome === 'apply';
    this.#totals.sent.textContent = isApplied || isChange(entry) ? texts.lastChange(text(sent)) : texts.firstLoad(text(sent));
    this.#totals.instead.textContent = isApplied ? texts.wholeScreen(text(whole), coding) + drawn : texts.sentWhole(coding);
    showSizes(this.#totals.bars, { sent, whole });
    this.#chart.show(entries.filter(isChange).map(sizesOf), (count, ...sums) => texts.sums(count, ...sums.map(text)));
  }

  /** The sizes of the last changeset without compression; undefined if there is none. @returns {import('./timeline.js').Sizes | undefined} */
  get lastSizes() {
    return this.#timeline.entries.findLast(({ taken }) => taken?.outcome === 'apply')?.plain;
  }

  /** Records that a phone has drawn a version. @param {string} version @param {number} device */
  drawn(version, device) {
    const entry = this.#timeline.entries.findLast(({ taken }) => taken?.outcome === 'apply' && taken.after.version === version);
    if (device === 1 || !entry || entry.drawn !== undefined) return;
    entry.drawn = Date.now();
    this.#showTotals();
  }

  #build(root) {
    const button = (id, text, onClick, isIcon = false) => {
      const click = () => node.getAttribute('aria-disabled') !== 'true' && onClick();
      const node = Object.assign(pushButton(isIcon ? 'icon' : '', '', click), { id });
      return this.named(node, text, isIcon);
    };
    const versions = element('input');
    Object.assign(versions, { id: 'versions', type: 'range', min: 0, max: 0, value: 0 });
    versions.addEventListener('input', () => this.#go(Number(versions.value)));
    const at = () => this.#versions.indexOf(this.#current);
    const slow = Object.assign(element('input'), { id: 'slow', type: 'checkbox' });
    slow.addEventListener('change', () => this.#setSpeed());
    const compressed = Object.assign(element('input'), { id: 'compressed', type: 'checkbox' });
    compressed.addEventListener('change', () => this.#compress(compressed.checked));
    const parts = {
      versions: this.named(versions, 'version', true), version: Object.assign(element('span'), { id: 'version' }), slow,
      older: button('older', 'older', () => this.#go(at() - 1), true), newer: button('newer', 'newer', () => this.#go(at() + 1), true),
      present: button('present', 'present', () => this.lookAtPresent()), play: button('play', 'play', () => this.#play()),
      back: button('stage-back', 'back', () => this.#step(-1)), forward: button('stage-forward', 'forward', () => this.#step(1)),
      copy: button('copy', 'copy', () => {}),
    };
    for (const [name, tag] of [['exchanges', 'ol'], ['explanation', 'div'], ['curl', 'pre'], ['document', 'pre']]) {
      parts[name] = Object.assign(element(tag), { id: name });
    }
    for (const name of ['curl', 'document']) this.named(Object.assign(parts[name], { tabIndex: 0 }), name === 'curl' ? 'repeat' : name, true);
    parts.usage = this.fold('lines-fold', 'clients', [element('div', 'usage')]);
    parts.exchanges.reversed = true;
    const label = element('label', 'slow', [slow, this.named(element('span'), 'slow')]);
    const compressedLabel = element('label', 'switch', [compressed, this.named(element('span'), 'compressed')]);
    root.append(
      element('section', 'versions', [parts.older, versions, parts.newer, parts.version, parts.present]),
      element('section', 'stages', [parts.back, parts.play, parts.forward, label]),
      element('section', 'log', [
        this.named(element('h2'), 'timeline'), compressedLabel, this.#chart.node, this.#totals.ticks.cloneNode(true), parts.exchanges,
      ]),
      element('section', 'detail', [
        this.named(element('h2'), 'explanation'), parts.explanation,
        this.fold('curl-fold', 'repeat', [parts.curl, parts.copy]), parts.usage, this.fold('document-fold', 'document', [parts.document]),
      ]),
    );
    return parts;
  }

  /** Creates a collapsible part. @param {string} id @param {string} title the key of a phrase @param {Node[]} content @returns {HTMLDetailsElement} */
  fold(id, title, content) {
    const fold = element('details', 'fold', [this.named(element('summary'), title), ...content]);
    return this.named(Object.assign(fold, { id }), title, true);
  }

  /**
   * Sets a phrase as the text of a node, now and whenever the language changes.
   *
   * @template {Element} Named
   * @param {Named} node @param {string} phrase @param {boolean=} isLabel whether the phrase is set as `aria-label` instead
   * @returns {Named}
   */
  named(node, phrase, isLabel = false) {
    const write = () => {
      if (isLabel) node.setAttribute('aria-label', this.#phrases[phrase]);
      else node.textContent = this.#phrases[phrase];
    };
    this.#texts.push(write);
    write();
    return node;
  }
}

/**
 * Returns whether an entry is redundant. An entry is redundant if its last response is the list of screens, or if the changes of its
 * request arrive on the event stream.
 */
function isRedundant({ parts, taken }) {
  const { document, status } = parts.at(-1).exchange;
  if (document?.screens !== undefined) return true;
  return !taken && (status === 204 || (status === 200 && document?.kind === 'changeset'));
}

/**
 * Returns the time in milliseconds from the request of an action until another phone had drawn the change; undefined if it is not known.
 *
 * @param {import('./timeline.js').Entry} entry
 */
function delayOf({ parts, drawn }) {
  const action = parts.find(({ exchange }) => isAction(exchange));
  return action && drawn && Math.max(0, drawn - (action.time - action.exchange.milliseconds));
}

/** Returns whether an entry changed a screen that was shown already. @param {import('./timeline.js').Entry} entry */
function isChange({ taken: { before, after } }) {
  return before?.screen === after.screen;
}

function disable(button, isDisabled) {
  setAttribute(button, 'aria-disabled', isDisabled && 'true');
}
