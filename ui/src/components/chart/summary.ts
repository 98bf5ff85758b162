import type { ChartSpec, SeriesSpec } from './spec';

/** What is said of a series: where it is highest and lowest; or that it is the same throughout. */
export interface Extremes {
  name: string;
  most: { value: number; step: string };
  /** Absent where no value is lower. */
  least?: { value: number; step: string };
}

/** How many series and values are named. */
const named = 3;

/** Where the series of a chart are highest and lowest, until the present step; those compared with are left out. */
export function extremesOf(spec: SeriesSpec, hidden: ReadonlySet<string>): { list: Extremes[]; more: number } {
  const shown = spec.series.filter((s) => s.quiet !== true && !hidden.has(s.name));
  const all = shown.flatMap((s): Extremes[] => {
    const values = s.values.slice(0, (spec.present ?? spec.steps.length) + 1).flatMap((value, i) => (value === undefined ? [] : [{ value, step: spec.steps[i]?.label ?? '' }]));
    const [first] = values;
    if (first === undefined) return [];
    const most = values.reduce((a, b) => (b.value > a.value ? b : a), first);
    const least = values.reduce((a, b) => (b.value < a.value ? b : a), first);
    return [{ name: s.name, most, ...(least.value < most.value ? { least } : {}) }];
  });
  return { list: all.slice(0, named), more: Math.max(0, all.length - named) };
}

/** The largest values of a chart that is not over time, with what they are of. */
export function largestOf(spec: Exclude<ChartSpec, SeriesSpec>): { name: string; value: number }[] {
  const rows =
    spec.kind === 'heat'
      ? spec.values.flatMap((row, y) => row.map((value, x) => ({ name: `${spec.ys[y] ?? ''}, ${spec.xs[x]?.label ?? ''}`, value })))
      : spec.rows.map(({ name, value }) => ({ name, value }));
  return rows
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
    .slice(0, named);
}
