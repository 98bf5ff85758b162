import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write, writeFor } from '../../api/client';
import * as v from '../../api/schema';
import type { Granularity } from '../../lib/granularity';
import { countParam } from '../../components/filter/CountBy';
import { wirePeriod, type Period, type Span } from '../../lib/period';

/** In which order steps are done. */
export const orders = ['sequential', 'strict', 'any', 'anchored'] as const;
export type Order = (typeof orders)[number];

/** One event, or several of which any will do. */
const Keys = v.union([v.string(), v.array(v.string())]);

/** What the wire of other servers does not know of. Steps count from 1. */
export const Options = v.object({
  order: v.optional(v.fallback(v.picklist(orders), 'sequential')),
  /** Seconds from the first to the last step. */
  window: v.optional(v.nullable(v.number())),
  exclusions: v.optional(v.nullable(v.array(v.object({ event: v.string(), query: v.optional(v.unknown()), from: v.optional(v.number()), to: v.optional(v.number()) })))),
  hold: v.optional(v.nullable(v.array(v.string()))),
  optional: v.optional(v.nullable(v.array(v.number()))),
  /** Steps that keep their place, with the order anchored. */
  anchors: v.optional(v.nullable(v.array(v.number()))),
  reentry: v.optional(v.string()),
});
export type Options = v.Of<typeof Options>;

/** A funnel as it is kept. */
export const Funnel = v.object({
  _id: v.string(),
  name: v.string(),
  description: v.fallback(v.string(), ''),
  type: v.fallback(v.string(), 'session-independent'),
  steps: v.array(Keys),
  /** For each step a filter, as JSON. */
  queries: v.fallback(v.array(v.text), []),
  /** {"c":"or"} makes a step an alternative of the one before. */
  stepGroups: v.fallback(v.array(v.unknown()), []),
  options: v.optional(Options),
  created: v.number(),
});
export type Funnel = v.Of<typeof Funnel>;

/** A funnel with who made it. */
export const Single = v.object({ ...Funnel.entries, memberData: v.optional(v.object({ full_name: v.text })) });
export type Single = v.Of<typeof Single>;

/** The answer where there is no funnel of an id. */
export const None = v.object({ _id: v.optional(v.undefined()) });

/** A distribution of times, in seconds. */
export const Spread = v.object({
  count: v.number(),
  mean: v.number(),
  median: v.number(),
  p75: v.number(),
  p90: v.number(),
  p95: v.number(),
  max: v.number(),
  /** How many took longer than the bound before, and at most this one; the last may have none. */
  histogram: v.array(v.object({ to: v.optional(v.number()), count: v.number() })),
});
export type Spread = v.Of<typeof Spread>;

/** One step; alternatives are one. */
export const Step = v.object({
  step: Keys,
  query: v.unknown(),
  users: v.number(),
  times: v.number(),
  attempts: v.number(),
  optional: v.optional(v.boolean()),
  timeSpend: v.optional(Spread),
});
export type Step = v.Of<typeof Step>;

/** How the conversion of a group differs from that of all others: percent, percentage points and odds, each with its interval of 95 %. */
export const Comparison = v.object({
  percent: v.number(),
  percentLow: v.number(),
  percentHigh: v.number(),
  difference: v.number(),
  differenceLow: v.number(),
  differenceHigh: v.number(),
  odds: v.number(),
  /** How likely such a difference is by chance, corrected for the number of comparisons. */
  adjusted: v.number(),
});
export type Comparison = v.Of<typeof Comparison>;

/** The users of one value of a property, by step. */
export const Part = v.object({ value: v.unknown(), other: v.optional(v.boolean()), users: v.array(v.number()), comparison: v.optional(Comparison) });
export type Part = v.Of<typeof Part>;

/** How far those got who began in one part of the period. */
export const TrendRow = v.object({ _id: v.string(), users: v.array(v.number()), success_users: v.number(), open: v.optional(v.boolean()) });
export type TrendRow = v.Of<typeof TrendRow>;

/** How far users got. */
export const Analysis = v.object({
  total_users: v.number(),
  users_in_first_step: v.number(),
  success_users: v.number(),
  steps: v.array(Step),
  conversion: Spread,
  groups: v.optional(v.array(Part)),
  /** Whether groups differ at all; absent where they cannot be compared. */
  significance: v.optional(v.object({ step: v.number(), p: v.number(), rough: v.optional(v.boolean()) })),
  trend: v.optional(v.array(TrendRow)),
});
export type Analysis = v.Of<typeof Analysis>;

/** The funnels of an app. */
export function funnels(appID: string) {
  return queryOptions({
    queryKey: ['funnels', appID, 'list'],
    queryFn: ({ signal }) => read('/o', v.array(Funnel), { method: 'get_funnels', app_id: appID }, signal),
  });
}

/** One funnel; null when there is none of that id. */
export function funnel(appID: string, id: string) {
  return queryOptions({
    queryKey: ['funnels', appID, 'one', id],
    queryFn: async ({ signal }) => {
      const found = await read('/o', v.union([Single, None]), { method: 'get_funnel', app_id: appID, funnel: id }, signal);
      return found._id === undefined ? null : found;
    },
  });
}

/** What a funnel is asked, beside its own definition. */
export interface Asked {
  period: Period | Span;
  /** A filter object on all of its events. */
  filter: object;
  /** The path of a property; empty for none. */
  by: string;
  /** Whose event has the property: first, last, or a step from 1 on. */
  at: string;
  /** What is counted: empty for what the funnel says, sessions, or the path of a property whose values are accounts. */
  count?: string;
  /** How wide the parts of the trend are; absent for no trend. */
  trend?: Granularity;
}

/** The parameters of an analysis, as the API takes them. */
export function paramsOf(app: { _id: string; timezone: string }, id: string, { period, filter, by, at, count, trend }: Asked): Record<string, string> {
  const days: Period = 'kind' in period ? period : { kind: 'custom', ...period };
  return {
    method: 'funnel',
    app_id: app._id,
    funnel: id,
    period: wirePeriod(days, app.timezone),
    ...(Object.keys(filter).length === 0 ? {} : { filter: JSON.stringify(filter) }),
    ...(by === '' ? {} : { breakdown: by, breakdown_step: at === '' ? 'first' : at }),
    ...countParam(count),
    ...(trend === undefined ? {} : { trend }),
  };
}

/** How far users got; onTask receives the task that finds it, where it takes the server long. */
export function analysis(app: { _id: string; timezone: string }, id: string, asked: Asked, onTask?: (id: string | undefined) => void) {
  const params = paramsOf(app, id, asked);
  return queryOptions({
    queryKey: ['funnels', app._id, 'analysis', params],
    queryFn: ({ signal }) => read('/o', Analysis, params, signal, onTask),
    staleTime: 30_000,
  });
}

/** What those did who reached a step and not another one. */
export const Instead = v.object({
  users: v.number(),
  /** Who did nothing any more. */
  nothing: v.number(),
  /** Who did something at any time behind the step, and whose next event it was. */
  events: v.array(v.object({ event: v.string(), name: v.optional(v.text), users: v.number(), next: v.number() })),
});
export type Instead = v.Of<typeof Instead>;

/** What separates those who convert from those who do not: a value of a property, or an event done before. */
export const Driver = v.object({
  ...Comparison.entries,
  kind: v.string(),
  path: v.optional(v.string()),
  value: v.unknown(),
  event: v.optional(v.string()),
  name: v.optional(v.text),
  users: v.number(),
  success: v.number(),
  otherPercent: v.number(),
  oddsLow: v.number(),
  oddsHigh: v.number(),
});
export type Driver = v.Of<typeof Driver>;

/** The strongest drivers of a funnel, of all that were tested. */
export const Drivers = v.object({ users: v.number(), success: v.number(), tested: v.number(), sample: v.optional(v.number()), back: v.number(), drivers: v.array(Driver) });
export type Drivers = v.Of<typeof Drivers>;

function plain(app: { _id: string; timezone: string }, id: string, { period, filter, at, count = '' }: Asked) {
  return paramsOf(app, id, { period, filter, by: '', at, count });
}

/** What those did who reached a step, from 0, and not another one. */
export function instead(app: { _id: string; timezone: string }, id: string, asked: Asked, step: number, not: number, onTask?: (id: string | undefined) => void) {
  const params = { ...plain(app, id, asked), instead: `${step}|${not}` };
  return queryOptions({
    queryKey: ['funnels', app._id, 'instead', params],
    queryFn: ({ signal }) => read('/o', Instead, params, signal, onTask),
    staleTime: 60_000,
  });
}

/** What drives conversion from the first to the last step: properties by their paths, and events before. */
export function drivers(app: { _id: string; timezone: string }, id: string, asked: Asked, paths: readonly string[], onTask?: (id: string | undefined) => void) {
  const params = { ...plain(app, id, asked), drivers: 'true', ...(paths.length === 0 ? {} : { drivers_by: paths }) };
  return queryOptions({
    queryKey: ['funnels', app._id, 'drivers', params],
    queryFn: ({ signal }) => read('/o', Drivers, params, signal, onTask),
    staleTime: 60_000,
  });
}

/** Who reached a step, counted from 0, or with not, who reached it and not that other one: their numbers. */
export function reached(app: { _id: string; timezone: string }, id: string, asked: Asked, step: number, not?: number) {
  const params = { ...plain(app, id, asked), ...(not === undefined ? { users_for_step: step } : { users_between_steps: `${step}|${not}` }) };
  return queryOptions({
    queryKey: ['funnels', app._id, 'people', params],
    queryFn: ({ signal }) => read('/o', v.array(v.string()), params, signal),
  });
}

/** What is sent of a funnel. */
export interface Sent {
  funnel_name: string;
  funnel_desc: string;
  funnel_type: string;
  steps: (string | string[])[];
  queries: string[];
  queryTexts: string[];
  stepGroups: object[];
  options: object;
}

function useFunnelWrite<T, R>(appID: string, run: (change: T) => Promise<R>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: run, onSuccess: () => queries.invalidateQueries({ queryKey: ['funnels', appID] }) });
}

/** Keeps a new funnel, or changes the one of an id; answers with the id. */
export function useSaveFunnel(appID: string) {
  return useFunnelWrite(appID, async ({ id, sent }: { id: string | undefined; sent: Sent }) => {
    if (id === undefined) return (await writeFor('/i/funnels/add', v.object({ result: v.string() }), { app_id: appID, ...sent })).result;
    await write('/i/funnels/edit', { app_id: appID, funnel_map: { [id]: sent } });
    return id;
  });
}

/** Deletes a funnel. Its page stays as it is until it is left. */
export function useDeleteFunnel(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => write('/i/funnels/delete', { app_id: appID, funnel_id: id }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['funnels', appID, 'list'] }),
  });
}
