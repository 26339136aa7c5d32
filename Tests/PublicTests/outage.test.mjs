import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Outage } from '../../Public/page/outage.js';

/** Returns an outage, the notices that its phone shows, and the number of attempts that its client has begun at once. */
function outageOf(isFree = () => true) {
  const seen = { notices: [], attempts: 0 };
  const phone = { phrases: { unreachable: 'No server', retry: 'Again' }, offer: (notice) => isFree() && seen.notices.push(notice) > 0 };
  return { seen, outage: new Outage({ retryNow: () => { seen.attempts += 1; } }, phone) };
}

test('a long outage offers to connect at once, on all phones that have it', (context) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  context.after(() => mock.timers.reset());
  const [first, second, live] = [outageOf(), outageOf(), outageOf()];
  for (const { outage } of [first, second]) outage.note('reconnecting');
  live.outage.note('live');
  mock.timers.tick(2999);
  assert.deepEqual(first.seen, { notices: [], attempts: 0 });
  mock.timers.tick(1);
  const [notice] = first.seen.notices;
  assert.deepEqual([notice.text, notice.act.text, notice.isTemporary], ['No server', 'Again', true]);
  notice.act.perform();
  assert.deepEqual([first, second, live].map(({ seen }) => seen.attempts), [1, 1, 0]);
  mock.timers.tick(3000);
  assert.equal(first.seen.notices.length, 2, 'the attempt has failed');
  first.outage.note('live');
  assert.deepEqual([first, second].map(({ seen }) => seen.attempts), [1, 2], 'the live phone wakes the other one');
  second.outage.note('live');
  assert.deepEqual([first, second].map(({ seen }) => seen.attempts), [1, 2]);
});

test('a short outage offers nothing', (context) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  context.after(() => mock.timers.reset());
  const { outage, seen } = outageOf();
  outage.note('reconnecting');
  outage.note('live');
  mock.timers.tick(10_000);
  assert.deepEqual(seen, { notices: [], attempts: 0 });
});

test('the notice of a failed action is not replaced', (context) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  context.after(() => mock.timers.reset());
  let isFree = false;
  const { outage, seen } = outageOf(() => isFree);
  outage.note('reconnecting');
  mock.timers.tick(3000);
  isFree = true;
  assert.equal(seen.notices.length, 0);
  mock.timers.tick(3000);
  assert.equal(seen.notices.length, 1);
  outage.note('idle');
});

test('a phone that is live offers nothing, although it was called while another notice was shown', (context) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  context.after(() => mock.timers.reset());
  let isFree = false;
  const [first, second] = [outageOf(() => isFree), outageOf(() => isFree)];
  for (const { outage } of [first, second]) outage.note('reconnecting');
  mock.timers.tick(3000);
  second.outage.note('live');
  assert.equal(first.seen.attempts, 1);
  first.outage.note('live');
  isFree = true;
  mock.timers.tick(10_000);
  assert.deepEqual([first, second].map(({ seen }) => seen.notices.length), [0, 0]);
});
