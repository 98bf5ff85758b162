import { labelled, ticksOf } from './axis';
import { colorOf, type Palette } from './reading';
import type { SeriesSpec } from './spec';

/** Where the lines of a chart lie, in pixels. */
export interface Plan {
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** The marks of the value axis: from 0, or below where values are. */
  ticks: readonly number[];
  x: (step: number) => number;
  y: (value: number) => number;
}

const gap = { left: 8, right: 20, top: 16, bottom: 26, labels: 8 };
const font = '12px system-ui, sans-serif';

/** The values of a series that are drawn: one that goes on ends at the present step. */
export function valuesOf(spec: SeriesSpec, index: number): (number | undefined)[] {
  const s = spec.series[index];
  const end = s?.quiet === true || spec.present === undefined ? spec.steps.length : spec.present + 1;
  return spec.steps.map((_, i) => (i < end ? s?.values[i] : undefined));
}

/** The step that lies nearest to a place. */
export function stepAt(plan: Plan, count: number, x: number): number {
  const share = (x - plan.left) / (plan.right - plan.left || 1);
  const step = Math.round((plan.x(0) > plan.x(1) ? 1 - share : share) * (count - 1));
  return Math.min(count - 1, Math.max(0, step));
}

/** Lays a chart out in a box. */
export function planOf(spec: SeriesSpec, hidden: ReadonlySet<string>, pen: CanvasRenderingContext2D, width: number, height: number, rtl: boolean): Plan {
  pen.font = font;
  const shown = spec.series.filter((s) => !hidden.has(s.name));
  const values = shown.flatMap((s) => s.values.map((v) => v ?? 0));
  const ticks = ticksOf(Math.max(0, ...values), spec, Math.min(0, ...values));
  const names = Math.max(...ticks.map((tick) => pen.measureText(spec.formatTick(tick)).width)) + gap.labels;
  const [left, right] = rtl ? [gap.right, width - gap.left - names] : [gap.left + names, width - gap.right];
  const top = (spec.marks ?? []).length > 0 ? 28 : gap.top;
  const bottom = height - gap.bottom;
  const last = Math.max(1, spec.steps.length - 1);
  const [start, end] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  return {
    left, right, top, bottom, ticks,
    x: (step) => (rtl ? right - (step / last) * (right - left) : left + (step / last) * (right - left)),
    y: (value) => bottom - ((value - start) / (end - start)) * (bottom - top),
  };
}

/** Draws lines over the steps of a period; the step pointed at has a line of its own. */
export function drawLines(pen: CanvasRenderingContext2D, plan: Plan, spec: SeriesSpec, palette: Palette, hidden: ReadonlySet<string>, rtl: boolean, pointed?: number): void {
  drawAxes(pen, plan, spec, palette, rtl);
  if (pointed !== undefined) stroke(pen, palette.quiet, 1, [], [[plan.x(pointed), plan.top], [plan.x(pointed), plan.bottom]]);
  const shown = spec.series.map((s, index) => ({ s, index })).filter(({ s }) => !hidden.has(s.name));
  const loud = shown.filter(({ s }) => s.quiet !== true);
  for (const { index } of shown.filter(({ s }) => s.quiet === true)) {
    for (const run of runsOf(plan, valuesOf(spec, index))) {
      stroke(pen, colorOf(spec, index, palette), 1.75, [6, 4], run.map(placeOf));
      if (run.length === 1) for (const { at } of run) dot(pen, colorOf(spec, index, palette), at[0], at[1], 3); // a line of one point is none
    }
  }
  for (const { s, index } of loud) drawLoud(pen, plan, spec, colorOf(spec, index, palette), valuesOf(spec, index), loud.length === 1 || spec.filled === true, dashes[s.dash ?? 0]);
  drawMarks(pen, plan, spec, palette);
  if (pointed === undefined) return;
  for (const { index } of loud) {
    const value = valuesOf(spec, index)[pointed];
    if (value !== undefined) dot(pen, colorOf(spec, index, palette), plan.x(pointed), plan.y(value), 5);
  }
}

/** How lines are dashed, by Series.dash. */
const dashes: readonly (readonly number[])[] = [[], [10, 4], [2, 4], [10, 4, 2, 4]];

type Place = readonly [x: number, y: number];

interface Point {
  step: number;
  at: Place;
}

const placeOf = ({ at }: Point): Place => at;

/** The stretches of values that follow one another. */
function runsOf(plan: Plan, values: readonly (number | undefined)[]): Point[][] {
  const runs: Point[][] = [];
  let open: Point[] | undefined;
  values.forEach((value, step) => {
    if (value === undefined) {
      open = undefined;
      return;
    }
    if (open === undefined) runs.push((open = []));
    open.push({ step, at: [plan.x(step), plan.y(value)] });
  });
  return runs;
}

function drawLoud(pen: CanvasRenderingContext2D, plan: Plan, spec: SeriesSpec, color: string, values: readonly (number | undefined)[], alone: boolean, dash: readonly number[] = []): void {
  for (const run of runsOf(plan, values)) {
    const goesOn = run.length > 1 && spec.present !== undefined && run.at(-1)?.step === spec.present;
    const done = goesOn ? run.slice(0, -1) : run;
    if (alone) fillBelow(pen, plan, color, run.map(placeOf));
    stroke(pen, color, 2.5, dash, done.map(placeOf));
    if (goesOn) stroke(pen, color, 2.5, [3, 4], run.slice(-2).map(placeOf));
    if (spec.steps.length <= 31 || run.length === 1) for (const { at } of run) dot(pen, color, at[0], at[1], 3);
  }
}

function drawAxes(pen: CanvasRenderingContext2D, plan: Plan, spec: SeriesSpec, palette: Palette, rtl: boolean): void {
  pen.font = font;
  pen.fillStyle = palette.quiet;
  pen.textBaseline = 'middle';
  pen.textAlign = rtl ? 'left' : 'right';
  for (const tick of plan.ticks) {
    const y = Math.round(plan.y(tick)) + 0.5;
    stroke(pen, palette.line, 1, [], [[plan.left, y], [plan.right, y]]);
    pen.fillText(spec.formatTick(tick), rtl ? plan.right + gap.labels : plan.left - gap.labels, y);
  }
  pen.textBaseline = 'top';
  const widest = Math.max(0, ...spec.steps.map(({ tick }) => pen.measureText(tick).width));
  for (const step of labelled(spec.steps.length, plan.right - plan.left, widest)) {
    const text = spec.steps[step]?.tick ?? '';
    const half = pen.measureText(text).width / 2;
    pen.textAlign = 'center';
    pen.fillText(text, Math.min(plan.right + gap.right - half, Math.max(half, plan.x(step))), plan.bottom + 10);
  }
}

function drawMarks(pen: CanvasRenderingContext2D, plan: Plan, spec: SeriesSpec, palette: Palette): void {
  (spec.marks ?? []).forEach(({ step }, i) => {
    const x = plan.x(step);
    stroke(pen, palette.quiet, 1, [2, 3], [[x, plan.top], [x, plan.bottom]]);
    pen.font = `700 ${font}`;
    const text = String(i + 1);
    const width = pen.measureText(text).width + 12;
    pen.fillStyle = palette.text;
    pen.beginPath();
    pen.roundRect(x - width / 2, plan.top - 20, width, 18, 8);
    pen.fill();
    pen.fillStyle = palette.card;
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.fillText(text, x, plan.top - 10.5);
  });
}

function trace(pen: CanvasRenderingContext2D, places: readonly Place[]): void {
  pen.beginPath();
  places.forEach(([x, y], i) => (i === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y)));
}

function stroke(pen: CanvasRenderingContext2D, color: string, width: number, dash: readonly number[], places: readonly Place[]): void {
  trace(pen, places);
  pen.strokeStyle = color;
  pen.lineWidth = width;
  pen.lineJoin = 'round';
  pen.setLineDash([...dash]);
  pen.stroke();
}

function fillBelow(pen: CanvasRenderingContext2D, plan: Plan, color: string, places: readonly Place[]): void {
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined) return;
  trace(pen, [...places, [last[0], plan.y(0)], [first[0], plan.y(0)]]);
  pen.globalAlpha = 0.1;
  pen.fillStyle = color;
  pen.fill();
  pen.globalAlpha = 1;
}

function dot(pen: CanvasRenderingContext2D, color: string, x: number, y: number, radius: number): void {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fillStyle = color;
  pen.fill();
}
