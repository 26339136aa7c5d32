/**
 * What the page shows, as it stands in the address: `#/deliveries?from=2018-07-01&locale=fr`, the
 * path of the server itself. `?screen=deliveries&from=…` is understood where there is no hash.
 *
 * @typedef {{screen?: string, parameters: Object<string, string>, locale?: string}} Address
 */

/**
 * @param {{hash: string, search: string}} location
 * @returns {Address}
 */
export function parseAddress({ hash, search }) {
  const [path, ...query] = hash.replace(/^#\/?/, '').split('?');
  if (path) return address(decoded(path), new URLSearchParams(query.join('?')));
  const all = new URLSearchParams(search);
  const screen = all.get('screen') ?? undefined;
  all.delete('screen');
  return address(screen, all);
}

/**
 * @param {Address} address
 * @returns {string} a hash
 */
export function formatAddress({ screen, parameters, locale }) {
  const query = new URLSearchParams(parameters);
  if (locale) query.set('locale', locale);
  const text = query.toString();
  return `#/${encodeURIComponent(screen)}${text && `?${text}`}`;
}

function address(screen, query) {
  const { locale, ...parameters } = Object.fromEntries(query);
  return { screen, parameters, locale };
}

/** An address is typed by people; a stray % is part of a name that does not exist. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
