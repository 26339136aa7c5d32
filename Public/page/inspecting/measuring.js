const encoder = new TextEncoder();

/**
 * The observations of the page when an exchange arrives.
 *
 * @typedef {object} Arrival
 * @property {number} time the time of `performance.now()`
 * @property {boolean} isSignedIn whether a user is signed in
 *
 * @typedef {object} Measurements
 * @property {number} bytes the size of the response body without compression
 * @property {boolean} isCached whether the response body is from the browser's cache
 * @property {string=} replica the replica that responded, if a load balancer reports it
 * @property {boolean} isSignedIn whether a token was sent with the request
 *
 * @typedef {import('../../relist/client.js').Exchange & Measurements} MeasuredExchange
 */

/**
 * Adds measurements to an exchange. The exchange stays the same object, because later reports refer to it.
 *
 * @param {import('../../relist/client.js').Exchange} exchange
 * @param {Arrival} arrival
 * @returns {MeasuredExchange}
 */
export function measured(exchange, { time, isSignedIn }) {
  const { text, response } = exchange;
  const bytes = encoder.encode(text).length;
  return Object.assign(exchange, { bytes, isCached: isCached(exchange, time), replica: response && replicaOf(response), isSignedIn });
}

/**
 * Returns whether the browser reports that fewer bytes than the response body were transferred. After a response with status 304, only the
 * header fields were transferred.
 */
function isCached({ response, milliseconds }, time) {
  if (!response?.url) return false;
  // Both times are rounded.
  const timing = performance.getEntriesByName(response.url, 'resource').find(({ startTime }) => startTime >= time - milliseconds - 1);
  return timing !== undefined && timing.transferSize < timing.encodedBodySize;
}

/** Returns the name of the replica that responded. If the load balancer tried several replicas, this is the last name in the header. */
function replicaOf({ headers }) {
  return headers.get('Relist-Replica')?.split(',').at(-1).trim() || undefined;
}
