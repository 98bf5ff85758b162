import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';
import * as v from '../../api/schema';
import { byField, type Listing } from '../../components/table/listing';

/** A request that an app received. Times in ms. */
export const Logged = v.object({
  _id: v.string(),
  /** By the clock of the device. */
  ts: v.number(),
  reqts: v.number(),
  d: v.object({ id: v.text, d: v.text, p: v.text, pv: v.text }),
  l: v.object({ cc: v.text, cty: v.text }),
  v: v.text,
  /** What the request is about, with what it says of each. */
  t: v.record(v.text),
  q: v.string(),
  s: v.object({ version: v.text, name: v.text }),
  h: v.record(v.text),
  m: v.string(),
  b: v.boolean(),
  /** False, or why the request was not taken. */
  c: v.union([v.literal(false), v.string()]),
  res: v.string(),
  p: v.array(v.string()),
});
export type Logged = v.Of<typeof Logged>;

/** How many requests an app keeps. */
const most = 1000;

export const outcomes = ['taken', 'refused', 'problem'] as const;

/** What the log can be narrowed by: what requests are about, and what became of them. */
export interface Narrowing {
  kind?: string;
  outcome?: string;
}

/** The filter of the wire for a narrowing; undefined for all. */
export function filterOf({ kind, outcome }: Narrowing): object | undefined {
  const of: Record<string, object> = {
    taken: { c: false },
    refused: { c: { $ne: false } },
    problem: { p: { $not: { $size: 0 } } },
  };
  const filter = { ...(kind === undefined ? {} : { [`t.${kind}`]: { $exists: true } }), ...of[outcome ?? ''] };
  return Object.keys(filter).length === 0 ? undefined : filter;
}

const ask = (appID: string) => ({ method: 'logs', app_id: appID, sEcho: 1 });
const keyOf = (appID: string) => ['logger', appID];

/** The last requests of an app. */
export function requestLog(appID: string, only: Narrowing): Listing<Logged> {
  return { key: [...keyOf(appID), 'table'], path: '/o', params: { ...ask(appID), filter: filterOf(only) }, row: Logged, order: byField, most };
}

/** Whether requests are kept, and what those that are kept are about. */
export function logState(appID: string) {
  return queryOptions({
    queryKey: [...keyOf(appID), 'state'],
    queryFn: ({ signal }) => read('/o', v.object({ state: v.string(), kinds: v.array(v.string()) }), { ...ask(appID), iDisplayLength: 1 }, signal),
  });
}

/** One request of the log; null when it is kept no more. */
export function logged(appID: string, id: string) {
  return queryOptions({
    queryKey: [...keyOf(appID), 'one', id],
    queryFn: async ({ signal }) => (await read('/o', v.object({ aaData: v.array(Logged) }), { ...ask(appID), filter: { _id: id } }, signal)).aaData[0] ?? null,
    staleTime: Infinity,
  });
}

/** A refusal as people read it: reasons in bulk requests are names. */
export function wordsOf(refusal: string): string {
  return /^[a-z_]+$/.test(refusal) ? refusal.replaceAll('_', ' ') : refusal;
}

/** What people should look at for a refusal, by the words of the answer, or the reason in a bulk request; undefined where its words say all. */
export function whyOf(refusal: string): 'checksum' | 'device' | 'ignored' | undefined {
  if (/checksum/.test(refusal)) return 'checksum';
  if (/Missing parameter|^malformed$/.test(refusal)) return 'device';
  return /^Ignoring|^ignored_device$/.test(refusal) ? 'ignored' : undefined;
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
