import type { EChartsCoreOption } from 'echarts/core';
import type { BarsSpec, ChartSpec, HeatSpec, MapSpec, Series, SeriesSpec } from './spec';

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

/** How ECharts draws a chart. Hidden are series that the legend has switched off. */
export function optionsOf(spec: ChartSpec, palette: Palette, hidden: ReadonlySet<string>, rtl = false): EChartsCoreOption {
  switch (spec.kind) {
    case 'series':
      return turned(series(spec, palette, hidden), rtl);
    case 'bars':
      return turned(bars(spec, palette, rtl), rtl);
    case 'heat':
      return turned(heat(spec, palette), rtl);
    case 'map':
      return map(spec, palette);
  }
}

interface Plot extends EChartsCoreOption {
  grid: { left: number; right: number; top: number; bottom: number; containLabel: boolean };
  xAxis: object;
  yAxis: object;
}

/** The same chart for those who read from right to left. */
function turned(plot: Plot, rtl: boolean): EChartsCoreOption {
  if (!rtl) return plot;
  const { grid, xAxis, yAxis } = plot;
  return { ...plot, grid: { ...grid, left: grid.right, right: grid.left }, xAxis: { ...xAxis, inverse: true }, yAxis: { ...yAxis, position: 'right' } };
}

/** The colour of a series; the one compared with is quiet. */
export function colorOf(spec: SeriesSpec, index: number, palette: Palette): string {
  if (spec.series[index]?.quiet === true) return palette.quiet;
  const own = spec.series[index]?.color;
  if (own !== undefined) return palette.series[own - 1] ?? palette.text;
  const loud = spec.series.slice(0, index).filter((s) => s.quiet !== true).length;
  return palette.series[loud % palette.series.length] ?? palette.text;
}

// Below this width, in pixels, names of columns no longer stand side by side.
const narrow = 560;

const grid = { left: 8, right: 20, top: 16, bottom: 4, containLabel: true };

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const clockSteps = [1, 2, 5, 10, 15, 30, minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute, hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 5 * day];

/** How far apart the marks of an axis of durations are, so that they are round ones. */
export function clockStep(most: number, marks = 5): number {
  const step = clockSteps.find((s) => most / s <= marks);
  if (step !== undefined) return step;
  const rough = most / marks / day;
  const ten = 10 ** Math.floor(Math.log10(rough));
  return day * ten * ([1, 2, 5, 10].find((n) => n * ten >= rough) ?? 10);
}

function clock(values: readonly (number | undefined)[]) {
  const most = Math.max(0, ...values.map((v) => v ?? 0));
  const interval = clockStep(most);
  return { interval, max: Math.max(1, Math.ceil(most / interval)) * interval };
}

function valueAxis(spec: SeriesSpec | BarsSpec, palette: Palette, whole: boolean) {
  const values = spec.kind === 'bars' ? spec.rows.flatMap((r) => [r.value, r.before]) : spec.series.flatMap((s) => s.values);
  return {
    type: 'value',
    ...(whole ? { minInterval: 1 } : {}),
    splitNumber: 4,
    ...(spec.seconds === true ? clock(values) : {}),
    axisLabel: { color: palette.quiet, formatter: spec.formatTick, hideOverlap: true },
    splitLine: { lineStyle: { color: palette.line } },
  };
}

function categoryAxis(names: readonly string[], palette: Palette) {
  return {
    type: 'category',
    data: names,
    axisLine: { lineStyle: { color: palette.line } },
    axisTick: { show: false },
    axisLabel: { color: palette.quiet, hideOverlap: true, margin: 10 },
  };
}

/** Whether a chart of values over time or side by side draws columns rather than lines. */
export function columnsIn(spec: SeriesSpec | BarsSpec): boolean {
  return spec.kind === 'bars' || spec.steps.length < 3 || spec.stacked === true;
}

function series(spec: SeriesSpec, palette: Palette, hidden: ReadonlySet<string>): Plot {
  const single = columnsIn(spec);
  const shown = spec.series.map((s, index) => ({ s, color: colorOf(spec, index, palette) })).filter(({ s }) => !hidden.has(s.name));
  const alone = shown.filter(({ s }) => s.quiet !== true).length === 1;
  return {
    grid: { ...grid, top: (spec.marks ?? []).length > 0 ? 28 : grid.top },
    tooltip: { trigger: 'axis', axisPointer: { type: single ? 'shadow' : 'line', lineStyle: { color: palette.quiet } } },
    xAxis: { ...categoryAxis(spec.steps.map((s) => s.tick), palette), boundaryGap: single },
    yAxis: valueAxis(spec, palette, !spec.continuous),
    series: shown.flatMap(({ s, color }, index) => {
      const { done, going } = single || s.quiet === true ? { done: valuesOf(spec, s), going: undefined } : unfinished(spec, s);
      const drawn = {
        type: single ? 'bar' : 'line',
        name: s.name,
        ...(spec.stacked === true ? { stack: 'all' } : {}),
        barMaxWidth: 48,
        data: done,
        showSymbol: s.quiet !== true && spec.steps.length <= 31,
        symbol: 'circle',
        symbolSize: 6,
        z: s.quiet === true ? 1 : 2,
        lineStyle: { width: s.quiet === true ? 1.75 : 2.5, type: s.quiet === true ? 'dashed' : 'solid' },
        itemStyle: { color, opacity: s.quiet === true && single ? 0.55 : 1, borderRadius: spec.stacked === true ? 0 : [4, 4, 0, 0] },
        ...(alone && s.quiet !== true ? { areaStyle: { opacity: 0.1 } } : {}),
        emphasis: { focus: 'none' },
        ...(index === 0 ? { markLine: marks(spec, palette) } : {}),
      };
      if (going === undefined) return [drawn];
      return [drawn, { ...drawn, data: going, markLine: undefined, lineStyle: { width: 2.5, type: [3, 4] } }];
    }),
  };
}

function valuesOf(spec: SeriesSpec, s: Series): (number | null)[] {
  return spec.steps.map((_, i) => s.values[i] ?? null);
}

/** Cuts a line in what is done and the last stretch, to the step that is still going on. */
function unfinished(spec: SeriesSpec, s: Series): { done: (number | null)[]; going: (number | null)[] | undefined } {
  const { present } = spec;
  const all = valuesOf(spec, s);
  if (present === undefined) return { done: all, going: undefined };
  const between = (from: number, to: number) => all.map((value, i) => (i >= from && i <= to ? value : null));
  return present === 0 ? { done: between(0, 0), going: undefined } : { done: between(0, present - 1), going: between(present - 1, present) };
}

function marks(spec: SeriesSpec, palette: Palette) {
  return {
    symbol: 'none',
    silent: true,
    animation: false,
    lineStyle: { color: palette.quiet, type: 'dotted' },
    label: { show: true, position: 'end', formatter: '{b}', color: palette.card, backgroundColor: palette.text, fontWeight: 700, padding: [3, 6], borderRadius: 8 },
    data: (spec.marks ?? []).map(({ step }, i) => ({ name: String(i + 1), xAxis: step })),
  };
}

function bars(spec: BarsSpec, palette: Palette, rtl: boolean): Plot {
  const upright = spec.upright === true;
  const rows = upright ? spec.rows : [...spec.rows].reverse();
  const whole = rows.every((r) => Number.isInteger(r.value));
  const names = categoryAxis(rows.map((r) => r.name), palette);
  const axis = {
    ...names,
    axisLabel: { ...names.axisLabel, ...(upright ? { interval: 0, hideOverlap: false } : { color: palette.text, width: 150, overflow: 'truncate' }) },
  };
  const value = { ...valueAxis(spec, palette, whole), splitNumber: upright ? 4 : 3 };
  const end = rtl ? [4, 0, 0, 4] : [0, 4, 4, 0];
  const now = {
    type: 'bar',
    barMaxWidth: upright ? 56 : 18,
    barGap: '15%',
    data: rows.map((r) => r.value),
    itemStyle: { color: palette.series[0], borderRadius: upright ? [4, 4, 0, 0] : end },
  };
  const before = { ...now, data: rows.map((r) => r.before ?? 0), itemStyle: { ...now.itemStyle, color: palette.quiet, opacity: 0.55 } };
  return {
    grid,
    tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
    xAxis: upright ? axis : value,
    yAxis: upright ? value : axis,
    series: spec.names === undefined ? [now] : upright ? [before, now] : [now, before],
    ...(upright ? { media: [{ query: { maxWidth: narrow }, option: { xAxis: { axisLabel: { rotate: 50 } } } }, { option: { xAxis: { axisLabel: { rotate: 0 } } } }] } : {}),
  };
}

function heat(spec: HeatSpec, palette: Palette): Plot {
  const most = Math.max(1, ...spec.values.flat());
  const label = { color: palette.quiet };
  return {
    grid: { ...grid, bottom: 44, right: 8 },
    tooltip: { trigger: 'item' },
    xAxis: { type: 'category', data: spec.xs.map((x) => x.tick), axisTick: { show: false }, axisLine: { show: false }, axisLabel: label },
    yAxis: { type: 'category', data: spec.ys, inverse: true, axisTick: { show: false }, axisLine: { show: false }, axisLabel: label },
    visualMap: scale(palette.heat, palette, [0, most], spec.formatTick),
    series: [
      {
        type: 'heatmap',
        data: spec.values.flatMap((row, y) => row.map((value, x) => [x, y, value])),
        itemStyle: { borderColor: palette.card, borderWidth: 2, borderRadius: 4 },
        emphasis: { itemStyle: { borderColor: palette.text } },
      },
    ],
  };
}

function map(spec: MapSpec, palette: Palette): EChartsCoreOption {
  const most = Math.max(1, ...spec.rows.map((r) => r.value));
  const [nothing, ...some] = palette.heat;
  return {
    tooltip: { trigger: 'item' },
    visualMap: scale(some, palette, [Math.min(1, most - 1), most], spec.formatTick),
    series: [
      {
        type: 'map',
        map: 'world',
        nameProperty: 'code',
        left: 8,
        right: 8,
        top: 0,
        bottom: 36,
        preserveAspect: true,
        selectedMode: false,
        data: spec.rows.map((r) => ({ name: r.code, value: r.value })),
        label: { show: false },
        itemStyle: { areaColor: nothing, borderColor: palette.card, borderWidth: 0.6 },
        emphasis: { label: { show: false }, itemStyle: { areaColor: palette.quiet } },
      },
    ],
  };
}

function scale(colors: readonly string[], palette: Palette, [min, max]: [number, number], formatter: (value: number) => string) {
  return {
    min,
    max,
    calculable: false,
    orient: 'horizontal',
    left: 'center',
    bottom: 0,
    itemWidth: 12,
    itemHeight: 140,
    text: [formatter(max), formatter(min)],
    textStyle: { color: palette.quiet },
    inRange: { color: [...colors] },
  };
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
    case 'map': {
      const row = spec.rows[i];
      return row === undefined ? undefined : { title: row.name, rows: [{ name: spec.name, value: spec.format(row.value) }] };
    }
  }
}
