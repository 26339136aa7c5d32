import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editsOf } from '../../Public/page/demonstrating/edits.js';
import { Tour } from '../../Public/page/demonstrating/tour.js';

const on = (day) => {
  const action = { name: 'reschedule', input: { delivery: '5034-1', day } };
  return { sections: [{ cells: [{ id: 'window', raw: '2018-07-16/2018-09-13' }, { id: '5034-1', actions: [action] }] }] };
};
const snapshot = on('2018-07-16');

/** Runs a tour without pauses. Returns its result, and what it has done. */
async function run(host) {
  const done = [];
  const tour = new Tour({
    go: async () => {}, reveal: (cell) => done.push(`reveal ${cell}`), view: () => ({}), snapshot: () => snapshot, pause: async () => {},
    setCaption: (phrase) => done.push(phrase),
    perform: async (_, { day }) => {
      done.push(`move to ${day}`);
      return true;
    },
    ...host,
  });
  return [await tour.run(), ...done];
}

test('the tour shows a delivery before it moves it, and moves it back', async () => {
  assert.deepEqual(await run({}), ['shown', 'large', 'reveal', 'reveal 5034-1', 'move to 2018-07-17', 'back', 'move to 2018-07-16']);
});

test('the tour ends without a result if the screen is missing or the move fails', async () => {
  assert.deepEqual(await run({ snapshot: () => undefined }), [undefined, 'large']);
  assert.deepEqual(await run({ perform: async () => false }), [undefined, 'large', 'reveal', 'reveal 5034-1']);
});

test('a tour sends no request for a delivery that another tour has just moved', async () => {
  let pauses = 0;
  const days = ['2018-07-16', '2018-07-16', '2018-07-17', '2018-07-16'];
  const pause = async () => { pauses += 1; };
  assert.deepEqual(await run({ pause, snapshot: () => on(days[pauses]) }), ['shown', 'large', 'reveal', 'reveal 5034-1', 'back']);
  pauses = 0;
  days[3] = '2018-07-17';
  assert.deepEqual(await run({ pause, snapshot: () => on(days[pauses]) }), ['moved', 'large', 'reveal', 'reveal 5034-1']);
});

test('a tour that is stopped and cannot move its delivery back has ended', async () => {
  const moves = [];
  const perform = async (_, { day }) => {
    if (moves.push(day) === 2) throw new TypeError('offline');
    return true;
  };
  const pause = async (_, signal) => {
    if (moves.length === 1) tour.stop();
    signal.throwIfAborted();
  };
  const tour = new Tour({ go: async () => {}, reveal: () => {}, view: () => ({}), snapshot: () => snapshot, setCaption: () => {}, pause, perform });
  await assert.rejects(tour.run(), { message: 'offline' });
  assert.ok(!tour.isRunning);
});

test('a delivery that a tour could not move back is moved back by the next tour', async () => {
  const [done, answers] = [[], [true, false, false, true, true, true]];
  let day = '2018-07-16';
  const tour = new Tour({
    go: async () => {}, reveal: () => {}, view: () => ({}), pause: async () => {}, setCaption: () => {}, snapshot: () => on(day),
    perform: async (name, input) => {
      const isPerformed = answers.shift();
      done.push(input.day);
      if (isPerformed) day = input.day;
      return isPerformed;
    },
  });
  assert.equal(await tour.run(), undefined);
  assert.equal(day, '2018-07-17');
  assert.equal(await tour.run(), 'shown');
  assert.deepEqual(done.slice(-3), ['2018-07-16', '2018-07-17', '2018-07-16']);
});

test('a tour says that another user has moved its delivery', async () => {
  assert.deepEqual(await run({ snapshot: () => on('2018-07-20') }), ['moved', 'large']);
});

test('the edit that moves a delivery moves the last one of a day to the next day, so that both places are side by side', () => {
  const delivery = (id, day) => ({ id, actions: [{ name: 'weigh', input: { kilograms: 1 } }, { name: 'reschedule', input: { delivery: id, day } }] });
  const days = [['a', 'b'], ['c']].map((ids, index) => ({ cells: ids.map((id) => delivery(id, `2018-07-1${6 + index}`)) }));
  const [move] = editsOf('deliveries', { sections: [{ cells: [{ id: 'window', raw: '2018-07-16/2018-09-13' }] }, ...days] }, {});
  assert.deepEqual([move.cell, move.action.input], ['b', { delivery: 'b', day: '2018-07-17' }]);
});
