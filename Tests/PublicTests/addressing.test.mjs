import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAddress, parseAddress } from '../../Public/page/addressing.js';
import { choicesOf, controlKind, preferred } from '../../Public/page/catalog.js';

const parsed = (hash, search = '') => parseAddress({ hash, search });

test('an address names a screen, its parameters and a locale', () => {
  const address = { screen: 'deliveries', parameters: { from: '2018-07-01' }, locale: 'fr' };
  assert.equal(formatAddress(address), '#/deliveries?from=2018-07-01&locale=fr');
  assert.deepEqual(parsed('#/deliveries?from=2018-07-01&locale=fr'), address);
  assert.deepEqual(parsed('#list', '?screen=posts'), parsed('', '?screen=posts'), 'the link that skips to the list');
  assert.deepEqual(parsed('#deliveries'), { screen: 'deliveries', parameters: {}, locale: undefined });
});

test('a formatted address parses to the same address', () => {
  const address = { screen: 'a/b?c', parameters: { screen: 'x', q: 'é&=?#%' }, locale: undefined };
  assert.deepEqual(parsed(formatAddress(address)), address);
});

test('an address without a fragment is read from its query', () => {
  const address = { screen: 'deliveries', parameters: { from: '2018-07-01' }, locale: undefined };
  assert.deepEqual(parsed('', '?screen=deliveries&from=2018-07-01'), address);
  assert.deepEqual(parsed('', ''), { screen: undefined, parameters: {}, locale: undefined });
});

test('a stray percent sign in an address is kept', () => {
  assert.equal(parsed('#/100%').screen, '100%');
});

test('the revision in an address is read as a parameter', () => {
  const address = { screen: 'deliveries', parameters: { from: '2018-07-01', revision: '2' }, locale: undefined };
  assert.deepEqual(parsed('#/deliveries?from=2018-07-01&revision=2'), address);
  assert.equal(formatAddress(address), '#/deliveries?from=2018-07-01&revision=2');
});

test('the preferred language is the first of the user’s languages that the server has', () => {
  assert.equal(preferred(['en', 'fr'], ['de-CH', 'fr-CH', 'en']), 'fr');
  assert.equal(preferred(['en', 'pt-BR'], ['PT']), 'pt-BR');
});

test('the server’s default language is used if the server has none of the user’s languages', () => {
  assert.equal(preferred(['de', 'it'], ['en']), 'de');
  assert.equal(preferred([], ['en']), undefined);
});

test('the type of a parameter determines the kind of its control', () => {
  const kinds = { text: 'text', integer: 'integer', number: 'number', date: 'date', boolean: 'choice', choice: 'choice' };
  for (const [type, kind] of Object.entries(kinds)) assert.equal(controlKind({ name: 'x', type, choices: ['a'] }), kind);
});

test('a text parameter has a search control if its format is search', () => {
  assert.equal(controlKind({ name: 'anything', type: 'text', format: 'search' }), 'search');
  assert.equal(controlKind({ name: 'q', type: 'text' }), 'text', 'names decide nothing');
});

test('the description of a parameter does not affect its control', () => {
  assert.equal(controlKind({ name: 'layout', type: 'text', shape: 'one of a, b' }), 'text');
});

test('a parameter of an unknown type has a text control', () => {
  assert.equal(controlKind({ name: 'odd', type: 'colour' }), 'text');
  assert.equal(controlKind({ name: 'odd' }), 'text');
  assert.equal(controlKind({ name: 'odd', type: 'choice' }), 'text');
});

test('a choice control lists its values, and a boolean control lists true and false', () => {
  const texts = { yes: 'Oui', no: 'Non' };
  const choices = [{ value: 'name', title: 'Name' }, { value: 'height', title: 'Altitude' }];
  assert.deepEqual(choicesOf({ name: 'sort', type: 'choice', choices: ['name', 'height'], titles: ['Name', 'Altitude'] }, texts), choices);
  assert.deepEqual(choicesOf({ name: 'sort', type: 'choice', choices: ['name'] }, texts), [{ value: 'name', title: 'Name' }]);
  assert.deepEqual(choicesOf({ name: 'flag', type: 'boolean' }, texts).map(({ title }) => title), ['Oui', 'Non']);
});

test('a text parameter with known values has a control that lists the values', () => {
  assert.equal(controlKind({ name: 'contract', type: 'text', values: [{ value: '1', title: 'One' }] }), 'values');
  assert.equal(controlKind({ name: 'contract', type: 'text', values: [] }), 'text');
});
