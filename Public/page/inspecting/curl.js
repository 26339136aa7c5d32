/**
 * A line for a shell that repeats an exchange. An event is repeated by opening its stream.
 *
 * @param {import('../../relist/client.js').Exchange} exchange
 * @param {string} origin
 * @returns {string}
 */
export function curlOf({ method, path, headers, body, isEvent }, origin) {
  const fields = Object.entries(headers ?? {}).flatMap(([name, value]) => ['-H', quoted(`${name}: ${value}`)]);
  return [
    'curl', ...(isEvent ? ['-N'] : []), ...(body === undefined && method !== 'GET' ? ['-X', method] : []),
    quoted(origin + path), ...fields, ...(body === undefined ? [] : ['-d', quoted(body)]),
  ].join(' ');
}

function quoted(text) {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
