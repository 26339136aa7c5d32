// Tests of the files that the page loads before its first list.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';

const root = new URL('../../Public/', import.meta.url);
const index = new URL('index.html', root);
const read = (url) => readFileSync(url, 'utf8');

/** Matches static imports and exports from other modules. Dynamic imports and types in comments do not match. */
const staticImports = /^(?:import|export|\})(?:[^'"`;()]*\sfrom)?\s+['"]([^'"]+)['"]/gm;

function targetsOf(tags, attribute) {
  return tags.map((tag) => new URL(tag.match(new RegExp(`${attribute}="([^"]+)"`))[1], index).href);
}

/** Adds the modules that a module imports, directly and indirectly. */
function addImports(module, found = new Set()) {
  for (const [, name] of read(new URL(module)).matchAll(staticImports)) {
    const url = new URL(name, module).href;
    if (!found.has(url)) addImports(url, found.add(url));
  }
  return found;
}

const page = read(index);
const links = page.match(/<link [^>]+>/g);
const preloads = links.filter((tag) => tag.includes('rel="modulepreload"'));
const scripts = targetsOf(page.match(/<script [^>]+>/g), 'src');
const imported = [...new Set(scripts.flatMap((script) => [...addImports(script)]))];
const files = [index.href, ...targetsOf(links.filter((tag) => !preloads.includes(tag)), 'href'), ...scripts, ...imported];

test('the page preloads exactly the modules that its script imports', () => {
  assert.ok(imported.length > 10);
  assert.deepEqual(targetsOf(preloads, 'href').sort(), imported.sort());
});

test('the page loads at most 24 files before its first list', () => {
  assert.ok(files.length <= 24, files.join('\n'));
});

test('the files before the first list have at most 60,000 bytes with brotli', () => {
  const sizes = files.map((file) => [brotliCompressSync(readFileSync(new URL(file))).length, file.slice(root.href.length)]);
  const sum = sizes.reduce((bytes, [size]) => bytes + size, 0);
  assert.ok(sum <= 60_000, `${sum}\n${sizes.sort(([a], [b]) => b - a).map((size) => size.join(' ')).join('\n')}`);
});

test('static imports are found, and dynamic imports and types are not', () => {
  const text = `import { a } from './a.js';\nimport './b.js';\nexport { c } from "./c.js";\nimport d, {\n  e,\n} from './d.js';
    import('./x.js');\nimport('./x.js');\n/** @typedef {import('./x.js').X} X */\nexport const f = import('./x.js');\n`;
  assert.deepEqual([...text.matchAll(staticImports)].map(([, name]) => name), ['./a.js', './b.js', './c.js', './d.js']);
});
