import { describe, expect, it } from 'vitest';
import type { BarsSpec, HeatSpec, SeriesSpec } from './spec';
import { extremesOf, largestOf } from './summary';

const numbers = { format: String, formatTick: String };
const steps = ['Mon', 'Tue', 'Wed', 'Thu'].map((label) => ({ label, tick: label }));
const series = (values: readonly (number | undefined)[], more: Partial<SeriesSpec> = {}): SeriesSpec => ({ kind: 'series', steps, continuous: false, series: [{ name: 'a', values }], ...numbers, ...more });
const none = new Set<string>();

describe('what is said of a course', () => {
  it('is where it is highest and lowest, the first of each', () => {
    expect(extremesOf(series([2, 5, 1, 5]), none).list).toEqual([{ name: 'a', most: { value: 5, step: 'Tue' }, least: { value: 1, step: 'Wed' } }]);
  });
  it('ends at the present, and leaves out what is missing', () => {
    expect(extremesOf(series([undefined, 3, 4, 0], { present: 2 }), none).list).toEqual([{ name: 'a', most: { value: 4, step: 'Wed' }, least: { value: 3, step: 'Tue' } }]);
    expect(extremesOf(series([undefined]), none).list).toEqual([]);
  });
  it('has no lowest value where all are the same', () => expect(extremesOf(series([0, 0, 0, 0]), none).list).toEqual([{ name: 'a', most: { value: 0, step: 'Mon' } }]));
  it('leaves out what is compared with or switched off, and counts what is too much', () => {
    const many = ['b', 'c', 'd', 'e'].map((name) => ({ name, values: [1, 2] }));
    const spec = series([1, 2], { series: [{ name: 'before', values: [9], quiet: true }, { name: 'off', values: [9] }, ...many] });
    const { list, more } = extremesOf(spec, new Set(['off']));
    expect([list.map((s) => s.name), more]).toEqual([['b', 'c', 'd'], 1]);
  });
});

describe('what is said of values side by side', () => {
  it('is the largest three, without those of none', () => {
    const bars: BarsSpec = { kind: 'bars', name: 'Sessions', rows: [3, 0, 9, 5, 1].map((value, i) => ({ name: String(i), value })), ...numbers };
    expect(largestOf(bars).map((r) => r.name)).toEqual(['2', '3', '0']);
  });
  it('names both axes of cells', () => {
    const heat: HeatSpec = { kind: 'heat', name: 'Sessions', xs: steps, ys: ['x', 'y'], values: [[0, 1], [7]], ...numbers };
    expect(largestOf(heat)).toEqual([{ name: 'y, Mon', value: 7 }, { name: 'x, Tue', value: 1 }]);
  });
});
