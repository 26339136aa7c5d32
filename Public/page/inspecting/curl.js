/**
 * A line for a shell that repeats an exchange, with the token of whoever repeats it in `TOKEN`. An event is repeated by asking for the step that it brought.
 *
 * @param {import('../../relist/client.js').Exchange} exchange
 * @param {string} origin
 * @param {ReadonlySet<string>=} secrets the names of those inputs that nobody is to read over a shoulder
 * @returns {string}
 */
export function curlOf({ method, path: asked, headers: all, body: sent, isEvent, document, isSignedIn }, origin, secrets = new Set()) {
  const path = isEvent && document?.from ? asked.replace(/([?&]version=)[^&]*/, `$1${document.from}`) : asked;
  const { Accept: accepted, ...others } = all ?? {};
  const headers = isEvent || accepted === undefined ? others : all;
  const body = sent && withoutSecrets(sent, secrets);
  const fields = Object.entries(headers ?? {}).flatMap(([name, value]) => ['-H', quoted(`${name}: ${value}`)]);
  return [
    'curl', ...(body === undefined && method !== 'GET' ? ['-X', method] : []),
    quoted(origin + path), ...(isSignedIn ? ['-H', '"Authorization: Bearer $TOKEN"'] : []), ...fields, ...(body === undefined ? [] : ['-d', quoted(body)]),
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
