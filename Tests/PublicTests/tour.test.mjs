import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tour } from '../../Public/page/demonstrating/tour.js';

const action = { name: 'reschedule', input: { delivery: '5034-1', day: '2018-07-16' } };
const snapshot = { sections: [{ cells: [{ id: 'window', raw: '2018-07-16/2018-09-13' }, { id: '5034-1', actions: [action] }] }] };

/** Runs a tour without pauses. Returns whether it has shown its change, and what it has done. */
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
  assert.deepEqual(await run({}), [true, 'large', 'reveal', 'reveal 5034-1', 'move to 2018-07-17', 'back', 'move to 2018-07-16']);
});

test('the tour ends without a result if the screen is missing or the move fails', async () => {
  assert.deepEqual(await run({ snapshot: () => undefined }), [false, 'large']);
  assert.deepEqual(await run({ perform: async () => false }), [false, 'large', 'reveal', 'reveal 5034-1']);
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
