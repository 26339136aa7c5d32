const loaded = new Map();

/** Adds a style sheet that is only needed later. @param {string} href @returns {Promise<void>} resolves when it is there */
export function loadStyle(href) {
  if (!loaded.has(href)) {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
    // A sheet that cannot be had leaves plain what it would have styled.
    loaded.set(href, new Promise((resolve) => { link.onload = link.onerror = () => resolve(); }));
    document.head.append(link);
  }
  return loaded.get(href);
}
