// Tests of the texts of dates. The Swift client runs the same cases.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { FakeElement, createDocument } from './fake-dom.mjs';
import { dateText, isDate, nextChange, setParts } from '../../Public/relist/elements.js';
import { registry } from '../../Public/relist/render/registry.js';

const cases = JSON.parse(readFileSync(new URL('../Fixtures/Dates.json', import.meta.url), 'utf8'));
const second = (text) => Math.floor(Date.parse(text) / 1000);
// Versions of Unicode's data differ in the kind of space before a unit.
const spaced = (text) => text.replace(/\s/g, ' ');

for (const { name, date, now, en, fr, next } of cases) {
  test(`the text of a date: ${name}`, () => {
    assert.ok(isDate(date));
    for (const [language, text] of Object.entries({ en, fr })) {
      if (text !== undefined) assert.equal(spaced(dateText(date, second(now), language)), spaced(text));
    }
    assert.equal(nextChange(date, second(now)), next === null ? Infinity : second(next));
  });

  test(`the text of a date stays the same until its next change: ${name}`, () => {
    if (next === null) return;
    const text = dateText(date, second(now), 'en');
    for (let time = second(now); time < second(next); time += Math.max(1, Math.floor((second(next) - time) / 2))) {
      assert.equal(dateText(date, time, 'en'), text);
    }
    assert.notEqual(dateText(date, second(next), 'en'), text);
  });
}

test('a date without a known style is shown in the given language', () => {
  const date = { $date: '2026-07-12T12:00:00Z', style: 'fuzzy' };
  assert.match(dateText(date, 0, 'en'), /^Jul 12, 2026, /);
  assert.match(dateText(date, 0, 'fr'), /^12 juil\. 2026/);
});

test('a value is a date if its member $date is one', () => {
  for (const value of [undefined, null, 'now', 7, [], {}, { $date: 7 }, { $date: 'today' }]) assert.equal(isDate(value), false);
});

// One clock and one timer for the tests below, because the library has one timer for all documents.
createDocument(FakeElement);
const listeners = [];
document.addEventListener = (type, listener) => listeners.push([type, listener]);
let clock = Date.parse('2026-07-12T09:00:00Z');
let timer;
Date.now = () => clock;
globalThis.setTimeout = (wake, delay) => {
  assert.equal(timer, undefined);
  timer = { wake, at: clock + delay };
  return timer;
};
globalThis.clearTimeout = (old) => { if (old === timer) timer = undefined; };

/** Moves the clock, and returns how often the timer ended. */
function pass(milliseconds) {
  const end = clock + milliseconds;
  let count = 0;
  while (timer && timer.at <= end) {
    const { wake, at } = timer;
    [clock, timer] = [at, undefined];
    count += 1;
    wake();
  }
  clock = end;
  return count;
}

function setHidden(isHidden) {
  document.hidden = isHidden;
  for (const [type, listener] of listeners) if (type === 'visibilitychange') listener();
}

const ago = (seconds, style = 'relative') => ({ $date: new Date(clock - seconds * 1000).toISOString(), style });
const collect = () => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
};

/** Shows dates in rows of the document. */
function show(...dates) {
  document.body.replaceChildren();
  return dates.map((date) => {
    const row = document.createElement('div');
    document.body.append(row);
    setParts(row, { name: 'Tea', placed: date });
    return row;
  });
}

const texts = (rows) => rows.map((row) => row.children[1].textContent);

/** Removes all rows. Their nodes are collected when the current job has ended. */
async function clear() {
  document.body.replaceChildren();
  FakeElement.takeChanges();
  await new Promise((resolve) => { setImmediate(resolve); });
  collect();
  pass(86_400_000);
}

test('setParts shows a date in an element that names the instant', async () => {
  const [row] = show(ago(300));
  const [, node] = row.children;
  assert.deepEqual([node.tagName, node.className, node.dataset.part], ['TIME', 'placed', 'placed']);
  assert.equal(node.getAttribute('datetime'), ago(300).$date);
  assert.equal(node.textContent, '5 min. ago');
  setParts(row, { name: 'Tea', placed: ago(3600) });
  assert.equal(row.children[1], node);
  assert.equal(node.textContent, '1 hr. ago');
  setParts(row, { name: 'Tea', placed: 'today' });
  assert.deepEqual([row.children[1].tagName, row.textContent], ['SPAN', 'Teatoday']);
});

test('one timer keeps all dates current and ends only when a text changes', async () => {
  await clear();
  const rows = show(ago(290), ago(7000));
  assert.deepEqual(texts(rows), ['4 min. ago', '1 hr. ago']);
  assert.equal(pass(9_999), 0);
  assert.equal(pass(1), 1);
  assert.deepEqual(texts(rows), ['5 min. ago', '1 hr. ago']);
  assert.equal(pass(190_000), 4);
  assert.deepEqual(texts(rows), ['8 min. ago', '2 hr. ago']);
});

test('a date that changes earlier than the others shortens the timer', async () => {
  await clear();
  const rows = show(ago(290), ago(5, 'timer'), ago(0, 'fuzzy'));
  assert.equal(pass(3_000), 3);
  assert.equal(texts(rows)[1], '0:08');
});

test('the timer pauses while the document is hidden', async () => {
  await clear();
  const rows = show(ago(5, 'timer'));
  setHidden(true);
  assert.equal(pass(60_000), 0);
  setParts(rows[0], { name: 'Tea', placed: ago(65, 'timer') });
  assert.equal(timer, undefined);
  pass(60_000);
  setHidden(false);
  assert.deepEqual(texts(rows), ['2:05']);
  assert.equal(pass(1_000), 1);
});

test('a node that the page has removed is not kept, and the timer ends', async () => {
  await clear();
  const gone = new WeakRef(show(ago(5, 'timer'))[0].children[1]);
  assert.notEqual(timer, undefined);
  await clear();
  assert.equal(gone.deref(), undefined);
  assert.equal(timer, undefined);
});

test('a text is current again after the clock of the device was set back', async () => {
  await clear();
  const rows = show(ago(7200, 'timer'));
  clock -= 3_600_000;
  timer.at = clock;
  pass(0);
  assert.deepEqual(texts(rows), ['1:00:00']);
});

test('screen readers read the date, whose name does not change with each tick', async () => {
  await clear();
  const [row, still] = show(ago(5, 'timer'), ago(5, 'fuzzy'));
  const label = row.children[1].getAttribute('aria-label');
  assert.match(label, /^July \d+, 2026 at /);
  pass(2_000);
  assert.deepEqual([row.children[1].getAttribute('role'), row.children[1].getAttribute('aria-label')], ['timer', label]);
  assert.equal(still.children[1].getAttribute('role'), null);
});

test('dates are shown in the language of the document, or in that of the browser', async () => {
  await clear();
  document.documentElement.lang = 'fr';
  assert.equal(spaced(texts(show(ago(300)))[0]), 'il y a 5 min');
  document.documentElement.lang = 'no_tag';
  assert.match(texts(show(ago(300)))[0], /5/);
  document.documentElement.lang = 'en';
});

test('a generic row keeps all of its dates current', async () => {
  await clear();
  const row = document.createElement('div');
  document.body.append(row);
  registry.configure(row, { id: '7', type: 'order', name: 'Tea', duration: ago(5, 'timer'), placed: ago(59), open: true });
  assert.equal(row.textContent, 'Tea0:05Placed: 59 sec. ago · Open: true');
  pass(1_000);
  assert.equal(row.textContent, 'Tea0:06Placed: 1 min. ago · Open: true');
});
