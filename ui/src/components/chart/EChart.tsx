import { useDirection } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { GridComponent, TooltipComponent } from 'echarts/components';
import { init, use as register, type EChartsType } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState, type Ref } from 'react';
import { Unloaded } from '../States';
import { patiently } from '../../lib/patiently';
import { optionsOf, type PlotSpec } from './options';
import { paletteOf, useScheme } from './palette';
import { picture, type Drawing } from './picture';
import { columnsIn, keysOf, tipOf, type Tip } from './reading';

// What all charts need; the other parts come with the first chart that needs them.
register([GridComponent, TooltipComponent, CanvasRenderer]);

interface Props {
  /** Says what the chart shows; read by screen readers, which have the table for the figures. */
  label: string;
  spec: PlotSpec;
  hidden: ReadonlySet<string>;
  drawing?: Ref<Drawing>;
}

/** Draws with ECharts. It sets styles by script only, as the page's security policy wants. */
export default function EChart({ label, spec, hidden, drawing }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType>(null);
  const scheme = useScheme();
  const still = useReducedMotion(undefined, { getInitialValueInEffect: false });
  const { dir } = useDirection();
  const parts = partsOf(spec).join();
  const ready = useParts(parts);
  const drawn = useRef(spec);
  useEffect(() => {
    drawn.current = spec;
  }, [spec]);

  // A chart knows only the parts that were there when it was made: one that needs more is made again.
  useLayoutEffect(() => {
    if (ready !== true || place.current === null) return;
    const made = init(place.current, null, { renderer: 'canvas' });
    chart.current = made;
    made.on('click', ({ dataIndex }) => pickedIn(drawn.current, dataIndex));
    const observer = new ResizeObserver(() => made.resize());
    observer.observe(place.current);
    return () => {
      observer.disconnect();
      made.dispose();
      chart.current = null;
    };
  }, [ready, parts]);

  // Before the browser goes on: it may be about to print.
  useLayoutEffect(() => {
    if (ready !== true) return;
    const palette = paletteOf();
    const { tooltip, ...option } = optionsOf(spec, palette, hidden, dir === 'rtl');
    chart.current?.setOption(
      {
        animation: !still && !printing(),
        animationDuration: 250,
        textStyle: { fontFamily: 'system-ui, sans-serif' },
        ...option,
        tooltip: {
          confine: true,
          backgroundColor: palette.card,
          borderColor: palette.line,
          textStyle: { color: palette.text },
          ...(typeof tooltip === 'object' ? tooltip : {}),
          // A node, not markup: the policy of the page forbids style attributes in markup.
          formatter: (hit: unknown) => node(tipOf(spec, hitsOf(hit), palette, hidden)),
        },
      },
      { notMerge: true },
    );
  }, [spec, hidden, scheme, still, ready, parts, dir]);

  useImperativeHandle(drawing, () => ({
    picture: (heading) => {
      const palette = paletteOf();
      return picture(place.current, heading, keysOf(spec, palette, hidden), palette);
    },
    ...(spec.kind === 'series'
      ? {
          stepAt: (x) => {
            const step = chart.current?.convertFromPixel({ xAxisIndex: 0 }, x);
            return typeof step !== 'number' ? undefined : Math.min(spec.steps.length - 1, Math.max(0, Math.round(step)));
          },
          placeOf: (step) => {
            const x = chart.current?.convertToPixel({ xAxisIndex: 0 }, step);
            return typeof x === 'number' ? x : undefined;
          },
        }
      : {}),
  }));
  if (ready === 'unloaded') return <Unloaded />;
  return <div ref={place} role="img" aria-label={label} className="drawing" />;
}

/** Passes on a click on what a chart shows. */
function pickedIn(spec: PlotSpec, index: number | undefined): void {
  if (index === undefined) return;
  if (spec.kind === 'bars') spec.onPick?.(spec.upright === true ? index : spec.rows.length - 1 - index); // the first is drawn on top
  else if (spec.kind === 'pie') spec.onPick?.(index);
  else if (spec.kind === 'heat') spec.onPick?.(Math.floor(index / spec.xs.length)); // row by row
}

/** Whether the page is drawn for paper now, where nothing can move. */
function printing(): boolean {
  return window.matchMedia('print').matches;
}

type Part = 'bars' | 'marks' | 'planes' | 'pies';

/** What a chart needs beyond lines. */
function partsOf(spec: PlotSpec): readonly Part[] {
  if (spec.kind === 'heat') return ['planes'];
  if (spec.kind === 'pie') return ['pies'];
  const marked = spec.kind === 'series' && (spec.marks ?? []).length > 0;
  return [...(columnsIn(spec) ? (['bars'] as const) : []), ...(marked ? (['marks'] as const) : [])];
}

const loaded = new Set<Part>();

/** Loads a part of ECharts. */
async function load(part: Part): Promise<void> {
  if (part === 'bars') register((await patiently(() => import('./bars'))).bars);
  else if (part === 'marks') register((await patiently(() => import('./marks'))).marks);
  else if (part === 'pies') register((await patiently(() => import('./pies'))).pies);
  else register((await patiently(() => import('./planes'))).planes);
  loaded.add(part);
}

/** Whether all of some parts, named with commas, are there; what is missing is loaded. */
function useParts(parts: string): boolean | 'unloaded' {
  const key = parts.split(',').filter((part) => part !== '' && !loaded.has(part as Part)).join();
  const [, setCame] = useState(0);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (key === '') return;
    let here = true;
    Promise.all((key.split(',') as Part[]).map(load)).then(
      () => here && setCame((n) => n + 1),
      () => here && setFailed(true),
    );
    return () => {
      here = false;
    };
  }, [key]);
  return failed ? 'unloaded' : key === '';
}

function hitsOf(hit: unknown): { dataIndex: number }[] {
  const list: unknown[] = Array.isArray(hit) ? hit : [hit];
  return list.flatMap((item) =>
    typeof item === 'object' && item !== null && 'dataIndex' in item && typeof item.dataIndex === 'number' ? [{ dataIndex: item.dataIndex }] : [],
  );
}

function node(tip: Tip | undefined): HTMLElement | string {
  if (tip === undefined) return '';
  const box = document.createElement('div');
  const title = document.createElement('div');
  title.textContent = tip.title;
  title.className = 'tip-title';
  box.append(title);
  for (const { name, value, color } of tip.rows) {
    const row = document.createElement('div');
    row.className = 'tip-row';
    const dot = document.createElement('span');
    dot.className = 'tip-dot';
    if (color !== undefined) dot.style.background = color;
    const what = document.createElement('span');
    what.textContent = name;
    const much = document.createElement('strong');
    much.textContent = value;
    row.append(dot, what, much);
    box.append(row);
  }
  return box;
}
