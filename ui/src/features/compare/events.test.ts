import { expect, it } from 'vitest';
import { chosenKeys, colorsOf, comparable, largestFirst, mostEvents, notSent, parseEventMeasure, rowOf, stepValue, valueOf } from './events';

const row = (_id: string, c: number, s = 0) => ({ _id, c, s, dur: 0 });

it('chooses up to twenty events, each once', () => {
  expect(chosenKeys('["a","b","a","",7]')).toEqual(['a', 'b']);
  expect(chosenKeys(JSON.stringify(Array.from({ length: 30 }, (_, i) => `e${String(i)}`)))).toHaveLength(mostEvents);
  expect([chosenKeys(''), chosenKeys('x'), chosenKeys('{"a":1}')]).toEqual([[], [], []]);
});

it('compares the largest until some are chosen', () => {
  const total = Object.fromEntries([row('a', 1), row('b', 9), row('c', 9), row('d', 3), row('e', 2), row('f', 8)].map((r) => [r._id, r]));
  expect(largestFirst({ total })).toEqual(['b', 'c', 'f', 'd', 'e']);
  expect(largestFirst(undefined)).toEqual([]);
});

it('offers what is counted', () => {
  const items = ['buy', '[CLY]_session', '[CLY]_view', '[CLY]_defined_x', '[CLY]_group_1'].map((value) => ({ value, label: value }));
  expect(comparable([{ group: 'g', items }, { group: 'h', items: items.slice(1, 2) }]).flatMap(({ items: all }) => all.map(({ value }) => value))).toEqual(['buy', '[CLY]_group_1']);
});

it('adds up steps, and tells what an event has of its own total', () => {
  const course = [row('1', 1, 4), row('2', 3, 8), row('3', 0)];
  const sums = { first: '', last: '', until: 24, total: { buy: { ...row('buy', 4), u: 2 } }, now: { buy: row('buy', 4) }, before: {} };
  const got = rowOf('buy', 'Buy', course, sums);
  expect(got).toEqual({ key: 'buy', name: 'Buy', c: 4, s: 12, dur: 0, u: 2, now: 4, was: 0 });
  expect([valueOf('average', got), valueOf('average', { ...got, c: 0 }), valueOf('u', got)]).toEqual([3, undefined, 2]);
  expect((['c', 's', 'average', 'dur'] as const).map((m) => [notSent(m, got), notSent(m, { ...got, s: 0 })])).toEqual([[false, false], [false, true], [false, true], [true, true]]);
  expect(course.map((r) => stepValue('course', r, 4))).toEqual([0.25, 0.75, 0]);
  expect([stepValue('average', course[2], 4), stepValue('c', undefined, 4), stepValue('course', course[0], 0)]).toEqual([undefined, undefined, 0]);
});

it('draws no two of twenty lines alike', () => {
  expect(new Set(Array.from({ length: mostEvents }, (_, i) => JSON.stringify(colorsOf(i)))).size).toBe(mostEvents);
});

it('takes an unknown figure for counts', () => {
  expect(['s', 'u', 'x', ''].map(parseEventMeasure)).toEqual(['s', 'c', 'c', 'c']);
});
