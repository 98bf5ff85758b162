import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';
import * as v from '../../api/schema';
import { type Period } from '../../lib/period';
import { filterParam, timed, type Scope } from '../figures/api';

export const LoyaltyRow = v.object({
  _id: v.string(),
  count: v.number(),
  index: v.number(),
});
export type LoyaltyRow = v.Of<typeof LoyaltyRow>;

/** Users by their number of sessions, of all time and of those active lately. */
export const Loyalty = v.object({
  all: v.array(LoyaltyRow),
  '7days': v.array(LoyaltyRow),
  '30days': v.array(LoyaltyRow),
});
export type Loyalty = v.Of<typeof Loyalty>;

export function loyalty(app: { _id: string }) {
  return queryOptions({
    queryKey: ['loyalty', app._id],
    queryFn: ({ signal }) => read('/o/app_users/loyalty', Loyalty, { app_id: app._id }, signal),
    staleTime: 10_000,
  });
}

export type RangeKind = 'frequency' | 'durations';

/** Sessions by the index of a range. */
export function ranges(app: Scope, kind: RangeKind, p: Period) {
  const { params, options } = timed(app, p);
  return queryOptions({
    queryKey: ['ranges', app._id, kind, params],
    queryFn: async ({ signal }) => {
      const rows = await read(`/o/analytics/${kind}`, v.array(v.object({ f: v.optional(v.string()), ds: v.optional(v.string()), t: v.number() })), params, signal);
      return new Map(rows.map((r) => [Number(r.f ?? r.ds), r.t]));
    },
    ...options,
  });
}

/** Sessions by weekday, Sunday first, and hour of the device's clock; of all time. */
export function timesOfDay(app: Pick<Scope, '_id' | 'filter'>, what: string) {
  return queryOptions({
    queryKey: ['times', app._id, what, app.filter],
    queryFn: ({ signal }) => read('/o', v.array(v.array(v.number())), { app_id: app._id, method: 'times-of-day', tod_type: what, ...filterParam(app) }, signal),
    staleTime: 10_000,
  });
}
