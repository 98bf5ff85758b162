import { expect, test } from 'vitest';
import type { Field } from '../../components/filter/field';
import { linesOf, partsOf } from './parts';

const plan: Field = { path: 'sg.plan', name: 'Plan', group: '', kind: 'text', decode: (text) => text };
const list: Field = { ...plan, path: 'sg.list', kind: 'any' };

test('a breakdown has a part of each value, and one of all others', () => {
  expect(partsOf('', 'sg.plan', ['pro', null], 3, [plan])).toEqual([
    { value: 'pro', filter: '{"sg.plan":{"$in":["pro"]}}' },
    { value: null, filter: '{"sg.plan":{"$exists":false}}' },
    { filter: '{"$nor":[{"sg.plan":{"$in":["pro"]}},{"sg.plan":{"$exists":false}}]}' },
  ]);
  expect(partsOf('{"up.cc":"DE"}', 'sg.plan', ['pro'], 1, [plan])).toEqual([{ value: 'pro', filter: '{"$and":[{"up.cc":"DE"},{"sg.plan":{"$in":["pro"]}}]}' }]);
});

test('what cannot be asked for is among the others', () => {
  expect(partsOf('', 'sg.list', ['["a"]', 'b'], 2, [list])).toEqual([{ value: 'b', filter: '{"sg.list":{"$in":["b"]}}' }, { filter: '{"$nor":[{"sg.list":{"$in":["b"]}}]}' }]);
  expect(partsOf('', 'sg.list', ['["a"]'], 1, [list])).toEqual([{ filter: '{}' }]);
});

test('values stand at the steps of a chart', () => {
  const data = { hourly: { current: { value: [1, 2], buckets: ['2031:5:14:9', '2031:5:14:10'] } }, single: { current: { value: [7], buckets: ['2031:5:14-2031:5:14'] } } };
  expect(linesOf({ data }, 'hourly', [{ _id: '', key: '2031.5.14.10' }, { _id: '', key: '2031.5.14.11' }])).toEqual({ values: [2, undefined], total: 7 });
  expect(linesOf({ data: {} }, 'hourly', [])).toEqual({ values: [], total: undefined });
});
