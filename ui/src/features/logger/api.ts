import { queryOptions, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { read } from '../../api/client';

/** A request that an app received. Times in ms. */
export interface Logged {
  _id: string;
  /** Grows from request to request. */
  seq: number;
  /** By the clock of the device. */
  ts: number;
  reqts: number;
  d: { id: string; d: string; p: string; pv: string };
  l: { cc: string; cty: string };
  v: string;
  /** What the request is about, with what it says of each. */
  t: Record<string, string>;
  q: string;
  s: { version: string; name: string };
  h: Record<string, string>;
  m: string;
  b: boolean;
  /** False, or why the request was not taken. */
  c: false | string;
  res: string;
  p: string[];
}

export interface Log {
  logs: Logged[];
  state: string;
}

/** How many requests an app keeps. */
const most = 1000;

const keyOf = (appID: string) => ['logger', appID];

/** The rows of both, the newest first, each once, and no more than the server keeps. */
export function merged(fresh: readonly Logged[], known: readonly Logged[]): Logged[] {
  const seen = new Set(fresh.map((r) => r._id));
  return [...fresh, ...known.filter((r) => !seen.has(r._id))].sort((a, b) => b.seq - a.seq).slice(0, most);
}

/** The last requests of an app. Asked again, only what came since is sent. */
export function requestLog(queries: QueryClient, appID: string) {
  return queryOptions({
    queryKey: keyOf(appID),
    queryFn: async ({ signal }): Promise<Log> => {
      const known = queries.getQueryData<Log>(keyOf(appID))?.logs ?? [];
      const last = known[0];
      const fresh = await read<Log>('/o', { method: 'logs', app_id: appID, filter: last === undefined ? undefined : { seq: { $gt: last.seq } } }, signal);
      return { state: fresh.state, logs: merged(fresh.logs, known) };
    },
  });
}

export function useRequestLog(appID: string) {
  return requestLog(useQueryClient(), appID);
}

/** The parameters of a request, each as people can read it. */
export function parametersOf(query: string): [string, string][] {
  let all: unknown;
  try {
    all = JSON.parse(query);
  } catch {
    return query === '' ? [] : [['', query]];
  }
  if (typeof all !== 'object' || all === null) return [];
  return Object.entries(all).map(([name, value]) => [name, readable(value)]);
}

/** A value with its JSON, if it is some, laid out. */
export function readable(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, undefined, 2);
  try {
    const inner: unknown = JSON.parse(value);
    return typeof inner === 'object' && inner !== null ? JSON.stringify(inner, undefined, 2) : value;
  } catch {
    return value;
  }
}
