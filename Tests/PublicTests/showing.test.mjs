import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Showing } from '../../Public/page/showing.js';

const snapshot = (version) => ({ kind: 'snapshot', screen: 's', version, sections: [] });

/** Returns a `Showing` with a list at version 1, and the versions that the list shows and the numbers of waiting changes. */
function watchedShowing() {
  const [versions, waiting] = [[], []];
  const list = {
    snapshot: undefined,
    render: (shown) => { list.snapshot = shown; },
    play: ({ snapshot: shown }) => { list.snapshot = shown; },
  };
  const showing = new Showing(list, { onShown: ({ version }) => versions.push(version), onWaiting: (count) => waiting.push(count), onStage() {} });
  showing.take({ outcome: 'replace', after: snapshot('1') });
  const move = (from, to) => showing.take({
    outcome: 'apply', before: snapshot(from), after: snapshot(to), steps: [], exchange: { document: { stages: [{ moveCells: [] }] } },
  });
  return { showing, move, versions, waiting };
}

test('a change waits while the pointer is on the list', () => {
  const { showing, move, versions, waiting } = watchedShowing();
  showing.touch(true);
  move('1', '2');
  assert.deepEqual([versions, waiting.at(-1)], [['1'], 1]);
  showing.touch(false);
  assert.deepEqual([versions, waiting.at(-1)], [['1', '2'], 0]);
});

test('a pointer that rests on the list does not hold back changes during a tour', () => {
  const { showing, move, versions, waiting } = watchedShowing();
  showing.touch(true);
  move('1', '2');
  showing.ignoreTouch(true);
  move('2', '3');
  assert.deepEqual([versions, waiting.at(-1)], [['1', '2', '3'], 0]);
  showing.ignoreTouch(false);
  move('3', '4');
  assert.deepEqual([versions, waiting.at(-1)], [['1', '2', '3'], 1]);
});
