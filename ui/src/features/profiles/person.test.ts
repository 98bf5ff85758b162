import { expect, it } from 'vitest';
import { likeThis, typedLike, updateOf } from './person';

it('finds people like one by country, platform and the first texts among their own properties', () => {
  const one = { _id: 'x', uid: '1', did: 'd', cc: 'DE', p: 'iOS', custom: { a: 'x', n: 5, b: 'y', c: 'z', d: 'too many' } };
  expect(likeThis(one)).toEqual({ cc: { $in: ['DE'] }, p: { $in: ['iOS'] }, 'custom.a': { $in: ['x'] }, 'custom.b': { $in: ['y'] }, 'custom.c': { $in: ['z'] } });
  expect(likeThis({ _id: 'x', uid: '1', did: 'd', cc: 'Unknown' })).toEqual({});
});

it.each([
  ['text stays text', 'x', '5', '5'],
  ['a number stays one', 3, ' 5 ', 5],
  ['a number becomes text', 3, 'five', 'five'],
  ['true stays a truth value', true, 'false', false],
  ['nothing is text', undefined, 'true', 'true'],
])('%s', (_, was, text, want) => {
  expect(typedLike(was, text)).toBe(want);
});

it('sets what has a value and takes away what has none', () => {
  expect(updateOf({ name: 'Ann', 'custom.plan': undefined })).toEqual({ $set: { name: 'Ann' }, $unset: { 'custom.plan': 1 } });
  expect(updateOf({ 'custom.n': 0 })).toEqual({ $set: { 'custom.n': 0 } });
});
