import type { EChartsCoreOption } from 'echarts/core';
import type { BarsSpec, ChartSpec, HeatSpec, MapSpec, SeriesSpec } from './spec';

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
export function optionsOf(spec: ChartSpec, palette: Palette, hidden: ReadonlySet<string>): EChartsCoreOption {
  switch (spec.kind) {
    case 'series':
      return series(spec, palette, hidden);
    case 'bars':
      return bars(spec, palette);
    case 'heat':
      return heat(spec, palette);
    case 'map':
      return map(spec, palette);
  }
}

/** The colour of a series; the one compared with is quiet. */
export function colorOf(spec: SeriesSpec, index: number, palette: Palette): string {
  if (spec.series[index]?.quiet === true) return palette.quiet;
  const own = spec.series[index]?.color;
  if (own !== undefined) return palette.series[own - 1] ?? palette.text;
  const loud = spec.series.slice(0, index).filter((s) => s.quiet !== true).length;
  return palette.series[loud % palette.series.length] ?? palette.text;
}

const grid = { left: 8, right: 20, top: 16, bottom: 4, containLabel: true };

function valueAxis(spec: SeriesSpec | BarsSpec, palette: Palette, whole: boolean) {
  return {
    type: 'value',
    ...(whole ? { minInterval: 1 } : {}),
    splitNumber: 4,
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
    axisLabel: { color: palette.quiet, hideOverlap: true },
  };
}

function series(spec: SeriesSpec, palette: Palette, hidden: ReadonlySet<string>): EChartsCoreOption {
  const single = spec.steps.length < 3 || spec.stacked === true;
  const shown = spec.series.map((s, index) => ({ s, color: colorOf(spec, index, palette) })).filter(({ s }) => !hidden.has(s.name));
  const alone = shown.filter(({ s }) => s.quiet !== true).length === 1;
  return {
    grid: { ...grid, top: (spec.marks ?? []).length > 0 ? 28 : grid.top },
    tooltip: { trigger: 'axis', axisPointer: { type: single ? 'shadow' : 'line', lineStyle: { color: palette.quiet } } },
    xAxis: { ...categoryAxis(spec.steps.map((s) => s.tick), palette), boundaryGap: single },
    yAxis: valueAxis(spec, palette, !spec.continuous),
    series: shown.map(({ s, color }, index) => ({
      type: single ? 'bar' : 'line',
      name: s.name,
      ...(spec.stacked === true ? { stack: 'all' } : {}),
      barMaxWidth: 48,
      data: spec.steps.map((_, i) => s.values[i] ?? null),
      showSymbol: s.quiet !== true && spec.steps.length <= 31,
      symbol: 'circle',
      symbolSize: 6,
      z: s.quiet === true ? 1 : 2,
      lineStyle: { width: s.quiet === true ? 1.75 : 2.5, type: s.quiet === true ? 'dashed' : 'solid' },
      itemStyle: { color, opacity: s.quiet === true && single ? 0.55 : 1, borderRadius: spec.stacked === true ? 0 : [4, 4, 0, 0] },
      ...(alone && s.quiet !== true ? { areaStyle: { opacity: 0.1 } } : {}),
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

function bars(spec: BarsSpec, palette: Palette): EChartsCoreOption {
  const upright = spec.upright === true;
  const rows = upright ? spec.rows : [...spec.rows].reverse();
  const whole = rows.every((r) => Number.isInteger(r.value));
  const names = categoryAxis(rows.map((r) => r.name), palette);
  const axis = {
    ...names,
    axisLabel: { ...names.axisLabel, ...(upright ? { interval: 0, hideOverlap: false } : { color: palette.text, width: 150, overflow: 'truncate' }) },
  };
  const value = { ...valueAxis(spec, palette, whole), splitNumber: upright ? 4 : 3 };
  const now = {
    type: 'bar',
    barMaxWidth: upright ? 56 : 18,
    data: rows.map((r) => r.value),
    itemStyle: { color: palette.series[0], borderRadius: upright ? [4, 4, 0, 0] : [0, 4, 4, 0] },
  };
  const before = { ...now, data: rows.map((r) => r.before ?? 0), itemStyle: { ...now.itemStyle, color: palette.quiet, opacity: 0.55 } };
  const pair = upright ? [before, now] : [before, now];
  return {
    grid,
    tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
    xAxis: upright ? axis : value,
    yAxis: upright ? value : axis,
    series: spec.names === undefined ? [now] : pair,
  };
}

function heat(spec: HeatSpec, palette: Palette): EChartsCoreOption {
  const most = Math.max(1, ...spec.values.flat());
  const label = { color: palette.quiet };
  return {
    grid: { ...grid, bottom: 44, right: 8 },
    tooltip: { trigger: 'item' },
    xAxis: { type: 'category', data: spec.xs.map((x) => x.tick), axisTick: { show: false }, axisLine: { show: false }, axisLabel: label },
    yAxis: { type: 'category', data: spec.ys, inverse: true, axisTick: { show: false }, axisLine: { show: false }, axisLabel: label },
    visualMap: scale(palette, most, spec.formatTick),
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
  return {
    tooltip: { trigger: 'item' },
    visualMap: scale(palette, most, spec.formatTick),
    series: [
      {
        type: 'map',
        map: 'world',
        nameProperty: 'code',
        left: 8,
        right: 8,
        top: 0,
        bottom: 36,
        selectedMode: false,
        data: spec.rows.map((r) => ({ name: r.code, value: r.value })),
        label: { show: false },
        itemStyle: { areaColor: palette.line, borderColor: palette.card, borderWidth: 0.6 },
        emphasis: { label: { show: false }, itemStyle: { areaColor: palette.quiet } },
      },
    ],
  };
}

function scale(palette: Palette, max: number, formatter: (value: number) => string) {
  return {
    min: 0,
    max,
    calculable: false,
    orient: 'horizontal',
    left: 'center',
    bottom: 0,
    itemWidth: 12,
    itemHeight: 140,
    text: [formatter(max), formatter(0)],
    textStyle: { color: palette.quiet },
    inRange: { color: [...palette.heat] },
  };
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
        if (hidden.has(s.name) || value === undefined) return [];
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
