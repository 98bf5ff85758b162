import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write } from '../../api/client';
import * as v from '../../api/schema';
import { byField, type Listing } from '../../components/table/listing';
import type { Profile } from '../../parts/people/api';
import { TimelineRow } from './rows';

/** What is asked of one person. */
function asking(appID: string, uid: string, calculate: string) {
  return { app_id: appID, method: 'user_details', uid, calculate };
}

/** A session. Times and lengths in seconds. */
export const Session = v.object({
  _id: v.string(),
  ts: v.number(),
  dur: v.number(),
  open: v.optional(v.boolean()),
  events: v.number(),
  views: v.number(),
  p: v.optional(v.text),
  pv: v.optional(v.text),
  av: v.optional(v.text),
  cc: v.optional(v.text),
});
export type Session = v.Of<typeof Session>;

/** The sessions of a person; the server orders and pages. */
export function sessionsOf(appID: string, uid: string): Listing<Session> {
  return { key: ['profile', appID, uid, 'sessions'], path: '/o', params: asking(appID, uid, 'sessions'), row: Session, order: byField, most: 1000 };
}

const Activity = v.object({ s: v.number(), e: v.number(), v: v.number(), tsd: v.number() });
const Course = v.object({ totals: v.object({ s: v.number(), e: v.number(), v: v.number(), tsd: v.number(), d: v.number() }), graph: v.record(Activity), buckets: v.array(v.string()) });

/** A stretch of time with the step that suits it. */
export const stretches = { month: ['30days', 'daily'], quarter: ['90days', 'weekly'], year: ['12months', 'monthly'] } as const;
export type Stretch = keyof typeof stretches;

/** The parameters of the course of a person, as the API takes them. */
export function courseParams(appID: string, uid: string, stretch: Stretch) {
  const [period, bucket] = stretches[stretch];
  return { ...asking(appID, uid, 'graph'), period, bucket };
}

/** What a person did by day, week or month. */
export function courseOf(appID: string, uid: string, stretch: Stretch) {
  return queryOptions({
    queryKey: ['profile', appID, uid, 'graph', stretch],
    queryFn: async ({ signal }) => {
      const { totals, graph, buckets } = await read('/o', Course, courseParams(appID, uid, stretch), signal);
      const none = { s: 0, e: 0, v: 0, tsd: 0 };
      return { totals, rows: buckets.map((id) => ({ ...(graph[id] ?? none), _id: id.replaceAll(':', '-') })) };
    },
  });
}

/** A property that took another value; ms. */
export const Change = v.object({ ts: v.number(), exact: v.boolean(), property: v.string(), from: v.unknown(), to: v.unknown() });
export type Change = v.Of<typeof Change>;

const History = v.object({ changes: v.array(Change), total: v.number() });

/** How many changes come at a time. */
const changesAtOnce = 20;

/** When properties of a person changed, the latest first. */
export function historyOf(appID: string, uid: string) {
  return infiniteQueryOptions({
    queryKey: ['profile', appID, uid, 'history'],
    queryFn: ({ signal, pageParam }) => read('/o', History, { ...asking(appID, uid, 'history'), iDisplayStart: pageParam, iDisplayLength: changesAtOnce }, signal),
    initialPageParam: 0,
    getNextPageParam: (last, all) => (all.length * changesAtOnce < last.total ? all.length * changesAtOnce : undefined),
  });
}

const Events = v.object({ iTotalDisplayRecords: v.number(), aaData: v.array(TimelineRow), cursor: v.optional(v.string()) });

/** What a timeline is narrowed to; the event is a key, all, or custom-events. */
export interface Narrowed {
  event: string;
  search: string;
}

/** What a person did, the latest first. */
export function timeline(appID: string, uid: string, { event, search }: Narrowed) {
  return infiniteQueryOptions({
    queryKey: ['profile', appID, uid, 'timeline', event, search],
    queryFn: ({ signal, pageParam }) => read('/o', Events, { ...asking(appID, uid, 'eventsTable'), event, sSearch: search, limit: 50, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: (last) => last.cursor,
  });
}

/** Changes a person: values by the paths of properties; a value that is undefined takes the property away. */
export function useChangeProfile(appID: string, uid: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (values: Record<string, string | number | boolean | undefined>) => write('/i/app_users/update', { app_id: appID, query: { uid }, update: updateOf(values) }),
    onSuccess: () => Promise.all([queries.invalidateQueries({ queryKey: ['profile', appID, uid] }), queries.invalidateQueries({ queryKey: ['profiles', appID] })]),
  });
}

/** The document of a change. */
export function updateOf(values: Record<string, string | number | boolean | undefined>): Record<string, unknown> {
  const kept = Object.entries(values).filter(([, value]) => value !== undefined);
  const gone = Object.entries(values).filter(([, value]) => value === undefined);
  return { ...(kept.length === 0 ? {} : { $set: Object.fromEntries(kept) }), ...(gone.length === 0 ? {} : { $unset: Object.fromEntries(gone.map(([key]) => [key, 1])) }) };
}

/** Reads a value as it is typed: numbers and true or false are taken for what they are where the value was one before. */
export function typedLike(was: unknown, text: string): string | number | boolean {
  if (typeof was === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (typeof was === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** How many properties of one's own people have to have in common. */
const alike = 3;

/** The filter of people like one: of the same country and platform, with the same first properties of one's own. */
export function likeThis(p: Profile): object {
  const own = Object.entries(p.custom ?? {})
    .filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '')
    .slice(0, alike);
  const same: [string, string | undefined][] = [['cc', p.cc], ['p', p.p], ...own.map(([name, value]): [string, string] => [`custom.${name}`, value])];
  return Object.fromEntries(same.flatMap(([path, value]) => (value === undefined || value === '' || value === 'Unknown' ? [] : [[path, { $in: [value] }]])));
}
