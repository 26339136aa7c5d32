/**
 * Creates an SVG element.
 *
 * @param {string} name
 * @param {Object<string, string | number>} attributes
 * @param {SVGElement[]} children
 * @returns {SVGElement}
 */
export function svgElement(name, attributes, children = []) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}
