import { element } from '../../relist/render/dom.js';
import { phrases as spoken } from '../phrases.js';
import { stagesOf } from '../showing.js';
import { Detail } from './detail.js';
import { EntryList } from './entry-list.js';
import { phrases } from './phrases.js';
import { sizeText } from './sizes.js';
import { Timeline } from './timeline.js';

/** How fast all moves in slow motion. */
const slowly = 0.2;

/**
 * Shows what travelled: one timeline of versions, exchanges, explanations and bytes, of which choosing one chooses
 * all. What is chosen is looked at on the first phone; the others stay in the present.
 */
export class Inspector {
  #devices;
  #locale;
  #timeline = new Timeline();
  #list;
  #detail;
  #parts;
  #totals;
  /** The entry that is being read; undefined while it is the newest, whichever that is. */
  #chosen;
  /** How many of its stages are shown; undefined for all. */
  #stage;
  #newest;
  #screen;
  #texts = [];
  #isBeingRead = false;

  /**
   * @param {HTMLElement} root
   * @param {{sent: HTMLElement, instead: HTMLElement, share: HTMLElement}} totals
   * @param {object} page
   * @param {() => import('../device.js').Device[]} page.devices
   * @param {() => ReadonlySet<string>} page.secrets
   */
  constructor(root, totals, { devices, secrets }) {
    this.#devices = devices;
    this.#totals = totals;
    this.#parts = this.#build(root);
    const said = () => this.#phrases;
    this.#list = new EntryList(this.#parts.exchanges, (entry) => this.#choose(entry), said);
    this.#detail = new Detail(this.#parts, { onPoint: (pointed) => this.#first.list.highlight(pointed), phrases: said, secrets });
    this.#watchReaders(root.querySelector('.detail'));
    this.#first.part('list').addEventListener('pointerover', ({ target }) => this.#detail.pointAt(target.closest('.cell')?.dataset.id));
    this.#first.part('list').addEventListener('pointerleave', () => this.#detail.pointAt(undefined));
  }

  /** @param {string} locale @param {string} screen what is shown from now on */
  show(locale, screen) {
    if (screen !== this.#screen) [this.#chosen, this.#stage] = [undefined, undefined];
    this.#screen = screen;
    if (locale !== this.#locale) {
      this.#locale = locale;
      for (const write of this.#texts) write();
      for (const entry of this.#timeline.entries) this.#list.show(entry, this.#timeline.entries);
      this.#detail.retell();
      this.#showTotals();
    }
    this.#update();
  }

  /** @param {import('../../relist/client.js').Exchange} exchange @param {number} device */
  add(exchange, device) {
    const entry = this.#timeline.add(exchange, device, Date.now());
    // What is looked at may have become too old to be kept.
    if (this.#chosen && !this.#timeline.entries.includes(this.#chosen)) this.lookAtPresent();
    this.#showTotals();
    this.#list.show(entry, this.#timeline.entries);
    if (!isTold(entry)) this.#read(entry, !exchange.isEvent && device === 1);
  }

  /** What became of an exchange that was added. @param {import('../../relist/client.js').Taken} taken @param {number} device */
  take(taken, device) {
    const entry = this.#timeline.take(taken, device);
    if (!entry) return;
    this.#showTotals();
    this.#list.show(entry, this.#timeline.entries);
    if (device === 1) this.#read(entry, false);
    this.#update();
  }

  /** A stage is played by itself. @param {import('../../relist/client.js').Taken} taken @param {number} stage */
  showStage(taken, stage) {
    const entry = this.#timeline.entries.find((one) => one.taken === taken);
    if (entry && entry === (this.#chosen ?? this.#newest)) this.#detail.markStage(stage);
  }

  lookAtPresent() {
    [this.#chosen, this.#stage] = [undefined, undefined];
    const first = this.#first;
    // The present is what is there now, with all that was held back.
    if (first.showing.isPast && first.showing.isPaused) first.pause(false);
    first.showing.lookAtPresent();
    this.#first.phone.say({ past: undefined });
    if (this.#newest) this.#detail.show(this.#newest);
    this.#update();
  }

  #watchReaders(detail) {
    const read = (isBeingRead) => () => {
      this.#isBeingRead = isBeingRead;
      if (!isBeingRead && this.#newest && !this.#chosen) this.#read(this.#newest, false);
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

  /** What is new is read, unless something older is. @param {import('./timeline.js').Entry} entry @param {boolean} isAsked */
  #read(entry, isAsked) {
    this.#newest = entry;
    // Who asks for something new has read the old.
    if (isAsked && this.#chosen && !this.#first.showing.isPast) this.#chosen = undefined;
    if (this.#chosen && this.#chosen !== entry) return;
    // What somebody points at or has the focus in stays until they leave it.
    if (this.#isBeingRead && !isAsked) return;
    this.#list.choose(entry);
    this.#detail.show(entry);
  }

  #choose(entry, stage) {
    const versions = this.#versions;
    const index = versions.indexOf(entry);
    const isNewest = index >= 0 && index === versions.length - 1 && stage === undefined;
    if (isNewest || entry === this.#newest && stage === undefined) this.lookAtPresent();
    else [this.#chosen, this.#stage] = [entry, stage];
    if (index >= 0 && !isNewest) this.#lookAt(entry, stage);
    this.#list.choose(entry);
    this.#detail.show(entry);
    this.#detail.markStage(stage === undefined || stage === 0 ? undefined : stage - 1);
    this.#update();
  }

  #lookAt(entry, stage) {
    const { showing } = this.#first;
    const stages = stage === undefined ? [] : this.#stages(entry);
    if (stage === undefined) showing.lookAt(entry.taken.after);
    else if (stage === 0) showing.lookAt(entry.taken.before);
    else showing.lookAt(stages[stage - 1].snapshot, stages[stage - 1]);
  }

  /** What the phone says of the past is what the inspector says. */
  #sayPast(index, count, stages) {
    const { phone, showing } = this.#first;
    if (!showing.isPast) return;
    phone.say({ past: { index: index + 1, count, ...(this.#stage !== undefined && { stage: this.#stage, stages }) } });
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
    this.#first.list.speed = this.#isSlow ? slowly : 0.5;
    this.#choose(entry, 0);
    const isDone = await this.#first.showing.replay(entry.taken);
    this.#first.list.speed = this.#isSlow ? slowly : 1;
    if (isDone) this.#choose(entry);
  }

  get #isSlow() {
    return this.#parts.slow.checked;
  }

  #setSpeed() {
    for (const { list, showing } of this.#devices()) {
      list.speed = this.#isSlow ? slowly : 1;
      showing.isSlow = this.#isSlow;
    }
  }

  /** The entry of the version that is looked at. */
  get #current() {
    const versions = this.#versions;
    return versions.includes(this.#chosen) ? this.#chosen : versions.at(-1);
  }

  #update() {
    const { versions: range, version, older, newer, present, back, forward, play } = this.#parts;
    const all = this.#versions;
    const index = all.indexOf(this.#current);
    const stages = this.#current ? this.#stages(this.#current).length : 0;
    range.max = Math.max(all.length - 1, 0);
    range.value = Math.max(index, 0);
    const said = this.#phrases;
    const place = all.length === 0 ? said.none : said.versionOf(index + 1, all.length);
    version.textContent = this.#stage === undefined ? place : said.stageOf(this.#stage, stages);
    range.setAttribute('aria-valuetext', version.textContent);
    // Whoever has the focus on one of them keeps it: they are told to be of no use, and stay.
    this.#sayPast(index, all.length, stages);
    disable(older, index <= 0);
    disable(newer, index >= all.length - 1);
    disable(present, !this.#first.showing.isPast);
    disable(back, stages === 0 || this.#stage === 0);
    disable(forward, stages === 0 || (this.#stage ?? stages) === stages);
    disable(play, stages === 0);
  }

  #showTotals() {
    const { sent, replaced, changesets } = this.#timeline.totals;
    const said = spoken(this.#locale);
    this.#totals.sent.textContent = sizeText(sent);
    this.#totals.instead.textContent = changesets === 0 ? said.whole : said.instead(sizeText(replaced));
    this.#totals.share.style.setProperty('width', `${replaced ? Math.min(100, Math.max(0.5, (sent / replaced) * 100)) : 0}%`);
  }

  #build(root) {
    const button = (id, text, onClick, isIcon = false) => {
      const node = element('button', isIcon ? 'icon' : '');
      Object.assign(node, { type: 'button', id });
      node.addEventListener('click', () => node.getAttribute('aria-disabled') !== 'true' && onClick());
      return this.named(node, text, isIcon);
    };
    const versions = element('input');
    Object.assign(versions, { id: 'versions', type: 'range', min: 0, max: 0, value: 0 });
    versions.addEventListener('input', () => this.#go(Number(versions.value)));
    const at = () => this.#versions.indexOf(this.#current);
    const slow = Object.assign(element('input'), { id: 'slow', type: 'checkbox' });
    slow.addEventListener('change', () => this.#setSpeed());
    const parts = {
      versions: this.named(versions, 'version', true), version: Object.assign(element('span'), { id: 'version' }), slow,
      older: button('older', 'older', () => this.#go(at() - 1), true), newer: button('newer', 'newer', () => this.#go(at() + 1), true),
      present: button('present', 'present', () => this.lookAtPresent()), play: button('play', 'play', () => this.#play()),
      back: button('stage-back', 'back', () => this.#step(-1), true), forward: button('stage-forward', 'forward', () => this.#step(1), true),
      copy: button('copy', 'copy', () => {}),
    };
    for (const [name, tag] of [['exchanges', 'ol'], ['explanation', 'div'], ['curl', 'pre'], ['document', 'pre']]) {
      parts[name] = Object.assign(element(tag), { id: name });
    }
    for (const name of ['curl', 'document']) this.named(Object.assign(parts[name], { tabIndex: 0 }), name === 'curl' ? 'repeat' : name, true);
    parts.exchanges.reversed = true;
    const label = element('label', 'slow', [slow, this.named(element('span'), 'slow')]);
    root.append(
      element('section', 'versions', [parts.older, versions, parts.newer, parts.version, parts.present]),
      element('section', 'stages', [parts.back, parts.play, parts.forward, label]),
      element('section', 'log', [this.named(element('h2'), 'timeline'), parts.exchanges]),
      element('section', 'detail', [
        this.named(element('h2'), 'did'), parts.explanation,
        this.fold('curl-fold', 'repeat', [parts.curl, parts.copy]), this.fold('document-fold', 'document', [parts.document]),
      ]),
    );
    return parts;
  }

  /** @param {string} id @param {string} title names a phrase @param {Node[]} content @returns {HTMLDetailsElement} */
  fold(id, title, content) {
    return Object.assign(element('details', 'fold', [this.named(element('summary'), title), ...content]), { id });
  }

  /**
   * Writes a phrase to a node, now and when the language changes.
   *
   * @template {Element} Named
   * @param {Named} node @param {string} phrase @param {boolean=} isLabel whether it is only heard
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

/** An answer that only says what the stream brings is no news, nor is the list of screens. */
function isTold({ parts, taken }) {
  const { document, status } = parts.at(-1).exchange;
  return document?.screens !== undefined || (status === 200 && document?.kind === 'changeset' && !taken);
}

function disable(button, isDisabled) {
  if (isDisabled) button.setAttribute('aria-disabled', 'true');
  else button.removeAttribute('aria-disabled');
}
