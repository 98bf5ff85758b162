import { describe, expect, it } from 'vitest';
import { clockStep, colorOf, keysOf, optionsOf, tipOf, type Palette } from './options';
import type { BarsSpec, HeatSpec, SeriesSpec } from './spec';

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

  it('is drawn apart, and nothing after it', () => {
    const drawn = optionsOf(going, palette, none) as unknown as Drawn;
    expect(drawn.series.map((s) => s.data)).toEqual([
      [1, null, null],
      [1, 2, null],
    ]);
    const first = optionsOf({ ...going, present: 0 }, palette, none) as unknown as Drawn;
    expect(first.series.map((s) => s.data)).toEqual([[1, null, null]]);
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

it('finds the cell of a heat map', () => {
  const heat: HeatSpec = { kind: 'heat', name: 'n', xs: trend.steps, ys: ['A', 'B'], values: [[0, 1, 2], [3, 4, 5]], ...numbers };
  expect(tipOf(heat, [{ dataIndex: 5 }], palette, none)).toEqual({ title: 'B, Wedday', rows: [{ name: 'n', value: '5!' }] });
});
