import { useDirection } from '@mantine/core';
import { useImperativeHandle, useLayoutEffect, useRef, useState, type PointerEvent, type Ref } from 'react';
import { drawLines, planOf, stepAt, type Plan } from './lines';
import { paletteOf, useScheme } from './palette';
import type { Drawing } from './picture';
import { keysOf, tipOf } from './reading';
import type { SeriesSpec } from './spec';
import { TipBox } from './TipBox';
import { patiently } from '../../lib/patiently';

interface Props {
  /** Says what the chart shows; read by screen readers, which have the table for the figures. */
  label: string;
  spec: SeriesSpec;
  hidden: ReadonlySet<string>;
  drawing?: Ref<Drawing>;
}

/** A step that is pointed at, and where it lies, in pixels. */
interface Pointed {
  step: number;
  at: number;
}

interface Size {
  width: number;
  height: number;
}

/** Draws lines over time; most pages draw nothing else, and are spared a charting library by it. */
export function LineChart({ label, spec, hidden, drawing }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const plan = useRef<Plan>(null);
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const [pointed, setPointed] = useState<Pointed>();
  const scheme = useScheme();
  const { dir } = useDirection();
  const rtl = dir === 'rtl';

  useLayoutEffect(() => {
    if (place.current === null) return;
    const measure = ({ clientWidth: width, clientHeight: height }: Element) => setSize((was) => (was.width === width && was.height === height ? was : { width, height }));
    measure(place.current);
    const observer = new ResizeObserver(([entry]) => entry !== undefined && measure(entry.target));
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);

  // Before the browser goes on: it may be about to print.
  useLayoutEffect(() => {
    const pen = canvas.current?.getContext('2d');
    if (canvas.current === null || pen == null || size.width === 0) return;
    const scale = window.devicePixelRatio;
    canvas.current.width = Math.round(size.width * scale);
    canvas.current.height = Math.round(size.height * scale);
    pen.scale(scale, scale);
    plan.current = planOf(spec, hidden, pen, size.width, size.height, rtl);
    drawLines(pen, plan.current, spec, paletteOf(), hidden, rtl, pointed?.step);
  }, [spec, hidden, size, pointed, scheme, rtl]);

  useImperativeHandle(drawing, () => ({
    picture: async (heading) => {
      const palette = paletteOf();
      const { picture } = await patiently(() => import('./picture'));
      return picture(place.current, heading, keysOf(spec, palette, hidden), palette);
    },
    stepAt: (x) => (plan.current === null ? undefined : stepAt(plan.current, spec.steps.length, x)),
    placeOf: (step) => plan.current?.x(step),
  }));

  const point = ({ clientX, currentTarget }: PointerEvent) => {
    if (plan.current === null) return;
    const step = stepAt(plan.current, spec.steps.length, clientX - currentTarget.getBoundingClientRect().left);
    const at = plan.current.x(step);
    setPointed((was) => (was?.step === step && was.at === at ? was : { step, at }));
  };
  const tip = pointed === undefined || pointed.step >= spec.steps.length ? undefined : tipOf(spec, [{ dataIndex: pointed.step }], paletteOf(), hidden);
  return (
    <div ref={place} role="img" aria-label={label} className="drawing line-chart" onPointerMove={point} onPointerDown={point} onPointerLeave={() => setPointed(undefined)}>
      <canvas ref={canvas} />
      {tip !== undefined && <TipBox tip={tip} at={pointed?.at ?? 0} width={size.width} />}
    </div>
  );
}
