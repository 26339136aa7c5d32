const encoder = new TextEncoder();

/** @param {object} document @returns {number} the bytes that it has on the wire */
export function bytesOf(document) {
  return encoder.encode(JSON.stringify(document)).length;
}

/** @param {number} bytes @returns {string} `340 B`, `12.4 kB` */
export function sizeText(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${rounded(bytes / 1000)} kB`;
  return `${rounded(bytes / 1_000_000)} MB`;
}

/** @param {number} milliseconds @returns {string} */
export function timeText(milliseconds) {
  if (milliseconds < 1) return '< 1 ms';
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${rounded(milliseconds / 1000)} s`;
}

/** @param {string} version @returns {string} enough of it to tell it from its neighbours */
export function brief(version) {
  return String(version).slice(0, 6);
}

function rounded(number) {
  return number < 10 ? number.toFixed(1) : String(Math.round(number));
}
