const encoder = new TextEncoder();

/**
 * The observations of the page when an exchange arrives.
 *
 * @typedef {object} Arrival
 * @property {boolean} isSignedIn whether a user is signed in
 *
 * @typedef {object} Measurements
 * @property {number} bytes the size of the response body without compression
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
export function measured(exchange, { isSignedIn }) {
  const { text, response } = exchange;
  return Object.assign(exchange, { bytes: encoder.encode(text).length, replica: response && replicaOf(response), isSignedIn });
}

/** Returns the name of the replica that responded. If the load balancer tried several replicas, this is the last name in the header. */
function replicaOf({ headers }) {
  return headers.get('Relist-Replica')?.split(',').at(-1).trim() || undefined;
}
