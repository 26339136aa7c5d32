import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomEdit } from '../../Public/page/acting/random-edit.js';

const snapshot = (content, views = {}) => {
  const cell = { id: '1', type: 'row', name: 'Mont Blanc', ...content };
  return { sections: [{ id: 's', cells: [cell], ...views }] };
};
const field = (name, type, more = {}) => ({ name, type, required: true, source: 'user', ...more });

const seeds = Array.from({ length: 50 }, (_, number) => Number(process.env.RELIST_SEED ?? 0) + number);

/** Numbers that look random and are the same each time. */
function seeded(seed) {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

test('an action that is offered is performed with values that fit', () => {
  const cell = { actions: [{ name: 'weigh', input: { delivery: '7', kilograms: 1000 } }, { name: 'gone', disabled: true }] };
  const input = [field('delivery', 'text', { source: 'cell' }), field('kilograms', 'integer', { minimum: 1, maximum: 1020 })];
  const screen = { actions: [{ name: 'weigh', input }, { name: 'gone', input: [] }] };
  for (const seed of seeds) {
    const { kind, name, input } = randomEdit(snapshot(cell), screen, {}, seeded(seed));
    assert.deepEqual([kind, name, input.delivery], ['action', 'weigh', '7'], `seed ${seed}`);
    const { kilograms } = input;
    assert.ok(Number.isInteger(kilograms) && kilograms >= 950 && kilograms <= 1020, `${kilograms} of seed ${seed}`);
  }
});

test('without actions parameters change, and others stay', () => {
  const sort = { name: 'sort', type: 'choice', choices: ['name', 'height'], default: 'name' };
  const screen = { parameters: [{ name: 'q', type: 'text', limit: 100 }, sort] };
  for (const seed of seeds) {
    const { kind, parameters } = randomEdit(snapshot({}), screen, { other: 'x' }, seeded(seed));
    assert.deepEqual([kind, parameters.other], ['parameters', 'x'], `seed ${seed}`);
    assert.match(parameters.q ?? 'm', /^mo?$/, `seed ${seed}`);
    assert.match(parameters.sort ?? 'name', /^(name|height)$/, `seed ${seed}`);
  }
});

test('where nothing can be done nothing is', () => {
  assert.equal(randomEdit(snapshot({ action: { name: 'unknown' } }), { actions: [] }, {}, seeded(1)), undefined);
});
