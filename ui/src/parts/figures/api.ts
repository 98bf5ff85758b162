import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';
import * as v from '../../api/schema';
import { compared, type Compared } from '../../lib/change';
import { stepParam, type Granularity } from '../../lib/granularity';
import { isOpen, wirePeriod, type Period, type Span } from '../../lib/period';

/** Sessions, new and all users, seconds. */
export const Sums = v.object({
  t: v.number(),
  n: v.number(),
  u: v.number(),
  d: v.number(),
});
export type Sums = v.Of<typeof Sums>;

/** Sums beside those of other days. */
export const ComparedSums = compared(Sums);

/** A step of the period: sessions, new and all users, seconds. */
export const Row = v.object({
  ...Sums.entries,
  _id: v.string(),
});
export type Row = v.Of<typeof Row>;

export interface Overview {
  sums: Compared<Sums>;
  rows: Row[];
}

/** How often figures of a period that goes on are read again, in ms. */
export const refresh = 10_000;

/** How often, in ms, figures under a filter are: rows are counted for them. */
const refreshFiltered = 60_000;

/** An app, or the part of it that a filter selects. */
export type Scope = { _id: string; timezone: string; filter?: string };

/** The parameter that selects a part of an app. */
export const filterParam = ({ filter }: Pick<Scope, 'filter'>): { filter?: string } => (filter === undefined ? {} : { filter });

/** What every read of a period has in common. */
export function timed(app: Scope, p: Period) {
  const filtered = app.filter !== undefined;
  return {
    params: { app_id: app._id, period: wirePeriod(p, app.timezone), ...filterParam(app) },
    options: {
      refetchInterval: isOpen(p, app.timezone, new Date()) ? (filtered ? refreshFiltered : refresh) : (false as const),
      staleTime: filtered ? refreshFiltered / 2 : 5_000,
    },
  };
}

/** The parameter of the days that a period is compared with. */
export function againstParam(app: { timezone: string }, against: Span): { against: string } {
  return { against: wirePeriod({ kind: 'custom', ...against }, app.timezone) };
}

/** Sums of an app over a period beside those of other days; the server knows which parts of them can be compared. */
export function sums(app: Scope, p: Period, against: Span) {
  const { params, options } = timed(app, p);
  const asked = { ...params, ...againstParam(app, against) };
  return queryOptions({
    queryKey: ['overview', app._id, 'sums', asked],
    queryFn: ({ signal }) => read('/o/analytics/compare', ComparedSums, asked, signal),
    ...options,
  });
}

/** The steps of a period in the app's time zone. */
export function course(app: Scope, p: Period, step: Granularity) {
  const { params, options } = timed(app, p);
  return queryOptions({
    queryKey: ['overview', app._id, 'course', params, step],
    queryFn: ({ signal }) => read('/o/analytics/sessions', v.array(Row), { ...params, step: stepParam(step) }, signal),
    ...options,
  });
}
