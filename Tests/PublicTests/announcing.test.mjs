// Tests of the announcements for screen readers.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { announcement, Announcer } from '../../Public/page/announcing.js';

/** Creates an announcer whose clock stands still, and a list of the texts that it has announced. */
function listening(t, locale = 'en') {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 });
  t.after(() => mock.timers.reset());
  const heard = [];
  const announcer = new Announcer({ set textContent(text) { heard.push(text); } }, () => locale);
  return { announcer, heard };
}

const change = (verb, count) => {
  const none = { inserted: new Map(), deleted: new Map(), moved: new Map(), updated: new Map(), movedSections: new Set() };
  const delivery = (number) => ({ id: number, type: 'delivery', number });
  return { ...none, [verb]: new Map(Array.from({ length: count }, (_, index) => [index, delivery(`${5034 + index}-1`)])) };
};
const view = { title: 'Mountains', sections: [{ cells: [{}, {}] }, { cells: [{}] }] };

test('a state of the connection is announced once, however many attempts there are', (t) => {
  const { announcer, heard } = listening(t);
  for (const state of ['asking', 'live', 'reconnecting', 'reconnecting', 'asking', 'reconnecting']) {
    announcer.state(state);
    mock.timers.tick(5000);
  }
  assert.deepEqual(heard, ['The connection is lost. Reconnecting']);
  announcer.state('live');
  mock.timers.tick(5000);
  assert.equal(heard.at(-1), 'Live again');
});

test('a state that has ended before its announcement is not announced', (t) => {
  const { announcer, heard } = listening(t);
  announcer.change(change('moved', 1));
  mock.timers.tick(0);
  for (const state of ['stale', 'asking', 'live']) announcer.state(state);
  mock.timers.tick(5000);
  assert.deepEqual(heard, ['5034-1 moved']);
});

test('news of one kind do not replace those of another kind', (t) => {
  const { announcer, heard } = listening(t);
  announcer.change(change('moved', 1));
  mock.timers.tick(0);
  announcer.state('stale');
  announcer.act();
  announcer.change(change('inserted', 2));
  announcer.change(change('inserted', 3));
  mock.timers.tick(5000);
  assert.deepEqual(heard, ['5034-1 moved', 'The list may not be current. 3 deliveries added']);
});

test('a view is announced by its title and the number of its rows, in place of earlier changes', (t) => {
  const { announcer, heard } = listening(t, 'fr');
  announcer.change(change('deleted', 231));
  announcer.view(view);
  mock.timers.tick(1000);
  assert.deepEqual(heard, ['Mountains\u00a0: 3 lignes']);
});

test('a view is announced when typing pauses, and not sooner', (t) => {
  const { announcer, heard } = listening(t);
  announcer.change(change('moved', 1));
  mock.timers.tick(0);
  for (let letter = 0; letter < 9; letter += 1) {
    announcer.view(view);
    mock.timers.tick(900);
  }
  assert.deepEqual(heard, ['5034-1 moved']);
  announcer.change(change('moved', 2));
  announcer.view(view);
  mock.timers.tick(1000);
  assert.deepEqual(heard, ['5034-1 moved', 'Mountains: 3 rows']);
});

test('changes of other users that are rare are all announced', (t) => {
  const { announcer, heard } = listening(t);
  for (let count = 2; count < 5; count += 1) {
    announcer.change(change('deleted', count));
    mock.timers.tick(10_000);
  }
  assert.equal(heard.length, 3);
});

test('a change without a text is not the announced result of an act of the user', (t) => {
  const { announcer, heard } = listening(t);
  announcer.change(change('updated', 2));
  mock.timers.tick(5000);
  announcer.act();
  announcer.change(change('updated', 0));
  announcer.change(change('updated', 3));
  mock.timers.tick(5000);
  assert.deepEqual(heard, ['2 deliveries changed', '3 deliveries changed']);
});

test('changes do not delay the announcement of a view', (t) => {
  const { announcer, heard } = listening(t);
  announcer.view(view);
  mock.timers.tick(900);
  announcer.change(change('updated', 2));
  mock.timers.tick(100);
  assert.deepEqual(heard, ['Mountains: 3 rows. 2 deliveries changed']);
});

test('a screen that changes continually has one announced change after each act of the user', (t) => {
  const { announcer, heard } = listening(t);
  const scan = (count) => {
    announcer.change(change('updated', count));
    mock.timers.tick(5000);
  };
  for (const count of [2, 3, 4, 5, 6, 7, 8, 9]) scan(count);
  assert.deepEqual(heard, ['2 deliveries changed']);
  announcer.act();
  for (const count of [10, 11]) scan(count);
  assert.deepEqual(heard, ['2 deliveries changed', '10 deliveries changed']);
  mock.timers.tick(30_000);
  scan(12);
  assert.equal(heard.at(-1), '12 deliveries changed');
});

test('a row that moves and changes is announced as moved', () => {
  assert.equal(announcement({ ...change('updated', 3), moved: change('moved', 1).moved }, 'en'), '5034-1 moved, 2 deliveries changed');
});

test('a single row is announced by its name', () => {
  const one = { ...change('updated', 1), inserted: change('inserted', 2).inserted };
  assert.equal(announcement(one, 'en'), '2 deliveries added, 5034-1 changed');
  assert.equal(announcement(one, 'fr'), '2 lignes ajoutées, ligne 5034-1 modifiée');
});
