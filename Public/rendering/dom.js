/** @param {string | Node[]} content text is only ever set as text */
export function element(tag, name, content = []) {
  const node = document.createElement(tag);
  if (name) node.className = name;
  if (typeof content === 'string') node.textContent = content;
  else node.append(...content);
  return node;
}

/**
 * Gives an element one child for each part: a text becomes a `span` of that class, a node is taken
 * as it is. Children that are there already stay, and only text that differs is set, so that a
 * selection in what did not change survives.
 *
 * @param {Element} parent
 * @param {Object<string, string | Element | undefined | null | false>} parts by class, in order
 */
export function setParts(parent, parts) {
  const known = new Map([...parent.children].map((child) => [child.dataset.part, child]));
  const nodes = Object.entries(parts).filter(([, part]) => part !== undefined && part !== null && part !== false && part !== '')
    .map(([name, part]) => partNode(name, part, known.get(name)));
  arrangeParts(parent, nodes);
}

function partNode(name, part, known) {
  if (typeof part === 'object') {
    part.dataset.part = name;
    return part;
  }
  const node = known?.tagName === 'SPAN' ? known : element('span', name);
  node.dataset.part = name;
  if (node.textContent !== String(part)) node.textContent = part;
  return node;
}

function arrangeParts(parent, nodes) {
  if (nodes.length === parent.childNodes.length && nodes.every((node, index) => node === parent.childNodes[index])) return;
  parent.replaceChildren(...nodes);
}

/** Sets an attribute, or takes it away where there is no value, and touches nothing that is right. */
export function setAttribute(node, name, value) {
  if (value === undefined || value === null || value === false) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

/** @returns a map with exactly these keys, in order, with the old values where there are any */
export function keep(old, models, keyOf, create) {
  return new Map(models.map((model) => [keyOf(model), old.get(keyOf(model)) ?? create(keyOf(model))]));
}
