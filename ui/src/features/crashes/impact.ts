import { level } from '../funnels/figures';
import type { Measure, Outcome, Property } from './impactApi';

/** The parts of the impact of a group. */
export const parts = ['properties', 'cost', 'path'] as const;
export type Part = (typeof parts)[number];

/** Reads a part from an address. */
export const parsePart = (text: string): Part => parts.find((p) => p === text) ?? 'properties';

/** Whether a value is surely more or less frequent among those hit: beyond what chance explains. */
export function toneOf({ odds, adjusted }: Pick<Property, 'odds' | 'adjusted'>): 'up' | 'down' | 'none' {
  if (adjusted >= level) return 'none';
  return odds.value > 1 ? 'down' : 'up'; // more of those hit is the worse side
}

/** The farthest that odds are drawn, as a power of two. */
const farthest = 8;

/** Odds on an axis on which twice as much lies as far from even as half as much. */
export function onAxis(odds: number | undefined): number {
  if (odds === undefined) return farthest;
  return odds <= 0 ? -farthest : Math.min(Math.max(Math.log2(odds), -farthest), farthest);
}

/** The ends of the axis of odds: as far to both sides. */
export function axisOf(list: readonly { odds: Measure }[]): number {
  return Math.max(1, ...list.flatMap(({ odds }) => [Math.abs(onAxis(odds.low)), Math.abs(onAxis(odds.high))]));
}

/** The properties to show: those that are surely different, or else the first few. */
export function shownOf(list: readonly Property[], most: number): { sure: number; rows: readonly Property[] } {
  const sure = list.filter((p) => p.adjusted < level);
  return { sure: sure.length, rows: (sure.length === 0 ? list.slice(0, 5) : sure).slice(0, most) };
}

/** What can be said of an outcome. */
export type Said = 'early' | 'few' | 'fewer' | 'more' | 'same';

/** What the figures of an outcome say: fewer or more of those hit did it, no difference that chance does not explain, or nothing. */
export function saidOf({ followed, few, difference }: Pick<Outcome, 'followed' | 'few' | 'difference'>): Said {
  if (followed === 0) return 'early';
  if (few || difference === undefined) return 'few';
  if (difference.high !== undefined && difference.high < 0) return 'fewer';
  return difference.low > 0 ? 'more' : 'same';
}
