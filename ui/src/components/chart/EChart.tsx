import { useDirection } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { BarChart, HeatmapChart, LineChart, MapChart } from 'echarts/charts';
import { GridComponent, MarkLineComponent, TooltipComponent, VisualMapComponent } from 'echarts/components';
import { getMap, init, registerMap, use as register, type EChartsType } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState, type Ref } from 'react';
import { keysOf, optionsOf, tipOf, type Key, type Palette, type Tip } from './options';
import { paletteOf, useScheme } from './palette';
import type { ChartSpec } from './spec';

register([BarChart, HeatmapChart, LineChart, MapChart, GridComponent, MarkLineComponent, TooltipComponent, VisualMapComponent, CanvasRenderer]);

/** What can be asked of a drawn chart. */
export interface Drawing {
  /** The chart as a picture, with a heading. */
  picture: (heading: string) => Promise<Blob>;
}

interface Props {
  /** Says what the chart shows; read by screen readers, which have the table for the figures. */
  label: string;
  spec: ChartSpec;
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
  const ready = useWorld(spec.kind === 'map');

  useLayoutEffect(() => {
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

  // Before the browser goes on: it may be about to print.
  useLayoutEffect(() => {
    if (!ready) return;
    const palette = paletteOf();
    const option = optionsOf(spec, palette, hidden, dir === 'rtl') as { tooltip: object };
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
          ...option.tooltip,
          // A node, not markup: the policy of the page forbids style attributes in markup.
          formatter: (hit: unknown) => node(tipOf(spec, hitsOf(hit), palette, hidden)),
        },
      },
      { notMerge: true },
    );
  }, [spec, hidden, scheme, still, ready, dir]);

  useImperativeHandle(drawing, () => ({
    picture: (heading) => {
      const palette = paletteOf();
      return picture(place.current, heading, keysOf(spec, palette, hidden), palette);
    },
  }));
  return <div ref={place} role="img" aria-label={label} className="drawing" />;
}

/** Whether the page is drawn for paper now, where nothing can move. */
function printing(): boolean {
  return window.matchMedia('print').matches;
}

/** Loads the borders of countries when a map is wanted. */
function useWorld(wanted: boolean): boolean {
  const [loaded, setLoaded] = useState(() => getMap('world') !== undefined);
  useEffect(() => {
    if (!wanted || loaded) return;
    let here = true;
    void import('./world').then(({ world }) => {
      registerMap('world', world() as unknown as Parameters<typeof registerMap>[1]);
      if (here) setLoaded(true);
    });
    return () => {
      here = false;
    };
  }, [wanted, loaded]);
  return loaded || !wanted;
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

async function picture(place: HTMLElement | null, heading: string, keys: readonly Key[], palette: Palette): Promise<Blob> {
  const source = place?.querySelector('canvas');
  if (source == null) throw new Error('there is no chart');
  const scale = source.width / source.clientWidth;
  const head = (keys.length === 0 ? 44 : 70) * scale;
  const canvas = document.createElement('canvas');
  canvas.width = source.width;
  canvas.height = source.height + head;
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('the browser draws nothing');
  pen.fillStyle = palette.card;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = palette.text;
  pen.font = `600 ${15 * scale}px system-ui, sans-serif`;
  pen.fillText(heading, 14 * scale, 27 * scale, canvas.width - 28 * scale);
  pen.font = `${13 * scale}px system-ui, sans-serif`;
  let x = 14 * scale;
  for (const { name, color } of keys) {
    pen.fillStyle = color;
    pen.fillRect(x, 46 * scale, 14 * scale, 5 * scale);
    pen.fillStyle = palette.text;
    pen.fillText(name, x + 20 * scale, 53 * scale);
    x += 40 * scale + pen.measureText(name).width;
  }
  pen.drawImage(source, 0, head);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('the browser makes no picture')) : resolve(blob)), 'image/png');
  });
}
