import { describe, expect, it } from 'vitest';
import { clockStep, labelled, ticksOf } from './axis';
import { stepAt, valuesOf, type Plan } from './lines';
import { optionsOf } from './options';
import { colorOf, keysOf, tipOf, type Palette } from './reading';
import type { BarsSpec, HeatSpec, PieSpec, SeriesSpec } from './spec';

const palette: Palette = { text: 'text', quiet: 'quiet', line: 'line', card: 'card', heat: ['low', 'high'], series: ['one', 'two'] };
const numbers = { format: (n: number) => `${n}!`, formatTick: String };
const trend: SeriesSpec = {
  kind: 'series',
  continuous: false,
  steps: ['Mon', 'Tue', 'Wed'].map((tick) => ({ tick, label: `${tick}day` })),
  series: [
    { name: 'Users', values: [1, 2, 3] },
    { name: 'Before', values: [4, 5, 6], quiet: true, labels: ['a', 'b', 'c'] },
    { name: 'New', values: [7, undefined, 9] },
  ],
  marks: [{ step: 1, text: 'launch' }],
  ...numbers,
};
const none = new Set<string>();

interface Drawn {
  series: { name: string; data: (number | null)[] }[];
}

describe('series', () => {
  it('colours the loud in turn and the quiet quietly', () => {
    expect([0, 1, 2].map((i) => colorOf(trend, i, palette))).toEqual(['one', 'quiet', 'two']);
  });

  it('leaves out what the legend hides', () => {
    const drawn = optionsOf(trend, palette, new Set(['Before'])) as unknown as Drawn;
    expect(drawn.series.map((s) => [s.name, s.data])).toEqual([
      ['Users', [1, 2, 3]],
      ['New', [7, null, 9]],
    ]);
  });

  it('says all values of a step, with the days compared and the notes', () => {
    expect(tipOf(trend, [{ dataIndex: 1 }], palette, none)).toEqual({
      title: 'Tueday',
      rows: [
        { name: 'Users', value: '2!', color: 'one' },
        { name: 'Before, b', value: '5!', color: 'quiet' },
        { name: '✎', value: 'launch' },
      ],
    });
    expect(tipOf(trend, [], palette, none)).toBeUndefined();
  });
});

describe('a step that is going on', () => {
  const going: SeriesSpec = { ...trend, marks: [], present: 1, series: [{ name: 'Users', values: [1, 2, 0] }] };

  it('is the last that is drawn, except of what is compared', () => {
    expect(valuesOf(going, 0)).toEqual([1, 2, undefined]);
    expect(valuesOf({ ...going, present: 0 }, 0)).toEqual([1, undefined, undefined]);
    expect(valuesOf({ ...going, series: [{ name: 'Before', values: [1, 2, 3], quiet: true }] }, 0)).toEqual([1, 2, 3]);
  });

  it('has no figures after it', () => {
    expect(tipOf(going, [{ dataIndex: 1 }], palette, none)?.rows.map((r) => r.value)).toEqual(['2!']);
    expect(tipOf(going, [{ dataIndex: 2 }], palette, none)?.rows).toEqual([]);
  });
});

it.each([
  [0, 1],
  [4, 1],
  [9, 2],
  [100, 30],
  [300, 60],
  [2700, 600],
  [3 * 3600, 3600],
  [86400, 6 * 3600],
  [30 * 86400, 10 * 86400],
  [1157 * 86400, 500 * 86400],
])('marks an axis up to %d s every %d s', (most, want) => expect(clockStep(most)).toBe(want));

it.each([
  [0, false, undefined, [0, 1]],
  [1, false, undefined, [0, 1]],
  [3, false, undefined, [0, 1, 2, 3]],
  [32, false, undefined, [0, 10, 20, 30, 40]],
  [9, false, undefined, [0, 3, 6, 9]],
  [1, true, undefined, [0, 0.25, 0.5, 0.75, 1]],
  [100_000_000, false, undefined, [0, 25_000_000, 50_000_000, 75_000_000, 100_000_000]],
  [300, true, true, [0, 60, 120, 180, 240, 300]],
] as const)('marks an axis up to %d (continuous: %s, seconds: %s)', (most, continuous, seconds, want) => {
  const got = ticksOf(most, { continuous, ...(seconds === undefined ? {} : { seconds }) });
  expect(got.map((n) => Math.round(n * 1000) / 1000)).toEqual(want);
});

it.each([
  [30, -10, [-10, 0, 10, 20, 30]],
  [0, -4, [-4, -3, -2, -1, 0]],
  [3.5, -0.5, [-1, 0, 1, 2, 3, 4]],
])('marks an axis up to %d and down to %d', (most, least, want) => {
  const got = ticksOf(most, { continuous: true }, least);
  expect(got.map((n) => n + 0)).toEqual(want);
});

it.each([
  [5, 500, 40, [0, 1, 2, 3, 4]],
  [30, 500, 40, [0, 4, 8, 12, 16, 20, 24, 28]],
  [3, 10, 40, [0]],
])('names of %d steps in %d pixels, %d wide each', (count, width, widest, want) => expect(labelled(count, width, widest)).toEqual(want));

it.each([
  ['the first before the plot', false, 0, 0],
  ['the nearest', false, 149, 1],
  ['the last beyond it', false, 999, 2],
  ['the last at the left for those who read from the right', true, 0, 2],
])('points at %s', (_, rtl, x, want) => {
  const plan: Plan = { left: 50, right: 250, top: 0, bottom: 100, ticks: [], x: (step) => (rtl ? 250 - step * 100 : 50 + step * 100), y: (value) => value };
  expect(stepAt(plan, 3, x)).toBe(want);
});

it('turns round for those who read from the right', () => {
  const plain = optionsOf(trend, palette, none);
  expect(plain).toMatchObject({ grid: { left: 8, right: 20 } });
  expect(plain.xAxis).not.toHaveProperty('inverse');
  expect(optionsOf(trend, palette, none, true)).toMatchObject({ grid: { left: 20, right: 8 }, xAxis: { inverse: true }, yAxis: { position: 'right' } });
});

it('names in a picture what the legend names', () => {
  expect(keysOf(trend, palette, new Set(['New']))).toEqual([
    { name: 'Users', color: 'one' },
    { name: 'Before', color: 'quiet' },
  ]);
  expect(keysOf({ ...trend, series: trend.series.slice(0, 1) }, palette, none)).toEqual([]);
});

it('reads rows of bars from the top', () => {
  const bars: BarsSpec = { kind: 'bars', name: 'Users', rows: [{ name: 'x', value: 9 }, { name: 'y', value: 1 }], ...numbers };
  expect(tipOf(bars, [{ dataIndex: 0 }], palette, none)?.title).toBe('y');
  expect(tipOf({ ...bars, upright: true }, [{ dataIndex: 0 }], palette, none)?.title).toBe('x');
  expect((optionsOf(bars, palette, none) as unknown as Drawn).series[0]?.data).toEqual([1, 9]);
});

it('cuts the middle of names beside bars, as versions differ in their ends', () => {
  const { yAxis } = optionsOf({ kind: 'bars', name: 'Sessions', rows: [{ name: 'x', value: 9 }], ...numbers }, palette, none) as unknown as { yAxis: { axisLabel: { formatter: (name: string) => string } } };
  const names = ['Chrome', 'a name of 22 characters'.slice(0, 22), 'java-native-android 24.1.1', 'java-native-android 24.2.1'];
  expect(names.map(yAxis.axisLabel.formatter)).toEqual(['Chrome', 'a name of 22 character', 'java-native-…id 24.1.1', 'java-native-…id 24.2.1']);
});

it('finds the cell of a heat map', () => {
  const heat: HeatSpec = { kind: 'heat', name: 'n', xs: trend.steps, ys: ['A', 'B'], values: [[0, 1, 2], [3, 4, 5]], ...numbers };
  expect(tipOf(heat, [{ dataIndex: 5 }], palette, none)).toEqual({ title: 'B, Wedday', rows: [{ name: 'n', value: '5!' }] });
});

it('draws parts of a whole in the order of the rows, each with its value', () => {
  const pie: PieSpec = { kind: 'pie', name: 'Sales', rows: [{ name: 'tea', value: 3 }, { name: 'milk', value: 1 }], ...numbers };
  const { series } = optionsOf(pie, palette, none) as unknown as { series: [{ data: { name: string; value: number }[]; label: { formatter: (p: { name: string; value: number }) => string } }] };
  expect(series[0].data.map(({ name, value }) => [name, value])).toEqual([['tea', 3], ['milk', 1]]);
  expect(series[0].label.formatter({ name: 'tea', value: 3 })).toBe('tea: 3!');
  expect(tipOf(pie, [{ dataIndex: 1 }], palette, none)).toEqual({ title: 'milk', rows: [{ name: 'Sales', value: '1!' }] });
});
