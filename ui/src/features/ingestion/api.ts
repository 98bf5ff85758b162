import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';
import * as v from '../../api/schema';
import type { Period } from '../../lib/period';
import { timed } from '../../parts/figures/api';

/** Items (requests, sessions, events) by what became of them: "accepted", or why they were dropped. */
export const Counts = v.record(v.record(v.number()));
export type Counts = v.Of<typeof Counts>;

export const Outcomes = v.object({
  totals: Counts,
  /** By local day as "2031-5-14"; days without data are absent. */
  days: v.record(Counts),
  /** Of the accepted ones, by item, those that had a number beyond its bound. */
  clamped: v.record(v.number()),
});
export type Outcomes = v.Of<typeof Outcomes>;

export function outcomes(app: { _id: string; timezone: string }, p: Period) {
  const { params, options } = timed(app, p);
  return queryOptions({
    queryKey: ['outcomes', app._id, params.period],
    queryFn: ({ signal }) => read('/o/ingest/outcomes', Outcomes, params, signal),
    ...options,
  });
}
