import { addDays, daysIn, type Span } from '../../lib/period';
import type { Counts, Outcomes } from './api';

/** The row that counts, of the accepted items, those that had a number beyond its bound. */
export const clamped = 'clamped';

/** An item and one of its outcomes. */
export interface OutcomeRow {
  item: string;
  outcome: string;
  count: number;
  /** Of all of that item. */
  share: number;
}

export function rowsOf(totals: Counts, limited: Record<string, number> = {}): OutcomeRow[] {
  return Object.entries(totals).flatMap(([item, outcomes]) => {
    const all = received(totals, item);
    const share = (count: number) => (all === 0 ? 0 : count / all);
    const rows = Object.entries(outcomes)
      .map(([outcome, count]) => ({ item, outcome, count, share: share(count) }))
      .sort((a, b) => Number(b.outcome === 'accepted') - Number(a.outcome === 'accepted') || b.count - a.count);
    const count = limited[item] ?? 0;
    return count === 0 ? rows : [...rows.slice(0, 1), { item, outcome: clamped, count, share: share(count) }, ...rows.slice(1)];
  });
}

/** How many of an item came. */
export function received(counts: Counts, item: string): number {
  return Object.values(counts[item] ?? {}).reduce((sum, n) => sum + n, 0);
}

/** How many of an item were taken. */
export function accepted(counts: Counts, item: string): number {
  return counts[item]?.accepted ?? 0;
}

/** The days of a span, each with what came and what was dropped of an item; days without data have nothing. */
export function daysOf({ days }: Pick<Outcomes, 'days'>, span: Span, item: string): { _id: string; accepted: number; dropped: number }[] {
  return Array.from({ length: daysIn(span) }, (_, i) => {
    const [year, month, day] = addDays(span.from, i).split('-').map(Number);
    const _id = `${year ?? 0}-${month ?? 0}-${day ?? 0}`;
    const counts = days[_id] ?? {};
    const taken = accepted(counts, item);
    return { _id, accepted: taken, dropped: received(counts, item) - taken };
  });
}
