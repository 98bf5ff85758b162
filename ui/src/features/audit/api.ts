import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';
import * as v from '../../api/schema';
import { byColumn, type Listing } from '../../components/table/listing';

/** An entry of the audit log. */
export const Entry = v.object({
  _id: v.string(),
  /** What was done. */
  a: v.string(),
  /** What it was done to: the record before and after, and whatever else tells it. */
  i: v.record(v.unknown()),
  /** Seconds. */
  ts: v.number(),
  u: v.string(),
  ip: v.string(),
  app_id: v.optional(v.string()),
  user_id: v.string(),
});
export type Entry = v.Of<typeof Entry>;

/** What the log can be narrowed by. */
export interface Narrowing {
  action?: string;
  member?: string;
  app?: string;
  /** Days in the form 2026-01-31, both included, by the clock of the browser. */
  from?: string;
  to?: string;
}

function midnight(day: string, later = 0): number | undefined {
  const [year, month, date] = day.split('-').map(Number);
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const seconds = new Date(year, month - 1, date + later).getTime() / 1000;
  return Number.isNaN(seconds) ? undefined : seconds;
}

/** The filter of the wire for a narrowing. */
export function filterOf({ action, member, app, from = '', to = '' }: Narrowing): object {
  const since = midnight(from);
  const until = midnight(to, 1);
  return {
    ...(action === undefined ? {} : { a: action }),
    ...(member === undefined ? {} : { user_id: member }),
    ...(app === undefined ? {} : { app_id: app }),
    ...(since === undefined && until === undefined
      ? {}
      : { ts: { ...(since === undefined ? {} : { $gte: since }), ...(until === undefined ? {} : { $lt: until }) } }),
  };
}

/** The log; the endpoint wants an app to be named, whichever. */
export function auditLog(anyApp: string, only: Narrowing): Listing<Entry> {
  return {
    key: ['audit'],
    path: '/o',
    params: { method: 'systemlogs', app_id: anyApp, query: filterOf(only) },
    row: Entry,
    order: byColumn(['ts', 'a', 'u', 'ip']),
    most: 9999,
  };
}

/** The actions that occur, and the members. */
export function auditMeta(anyApp: string) {
  return queryOptions({
    queryKey: ['audit', 'meta'],
    queryFn: ({ signal }) => read('/o', v.object({ action: v.array(v.string()), users: v.array(v.object({ _id: v.string(), full_name: v.string() })) }), { method: 'systemlogs_meta', app_id: anyApp }, signal),
    staleTime: 60_000,
  });
}
