import { element } from '../../relist/render/dom.js';

/** The maximum number of points. The oldest ones are removed first. */
const limit = 200;
const size = { width: 200, height: 40 };

/** A chart of the bytes that were sent, and of the bytes that whole screens would have been, from the beginning. */
export class Chart {
  node;
  #lines;
  #caption = element('figcaption', 'hint');
  /** @type {{sent: number, replaced: number}[]} */
  #points = [];

  constructor() {
    const make = (name) => document.createElementNS('http://www.w3.org/2000/svg', name);
    const svg = make('svg');
    svg.setAttribute('viewBox', `0 -1 ${size.width} ${size.height + 2}`);
    svg.setAttribute('preserveAspectRatio', 'none');
    svg.setAttribute('aria-hidden', 'true');
    this.#lines = ['replaced', 'sent'].map((name) => {
      const line = make('polyline');
      line.setAttribute('class', name);
      return { name, line };
    });
    svg.append(...this.#lines.map(({ line }) => line));
    this.node = element('figure', 'chart', [svg, this.#caption]);
  }

  /**
   * Adds the current sums.
   *
   * @param {{sent: number, replaced: number}} sums in bytes
   * @param {(sums: {sent: number, replaced: number}) => string} describe
   */
  show(sums, describe) {
    const { sent, replaced } = sums;
    const last = this.#points.at(-1);
    // With another unit of sizes, the sums begin again.
    if (last && (sent < last.sent || replaced < last.replaced)) this.#points = [];
    if (sent !== last?.sent || replaced !== last?.replaced) this.#points = [...this.#points, { sent, replaced }].slice(-limit);
    const most = Math.max(...this.#points.map((point) => Math.max(point.sent, point.replaced)), 1);
    const step = size.width / Math.max(this.#points.length - 1, 1);
    for (const { name, line } of this.#lines) {
      line.setAttribute('points', this.#points.map((point, at) => `${at * step},${size.height * (1 - point[name] / most)}`).join(' '));
    }
    this.#caption.textContent = describe(sums);
  }
}
