import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventParser } from '../../Public/relist/client/following.js';

const stream = 'retry: 2500\n\n: pulse\n\nevent: changeset\nid: v2\ndata: {"a":1}\n\n'
  + 'event:snapshot\r\nid:v3\r\ndata:{\r\ndata: }\r\n\r\ndata\n\n';
const events = [
  { event: 'changeset', data: '{"a":1}', id: 'v2' },
  { event: 'snapshot', data: '{\n}', id: 'v3' },
  { event: 'message', data: '', id: 'v3' },
];

test('events are read as the standard has it', () => {
  const parser = new EventParser();
  assert.deepEqual(parser.push(stream), events);
  assert.equal(parser.retry, 2500);
});

test('it does not matter where the text is cut', () => {
  for (let cut = 0; cut <= stream.length; cut += 1) {
    const parser = new EventParser();
    assert.deepEqual([...parser.push(stream.slice(0, cut)), ...parser.push(stream.slice(cut))], events, `cut at ${cut}`);
  }
  const parser = new EventParser();
  assert.deepEqual([...stream].flatMap((letter) => parser.push(letter)), events);
});

test('what is no event is no event', () => {
  const parser = new EventParser();
  assert.deepEqual(parser.push('event: changeset\n\nid: 1\n\nother: x\n\nretry: soon\n\ndata: unfinished\n'), []);
  assert.equal(parser.retry, undefined);
});
