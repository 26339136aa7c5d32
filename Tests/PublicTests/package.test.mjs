// Tests of the library as npm publishes it, in an empty folder.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'relist-package-'));
after(() => rmSync(folder, { recursive: true }));

const library = join(folder, 'node_modules/relist');
execFileSync(join(root, 'Tests/Support/pack'), [library]);
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');

/** Runs a module of a team that has installed the library. Returns what the module writes. */
function run(code) {
  return execFileSync('node', ['--input-type=module', '--eval', code], { cwd: folder, encoding: 'utf8' });
}

/** Compiles modules of a team. */
function compile(files) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const flags = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'node16', '--moduleResolution', 'node16'];
  try {
    execFileSync('tsc', [...Object.keys(files), ...flags], { cwd: folder, encoding: 'utf8' });
  } catch (error) {
    assert.fail(error.stdout);
  }
}

test('the package has the version of the library and all its modules', () => {
  const { version } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8'));
  const names = run(`
    import { Client, version } from 'relist/client.js';
    import { apply } from 'relist/changeset.js';
    import { element } from 'relist/elements.js';
    import 'relist/protocol.js';
    import { ListView, register, setParts } from 'relist/render.js';
    console.log([Client, apply, element, ListView, register, setParts].every((one) => typeof one === 'function'), version);
  `);
  assert.equal(names, `true ${version}\n`);
  assert.match(readFileSync(join(library, 'list.css'), 'utf8'), /\.ghosts/);
});

test('the declarations of types are strict and contain no any', () => {
  const texts = readdirSync(join(library, 'types'), { recursive: true }).filter((name) => name.endsWith('.d.ts'))
    .map((name) => [name, readFileSync(join(library, 'types', name), 'utf8').replace(/\/\*[^]*?\*\//g, '')]);
  assert.ok(texts.length > 3);
  assert.deepEqual(texts.filter(([, text]) => /\bany\b/.test(text)).map(([name]) => name), []);
  compile({
    'use.ts': `
      import { Client, ClientError, type Snapshot } from 'relist/client.js';
      import { part, pushButton } from 'relist/elements.js';
      import { ListView, Registry, nameOf, register, setParts, viewMembers, words, type Choice } from 'relist/render.js';

      register('planet', { configure: (row, view) => setParts(row, { title: nameOf(view), land: part(row, 'land', () => pushButton('land')) }) });
      const client = new Client({ live: true, onSnapshot: (snapshot: Snapshot) => list.render(snapshot) });
      const list = new ListView(document.body, { scroller: document.body, href: () => undefined, onSelect: () => {} });
      // @ts-expect-error A screen is named by a text.
      client.show(1);
      export const failed: (error: unknown) => boolean = (error) => error instanceof ClientError && error.isTemporary;
      export type Renderers = Registry;
      export const chosen = ({ view }: Choice): string[] => Object.keys(view).filter((name) => !viewMembers.includes(name)).map(words);
    `,
  });
});

test('the code for React in the documentation compiles with the types of the package', () => {
  const page = readFileSync(join(root, 'Documentation/Clients.md'), 'utf8');
  const [, code] = page.match(/### In React\n[^]*?```ts\n([^]*?)```/);
  assert.ok(code.split('\n').length <= 41);
  compile({
    'react.d.ts': `
      declare module 'react' {
        export function useEffect(effect: () => void | (() => void), values: readonly unknown[]): void;
        export function useState<Value>(make: () => Value): [Value, (value: Value) => void];
        export function useSyncExternalStore<Value>(subscribe: (changed: () => void) => () => void, value: () => Value): Value;
      }
    `,
    'react.ts': code,
  });
});
