import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../../Public/', import.meta.url);
const library = new URL('relist/', root);
const read = (url) => readFileSync(url, 'utf8');

/** Matches static and dynamic imports, exports from other modules, and types from other modules in comments. */
const imports = /\b(?:from|import)\s*\(?\s*(['"`])([^'"`]+)\1/g;

/** Returns the files of the library that a module imports, below the folder of the library. */
function importsOf(text, url) {
  const urls = [...text.matchAll(imports)].map(([, , name]) => new URL(name, url).href);
  return urls.filter((one) => one.startsWith(library.href)).map((one) => `./${one.slice(library.href.length)}`);
}

test('the page imports only modules of the library that its package exports', () => {
  const { exports } = JSON.parse(read(new URL('package.json', library)));
  const files = ['page.js', ...readdirSync(new URL('page/', root), { recursive: true }).map((name) => `page/${name}`)];
  const modules = files.filter((name) => name.endsWith('.js')).map((name) => new URL(name, root));
  const found = modules.flatMap((url) => importsOf(read(url), url).map((name) => [url.pathname.slice(root.pathname.length), name]));
  assert.ok(found.length > 20);
  assert.deepEqual(found.filter(([, name]) => !Object.hasOwn(exports, name)), []);
});

test('each kind of import is found', () => {
  const text = `import { a } from './relist/a.js'; import './relist/b.js'; export { c } from "./relist/c.js"; import(\`./relist/d.js\`);
    /** @type {import('./relist/e.js').E} */ import f, {
      g } from
      './relist/f.js';`;
  assert.deepEqual(importsOf(text, new URL('page.js', root)), ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `./${name}.js`));
});
