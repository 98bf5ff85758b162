import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { App } from '../../access/apps';
import { read, write, writeFor } from '../../api/client';
import * as v from '../../api/schema';

/** How many people are online, and how many of these are in their first session. */
const counts = { o: v.number(), n: v.number() };

/** The most people of a bucket that begins at t (ms), and when (ms) they were online. Bound says that there may have been fewer. */
export const Point = v.object({ t: v.number(), ...counts, oa: v.optional(v.number()), na: v.optional(v.number()), bound: v.optional(v.boolean()) });
export type Point = v.Of<typeof Point>;

const Parts = v.object({ cc: v.record(v.number()), lv: v.record(v.number()), src: v.record(v.number()) });

/** Who is online, and who was at most. Window is after how many seconds without a sign of life people are offline, shared how many are in several apps. */
export const Online = v.object({
  at: v.number(),
  window: v.number(),
  now: v.object(counts),
  m: Parts,
  whole: v.boolean(),
  most: Point,
  minutes: v.array(Point),
  hours: v.array(Point),
  days: v.array(Point),
  shared: v.optional(v.number()),
});
export type Online = v.Of<typeof Online>;

/** Figures, and the apps that they are of: the one at hand comes first. */
export interface Shown {
  apps: readonly [App, ...App[]];
  data: Online;
}

/** How often figures are read again, in ms. */
const pace = 5_000;

/** The parameters of figures of an app, or of several together. */
export function paramsOf(apps: readonly App[]): Record<string, string> {
  const ids = apps.map((a) => a._id);
  return { app_id: ids[0] ?? '', ...(ids.length > 1 ? { apps: JSON.stringify(ids) } : {}) };
}

/** Who is online in an app, or in several, of which the first one's clock counts. */
export function onlineNow(apps: readonly App[]) {
  const params = paramsOf(apps);
  return queryOptions({
    queryKey: ['online', params.app_id, 'now', params.apps],
    queryFn: ({ signal }) => read('/o/concurrent_users', Online, params, signal),
    placeholderData: keepPreviousData,
    refetchInterval: pace,
    staleTime: pace / 2,
  });
}

/** An alert: more (max) or fewer (min) people online than a number for some minutes, or nobody at all (type o). */
export const Alert = v.object({
  _id: v.string(),
  name: v.string(),
  app: v.string(),
  type: v.string(),
  enabled: v.boolean(),
  def: v.optional(v.string()),
  condition_title: v.string(),
  users: v.number(),
  minutes: v.number(),
  email: v.array(v.string()),
  createdByUser: v.optional(v.string()),
  last_triggered: v.optional(v.number()),
  status: v.string(),
});
export type Alert = v.Of<typeof Alert>;

/** The alerts of all apps that one sees. */
export function onlineAlerts(appID: string) {
  return queryOptions({
    queryKey: ['online', appID, 'alerts'],
    queryFn: ({ signal }) => read('/o', v.array(Alert), { method: 'concurrent_alerts', app_id: appID }, signal),
    refetchInterval: 30_000,
  });
}

/** What is sent of an alert. */
export interface Fields {
  _id?: string;
  name: string;
  condition_title: string;
  type: 't' | 'o';
  def?: 'max' | 'min';
  users?: number;
  minutes?: number;
  email: string[];
  enabled: boolean;
}

function useAgain(appID: string) {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['online', appID] });
}

/** Keeps an alert: a new one, or a change of one. */
export function useSaveAlert(appID: string) {
  const again = useAgain(appID);
  return useMutation({ mutationFn: (alert: Fields) => write('/i/concurrent_alert/save', { app_id: appID, alert }), onSuccess: again });
}

export function useDeleteAlert(appID: string) {
  const again = useAgain(appID);
  return useMutation({ mutationFn: (alertId: string) => write('/i/concurrent_alert/delete', { app_id: appID, alertId }), onSuccess: again });
}

/** Switches an alert on and off. */
export function useSwitchAlert(appID: string) {
  const again = useAgain(appID);
  return useMutation({
    mutationFn: ({ id, on }: { id: string; on: boolean }) => writeFor('/i/concurrent_alert/status', v.boolean(), { app_id: appID, status: { [id]: on } }),
    onSuccess: again,
  });
}

/** Forgets all maxima. */
export function useResetMaxima(appID: string) {
  const again = useAgain(appID);
  return useMutation({ mutationFn: (id: string) => write('/i/concurrent_users_max/reset', { app_id: id }), onSuccess: again });
}
