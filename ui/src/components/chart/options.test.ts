import { describe, expect, it } from 'vitest';
import { colorOf, optionsOf, tipOf, type Palette } from './options';
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
