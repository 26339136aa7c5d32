import { words } from '../relist/render.js';

/** The texts about changes, in the languages of the example screens. */
const all = {
  en: {
    kindOf: ({ type }) => words(type).toLowerCase(),
    announced: (kind, count, verb) => (
      `${many(count, kind)} ${{ inserted: 'added', deleted: 'removed', moved: 'moved', updated: 'changed' }[verb]}`
    ),
    sections: (count) => `${many(count, 'section')} moved`,
  },
  fr: {
    // The names of cell types are English words, which cannot be part of a French text. Therefore cells of all types are called rows.
    kindOf: () => 'ligne',
    announced: (kind, count, verb) => `${count} ${kind}${count > 1 ? 's' : ''} ${{
      inserted: 'ajoutée', deleted: 'supprimée', moved: 'déplacée', updated: 'modifiée',
    }[verb]}${count > 1 ? 's' : ''}`,
    sections: (count) => (count > 1 ? `${count} sections déplacées` : '1 section déplacée'),
  },
};

/**
 * Describes a change for screen readers: "3 deliveries added, 1 delivery removed". The text of other changes is empty.
 *
 * @param {import('../relist/render.js').Difference} change
 * @param {string | undefined} locale
 * @returns {string}
 */
export function announcement(change, locale) {
  const texts = all[locale?.split('-')[0]] ?? all.en;
  const parts = ['inserted', 'deleted', 'moved', 'updated'].flatMap((verb) => {
    const counts = new Map();
    for (const cell of change[verb].values()) counts.set(texts.kindOf(cell), (counts.get(texts.kindOf(cell)) ?? 0) + 1);
    return [...counts].map(([kind, count]) => texts.announced(kind, count, verb));
  });
  const { size } = change.movedSections;
  return parts.length === 0 && size > 0 ? texts.sections(size) : parts.join(', ');
}

/** Returns a text such as `2 deliveries`. */
export function many(count, word) {
  if (count === 1) return `1 ${word}`;
  return `${count.toLocaleString('en')} ${plural(word)}`;
}

function plural(word) {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
