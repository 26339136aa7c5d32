import assert from 'node:assert/strict';
import { test } from 'node:test';
import { curlOf } from '../../Public/page/inspecting/curl.js';
import { bytesOf, sizeText, timeText } from '../../Public/page/inspecting/sizes.js';
import { Timeline } from '../../Public/page/inspecting/timeline.js';

test('a curl line repeats an exchange, whatever is in it', () => {
  const headers = { 'Content-Type': 'application/json' };
  const post = { method: 'POST', path: '/screens/s/changes?q=a%26b', headers, body: '{"version":"it\'s"}' };
  const line = `curl 'http://h:1/screens/s/changes?q=a%26b' -H 'Content-Type: application/json' -d '{"version":"it'\\''s"}'`;
  assert.equal(curlOf(post, 'http://h:1'), line);
  assert.equal(curlOf({ method: 'GET', path: '/screens', headers: {} }, 'http://h'), `curl 'http://h/screens'`);
  const event = { method: 'GET', path: '/x', headers: { Accept: 'text/event-stream' }, isEvent: true };
  assert.equal(curlOf(event, ''), `curl -N '/x' -H 'Accept: text/event-stream'`);
});

test('sizes and times read well', () => {
  assert.deepEqual([0, 999, 1000, 12_400, 1_500_000].map(sizeText), ['0 B', '999 B', '1.0 kB', '12 kB', '1.5 MB']);
  assert.deepEqual([0.2, 12.6, 1500].map(timeText), ['< 1 ms', '13 ms', '1.5 s']);
  assert.equal(bytesOf({ a: 'é' }), 10);
});

const snapshot = (version, screen = 's') => ({ screen, version });

test('the newest version is looked at until another one is chosen', () => {
  const timeline = new Timeline();
  for (const version of ['1', '2', '2', '3']) timeline.add(snapshot(version));
  assert.deepEqual([timeline.length, timeline.index, timeline.isLive], [3, 2, true]);
  timeline.choose(0);
  timeline.add(snapshot('4'));
  assert.deepEqual([timeline.snapshot.version, timeline.isLive], ['1', false]);
  timeline.choose(3);
  timeline.add(snapshot('5'));
  assert.deepEqual([timeline.snapshot.version, timeline.isLive], ['5', true]);
});

test('another screen has versions of its own', () => {
  const timeline = new Timeline();
  timeline.add(snapshot('1'));
  timeline.add(snapshot('9', 't'));
  assert.deepEqual([timeline.length, timeline.snapshot.version], [1, '9']);
});

test('old versions are let go, and what is looked at stays in sight', () => {
  const timeline = new Timeline();
  for (let version = 0; version < 200; version += 1) timeline.add(snapshot(String(version)));
  timeline.choose(1);
  timeline.add(snapshot('200'));
  assert.deepEqual([timeline.length, timeline.snapshot.version], [200, '1']);
  for (let version = 201; version < 300; version += 1) timeline.add(snapshot(String(version)));
  assert.deepEqual([timeline.index, timeline.snapshot.version], [0, '100']);
});
