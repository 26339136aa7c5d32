import { dateNode, isDate } from './render/dates.js';
import { setText } from './render/dom.js';

/**
 * Creates an element.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string=} name its class
 * @param {string | Node[]=} content a string is set as text, never as markup
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, name, content = []) {
  const node = document.createElement(tag);
  if (name) node.className = name;
  if (typeof content === 'string') node.textContent = content;
  else node.append(...content);
  return node;
}

/**
 * Creates a button that submits no form.
 *
 * @param {string} name its class
 * @param {string | Node[]=} content
 * @param {(() => void)=} onClick
 */
export function pushButton(name, content = '', onClick = undefined) {
  const node = element('button', name, content);
  node.type = 'button';
  if (onClick) node.addEventListener('click', onClick);
  return node;
}

/**
 * Gives a parent one child for each model, and updates each child. Children are reused by position, so that the focus stays.
 *
 * @template Model
 * @template {Element} Child
 * @param {Element} parent
 * @param {Model[]} models
 * @param {() => Child} create
 * @param {(child: Child, model: Model) => void} update
 */
export function updateChildren(parent, models, create, update) {
  while (parent.children.length > models.length) parent.lastChild?.remove();
  models.forEach((model, index) => {
    update(/** @type {Child | undefined} */ (parent.children[index]) ?? parent.appendChild(create()), model);
  });
}

/**
 * Gives an element one child for each part. A string becomes a `span` whose class is the name of the part. A date becomes a `time` whose
 * text is kept current. A list of strings and dates becomes a `span` that contains them. A node is added as it is. Existing children are
 * reused, and an unchanged text is not set again, so that the user's selection stays.
 *
 * @typedef {import('./protocol.js').LiveDate} LiveDate
 * @typedef {string | LiveDate | (string | LiveDate)[] | HTMLElement | SVGElement} Part
 *
 * @param {Element} parent
 * @param {Object<string, Part | undefined | null | false>} parts by name, in order
 */
export function setParts(parent, parts) {
  const known = new Map([...parent.children].map((child) => [child.getAttribute('data-part'), child]));
  const shown = Object.entries(parts).filter(([, part]) => part !== undefined && part !== null && part !== false && part !== '');
  const nodes = /** @type {[string, Part][]} */ (shown).map(([name, part]) => partNode(name, part, known.get(name)));
  arrangeParts(parent, nodes);
}

/**
 * Returns the child of a row for the part with this name. If the row has no such child, a new one is created.
 *
 * @template {Element} Child
 * @param {Element} row
 * @param {string} name
 * @param {() => Child} make
 * @returns {Child}
 */
export function part(row, name, make) {
  const found = row.querySelector(`:scope > [data-part="${name}"]`);
  return /** @type {Child | null} */ (found) ?? make();
}

/**
 * Sets an attribute if its value differs, or removes the attribute.
 *
 * @param {Element} node
 * @param {string} name
 * @param {string | number | boolean | undefined | null} value `false`, `undefined` and `null` remove the attribute
 */
export function setAttribute(node, name, value) {
  if (value === undefined || value === null || value === false) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, String(value));
}

/**
 * Returns the child for a part.
 *
 * @param {string} name
 * @param {Part} part
 * @param {Element=} known the existing child
 * @returns {HTMLElement | SVGElement}
 */
function partNode(name, part, known) {
  const node = isDate(part) ? dateNode(part, name, known)
    : typeof part === 'object' && !Array.isArray(part) ? part : textNode(name, part, known);
  node.dataset.part = name;
  return node;
}

/**
 * Returns the `span` for a text, or for a list of texts and dates.
 *
 * @param {string} name
 * @param {string | (string | LiveDate)[]} text
 * @param {Element=} known the existing child
 */
function textNode(name, text, known) {
  const node = known?.tagName === 'SPAN' ? /** @type {HTMLSpanElement} */ (known) : element('span', name);
  if (Array.isArray(text)) setParts(node, Object.fromEntries(text.map((one, index) => [`piece-${index}`, one])));
  else setText(node, String(text));
  return node;
}

/**
 * Replaces the children of an element. Nothing happens if the children already are these nodes.
 *
 * @param {Element} parent
 * @param {Element[]} nodes
 */
function arrangeParts(parent, nodes) {
  if (nodes.length === parent.childNodes.length && nodes.every((node, index) => node === parent.childNodes[index])) return;
  parent.replaceChildren(...nodes);
}
