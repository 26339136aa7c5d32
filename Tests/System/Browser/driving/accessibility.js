// Finds texts that have too little contrast with their background (WCAG 2.2, level AA).

/** Parses a CSS colour. Returns red, green, blue and alpha, each from 0 to 1. */
function colour(text) {
  const numbers = text.match(/-?[\d.]+(?:e-?\d+)?/g).map(Number);
  const isSrgb = text.startsWith('color(srgb');
  const [red, green, blue] = numbers.slice(0, 3).map((number) => (isSrgb ? number : number / 255));
  if (!isSrgb && !text.startsWith('rgb')) throw new Error(`a colour in another space: ${text}`);
  return [red, green, blue, numbers[3] ?? 1];
}

function over([r, g, b, a], [red, green, blue]) {
  return [r * a + red * (1 - a), g * a + green * (1 - a), b * a + blue * (1 - a), 1];
}

/** Returns the colour behind the text of a node. It mixes the backgrounds of the node and its ancestors, up to the first opaque one. */
function backdrop(node) {
  const layers = [];
  for (let current = node; current; current = current.parentElement) {
    const layer = colour(getComputedStyle(current).backgroundColor);
    if (layer[3] > 0) layers.push(layer);
    if (layer[3] === 1) break;
  }
  return layers.reduceRight((below, layer) => over(layer, below), [1, 1, 1, 1]);
}

function luminance([red, green, blue]) {
  const [r, g, b] = [red, green, blue].map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one, other) {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function isVisible(node) {
  const isShown = node.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });
  return isShown && !node.closest('.unseen, [aria-hidden="true"]');
}

function opacity(node) {
  let all = 1;
  for (let current = node; current; current = current.parentElement) all *= Number(getComputedStyle(current).opacity);
  return all;
}

/** Returns true if all animations have ended. Animations that never end are ignored. */
function isAtRest() {
  return document.getAnimations().every(({ effect }) => effect.getComputedTiming().endTime === Infinity);
}

function faults() {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const checked = new Set();
  const check = (node, style, what) => {
    const behind = backdrop(node);
    const [r, g, b, a] = colour(style.color);
    const ratio = contrast(over([r, g, b, a * opacity(node)], behind), behind);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) found.push(`${what}: ${ratio.toFixed(2)}`);
  };
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || checked.has(node) || !isVisible(node)) continue;
    if (node.closest(':disabled, script, style, noscript')) continue;
    checked.add(node);
    const what = `“${node.textContent.trim().slice(0, 40)}” in ${node.tagName.toLowerCase()}.${node.className}`;
    check(node, getComputedStyle(node), what);
  }
  for (const input of document.querySelectorAll('input[placeholder]:placeholder-shown')) {
    if (isVisible(input)) check(input, getComputedStyle(input, '::placeholder'), `the placeholder “${input.placeholder}”`);
  }
  return found;
}
