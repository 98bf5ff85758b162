import * as v from '../api/schema';
import type { Format } from './format';
import { addDays, daysIn, type Span } from './period';

/** How far a figure is from what it was. */
export interface Change {
  /** The change with its sign; empty for what is new. */
  text: string;
  trend: 'up' | 'down' | 'same' | 'new';
  /** The change as a share of what was, by which tables order; infinite for what is new. */
  share: number;
}

/** The days that figures are compared with. */
export interface Against {
  first: string;
  last: string;
  /** The hour of the clock before which the last day of both sides ends; 24 when they are whole. */
  until: number;
  /** Whether today is left out on both sides, as figures are kept by the day. */
  withoutToday?: boolean;
}

/** What an answer with figures of a period holds, and with those of the parts of it and of another that can be compared. */
export function compared<S extends v.Schema>(of: S) {
  return v.object({ first: v.string(), last: v.string(), until: v.number(), total: of, now: of, before: of });
}
export type Compared<T> = v.Of<ReturnType<typeof compared<v.Schema<T>>>>;

/** How far a value is from what it was; undefined when there is nothing on either side. */
export function changeOf(now: number, was: number, format: Format): Change | undefined {
  if (was === 0) return now === 0 ? undefined : { text: '', trend: 'new', share: Infinity };
  const share = (now - was) / was;
  const text = format.change(share);
  // What is written as 0 % is neither a rise nor a fall.
  if (Math.abs(share) < 0.0005) return { text: format.change(0), trend: 'same', share };
  return { text, trend: share > 0 ? 'up' : 'down', share };
}

/** Whether no part of a period can be compared yet: its first hour is not over. */
export function nothingCompared({ first, last, until }: Against): boolean {
  return until === 0 && first === last;
}

/** How far a figure is from what it was, in the parts that can be compared. Where these have nothing, what came since is new. */
export function changeIn<T>(sums: Compared<T>, of: (part: T) => number, format: Format): Change | undefined {
  const [now, was] = [of(sums.now), of(sums.before)];
  return changeOf(now === 0 && was === 0 && !nothingCompared(sums) ? of(sums.total) : now, was, format);
}

/** The days of two spans that can be compared where figures are kept by the day: today is left out on both sides. */
export function wholeDays(span: Span, before: Span, today: string): { now: Span; before: Span; against: Against } | undefined {
  if (span.to < today) return { now: span, before, against: { first: before.from, last: before.to, until: 24 } };
  const days = daysIn(span) - daysIn({ from: today, to: span.to });
  if (days < 1) return undefined;
  const to = addDays(before.from, days - 1);
  const was = { from: before.from, to: to < before.to ? to : before.to };
  return { now: { from: span.from, to: addDays(today, -1) }, before: was, against: { first: was.from, last: was.to, until: 24, withoutToday: true } };
}
