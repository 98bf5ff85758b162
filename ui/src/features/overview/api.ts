import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';
import { bucketOf, isOpen, wirePeriod, type Period } from '../../lib/period';

/** A figure of the dashboard read: the total may be text with a unit. */
export interface Block {
  total: number | string;
  change: string;
  trend: 'u' | 'd';
}

export interface Totals {
  total_sessions: Block;
  total_users: Block;
  new_users: Block;
  total_time: Block;
  avg_time: Block;
}

type DashboardBody = Record<string, { dashboard: Totals } | undefined>;

/** A step of the period: sessions, new and all users, seconds. */
export interface Row {
  _id: string;
  t: number;
  n: number;
  u: number;
  d: number;
}

export interface Overview {
  totals: Totals;
  rows: Row[];
}

/** The part of the answer that is about one period. */
export function totalsOf(body: DashboardBody, period: string): Totals {
  const part = body[period];
  if (part === undefined) throw new Error(`the answer lacks the period ${period}`);
  return part.dashboard;
}

/** How often figures of a period that goes on are read again, in ms. */
export const refresh = 10_000;

/** What every read of a period has in common. */
export function timed(app: { _id: string; timezone: string }, p: Period) {
  return {
    params: { app_id: app._id, period: wirePeriod(p, app.timezone) },
    options: {
      refetchInterval: isOpen(p, app.timezone, new Date()) ? refresh : (false as const),
      staleTime: 5_000,
    },
  };
}

/** Totals and trend of an app; the server knows the steps of the period in the app's time zone. */
export function overview(app: { _id: string; timezone: string }, p: Period, bucket = bucketOf(p)) {
  const { params, options } = timed(app, p);
  return queryOptions({
    queryKey: ['overview', app._id, params.period, bucket],
    queryFn: async ({ signal }): Promise<Overview> => {
      const [body, rows] = await Promise.all([
        read<DashboardBody>('/o/analytics/dashboard', params, signal),
        read<Row[]>('/o/analytics/sessions', { ...params, bucket }, signal),
      ]);
      return { totals: totalsOf(body, params.period), rows };
    },
    ...options,
  });
}

/** Users by their number of sessions, of all time and of those active lately. */
export interface Loyalty {
  all: LoyaltyRow[];
  '7days': LoyaltyRow[];
  '30days': LoyaltyRow[];
}

export interface LoyaltyRow {
  _id: string;
  count: number;
  index: number;
}

export function loyalty(app: { _id: string }) {
  return queryOptions({
    queryKey: ['loyalty', app._id],
    queryFn: ({ signal }) => read<Loyalty>('/o/app_users/loyalty', { app_id: app._id }, signal),
    staleTime: 10_000,
  });
}

export type RangeKind = 'frequency' | 'durations';

/** Sessions by the index of a range. */
export function ranges(app: { _id: string; timezone: string }, kind: RangeKind, p: Period) {
  const { params, options } = timed(app, p);
  return queryOptions({
    queryKey: ['ranges', app._id, kind, params.period],
    queryFn: async ({ signal }) => {
      const rows = await read<{ f?: string; ds?: string; t: number }[]>(`/o/analytics/${kind}`, params, signal);
      return new Map(rows.map((r) => [Number(r.f ?? r.ds), r.t]));
    },
    ...options,
  });
}

/** Sessions by weekday, Sunday first, and hour of the device's clock; of all time. */
export function timesOfDay(app: { _id: string }, what: string) {
  return queryOptions({
    queryKey: ['times', app._id, what],
    queryFn: ({ signal }) => read<number[][]>('/o', { app_id: app._id, method: 'times-of-day', tod_type: what }, signal),
    staleTime: 10_000,
  });
}
