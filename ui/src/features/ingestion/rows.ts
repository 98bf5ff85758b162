import { addDays, daysIn, type Span } from '../../lib/period';
import type { Counts, Outcomes } from './api';

/** An item and one of its outcomes. */
export interface OutcomeRow {
  item: string;
  outcome: string;
  count: number;
  /** Of all of that item. */
  share: number;
}

export function rowsOf(totals: Counts): OutcomeRow[] {
  return Object.entries(totals).flatMap(([item, outcomes]) => {
    const all = received(totals, item);
    return Object.entries(outcomes)
      .map(([outcome, count]) => ({ item, outcome, count, share: all === 0 ? 0 : count / all }))
      .sort((a, b) => Number(b.outcome === 'accepted') - Number(a.outcome === 'accepted') || b.count - a.count);
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
