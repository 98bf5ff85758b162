import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';
import * as v from '../../api/schema';
import { wirePeriod, type Period } from '../../lib/period';
import { Level } from '../flows/api';

/** A figure with its interval of 95 %; without an upper end it has no bound. */
export const Measure = v.object({ value: v.number(), low: v.number(), high: v.optional(v.number()) });
export type Measure = v.Of<typeof Measure>;

/** How many people are compared. */
const Population = v.object({ hit: v.number(), other: v.number(), few: v.boolean() });

/** A value of a property, with the shares in percent of those hit and of others that have it. */
export const Property = v.object({
  kind: v.string(),
  path: v.string(),
  value: v.unknown(),
  hit: v.number(),
  other: v.number(),
  hitPercent: v.number(),
  otherPercent: v.number(),
  odds: Measure,
  adjusted: v.number(),
});
export type Property = v.Of<typeof Property>;

const Properties = v.object({ users: Population, reports: Population, tested: v.number(), properties: v.array(Property) });

/** How many of those hit, and of people like them, did something within some days: percent, the difference in points. */
export const Outcome = v.object({
  kind: v.string(),
  days: v.number(),
  followed: v.number(),
  matched: v.number(),
  unhit: v.number(),
  few: v.boolean(),
  hit: v.optional(Measure),
  other: v.optional(Measure),
  difference: v.optional(Measure),
  ratio: v.optional(Measure),
});
export type Outcome = v.Of<typeof Outcome>;

const Cost = v.object({ users: v.number(), sample: v.optional(v.number()), outcomes: v.array(Outcome) });

/** A step with the sessions that have it, how many of these ended in the crash, that share in percent, and by how much it is above that of all sessions. */
export const Leading = v.object({ event: v.string(), name: v.optional(v.text), sessions: v.number(), hit: v.number(), percent: v.number(), lift: v.number() });
export type Leading = v.Of<typeof Leading>;

const CrashPaths = v.object({
  paths: v.number(),
  users: v.number(),
  levels: v.array(Level),
  sessions: v.number(),
  hit: v.number(),
  few: v.boolean(),
  steps: v.array(Leading),
});

/** Which group is asked about, and when. */
export interface Asked {
  app: { _id: string; timezone: string };
  group: string;
  period: Period;
}

type OnTask = (id: string | undefined) => void;

const paramsOf = (method: string, { app, group, period }: Asked) => ({ method, app_id: app._id, group, period: wirePeriod(period, app.timezone) });

const asking = (params: Record<string, string>) => ({ queryKey: ['crashes', params.app_id, 'group', params.group, 'impact', params], staleTime: 60_000 });

/** What those hit have more or less often than others. */
export function properties(asked: Asked, onTask: OnTask) {
  const params = paramsOf('crash_properties', asked);
  return queryOptions({ ...asking(params), queryFn: ({ signal }) => read('/o', Properties, params, signal, onTask) });
}

/** What a group cost, in return and in an event. */
export function cost(asked: Asked, event: string, onTask: OnTask) {
  const params = { ...paramsOf('crash_cost', asked), ...(event === '' ? {} : { event }) };
  return queryOptions({ ...asking(params), queryFn: ({ signal }) => read('/o', Cost, params, signal, onTask) });
}

/** What people did before. */
export function crashPaths(asked: Asked, onTask: OnTask) {
  const params = paramsOf('crash_paths', asked);
  return queryOptions({ ...asking(params), queryFn: ({ signal }) => read('/o', CrashPaths, params, signal, onTask) });
}
