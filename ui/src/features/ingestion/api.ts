import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';
import type { Period } from '../../lib/period';
import { timed } from '../overview/api';

/** Items (requests, sessions, events) by what became of them: "accepted", or why they were dropped. */
export type Counts = Record<string, Record<string, number>>;

export interface Outcomes {
  totals: Counts;
  /** By local day as "2031-5-14"; days without data are absent. */
  days: Record<string, Counts>;
  /** Of the accepted ones, by item, those that had a number beyond its bound. */
  clamped: Record<string, number>;
}

export function outcomes(app: { _id: string; timezone: string }, p: Period) {
  const { params, options } = timed(app, p);
  return queryOptions({
    queryKey: ['outcomes', app._id, params.period],
    queryFn: ({ signal }) => read<Outcomes>('/o/ingest/outcomes', params, signal),
    ...options,
  });
}
