import { element, setAttribute } from '../rendering/dom.js';

/**
 * @param {string[]} locales those that the server has, its own preference first
 * @param {readonly string[]} languages those that the user reads, the dearest first
 * @returns {string | undefined} the same that the server picks for this user; undefined where there are none
 */
export function preferred(locales, languages) {
  const primary = (tag) => tag.toLowerCase().split('-')[0];
  const wanted = languages.map(primary).find((language) => locales.some((locale) => primary(locale) === language));
  return locales.find((locale) => primary(locale) === wanted) ?? locales[0];
}

/** The choice between the languages of a server. One that has no choice shows none. */
export class LocaleChoice {
  #fieldset;
  #shown = '';

  /**
   * @param {HTMLFieldSetElement} fieldset with its legend
   * @param {(locale: string) => void} onChoose
   */
  constructor(fieldset, onChoose) {
    this.#fieldset = fieldset;
    fieldset.addEventListener('change', ({ target }) => onChoose(target.value));
  }

  /** @param {string[]} locales @param {string | undefined} chosen */
  show(locales, chosen) {
    if (this.#shown !== locales.join()) {
      this.#shown = locales.join();
      this.#fieldset.replaceChildren(this.#fieldset.firstElementChild, ...locales.map(labelOf));
    }
    this.#fieldset.hidden = locales.length < 2;
    for (const input of this.#fieldset.querySelectorAll('input')) input.checked = input.value === chosen;
  }
}

function labelOf(locale) {
  const input = element('input');
  Object.assign(input, { type: 'radio', name: 'locale', value: locale });
  const name = element('span', '', nameOf(locale));
  setAttribute(name, 'lang', locale);
  return element('label', '', [input, name]);
}

/** As those who speak it call it. What is no language tag is its own name. */
function nameOf(locale) {
  try {
    const name = new Intl.DisplayNames([locale], { type: 'language' }).of(locale);
    return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
  } catch {
    return locale;
  }
}
