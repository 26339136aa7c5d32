const encoder = new TextEncoder();
/** The sizes in bytes below which the server does not compress a document or an event. */
const leastBytes = { document: 256, event: 128 };

/** The document that was encoded last. A whole screen can be large, and is measured with and without compression. */
let last;

/** Returns the bytes of a document as JSON. @param {object} document */
export function encoded(document) {
  if (last?.document !== document) last = { document, bytes: encoder.encode(JSON.stringify(document)) };
  return last.bytes;
}

/** Returns the size of a document in bytes, as JSON without compression. @param {object} document @returns {number} */
export function bytesOf(document) {
  return encoded(document).length;
}

/**
 * Returns the size of a text in bytes after compression with gzip, or its size without compression if that is smaller. The events of a
 * stream are smaller by 18 bytes, because they share one header and one checksum of gzip.
 *
 * @param {string | Uint8Array} text
 * @param {boolean=} isEvent whether the text is a part of a stream
 * @returns {Promise<number | undefined>} undefined if the browser cannot compress
 */
export async function compressedSize(text, isEvent = false) {
  const bytes = typeof text === 'string' ? encoder.encode(text) : text;
  if (typeof CompressionStream === 'undefined') return undefined;
  if (bytes.length < (isEvent ? leastBytes.event : leastBytes.document)) return bytes.length;
  const compressed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'));
  const { byteLength } = await new Response(compressed).arrayBuffer();
  return Math.min(bytes.length, byteLength);
}

/** The base-10 logarithm of the size in bytes at the end of a bar. The ticks are at 1 B, 1 kB and 1 MB. */
const scaleLength = 7;

/**
 * Sets the lengths of two bars to sizes in bytes, on a logarithmic scale from 1 B to 10 MB.
 *
 * @param {Element} bars
 * @param {{sent: number, whole: number}} sizes
 */
export function showSizes(bars, sizes) {
  for (const name of ['sent', 'whole']) {
    const share = Math.log10(Math.max(sizes[name], 1)) / scaleLength;
    bars.querySelector(`.${name}`).style.setProperty('width', `${Math.min(share, 1) * 100}%`);
  }
}
