/**
 * Decides how any cell or view reads as a plain row, knowing nothing of the screen that it is of.
 *
 * @typedef {object} Row
 * @property {string} title
 * @property {string=} value what stands opposite the title
 * @property {{key: string, text: string, structured: boolean}[]} facts
 * @property {string[]} marks what it is for the protocol: type, id, size
 * @property {string[]} actions their titles
 * @property {{screen: string, parameters?: object}=} link
 */

const titles = ['title', 'label', 'name', 'text', 'message'];
const protocol = ['id', 'type', 'size', 'action', 'actions', 'link'];

/**
 * @param {import('./changeset.js').Cell | import('./changeset.js').View} view
 * @returns {Row}
 */
export function rowOf(view) {
  const titled = titles.find((key) => typeof view[key] === 'string' && view[key] !== '');
  const content = Object.entries(view).filter(([key]) => key !== titled && !protocol.includes(key) && !key.startsWith('$'));
  const isValue = ([key, value]) => key === 'value' && !isStructured(value) && value !== null;
  const facts = content.filter((entry) => !isValue(entry));
  const value = content.find(isValue);
  return {
    title: titled ? view[titled] : view.id ?? view.type,
    ...(value && { value: String(value[1]) }),
    facts: facts.map(([key, found]) => ({ key, text: textOf(found), structured: isStructured(found) })),
    marks: marksOf(view),
    actions: actionsOf(view),
    ...(view.link && { link: view.link }),
  };
}

function marksOf({ type, id, size }) {
  const marks = id === undefined ? [type] : [type, id];
  if (size) marks.push(size.width === undefined ? `height ${size.height}` : `${size.width} × ${size.height}`);
  return marks;
}

function actionsOf({ action, actions }) {
  const all = (actions ?? []).map(({ name, title }) => title ?? name);
  return action ? [action.name, ...all] : all;
}

function textOf(value) {
  return isStructured(value) ? JSON.stringify(value) : String(value);
}

function isStructured(value) {
  return typeof value === 'object' && value !== null;
}
