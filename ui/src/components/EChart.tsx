import { useComputedColorScheme } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { BarChart, LineChart } from 'echarts/charts';
import { GridComponent, TooltipComponent } from 'echarts/components';
import { init, use as register, type EChartsType } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useRef } from 'react';

register([BarChart, LineChart, GridComponent, TooltipComponent, CanvasRenderer]);

export interface ChartProps {
  /** Says what the chart shows; read by screen readers, which have the table for the figures. */
  label: string;
  /** Name of the figure, as the tooltip shows it. */
  name: string;
  steps: readonly { label: string; tick: string; value: number }[];
  format: (value: number) => string;
  /** Format of the axis, where room is scarce. */
  formatTick: (value: number) => string;
  /** Whether values between whole numbers make sense. */
  continuous: boolean;
}

/** Draws with ECharts. It sets styles by script only, as the page's security policy wants. */
export default function EChart({ label, name, steps, format, formatTick, continuous }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType>(null);
  const scheme = useComputedColorScheme('light');
  const still = useReducedMotion();

  useEffect(() => {
    if (place.current === null) return;
    const made = init(place.current, null, { renderer: 'canvas' });
    chart.current = made;
    const observer = new ResizeObserver(() => made.resize());
    observer.observe(place.current);
    return () => {
      observer.disconnect();
      made.dispose();
      chart.current = null;
    };
  }, []);

  useEffect(() => {
    const style = getComputedStyle(document.documentElement);
    const color = (variable: string) => style.getPropertyValue(variable).trim();
    const series = color('--quipu-series');
    const quiet = color('--mantine-color-dimmed');
    const line = color('--quipu-line');
    const single = steps.length < 3;
    chart.current?.setOption(
      {
        animation: !still,
        animationDuration: 250,
        textStyle: { fontFamily: 'system-ui, sans-serif' },
        grid: { left: 8, right: 16, top: 16, bottom: 4, containLabel: true },
        tooltip: {
          trigger: 'axis',
          confine: true,
          backgroundColor: color('--quipu-card'),
          borderColor: line,
          textStyle: { color: color('--mantine-color-text') },
          axisPointer: { type: single ? 'shadow' : 'line', lineStyle: { color: quiet } },
          // A node, not markup: the policy of the page forbids style attributes in markup.
          formatter: (hit: unknown) => tip(name, hit, steps, format),
        },
        xAxis: {
          type: 'category',
          data: steps.map((s) => s.tick),
          boundaryGap: single,
          axisLine: { lineStyle: { color: line } },
          axisTick: { show: false },
          axisLabel: { color: quiet, hideOverlap: true },
        },
        yAxis: {
          type: 'value',
          ...(continuous ? {} : { minInterval: 1 }),
          splitNumber: 4,
          axisLabel: { color: quiet, formatter: formatTick },
          splitLine: { lineStyle: { color: line } },
        },
        series: [
          {
            type: single ? 'bar' : 'line',
            barMaxWidth: 64,
            data: steps.map((s) => s.value),
            showSymbol: steps.length <= 31,
            symbol: 'circle',
            symbolSize: 6,
            lineStyle: { width: 2.5 },
            itemStyle: { color: series, borderRadius: [4, 4, 0, 0] },
            areaStyle: { opacity: 0.1 },
            emphasis: { focus: 'none' },
          },
        ],
      },
      { notMerge: true },
    );
  }, [name, steps, format, formatTick, continuous, scheme, still]);

  return <div ref={place} role="img" aria-label={label} style={{ width: '100%', height: '100%' }} />;
}

/** The tooltip of the step under the pointer. */
function tip(
  name: string,
  hit: unknown,
  steps: ChartProps['steps'],
  format: ChartProps['format'],
): HTMLElement {
  const node = document.createElement('div');
  const first: unknown = Array.isArray(hit) ? hit[0] : hit;
  const index = typeof first === 'object' && first !== null && 'dataIndex' in first ? Number(first.dataIndex) : -1;
  const step = steps[index];
  if (step === undefined) return node;
  const when = document.createElement('div');
  when.textContent = step.label;
  const what = document.createElement('strong');
  what.textContent = `${format(step.value)} ${name}`;
  node.append(when, what);
  return node;
}
