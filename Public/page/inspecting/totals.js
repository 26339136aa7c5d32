import { element } from '../../relist/elements.js';
import { Chart } from './chart.js';
import { sentText, sizeText, timeText } from './entry-list.js';
import { phrases } from './phrases.js';
import { showSizes } from './sizes.js';
import { isAction, isOutcomeOfFirst } from './timeline.js';

/** The size of the last change beside the size of the whole screen, and a chart of the sums of all changes. */
export class Totals {
  #parts;
  #times = element('span', 'times');
  /** The ratio with compression, while the sizes are those without. */
  #gzipTimes = element('span', 'times gzip');
  #chart = new Chart();

  /** @param {{sent: HTMLElement, instead: HTMLElement, bars: HTMLElement, ticks: HTMLElement}} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  /** The nodes that precede the list of entries: the chart, and the ticks for the bars of the list. @returns {Element[]} */
  get nodes() {
    return [this.#chart.node, /** @type {Element} */ (this.#parts.ticks.cloneNode(true))];
  }

  /**
   * Shows the sizes of the last change of a screen, and of all entries of a timeline.
   *
   * @param {import('./timeline.js').Timeline} timeline
   * @param {string} locale
   * @param {string} screen
   * @param {boolean} isCompressed whether the sizes with compression are shown, if they were measured
   */
  show({ entries: all, isShortened }, locale, screen, isCompressed) {
    const last = lastOf(all.filter((entry) => isNewVersion(entry) && isOutcomeOfFirst(entry) && entry.taken.after.screen === screen));
    const sizesOf = ({ compressed, plain }) => (isCompressed && compressed) || plain;
    if (last) this.#showLast(last, sizesOf(last.entry), locale);
    else this.#showNone();
    const texts = phrases(locale);
    const describe = (count, ...sizes) => texts.sums(count, ...sizes.map((size) => sizeText(size, texts)), isShortened);
    this.#chart.show(changesOf(all, sizesOf), describe);
  }

  #showNone() {
    for (const node of [this.#parts.sent, this.#parts.instead, this.#times, this.#gzipTimes]) node.textContent = '';
    showSizes(this.#parts.bars, { sent: 0, whole: 0 });
  }

  #showLast({ entry, isKept }, sizes, locale) {
    const texts = phrases(locale);
    const { exchange, outcome } = entry.taken;
    const [sent, whole] = [sentText(exchange, sizes.sent, texts), sizeText(sizes.whole, texts)];
    const coding = sizes === entry.plain ? texts.uncompressed : texts.gzip;
    const delay = delayOf(entry);
    const drawn = delay === undefined ? '' : ` ${texts.drawn(timeText(delay, texts))}`;
    const isApplied = outcome === 'apply' && isChange(entry);
    const isWhole = outcome === 'replace' && !exchange.isCached;
    const load = exchange.isCached ? 'cachedLoad' : 'firstLoad';
    const name = !isChange(entry) ? load : isKept ? 'yourChange' : 'lastChange';
    this.#parts.sent.textContent = texts[name](sent);
    // The space is not in the document, because browsers would count it as a shift of the layout when the sizes are shown for the first time.
    this.#parts.instead.textContent = ` ${isWhole ? texts.sentWhole(coding) : texts.wholeScreen(whole, coding) + drawn}`;
    this.#times.textContent = isApplied ? texts.times(sizes.sent, sizes.whole) : '';
    const other = isApplied && sizes === entry.plain && entry.compressed;
    this.#gzipTimes.textContent = other ? texts.gzipTimes(other.sent, other.whole) : '';
    this.#parts.ticks.append(this.#times, this.#gzipTimes);
    showSizes(this.#parts.bars, sizes);
  }
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

/**
 * Returns the sizes of the changes of the first phone. A changeset that the phone could not apply is a part of the change that was sent
 * in its place.
 *
 * @param {import('./timeline.js').Entry[]} entries
 * @param {(entry: import('./timeline.js').Entry) => import('./timeline.js').Sizes} sizesOf
 * @returns {import('./timeline.js').Sizes[]}
 */
export function changesOf(entries, sizesOf) {
  const changes = [];
  let wasted = 0;
  for (const entry of entries.filter(isOutcomeOfFirst)) {
    const { sent, whole } = sizesOf(entry);
    if (['misfit', 'outdated'].includes(entry.taken.outcome)) wasted += sent;
    else if (isNewVersion(entry)) {
      if (isChange(entry)) changes.push({ sent: sent + wasted, whole });
      wasted = 0;
    }
  }
  return changes;
}

/** Returns whether an entry changed the shown version. A snapshot can also repeat it. @param {import('./timeline.js').Entry} entry */
function isNewVersion({ taken }) {
  if (!['apply', 'replace'].includes(taken?.outcome)) return false;
  return taken.before?.screen !== taken.after.screen || taken.before.version !== taken.after.version;
}

/** Returns whether an entry changed a screen that was shown already in this language. @param {import('./timeline.js').Entry} entry */
function isChange({ isLoad }) {
  return !isLoad;
}

/**
 * Returns the change that the headline shows: the last one. The changes of other users do not replace that of the user's own action.
 *
 * @param {import('./timeline.js').Entry[]} changes
 * @returns {{entry: import('./timeline.js').Entry, isKept: boolean} | undefined} `isKept`: other changes have followed the user's own
 */
export function lastOf(changes) {
  const last = changes.at(-1);
  const requested = changes.findLast(({ parts }) => parts.some(({ exchange }) => isAction(exchange) || !exchange.isEvent));
  const isKept = requested !== undefined && requested !== last && requested.parts.some(({ exchange }) => isAction(exchange));
  return last && { entry: isKept ? requested : last, isKept };
}
