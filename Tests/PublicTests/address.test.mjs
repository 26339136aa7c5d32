import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAddress, parseAddress } from '../../Public/page/addressing.js';

const parsed = (hash, search = '') => parseAddress({ hash, search });

test('an address names a screen, its parameters and a locale', () => {
  const address = { screen: 'deliveries', parameters: { from: '2018-07-01' }, locale: 'fr' };
  assert.equal(formatAddress(address), '#/deliveries?from=2018-07-01&locale=fr');
  assert.deepEqual(parsed('#/deliveries?from=2018-07-01&locale=fr'), address);
  assert.deepEqual(parsed('#deliveries'), { screen: 'deliveries', parameters: {}, locale: undefined });
});

test('what is written is read again', () => {
  const address = { screen: 'a/b?c', parameters: { screen: 'x', q: 'é&=?#%' }, locale: undefined };
  assert.deepEqual(parsed(formatAddress(address)), address);
});

test('a query is understood where there is no hash', () => {
  const address = { screen: 'deliveries', parameters: { from: '2018-07-01' }, locale: undefined };
  assert.deepEqual(parsed('', '?screen=deliveries&from=2018-07-01'), address);
  assert.deepEqual(parsed('', ''), { screen: undefined, parameters: {}, locale: undefined });
});

test('a stray percent sign is part of the name', () => {
  assert.equal(parsed('#/100%').screen, '100%');
});

test('a revision is passed on as the address has it', () => {
  const address = { screen: 'deliveries', parameters: { from: '2018-07-01', revision: '2' }, locale: undefined };
  assert.deepEqual(parsed('#/deliveries?from=2018-07-01&revision=2'), address);
  assert.equal(formatAddress(address), '#/deliveries?from=2018-07-01&revision=2');
});
