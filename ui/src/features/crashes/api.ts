import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write } from '../../api/client';
import * as v from '../../api/schema';
import { byColumn, type Listing } from '../../components/table/listing';
import { Broken, paramsOf, type Question } from '../../parts/trends/api';

/** The event that reports of crashes are rows of. */
export const crashKey = '[CLY]_crash';

/** A group of reports of the same crash. Times are in seconds. */
export const GroupRow = v.object({
  _id: v.string(),
  name: v.text,
  error: v.fallback(v.text, ''),
  os: v.fallback(v.text, ''),
  nonfatal: v.boolean(),
  is_new: v.boolean(),
  is_resolved: v.boolean(),
  is_hidden: v.optional(v.boolean()),
  is_renewed: v.optional(v.boolean()),
  is_resolving: v.optional(v.boolean()),
  reports: v.number(),
  users: v.number(),
  startTs: v.number(),
  lastTs: v.number(),
  latest_version: v.fallback(v.text, ''),
});
export type GroupRow = v.Of<typeof GroupRow>;

/** A number that reports carry: sum, count, least and most. */
export const Span = v.object({ total: v.number(), count: v.number(), min: v.number(), max: v.number() });
export type Span = v.Of<typeof Span>;

const Bars = v.fallback(v.record(v.number()), {});

/** What somebody wrote about a group. Times are in ms. */
export const Comment = v.object({
  _id: v.string(),
  text: v.text,
  time: v.number(),
  edit_time: v.optional(v.number()),
  author: v.fallback(v.text, ''),
  author_id: v.fallback(v.text, ''),
});
export type Comment = v.Of<typeof Comment>;

/** One report, as it came. Its time is in seconds. */
export const Report = v.object({
  _id: v.string(),
  ts: v.number(),
  uid: v.fallback(v.text, ''),
  error: v.fallback(v.text, ''),
  raw_error: v.optional(v.text),
  os: v.fallback(v.text, ''),
  os_version: v.fallback(v.text, ''),
  app_version: v.fallback(v.text, ''),
  device: v.fallback(v.text, ''),
  manufacture: v.fallback(v.text, ''),
  logs: v.fallback(v.text, ''),
  custom: v.fallback(v.record(v.unknown()), {}),
  binary_crash_dump: v.fallback(v.boolean(), false),
});
export type Report = v.Of<typeof Report>;

/** The parts of a group that its public page may show. */
export const sharedParts = ['stack', 'state', 'reports', 'users', 'times', 'platform'] as const;
export type SharedPart = (typeof sharedParts)[number];

/** The distributions of a group: values with the number of reports that have them. */
export const barNames = ['app_version', 'os_version', 'device', 'manufacture', 'resolution', 'orientation', 'cpu', 'opengl', 'root', 'online', 'muted', 'signal', 'background'] as const;
export type BarName = (typeof barNames)[number];

/** The numbers of a group. */
export const spanNames = ['ram', 'disk', 'bat', 'run', 'session'] as const;

/** A group with all that is known of it. */
export const Group = v.object({
  ...GroupRow.entries,
  resolved_version: v.optional(v.nullable(v.text)),
  total: v.number(),
  url: v.fallback(v.text, ''),
  is_public: v.fallback(v.boolean(), false),
  share: v.fallback(v.record(v.unknown()), {}),
  comments: v.fallback(v.array(Comment), []),
  custom: v.fallback(v.record(Bars), {}),
  raw_error: v.optional(v.text),
  data: v.array(Report),
  app_version: Bars,
  os_version: Bars,
  device: Bars,
  manufacture: Bars,
  resolution: Bars,
  orientation: Bars,
  cpu: Bars,
  opengl: Bars,
  root: Bars,
  online: Bars,
  muted: Bars,
  signal: Bars,
  background: Bars,
  ram: v.optional(Span),
  disk: v.optional(Span),
  bat: v.optional(Span),
  run: v.optional(Span),
  session: v.optional(Span),
});
export type Group = v.Of<typeof Group>;

/** What the list of groups is narrowed to: a preset of the API, and what is searched for in fields. */
export interface Narrowed {
  preset: string;
  os: string;
  version: string;
}

/** The groups of an app, which the server searches, orders and pages. */
export function groupList(appID: string, { preset, os, version }: Narrowed): Listing<GroupRow> {
  const query = { ...(os === '' ? {} : { os }), ...(version === '' ? {} : { latest_version: version }) };
  return {
    key: ['crashes', appID, 'groups'],
    path: '/o',
    params: {
      method: 'crashes',
      app_id: appID,
      ...(preset === '' ? {} : { filter: preset }),
      ...(Object.keys(query).length === 0 ? {} : { query: JSON.stringify(query) }),
    },
    row: GroupRow,
    order: byColumn(['', 'name', 'os', 'reports', 'lastTs', 'users', 'latest_version', 'startTs']),
    most: 1000,
  };
}

/** What is known of the crashes of an app of all time. */
export const Known = v.object({
  crashes: v.object({ unique: v.number(), resolved: v.number(), unresolved: v.number(), news: v.number(), renewed: v.number(), os: v.record(v.number()), app_version: v.record(v.number()) }),
});
export type Known = v.Of<typeof Known>;

/** Which groups, platforms and versions there are. */
export function known(appID: string) {
  return queryOptions({
    queryKey: ['crashes', appID, 'known'],
    queryFn: async ({ signal }) => (await read('/o', Known, { method: 'crashes', app_id: appID, graph: 1 }, signal)).crashes,
    refetchInterval: 30_000,
  });
}

/** A group. Reading it makes it one that was seen. */
export function group(appID: string, id: string) {
  return queryOptions({
    queryKey: ['crashes', appID, 'group', id],
    queryFn: ({ signal }) => read('/o', Group, { method: 'crashes', app_id: appID, group: id }, signal),
    staleTime: 10_000,
  });
}

/** What people decide about groups. */
export type Decision = 'resolve' | 'unresolve' | 'resolving' | 'hide' | 'show' | 'delete' | 'share' | 'unshare' | 'merge';

/** Decides about groups. After a deletion it does not wait for the lists: what asked for the group would be gone before. */
export function useDecide(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ ids, what }: { ids: readonly string[]; what: Decision }) => write(`/i/crashes/${what}`, { app_id: appID, args: { crashes: ids } }),
    onSuccess: (_, { ids, what }) => {
      if (what === 'delete' || what === 'merge') {
        for (const id of ids) queries.removeQueries({ queryKey: ['crashes', appID, 'group', id] });
        void queries.invalidateQueries({ queryKey: ['crashes', appID] });
        return undefined;
      }
      return queries.invalidateQueries({ queryKey: ['crashes', appID] });
    },
  });
}

/** What is written to a group: comments, and what its public page shows. */
export type Note = { what: 'add_comment'; text: string } | { what: 'edit_comment'; comment_id: string; text: string } | { what: 'delete_comment'; comment_id: string } | { what: 'modify_share'; data: Record<string, number> };

/** Writes to a group. */
export function useNote(appID: string, id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ what, ...rest }: Note) => write(`/i/crashes/${what}`, { app_id: appID, args: { crash_id: id, app_id: appID, ...rest } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['crashes', appID, 'group', id] }),
  });
}

/** How many versions are compared. */
export const mostVersions = 200;

/** What ended sessions in a period, by version of the app as users had it. */
export function hitByVersion(app: { _id: string; timezone: string }, q: Question) {
  const params = { ...paramsOf(app, { ...q, by: ['up.av'], before: undefined }), limit: mostVersions };
  return queryOptions({ queryKey: ['crashes', app._id, 'versions', params], queryFn: ({ signal }) => read('/o', Broken, params, signal), staleTime: 20_000 });
}

/** Groups that spread: reported by a share of the sessions of the last minutes. Shares are of 1, and percent of 100. */
export const Velocity = v.object({
  minutes: v.number(),
  percent: v.number(),
  sessions: v.number(),
  groups: v.array(v.object({ _id: v.string(), name: v.text, nonfatal: v.boolean(), sessions: v.number(), users: v.number(), share: v.number() })),
});
export type Velocity = v.Of<typeof Velocity>;

/** The groups that spread now. */
export function velocity(appID: string) {
  return queryOptions({
    queryKey: ['crashes', appID, 'velocity'],
    queryFn: ({ signal }) => read('/o', Velocity, { method: 'crash_velocity', app_id: appID }, signal),
    refetchInterval: 60_000,
  });
}

/** A group that changed with a release, with its reports there and in the one before; a ratio of 0 means that there were none before. */
const Changed = v.object({ _id: v.string(), name: v.text, nonfatal: v.boolean(), reports: v.number(), before: v.number(), ratio: v.number() });
export type Changed = v.Of<typeof Changed>;

/** What changed with a version of the app: groups that are new, that came back, and that are more frequent than in the one before. */
export const ReleaseChange = v.object({
  version: v.text,
  before: v.text,
  sessions: v.number(),
  fatal: v.number(),
  nonfatal: v.number(),
  new: v.array(Changed),
  returned: v.array(Changed),
  frequent: v.array(Changed),
  counts: v.object({ new: v.number(), returned: v.number(), frequent: v.number() }),
});
export type ReleaseChange = v.Of<typeof ReleaseChange>;

/** The latest releases of an app, the latest first. */
export function releases(appID: string) {
  return queryOptions({
    queryKey: ['crashes', appID, 'releases'],
    queryFn: async ({ signal }) => (await read('/o', v.object({ releases: v.array(ReleaseChange) }), { method: 'crash_releases', app_id: appID }, signal)).releases,
    staleTime: 30_000,
  });
}

/** A group that a user reported. Its time is in seconds. */
export const OfUser = v.object({ group: v.string(), reports: v.number(), last: v.number(), name: v.fallback(v.text, ''), nonfatal: v.optional(v.boolean()) });
export type OfUser = v.Of<typeof OfUser>;

/** The groups that a user reported, the latest first. */
export function crashesOf(appID: string, uid: string) {
  return queryOptions({
    queryKey: ['crashes', appID, 'user', uid],
    queryFn: async ({ signal }) => (await read('/o', v.object({ aaData: v.array(OfUser) }), { method: 'user_crashes', app_id: appID, uid, names: true }, signal)).aaData,
  });
}

/** A variant of a group: reports that say the same. Times are in seconds. */
export const Variant = v.object({ _id: v.string(), name: v.text, reports: v.number(), users: v.number(), lastTs: v.number(), pinned: v.boolean(), error: v.text });
export type Variant = v.Of<typeof Variant>;

/** The variants of a group, those with the most reports first. */
export function variants(appID: string, id: string) {
  return queryOptions({
    queryKey: ['crashes', appID, 'group', id, 'variants'],
    queryFn: ({ signal }) => read('/o', v.object({ total: v.number(), variants: v.array(Variant) }), { method: 'crash_variants', app_id: appID, group: id }, signal),
  });
}

/** Splits variants off a group. */
export function useSplit(appID: string, id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (ids: readonly string[]) => write('/i/crashes/split', { app_id: appID, args: { crash_id: id, variants: ids } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['crashes', appID] }),
  });
}
