/**
 * Says a change in words for those who do not see it: "3 deliveries added, 1 removed".
 *
 * @param {import('../relist/render/difference.js').Difference} difference
 * @returns {string} empty where nothing changed that is worth a word
 */
export function announcement(difference) {
  const parts = [
    ...counted(difference.inserted, 'added'),
    ...counted(difference.deleted, 'removed'),
    ...counted(difference.moved, 'moved'),
    ...counted(difference.updated, 'changed'),
  ];
  const { size } = difference.movedSections;
  if (parts.length === 0 && size > 0) parts.push(`${many(size, 'section')} moved`);
  return parts.join(', ');
}

function counted(cells, verb) {
  const counts = new Map();
  for (const { type } of cells.values()) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].map(([type, count]) => `${many(count, words(type))} ${verb}`);
}

/** A type is a word of the code: `artistHeader` is read as "artist header". */
function words(type) {
  return type.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[-_]+/g, ' ').toLowerCase();
}

/** @returns {string} `1 delivery`, `2 deliveries` */
export function many(count, word) {
  if (count === 1) return `1 ${word}`;
  return `${count.toLocaleString('en')} ${plural(word)}`;
}

function plural(word) {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
