import type { EChartsCoreOption } from 'echarts/core';
import { clockStep } from './axis';
import { colorOf, type Palette } from './reading';
import type { BarsSpec, ChartSpec, HeatSpec, MapSpec, PieSpec, SeriesSpec } from './spec';

/** What ECharts draws: all but maps. */
export type PlotSpec = Exclude<ChartSpec, MapSpec>;

/** How ECharts draws a chart. Hidden are series that the legend has switched off. */
export function optionsOf(spec: PlotSpec, palette: Palette, hidden: ReadonlySet<string>, rtl = false): EChartsCoreOption {
  switch (spec.kind) {
    case 'series':
      return turned(series(spec, palette, hidden), rtl);
    case 'bars':
      return turned(bars(spec, palette, rtl), rtl);
    case 'heat':
      return turned(heat(spec, palette), rtl);
    case 'pie':
      return pie(spec, palette);
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

// Below this width, in pixels, names of columns no longer stand side by side.
const narrow = 560;

const grid = { left: 8, right: 20, top: 16, bottom: 4, containLabel: true };

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

function series(spec: SeriesSpec, palette: Palette, hidden: ReadonlySet<string>): Plot {
  const shown = spec.series.map((s, index) => ({ s, color: colorOf(spec, index, palette) })).filter(({ s }) => !hidden.has(s.name));
  return {
    grid: { ...grid, top: (spec.marks ?? []).length > 0 ? 28 : grid.top },
    tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
    xAxis: categoryAxis(spec.steps.map((s) => s.tick), palette),
    yAxis: valueAxis(spec, palette, !spec.continuous),
    series: shown.map(({ s, color }, index) => ({
      type: 'bar',
      name: s.name,
      ...(spec.stacked === true ? { stack: 'all' } : {}),
      barMaxWidth: 48,
      data: spec.steps.map((_, i) => s.values[i] ?? null),
      itemStyle: { color, opacity: s.quiet === true ? 0.55 : 1, borderRadius: spec.stacked === true ? 0 : [4, 4, 0, 0] },
      emphasis: { focus: 'none' },
      ...(index === 0 ? { markLine: marks(spec, palette) } : {}),
    })),
  };
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

/** How many characters of a name stand beside a bar, and how many of them are its end. */
const room = 22;
const ending = 9;

/** A name that is too long without its middle: versions differ in their ends. */
function shortened(name: string): string {
  const letters = Array.from(name);
  return letters.length <= room ? name : `${letters.slice(0, room - ending - 1).join('')}…${letters.slice(-ending).join('')}`;
}

function bars(spec: BarsSpec, palette: Palette, rtl: boolean): Plot {
  const upright = spec.upright === true;
  const rows = upright ? spec.rows : [...spec.rows].reverse();
  const whole = rows.every((r) => Number.isInteger(r.value));
  const names = categoryAxis(rows.map((r) => r.name), palette);
  const axis = {
    ...names,
    axisLabel: { ...names.axisLabel, ...(upright ? { interval: 0, hideOverlap: false } : { color: palette.text, width: 150, overflow: 'truncate', formatter: shortened }) },
  };
  const value = { ...valueAxis(spec, palette, whole), splitNumber: upright ? 4 : 3 };
  const end = rtl ? [4, 0, 0, 4] : [0, 4, 4, 0];
  const now = {
    type: 'bar',
    barMaxWidth: upright ? 56 : 18,
    barGap: '15%',
    cursor: cursorOf(spec),
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
    media: [
      { query: { maxWidth: narrow }, option: { xAxis: upright ? { axisLabel: { rotate: 50 } } : { splitNumber: 2 } } },
      { option: { xAxis: upright ? { axisLabel: { rotate: 0 } } : { splitNumber: value.splitNumber } } },
    ],
  };
}

/** How the pointer looks over what a click does something with. */
function cursorOf({ onPick }: BarsSpec | HeatSpec | PieSpec): 'default' | 'pointer' {
  return onPick === undefined ? 'default' : 'pointer';
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
        cursor: cursorOf(spec),
        data: spec.values.flatMap((row, y) => row.map((value, x) => [x, y, value])),
        itemStyle: { borderColor: palette.card, borderWidth: 2, borderRadius: 4 },
        emphasis: { itemStyle: { borderColor: palette.text } },
      },
    ],
  };
}

/** Slices in the order of the rows, from the top on; names stand beside them. */
function pie(spec: PieSpec, palette: Palette): EChartsCoreOption {
  return {
    tooltip: { trigger: 'item' },
    series: [
      {
        type: 'pie',
        cursor: cursorOf(spec),
        radius: ['38%', '72%'],
        data: spec.rows.map(({ name, value }, i) => ({ name, value, itemStyle: { color: palette.series[i % palette.series.length] } })),
        itemStyle: { borderColor: palette.card, borderWidth: 2 },
        label: { color: palette.text, overflow: 'truncate', width: 150, formatter: ({ name, value }: { name: string; value: number }) => `${name}: ${spec.format(value)}` },
        labelLine: { lineStyle: { color: palette.line } },
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
