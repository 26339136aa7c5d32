import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import './browser.mjs';
import { World } from './case-world.mjs';

// The folder of the cases. The Swift client runs the same cases. The README of the folder describes them.
const folder = new URL('../Fixtures/Client/', import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
const starts = read('starts.json');
const files = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'starts.json');

for (const file of files) {
  for (const { name, only = 'javascript', start, steps } of read(file)) {
    const all = [...starts[start], ...steps];
    if (only !== 'javascript') continue;
    // With 0, all pauses have their minimum length. With 1, they have their maximum length.
    for (const random of [0, 1]) {
      test(`${file}: ${name} (random ${random})`, async (context) => {
        const world = new World(context, all[0].owner !== 'load', random);
        try {
          for (const [index, step] of all.entries()) {
            try {
              await world.step(step);
            } catch (error) {
              error.message = `step ${index - starts[start].length + 1}: ${JSON.stringify(step)}\n${error.message}`;
              throw error;
            }
          }
          world.finish();
        } finally {
          world.close();
        }
      });
    }
  }
}
