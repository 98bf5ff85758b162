import type { BarsSpec, ChartSpec, SeriesSpec } from './spec';

/** The colours of the present theme. */
export interface Palette {
  text: string;
  quiet: string;
  line: string;
  card: string;
  /** From little to much. */
  heat: readonly string[];
  series: readonly string[];
}

/** Names and figures under the pointer. */
export interface Tip {
  title: string;
  rows: { name: string; value: string; color?: string }[];
}

interface Hit {
  dataIndex: number;
  seriesIndex?: number;
}

/** Whether a chart of values over time or side by side draws columns rather than lines. */
export function columnsIn(spec: SeriesSpec | BarsSpec): boolean {
  return spec.kind === 'bars' || spec.steps.length < 3 || spec.stacked === true || spec.columns === true;
}

/** The colour of a series; the one compared with is quiet where it has none of its own. */
export function colorOf(spec: SeriesSpec, index: number, palette: Palette): string {
  const own = spec.series[index]?.color;
  if (own !== undefined) return palette.series[own - 1] ?? palette.text;
  if (spec.series[index]?.quiet === true) return palette.quiet;
  const loud = spec.series.slice(0, index).filter((s) => s.quiet !== true).length;
  return palette.series[loud % palette.series.length] ?? palette.text;
}

/** A name of the legend and its colour. */
export interface Key {
  name: string;
  color: string;
}

/** The legend of a chart; one with a single series needs none. */
export function keysOf(spec: ChartSpec, palette: Palette, hidden: ReadonlySet<string>): Key[] {
  if (spec.kind === 'series' && spec.series.length > 1) {
    return spec.series.map((s, i) => ({ name: s.name, color: colorOf(spec, i, palette) })).filter(({ name }) => !hidden.has(name));
  }
  if (spec.kind === 'bars' && spec.names !== undefined) {
    return [
      { name: spec.names[0], color: palette.series[0] ?? palette.text },
      { name: spec.names[1], color: palette.quiet },
    ];
  }
  return [];
}

/** What the tooltip says about what is under the pointer. */
export function tipOf(spec: ChartSpec, hits: readonly Hit[], palette: Palette, hidden: ReadonlySet<string>): Tip | undefined {
  const first = hits[0];
  if (first === undefined) return undefined;
  const i = first.dataIndex;
  switch (spec.kind) {
    case 'series': {
      const rows = spec.series.flatMap((s, index) => {
        const value = s.values[i];
        const future = s.quiet !== true && spec.present !== undefined && i > spec.present;
        if (hidden.has(s.name) || value === undefined || future) return [];
        const own = s.labels?.[i];
        return [{ name: own === undefined ? s.name : `${s.name}, ${own}`, value: spec.format(value), color: colorOf(spec, index, palette) }];
      });
      const marks = (spec.marks ?? []).filter((m) => m.step === i).map((m) => ({ name: '✎', value: m.text }));
      return { title: spec.steps[i]?.label ?? '', rows: [...rows, ...marks] };
    }
    case 'bars': {
      const row = spec.rows[spec.upright === true ? i : spec.rows.length - 1 - i];
      if (row === undefined) return undefined;
      const rows = [{ name: spec.names?.[0] ?? spec.name, value: spec.format(row.value) }];
      if (spec.names !== undefined) rows.push({ name: spec.names[1], value: spec.format(row.before ?? 0) });
      return { title: row.name, rows };
    }
    case 'heat': {
      const width = spec.xs.length;
      const [x, y] = [i % width, Math.floor(i / width)];
      const title = `${spec.ys[y] ?? ''}, ${spec.xs[x]?.label ?? ''}`;
      return { title, rows: [{ name: spec.name, value: spec.format(spec.values[y]?.[x] ?? 0) }] };
    }
    case 'pie':
    case 'map': {
      const row = spec.rows[i];
      return row === undefined ? undefined : { title: row.name, rows: [{ name: spec.name, value: spec.format(row.value) }] };
    }
  }
}
