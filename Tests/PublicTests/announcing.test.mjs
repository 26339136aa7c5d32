// Tests of the announcements for screen readers.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Announcer } from '../../Public/page/announcing.js';

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
  return { ...none, [verb]: new Map(Array.from({ length: count }, (_, index) => [index, { type: 'delivery' }])) };
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
  assert.deepEqual(heard, ['1 delivery moved']);
});

test('news of one kind do not replace those of another kind', (t) => {
  const { announcer, heard } = listening(t);
  announcer.change(change('moved', 1));
  mock.timers.tick(0);
  announcer.state('stale');
  announcer.change(change('inserted', 2));
  announcer.change(change('inserted', 3));
  mock.timers.tick(5000);
  assert.deepEqual(heard, ['1 delivery moved', 'The list may not be current. 3 deliveries added']);
});

test('a view is announced by its title and the number of its rows, in place of earlier changes', (t) => {
  const { announcer, heard } = listening(t, 'fr');
  announcer.change(change('deleted', 231));
  announcer.view(view);
  mock.timers.tick(0);
  assert.deepEqual(heard, ['Mountains\u00a0: 3 lignes']);
});
