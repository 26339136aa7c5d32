import assert from 'node:assert/strict';
import { test } from 'node:test';
import { promptedFields, errorsByField, inputOf } from '../../Public/page/acting/fields.js';

const field = (name, type, more = {}) => ({ name, type, required: true, source: 'user', ...more });
const weigh = {
  input: [
    field('delivery', 'text', { source: 'cell' }), field('kilograms', 'integer'),
    field('note', 'text', { required: false }), field('day', 'date', { required: false }),
  ],
};
const names = (fields) => fields.map(({ name }) => name);

test('a form has all fields of the user if one is required, and otherwise those that the cell has a value for', () => {
  assert.deepEqual(names(promptedFields(weigh, { delivery: '7' })), ['kilograms', 'note', 'day']);
  const join = { input: [field('network', 'text', { source: 'cell' }), field('password', 'text', { required: false })] };
  assert.deepEqual(names(promptedFields(join, { network: 'open' })), []);
  assert.deepEqual(names(promptedFields(join, { network: 'secured', password: '' })), ['password']);
  const rename = { input: [field('first', 'text', { required: false }), field('family', 'text', { required: false })] };
  assert.deepEqual(names(promptedFields(rename, { family: 'Hodor' })), ['family']);
  assert.deepEqual(promptedFields(undefined, {}), []);
});

test('entered texts are converted to the types of their fields', () => {
  const fields = [
    field('kilograms', 'integer'), field('share', 'number'), field('name', 'text'), field('isOn', 'boolean'),
    field('day', 'date', { required: false }),
  ];
  const written = { kilograms: '1200', share: ' 0,5', name: '', isOn: false, day: '' };
  const input = { delivery: '7', kilograms: 1200, share: 0.5, name: '', isOn: false, day: null };
  assert.deepEqual(inputOf(fields, { delivery: '7', name: 'old' }, written), input);
});

test('an optional field that the user leaves empty is null, unless the cell has a value for it', () => {
  const fields = [field('note', 'text', { required: false }), field('isUrgent', 'boolean', { required: false })];
  assert.deepEqual(inputOf(fields, {}, { note: '', isUrgent: false }), { note: null, isUrgent: null });
  assert.deepEqual(inputOf(fields, { note: 'old', isUrgent: true }, { note: '', isUrgent: false }), { note: '', isUrgent: false });
});

test('the text of a number field is sent unchanged if it is not a number', () => {
  const fields = [field('kilograms', 'integer')];
  assert.deepEqual(inputOf(fields, {}, { kilograms: 'many' }), { kilograms: 'many' });
  assert.deepEqual(inputOf(fields, {}, { kilograms: '' }), { kilograms: null });
});

test('the text of a number field is sent unchanged if JavaScript would round its number', () => {
  const fields = [field('kilograms', 'integer')];
  for (const kilograms of ['9007199254740993', '-9007199254740993']) assert.deepEqual(inputOf(fields, {}, { kilograms }), { kilograms });
  assert.deepEqual(inputOf(fields, {}, { kilograms: '9007199254740991' }), { kilograms: 9007199254740991 });
});

test('errors are assigned to the fields that their pointers name', () => {
  const errors = [
    { pointer: '/input/kilograms', detail: 'Too heavy.' }, { pointer: '/input/kilograms', detail: 'Much too heavy.' },
    { pointer: '/input/delivery', detail: 'Gone.' }, { detail: 'Closed.' }, { pointer: '/input/a~1b', detail: 'Odd.' },
  ];
  const { fields, rest } = errorsByField(errors, [field('kilograms', 'integer'), field('a/b', 'text')]);
  assert.deepEqual([...fields], [['kilograms', 'Too heavy. Much too heavy.'], ['a/b', 'Odd.']]);
  assert.deepEqual(rest, ['Gone.', 'Closed.']);
});
