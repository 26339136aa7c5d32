import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choicesOf, controlKind } from '../../Public/page/addressing.js';

test('a parameter has the control of its type', () => {
  const kinds = { text: 'text', integer: 'integer', number: 'number', date: 'date', boolean: 'choice', choice: 'choice' };
  for (const [type, kind] of Object.entries(kinds)) assert.equal(controlKind({ name: 'x', type, choices: ['a'] }), kind);
});

test('a text by which one searches is a search', () => {
  assert.equal(controlKind({ name: 'anything', type: 'text', format: 'search' }), 'search');
  assert.equal(controlKind({ name: 'q', type: 'text' }), 'text', 'names decide nothing');
});

test('the words for people decide nothing', () => {
  assert.equal(controlKind({ name: 'layout', type: 'text', shape: 'one of a, b' }), 'text');
});

test('what a page does not know is a text', () => {
  assert.equal(controlKind({ name: 'odd', type: 'colour' }), 'text');
  assert.equal(controlKind({ name: 'odd' }), 'text');
  assert.equal(controlKind({ name: 'odd', type: 'choice' }), 'text');
});

test('a choice is between words, or between true and false', () => {
  const said = { yes: 'Oui', no: 'Non' };
  const choices = [{ value: 'name', title: 'Name' }, { value: 'height', title: 'Altitude' }];
  assert.deepEqual(choicesOf({ name: 'sort', type: 'choice', choices: ['name', 'height'], titles: ['Name', 'Altitude'] }, said), choices);
  assert.deepEqual(choicesOf({ name: 'sort', type: 'choice', choices: ['name'] }, said), [{ value: 'name', title: 'Name' }]);
  assert.deepEqual(choicesOf({ name: 'flag', type: 'boolean' }, said).map(({ title }) => title), ['Oui', 'Non']);
});

test('a parameter with values that are known is a choice between them', () => {
  assert.equal(controlKind({ name: 'contract', type: 'text', values: [{ value: '1', title: 'One' }] }), 'values');
  assert.equal(controlKind({ name: 'contract', type: 'text', values: [] }), 'text');
});
