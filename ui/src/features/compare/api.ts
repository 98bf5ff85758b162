import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';
import * as v from '../../api/schema';
import { wirePeriod, type Period } from '../../lib/period';
import type { Scope } from '../../parts/figures/api';

/** What an app, or all, come to. Crashes are fatal ones; null where the reader may not know them. */
const Counters = v.object({
  sessions: v.number(),
  users: v.number(),
  new: v.number(),
  events: v.number(),
  seconds: v.number(),
  crashes: v.nullable(v.number()),
  crash_free: v.nullable(v.number()),
});
export type Counters = v.Of<typeof Counters>;

/** Sums over apps. Users of all are people: users of several apps with one device id are one. */
export const AppSums = v.object({
  apps: v.array(v.object({ ...Counters.entries, id: v.string(), name: v.string() })),
  total: v.object({ ...Counters.entries, shared: v.number() }),
  more: v.number(),
});
export type AppSums = v.Of<typeof AppSums>;

/** The parameters of sums, as the API takes them. Days are named as such: each app has them in its own time zone. */
export function sumsParams(app: Scope, p: Period, apps: readonly { _id: string }[]) {
  const period = p.kind === 'custom' ? JSON.stringify([p.from, p.to]) : wirePeriod(p, app.timezone);
  return { period, apps: JSON.stringify(apps.map((a) => a._id)) };
}

/** What each of some apps comes to in a period, and all of them. */
export function appSums(app: Scope, p: Period, apps: readonly { _id: string }[]) {
  const params = sumsParams(app, p, apps);
  return queryOptions({ queryKey: ['compare', 'sums', params], queryFn: ({ signal }) => read('/o/compare/sums', AppSums, params, signal), staleTime: 20_000, enabled: apps.length > 0 });
}
