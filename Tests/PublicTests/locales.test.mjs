import assert from 'node:assert/strict';
import { test } from 'node:test';
import { preferred } from '../../Public/page/addressing.js';

test('the language is the first of the user that the server has', () => {
  assert.equal(preferred(['en', 'fr'], ['de-CH', 'fr-CH', 'en']), 'fr');
  assert.equal(preferred(['en', 'pt-BR'], ['PT']), 'pt-BR');
});

test('a server without a language of the user is read in its own', () => {
  assert.equal(preferred(['de', 'it'], ['en']), 'de');
  assert.equal(preferred([], ['en']), undefined);
});
