import { expect, it } from 'vitest';
import { parseJSON, shippedAs, suited, writeJSON } from './shipped';

const list = ['717569707562616e6b000000', '717569707573686f70000000', '65f0cbf8bca6b8e8fbf7f901'].map((_id) => ({ _id }));

it('knows the templates that come along', () => {
  expect(list.map(shippedAs)).toEqual(['bank', 'shop', undefined]);
});

it.each([
  ['finance', '5', 0],
  ['anything else', '7', 1],
  ['no category', '', 1],
  ['a category whose template is missing', '6', 0],
] as const)('suggests what suits %s', (_, category, at) => {
  expect(suited(list, category)).toBe(list[at]);
});

it.each([
  ['list', '[1]', [1]],
  ['list', ' ', []],
  ['list', '{}', undefined],
  ['object', '{"a":1}', { a: 1 }],
  ['object', '[]', undefined],
  ['object', 'null', undefined],
  ['list', '[', undefined],
] as const)('reads a %s from %s', (kind, text, want) => {
  expect(parseJSON(text, kind)).toEqual(want);
});

it('writes what it reads', () => {
  const value = [{ key: 'a', values: ['x', 1] }, { key: 'b' }];
  expect(parseJSON(writeJSON(value), 'list')).toEqual(value);
  expect(writeJSON(value).split('\n')).toHaveLength(4);
  expect(parseJSON(writeJSON([]), 'list')).toEqual([]);
  expect(parseJSON(writeJSON({ a: 1 }), 'object')).toEqual({ a: 1 });
});
