import { element, pushButton } from '../../relist/elements.js';
import { Detail } from './detail.js';
import { EntryList } from './entry-list.js';
import { measured } from './measuring.js';
import { phrases } from './phrases.js';
import { Timeline } from './timeline.js';
import { Totals } from './totals.js';
import { Versions } from './versions.js';

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
  #versions;
  #totals;
  /** The selected entry. It is undefined while the newest entry is shown. */
  #chosen;
  #newest;
  #screen;
  #texts = [];
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
    this.#totals = new Totals(totals);
    const parts = this.#build(root);
    const texts = () => this.#phrases;
    this.#list = new EntryList(parts.exchanges, (entry) => this.#choose(entry), texts);
    this.#versions = new Versions(parts, {
      devices, phrases: texts, entries: () => this.#timeline.versions(this.#screen), isShortened: () => this.#timeline.isShortened,
      onChoose: (entry, stage) => this.#choose(entry, stage), onPresent: () => this.lookAtPresent(),
    });
    this.#detail = new Detail(parts, { onPoint: (target) => this.#first.list.highlight(target), phrases: texts, secrets });
    this.#watchReading(root.querySelector('.detail'));
    this.#first.part('list').addEventListener('pointerover', ({ target }) => this.#detail.pointAt(target.closest('.cell')?.dataset.id));
    this.#first.part('list').addEventListener('pointerleave', () => this.#detail.pointAt(undefined));
  }

  /** Shows the inspector for a screen, in a language. @param {string} locale @param {string} screen */
  show(locale, screen) {
    if (screen !== this.#screen) {
      this.#chosen = undefined;
      this.#versions.reset();
    }
    this.#screen = screen;
    if (locale !== this.#locale) {
      this.#locale = locale;
      for (const write of this.#texts) write();
      for (const entry of this.#timeline.entries) this.#list.show(entry, this.#timeline.entries);
      this.#detail.refresh();
    }
    this.#showTotals();
    this.#versions.update();
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
    if ([this.#chosen, this.#versions.past].some((one) => one && !this.#timeline.entries.includes(one))) this.lookAtPresent();
    this.#showEntry(entry);
    this.#showDetails(entry, !exchange.isEvent && !exchange.isStream && device === 1);
  }

  /** Records the outcome of an exchange. @param {import('../../relist/client.js').DocumentResult} taken @param {number} device */
  take(taken, device) {
    const entry = this.#timeline.take(taken, device);
    if (!entry) return;
    this.#showEntry(entry);
    if (device === 1 || entry === this.#newest) this.#showDetails(entry, false);
    this.#versions.update();
  }

  /** Marks a stage that is being animated. @param {import('../../relist/client.js').DocumentResult} taken @param {number} stage */
  showStage(taken, stage) {
    const entry = this.#timeline.entries.find((one) => one.taken === taken);
    if (entry && entry === (this.#chosen ?? this.#newest)) this.#detail.markStage(stage);
  }

  lookAtPresent() {
    this.#chosen = undefined;
    this.#versions.lookAtPresent();
    if (this.#newest) this.#detail.show(this.#newest);
    this.#versions.update();
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
    const versions = this.#timeline.versions(this.#screen);
    const index = versions.indexOf(entry);
    const isNewest = index >= 0 && index === versions.length - 1 && stage === undefined;
    if (isNewest || entry === this.#newest && stage === undefined) this.lookAtPresent();
    else this.#chosen = entry;
    if (index >= 0 && !isNewest) this.#versions.lookAt(entry, stage);
    this.#list.choose(entry);
    this.#detail.show(entry);
    this.#detail.markStage(stage === undefined || stage === 0 ? undefined : stage - 1);
    this.#versions.update();
  }

  /** Shows an entry, with the sizes that were chosen. */
  #showEntry(entry) {
    this.#list.show(entry, this.#timeline.entries);
    this.#showTotals();
    // The headline has both ratios of a change.
    if (this.#list.isCompressed || entry.taken?.outcome === 'apply' && !entry.compressed) this.measure([entry]);
  }

  /** Measures the compressed sizes of entries, and shows the entries again. @param {import('./timeline.js').Entry[]} entries */
  async measure(entries) {
    await Promise.all(entries.map((entry) => this.#timeline.measure(entry)));
    for (const entry of entries.filter((one) => this.#timeline.entries.includes(one))) this.#list.show(entry, this.#timeline.entries);
    this.#showTotals();
  }

  #showTotals() {
    this.#totals.show(this.#timeline, this.#locale, this.#screen, this.#list.isCompressed);
  }

  #compress(isCompressed) {
    this.#list.isCompressed = isCompressed;
    for (const entry of this.#timeline.entries) this.#list.show(entry, this.#timeline.entries);
    this.#showTotals();
    if (isCompressed) this.measure([...this.#timeline.entries]);
  }

  /**
   * The entry of the last applied changeset; undefined if there is none.
   *
   * @returns {import('./timeline.js').Entry | undefined}
   */
  get lastChange() {
    return this.#timeline.entries.findLast(({ taken }) => taken?.outcome === 'apply');
  }

  /** Records that a phone has drawn a version. @param {string} version @param {number} device */
  drawn(version, device) {
    const entry = this.#timeline.entries.findLast(({ taken }) => taken?.outcome === 'apply' && taken.after.version === version);
    if (device === 1 || !entry || entry.drawn !== undefined) return;
    entry.drawn = Date.now();
    this.#showTotals();
  }

  #build(root) {
    const button = (id, text, isIcon = false) => this.named(Object.assign(pushButton(isIcon ? 'icon' : ''), { id }), text, isIcon);
    const versions = element('input');
    Object.assign(versions, { id: 'versions', type: 'range', min: 1, max: 1, value: 1 });
    const slow = Object.assign(element('input'), { id: 'slow', type: 'checkbox' });
    const compressed = Object.assign(element('input'), { id: 'compressed', type: 'checkbox' });
    compressed.addEventListener('change', () => this.#compress(compressed.checked));
    const parts = {
      versions: this.named(versions, 'version', true), version: Object.assign(element('span'), { id: 'version' }), slow,
      announcement: element('output', 'unseen'),
      older: button('older', 'older', true), newer: button('newer', 'newer', true), present: button('present', 'present'),
      play: button('play', 'play'), back: button('stage-back', 'back'), forward: button('stage-forward', 'forward'),
      copy: button('copy', 'copy'),
    };
    for (const [name, tag] of [['exchanges', 'ol'], ['explanation', 'div'], ['curl', 'pre'], ['document', 'pre']]) {
      parts[name] = Object.assign(element(tag), { id: name });
    }
    for (const [name, label] of [['curl', 'repeat'], ['document', 'document']]) {
      this.named(Object.assign(parts[name], { tabIndex: 0 }), label, true);
    }
    parts.usage = this.fold('lines-fold', 'clients', [element('div', 'usage')]);
    parts.exchanges.reversed = true;
    const label = element('label', 'slow', [slow, this.named(element('span'), 'slow')]);
    const compressedLabel = element('label', 'switch', [compressed, this.named(element('span'), 'compressed')]);
    root.append(
      element('section', 'versions', [parts.older, versions, parts.newer, parts.version, parts.announcement, parts.present]),
      element('section', 'stages', [parts.back, parts.play, parts.forward, label]),
      element('section', 'log', [this.named(element('h2'), 'timeline'), compressedLabel, ...this.#totals.nodes, parts.exchanges]),
      element('section', 'detail', [
        this.named(element('h2'), 'explanation'), parts.explanation,
        this.fold('curl-fold', 'repeat', [parts.curl, parts.copy]), parts.usage, this.fold('document-fold', 'document', [parts.document]),
      ]),
    );
    return parts;
  }

  /**
   * Creates a collapsible part.
   *
   * @param {string} id
   * @param {string} title the key of a phrase
   * @param {Node[]} content
   * @returns {HTMLDetailsElement}
   */
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
