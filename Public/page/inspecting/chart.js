import { element } from '../../relist/elements.js';
import { svgElement } from '../svg.js';

const size = { width: 200, height: 40 };

/** A chart of the bytes that the changes took, and of the bytes that whole screens would have been. Both lines are sums. */
export class Chart {
  node;
  #caption = element('figcaption');
  /** @type {{name: 'whole' | 'sent', line: SVGElement}[]} */
  #lines;

  constructor() {
    this.#lines = ['whole', 'sent'].map((name) => ({ name, line: svgElement('polyline', { class: name }) }));
    const viewBox = `0 0 ${size.width} ${size.height}`;
    const lines = this.#lines.map(({ line }) => line);
    const drawing = svgElement('svg', { viewBox, preserveAspectRatio: 'none', 'aria-hidden': 'true' }, lines);
    this.#caption.id = 'chart';
    this.node = element('figure', 'chart', [drawing, this.#caption]);
    this.node.setAttribute('aria-labelledby', 'chart');
  }

  /**
   * Shows changes.
   *
   * @param {{sent: number, whole: number}[]} changes the sizes of each change in bytes
   * @param {(count: number, sent: number, whole: number) => string} describe
   */
  show(changes, describe) {
    const sums = [{ sent: 0, whole: 0 }];
    for (const { sent, whole } of changes) sums.push({ sent: sums.at(-1).sent + sent, whole: sums.at(-1).whole + whole });
    const last = sums.at(-1);
    const most = Math.max(last.sent, last.whole, 1);
    for (const { name, line } of this.#lines) {
      const points = sums.map((sum, at) => `${(at / Math.max(changes.length, 1)) * size.width},${size.height * (1 - sum[name] / most)}`);
      line.setAttribute('points', points.join(' '));
    }
    this.#caption.textContent = describe(changes.length, last.sent, last.whole);
  }
}
