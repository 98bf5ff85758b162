import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, read, write } from '../../api/client';
import * as v from '../../api/schema';
import { countParam } from '../../components/filter/CountBy';
import { wirePeriod, type Period, type Span } from '../../lib/period';
import { orderOf, paramOf, type Measure } from './measure';
import { zoneOf, type Days } from './report';

/** The figures of a place of an answer: people, times, sum, seconds, and what was measured beside them. */
export const Figures = v.object({
  u: v.number(),
  t: v.number(),
  s: v.number(),
  dur: v.number(),
  m: v.optional(v.array(v.nullable(v.number()))),
});
export type Figures = v.Of<typeof Figures>;

/** A group of a breakdown: its values, null where there is none. */
export const Segment = v.object({ ...Figures.entries, keys: v.record(v.unknown()) });
export type Segment = v.Of<typeof Segment>;

const GroupCourse = v.record(v.record(v.record(Figures)));

/** The bucket of an earlier time that lies beside one of the period; of a breakdown, the figures of its groups. */
const Beside = v.object({ ...Figures.entries, at: v.string() });
const BesideGroups = v.record(v.record(v.object({ at: v.string(), groups: v.optional(v.record(Figures)) })));

/** The answer to a question without a breakdown. */
export const Plain = v.object({
  totals: Figures,
  data: v.record(v.record(Figures)),
  compare: v.optional(v.object({ totals: Figures, data: v.record(v.record(Beside)) })),
});
export type Plain = v.Of<typeof Plain>;

/** The answer to a question with a breakdown. */
export const Broken = v.object({
  totals: Figures,
  segments: v.record(Segment),
  data: GroupCourse,
  page_data: v.object({ total: v.number() }),
  other: v.optional(v.object({ ...Figures.entries, groups: v.number(), data: v.record(v.record(Figures)) })),
  compare: v.optional(
    v.object({
      totals: Figures,
      segments: v.optional(v.record(Figures)),
      data: v.optional(BesideGroups),
      other: v.optional(v.object({ ...Figures.entries, data: v.record(v.record(Figures)) })),
    }),
  ),
});
export type Broken = v.Of<typeof Broken>;

/** What is asked of an event. */
export interface Question {
  event: string;
  measure: Measure;
  /** A filter object. */
  filter: object;
  /** Paths of properties, at most three. */
  by: readonly string[];
  /** What people's figures count: empty for people, sessions, or the path of a property whose values are accounts. */
  count?: string;
  /** Whose days they are; absent for the app's. */
  days?: Days;
  period: Period;
  /** As the API names it: daily, weekly and so on. */
  bucket: string;
  /** The days compared with. */
  before: Span | undefined;
}

/** How many groups are drawn; with the others as one there is a colour for each. */
export const shownGroups = 5;

interface AppZone {
  _id: string;
  timezone: string;
}

/** The parameter of the days compared with. */
function comparing(app: AppZone, { before, days }: Question) {
  return before === undefined ? {} : { compare: wirePeriod({ kind: 'custom', ...before }, zoneOf(days ?? '', app.timezone)) };
}

/** What every read of a question sends. */
function asking(app: AppZone, { event, filter, period, bucket, count, days = '' }: Question) {
  const zone = zoneOf(days, app.timezone);
  return {
    app_id: app._id,
    event,
    queryObject: JSON.stringify(filter),
    period: wirePeriod(period, zone),
    bucket,
    ...countParam(count),
    ...(days === '' ? {} : { timezone: days === 'user' ? 'user' : zone }),
  };
}

/** The measure of a question, where not every answer has it, or groups are ordered by it. */
function measuring({ measure, filter, by }: Question) {
  const measured = paramOf(measure, filter);
  const { measures } = by.length > 0 ? orderOf(measure, filter) : { measures: measured === undefined ? [] : [measured] };
  return measures.length === 0 ? {} : { measures: JSON.stringify(measures) };
}

/** The fault of too many groups for an order by a ratio of two events. */
const tooManyGroups = 'drill.too_many_groups';

/** Reads groups in the order of the measure; by how often, where there are too many to be ordered by it. */
async function inOrder<T>(ask: (ordered: string) => Promise<T>, by: string): Promise<T> {
  try {
    return await ask(by);
  } catch (error) {
    if (error instanceof ApiError && error.code === tooManyGroups) return ask('t');
    throw error;
  }
}

/** The parameters of a question, as the API takes them. */
export function paramsOf(app: AppZone, q: Question): Record<string, string | number | boolean> {
  const { measure, by } = q;
  return {
    method: 'segmentation',
    ...asking(app, q),
    ...measuring(q),
    ...comparing(app, q),
    ...(by.length === 0 ? {} : { projectionKey: JSON.stringify(by), limit: shownGroups, other: true, sortGraphBy: orderOf(measure, q.filter).by }),
  };
}

const stay = { staleTime: 20_000 } as const;

/** The course of an event over a period. */
export function course(app: AppZone, q: Question, onTask?: (id: string | undefined) => void) {
  const params = paramsOf(app, { ...q, by: [] });
  return queryOptions({ queryKey: ['trends', app._id, 'course', params], queryFn: ({ signal }) => read('/o', Plain, params, signal, onTask), ...stay });
}

/** The course of an event over a period, by values of properties. */
export function breakdown(app: AppZone, q: Question, onTask?: (id: string | undefined) => void) {
  const params = paramsOf(app, q);
  return queryOptions({ queryKey: ['trends', app._id, 'breakdown', params], queryFn: ({ signal }) => inOrder((sortGraphBy) => read('/o', Broken, { ...params, sortGraphBy }, signal, onTask), String(params['sortGraphBy'])), enabled: q.by.length > 0, ...stay });
}

/** One of the people behind a figure. */
export const Behind = v.object({
  uid: v.string(),
  did: v.optional(v.text),
  name: v.optional(v.text),
  /** How often, and when last (ms). */
  t: v.number(),
  last: v.number(),
});
export type Behind = v.Of<typeof Behind>;

/** Whom of a question: those of a bucket, of a group, or of all groups but some, each as a list of values. */
export interface Whom {
  at?: string;
  groups?: readonly (readonly unknown[])[];
  others?: readonly (readonly unknown[])[];
}

/** The parameters of people. */
function whose(app: AppZone, q: Question, { at, groups, others }: Whom) {
  return {
    method: 'segmentation_users',
    ...asking(app, q),
    ...(at === undefined ? {} : { at }),
    ...(groups === undefined && others === undefined ? {} : { projectionKey: JSON.stringify(q.by) }),
    ...(groups === undefined ? {} : { groups: JSON.stringify(groups) }),
    ...(others === undefined ? {} : { not_groups: JSON.stringify(others) }),
  };
}

/** The people behind a question, those who did it most often first. */
export function behind(app: AppZone, q: Question, whom: Whom = {}) {
  const asked = { ...whose(app, q, whom), limit: 100 };
  return queryOptions({
    queryKey: ['trends', app._id, 'behind', asked],
    queryFn: ({ signal }) => read('/o', v.object({ total: v.number(), users: v.array(Behind) }), asked, signal),
  });
}

/** How many people one read names, and how many of them make a group at most. */
const pageOfPeople = 1000;
const mostPeople = 100_000;

/** The numbers of all the people behind a question. */
export async function everyoneBehind(app: AppZone, q: Question, whom: Whom = {}): Promise<string[]> {
  const uids: string[] = [];
  for (;;) {
    const asked = { ...whose(app, q, whom), limit: pageOfPeople, skip: uids.length };
    const { total, users } = await read('/o', v.object({ total: v.number(), users: v.array(Behind) }), asked);
    uids.push(...users.map((u) => u.uid));
    if (users.length === 0 || uids.length >= Math.min(total, mostPeople)) return uids;
  }
}

/** A property as it is known: its type, and values where they are listed. */
const Known = v.object({ type: v.string(), values: v.optional(v.array(v.text)) });

/** What an event can be asked by. */
export function meta(appID: string, event: string) {
  return queryOptions({
    queryKey: ['trends', appID, 'meta', event],
    queryFn: ({ signal }) => read('/o', v.object({ sg: v.record(Known) }), { method: 'segmentation_meta', app_id: appID, event }, signal),
    enabled: event !== '',
    staleTime: 60_000,
  });
}

/** A question under a name. */
export const Bookmark = v.object({
  _id: v.string(),
  event_key: v.string(),
  name: v.string(),
  desc: v.fallback(v.string(), ''),
  /** Who sees it: its creator, some members, or everyone. Only the creator sees whom it is shared with. */
  visibility: v.fallback(v.picklist(['private', 'shared', 'global']), 'private'),
  shared_email_view: v.fallback(v.array(v.string()), []),
  shared_email_edit: v.fallback(v.array(v.string()), []),
  /** Whether one may change it. */
  editable: v.fallback(v.boolean(), false),
  creator: v.string(),
  /** A filter and paths of properties, as JSON. */
  query_obj: v.text,
  by_val: v.text,
  /** What these say, for people. */
  query_text: v.fallback(v.string(), ''),
  by_val_text: v.fallback(v.string(), ''),
  /** What else there is of the report, where the dashboard kept it. */
  visualization: v.optional(v.text),
  created_at: v.number(),
});
export type Bookmark = v.Of<typeof Bookmark>;

export function bookmarks(appID: string) {
  return queryOptions({
    queryKey: ['trends', appID, 'bookmarks'],
    queryFn: ({ signal }) => read('/o', v.array(Bookmark), { method: 'drill_bookmarks', app_id: appID, app_level: '1', apps: [appID] }, signal),
  });
}

/** What is sent of a bookmark. */
export interface SentBookmark {
  event_key: string;
  name: string;
  desc: string;
  global: boolean;
  /** Who sees it, of one's own. */
  visibility?: Bookmark['visibility'];
  shared_email_view?: string[];
  shared_email_edit?: string[];
  query_obj: string;
  query_text: string;
  by_val: string;
  by_val_text: string;
  visualization: string;
}

function useBookmarkWrite<T>(appID: string, run: (change: T) => Promise<void>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: run, onSuccess: () => queries.invalidateQueries({ queryKey: ['trends', appID, 'bookmarks'] }) });
}

/** Keeps a report, or changes the one of an id. */
export function useSaveBookmark(appID: string) {
  return useBookmarkWrite(appID, ({ id, sent }: { id: string | undefined; sent: SentBookmark }) =>
    id === undefined ? write('/i/drill/add_bookmark', { app_id: appID, ...sent }) : write('/i/drill/edit_bookmark', { app_id: appID, bookmark_id: id, ...sent }),
  );
}

export function useDeleteBookmark(appID: string) {
  return useBookmarkWrite(appID, (id: string) => write('/i/drill/delete_bookmark', { app_id: appID, bookmark_id: id }));
}

/** How many groups a table has. */
export const mostGroups = 200;

/** Groups with their figures, and with those of the days compared with. */
const Listed = v.object({
  segments: v.record(Segment),
  page_data: v.object({ total: v.number() }),
  compare: v.optional(v.object({ segments: v.optional(v.record(Figures)) })),
});

/** The groups of a breakdown over the whole period: the first ones in an order of the API, that of the measure unless another is given. */
export function groups(app: AppZone, q: Question, order: { by: string; desc: boolean } = { by: orderOf(q.measure, q.filter).by, desc: true }) {
  const asked = { method: 'segmentation', ...asking(app, q), ...measuring(q), ...comparing(app, q), projectionKey: JSON.stringify(q.by), list: true, limit: mostGroups };
  return queryOptions({
    queryKey: ['trends', app._id, 'groups', asked, order],
    queryFn: ({ signal }) => inOrder((by) => read('/o', Listed, { ...asked, sort: JSON.stringify({ [by]: order.desc ? -1 : 1 }) }, signal), order.by),
    ...stay,
  });
}
