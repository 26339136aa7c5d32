const encoder = new TextEncoder();

/**
 * The observations of the page when an exchange arrives.
 *
 * @typedef {object} Arrival
 * @property {number} time in milliseconds, as `performance.now()` returns it
 * @property {boolean} isSignedIn whether a user is signed in
 *
 * @typedef {object} Measurements
 * @property {number} bytes the size of the response body without compression
 * @property {number=} sent the size of the response body as transferred, if the browser reports it
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
  const { text, response, isEvent, milliseconds } = exchange;
  const sent = response && !isEvent ? transferredBytes(response.url, time - milliseconds) : undefined;
  return Object.assign(exchange, { bytes: encoder.encode(text).length, sent, replica: response && replicaOf(response), isSignedIn });
}

/** Returns the name of the replica that responded. If the load balancer tried several replicas, this is the last name in the header. */
function replicaOf({ headers }) {
  return headers.get('Relist-Replica')?.split(',').at(-1).trim() || undefined;
}

/**
 * Returns the transferred size of a response body, which may be compressed. It is undefined if the browser does not report the size.
 *
 * @param {string} url
 * @param {number} start the time when the request was sent
 */
function transferredBytes(url, start) {
  const timing = performance.getEntriesByName?.(url, 'resource').at(-1);
  return timing && timing.startTime >= start && timing.encodedBodySize > 0 ? timing.encodedBodySize : undefined;
}
