import type { SeriesSpec } from './spec';

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

/**
 * The round marks of an axis up to a value, and down to one below zero if there is any: about four, on whole numbers unless there is
 * something between them.
 */
export function ticksOf(most: number, spec: Pick<SeriesSpec, 'continuous' | 'seconds'>, least = 0): number[] {
  const step = spec.seconds === true ? clockStep(most - least) : roundStep(most - least, spec.continuous);
  const below = Math.ceil(-least / step - 1e-9);
  const above = Math.max(below > 0 ? 0 : 1, Math.ceil(most / step - 1e-9));
  return Array.from({ length: below + above + 1 }, (_, i) => (i - below) * step);
}

function roundStep(most: number, continuous: boolean): number {
  const rough = (most > 0 ? most : 1) / 4;
  const ten = 10 ** Math.floor(Math.log10(rough));
  const step = ten * ([1, 2, 2.5, 5, 10].find((n) => n * ten >= rough * (1 - 1e-9)) ?? 10);
  return continuous ? step : Math.max(1, Math.round(step));
}

/** Which steps are named below the axis: as many as have room, evenly. */
export function labelled(count: number, width: number, widest: number): number[] {
  const room = Math.max(1, Math.floor(width / (widest + 16)));
  const every = Math.max(1, Math.ceil(count / room));
  return Array.from({ length: Math.ceil(count / every) }, (_, i) => i * every);
}
