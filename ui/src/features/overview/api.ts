import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';
import { wirePeriod, type Period } from '../../lib/period';

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
const refresh = 10_000;

/** Totals and trend of an app; the server knows the steps of the period in the app's time zone. */
export function overview(appID: string, zone: string, p: Period) {
  const period = wirePeriod(p, zone);
  const ended = p.kind === 'preset' && (p.preset === 'yesterday' || p.preset === 'prevMonth');
  return queryOptions({
    queryKey: ['overview', appID, period],
    queryFn: async ({ signal }): Promise<Overview> => {
      const params = { app_id: appID, period };
      const [body, rows] = await Promise.all([
        read<DashboardBody>('/o/analytics/dashboard', params, signal),
        read<Row[]>('/o/analytics/sessions', params, signal),
      ]);
      return { totals: totalsOf(body, period), rows };
    },
    refetchInterval: ended ? false : refresh,
    placeholderData: (before, query) => (query?.queryKey[1] === appID ? before : undefined),
  });
}
