import { expect, test } from 'vitest';
import { conditionsOf, without, withAll, withValue } from './narrow';

test('a value narrows a filter, replaces what was asked of its property, and asked twice is gone', () => {
  const one = withValue('', 'up.p', 'iOS');
  expect(one).toBe('{"up.p":{"$in":["iOS"]}}');
  const two = withValue(one, 'up.cc', 'PE');
  expect(two).toBe('{"$and":[{"up.p":{"$in":["iOS"]}},{"up.cc":{"$in":["PE"]}}]}');
  expect(withValue(two, 'up.p', 'Android')).toBe('{"$and":[{"up.cc":{"$in":["PE"]}},{"up.p":{"$in":["Android"]}}]}');
  expect(withValue(two, 'up.cc', 'PE')).toBe(one);
  expect(withValue(one, 'up.p', 'iOS')).toBe('');
  expect(withValue('{"a":1,"$or":[{"b":1},{"c":1}]}', 'a', 'x')).toBe('{"$and":[{"$or":[{"b":1},{"c":1}]},{"a":{"$in":["x"]}}]}');
});

test('conditions go one by one', () => {
  expect(conditionsOf('{"a":1,"b":2}')).toEqual(['{"a":1}', '{"b":2}']);
  expect(without('{"a":1,"b":2}', 0)).toBe('{"b":2}');
  expect(without('{"b":2}', 0)).toBe('');
  expect([conditionsOf(''), conditionsOf('x'), conditionsOf('[1]'), conditionsOf('1')]).toEqual([[], [], [], []]);
});

test('is narrowed by several conditions at once', () => {
  const both = { 'up.p': { $in: ['iOS'] }, n: { $eq: 5 } };
  const one = withAll('{"up.p":{"$in":["Android"]}}', both);
  expect(one).toBe('{"$and":[{"up.p":{"$in":["iOS"]}},{"n":{"$eq":5}}]}');
  expect(withAll(one, { n: { $eq: 5 } })).toBe('{"up.p":{"$in":["iOS"]}}');
  expect(withAll(one, { n: { $eq: 6 } })).toBe('{"$and":[{"up.p":{"$in":["iOS"]}},{"n":{"$eq":6}}]}');
  expect(withAll(one, both)).toBe('');
});
