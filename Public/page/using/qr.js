import { svgElement } from '../svg.js';

/**
 * The versions of QR codes that are drawn (ISO/IEC 18004, error correction level M): the number of blocks, the data bytes of each block,
 * and the bytes for error correction of each block. The sixth version holds 106 bytes; larger ones need more patterns.
 */
const versions = [
  { blocks: 1, data: 16, correction: 10 }, { blocks: 1, data: 28, correction: 16 }, { blocks: 1, data: 44, correction: 26 },
  { blocks: 2, data: 32, correction: 18 }, { blocks: 2, data: 43, correction: 24 }, { blocks: 4, data: 27, correction: 16 },
];
/** The mask that inverts the fields of a chessboard. Readers accept each of the eight masks. */
const mask = { number: 0, inverts: (x, y) => (x + y) % 2 === 0 };

/**
 * Returns the modules of a QR code, row by row.
 *
 * @param {string} text
 * @returns {boolean[][] | undefined} `true` for a dark module; undefined if the text has more than 106 bytes
 */
export function qrCode(text) {
  const bytes = new TextEncoder().encode(text);
  const index = versions.findIndex(({ blocks, data }) => bytes.length + 2 <= blocks * data);
  if (index < 0) return undefined;
  const grid = new Grid(index + 1);
  grid.fill(codewords(bytes, versions[index]));
  return grid.rows;
}

/**
 * Returns a drawing of a QR code with its quiet zone.
 *
 * @param {boolean[][]} rows
 * @param {string} label
 * @returns {SVGElement}
 */
export function drawing(rows, label) {
  const size = rows.length + 8;
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + 4} ${y + 4}h1v1h-1z` : ''))).join('');
  return svgElement('svg', { class: 'qr', viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': label }, [
    svgElement('rect', { width: size, height: size, fill: '#fff' }), svgElement('path', { d: path, fill: '#000' }),
  ]);
}

/** Returns the bytes of a code: the text in blocks, interleaved, then the correction of the blocks, interleaved. */
function codewords(bytes, { blocks, data, correction }) {
  // The mode for bytes (4 bits), the count (8 bits), the text, and a terminator (4 bits).
  const nibbles = [4, bytes.length >> 4, bytes.length & 15, ...[...bytes].flatMap((byte) => [byte >> 4, byte & 15]), 0];
  const all = Array.from({ length: nibbles.length / 2 }, (_, at) => (nibbles[2 * at] << 4) | nibbles[2 * at + 1]);
  for (let isEven = true; all.length < blocks * data; isEven = !isEven) all.push(isEven ? 0xec : 0x11);
  const parts = Array.from({ length: blocks }, (_, at) => all.slice(at * data, (at + 1) * data));
  const checks = parts.map((part) => remainder(part, correction));
  return [...interleaved(parts), ...interleaved(checks)];
}

function interleaved(parts) {
  return parts[0].flatMap((_, at) => parts.map((part) => part[at]));
}

/** Returns the remainder of a polynomial over GF(256) that is divided by the generator polynomial of a degree (Reed–Solomon). */
function remainder(data, degree) {
  let generator = [1];
  for (let power = 0, root = 1; power < degree; power += 1, root = product(root, 2)) {
    generator = [...generator, 0].map((value, at) => value ^ product(generator[at - 1] ?? 0, root));
  }
  const rest = [...data, ...Array(degree).fill(0)];
  for (let at = 0; at < data.length; at += 1) {
    const factor = rest[at];
    for (const [offset, value] of generator.entries()) rest[at + offset] ^= product(value, factor);
  }
  return rest.slice(data.length);
}

/** Multiplies two elements of GF(256), modulo x^8 + x^4 + x^3 + x^2 + 1. */
function product(a, b) {
  let result = 0;
  for (let bit = 7; bit >= 0; bit -= 1) result = (result << 1) ^ ((result >> 7) * 0x11d) ^ (((b >> bit) & 1) * a);
  return result;
}

/** The modules of a code. Modules of patterns are set first. */
class Grid {
  rows;
  #isPattern;

  constructor(version) {
    const size = 17 + 4 * version;
    this.rows = Array.from({ length: size }, () => Array(size).fill(false));
    this.#isPattern = Array.from({ length: size }, () => Array(size).fill(false));
    for (let at = 0; at < size; at += 1) for (const [x, y] of [[6, at], [at, 6]]) this.#set(x, y, at % 2 === 0);
    for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) this.#square(x, y, 4, (distance) => distance !== 2 && distance !== 4);
    if (version > 1) this.#square(size - 7, size - 7, 2, (distance) => distance !== 1);
    this.#setFormat(size);
  }

  /** Fills the modules outside of the patterns: upwards and downwards in turns, in pairs of columns from the right. */
  fill(bytes) {
    const size = this.rows.length;
    let bit = 0;
    for (let right = size - 1, isUp = true; right > 0; right -= 2, isUp = !isUp) {
      // The column of the vertical timing pattern is left out.
      if (right === 6) right -= 1;
      for (let step = 0; step < size; step += 1) {
        const y = isUp ? size - 1 - step : step;
        for (const x of [right, right - 1]) {
          if (this.#isPattern[y][x]) continue;
          const isDark = (((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
          this.rows[y][x] = isDark !== mask.inverts(x, y);
          bit += 1;
        }
      }
    }
  }

  #set(x, y, isDark) {
    this.rows[y][x] = isDark;
    this.#isPattern[y][x] = true;
  }

  #square(centreX, centreY, radius, isDark) {
    for (let dy = -radius; dy <= radius; dy += 1) {
      for (let dx = -radius; dx <= radius; dx += 1) {
        const [x, y] = [centreX + dx, centreY + dy];
        if (this.rows[y]?.[x] !== undefined) this.#set(x, y, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
      }
    }
  }

  /** Sets the level of correction (M is 0) and the mask, with their BCH code, beside the three large squares. */
  #setFormat(size) {
    let rest = mask.number;
    for (let step = 0; step < 10; step += 1) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
    const format = ((mask.number << 10) | rest) ^ 0x5412;
    const first = [[8, 0], [8, 1], [8, 2], [8, 3], [8, 4], [8, 5], [8, 7], [8, 8], [7, 8], [5, 8], [4, 8], [3, 8], [2, 8], [1, 8], [0, 8]];
    for (const [bit, [x, y]] of first.entries()) {
      const isDark = ((format >> bit) & 1) === 1;
      this.#set(x, y, isDark);
      if (bit < 8) this.#set(size - 1 - bit, 8, isDark);
      else this.#set(8, size - 15 + bit, isDark);
    }
    this.#set(8, size - 8, true);
  }
}
