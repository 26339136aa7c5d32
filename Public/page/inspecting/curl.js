/**
 * A line for a shell that repeats an exchange. An event is repeated by opening its stream.
 *
 * @param {import('../../relist/client.js').Exchange} exchange
 * @param {string} origin
 * @param {ReadonlySet<string>=} secrets the names of those inputs that nobody is to read over a shoulder
 * @returns {string}
 */
export function curlOf({ method, path, headers, body: sent, isEvent }, origin, secrets = new Set()) {
  const body = sent && withoutSecrets(sent, secrets);
  const fields = Object.entries(headers ?? {}).flatMap(([name, value]) => ['-H', quoted(`${name}: ${value}`)]);
  return [
    'curl', ...(isEvent ? ['-N'] : []), ...(body === undefined && method !== 'GET' ? ['-X', method] : []),
    quoted(origin + path), ...fields, ...(body === undefined ? [] : ['-d', quoted(body)]),
  ].join(' ');
}

function withoutSecrets(body, secrets) {
  const { input, ...rest } = JSON.parse(body);
  const kept = Object.entries(input ?? {}).map(([name, value]) => [name, secrets.has(name) ? '…' : value]);
  return secrets.size === 0 || !input ? body : JSON.stringify({ ...rest, input: Object.fromEntries(kept) });
}

function quoted(text) {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
