import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write, writeFor } from '../../api/client';
import * as v from '../../api/schema';
import { wirePeriod, type Period } from '../../lib/period';

interface AppZone {
  _id: string;
  timezone: string;
  filter?: string;
}

/** A formula that was kept. */
export const Formula = v.object({
  _id: v.string(),
  title: v.text,
  key: v.text,
  description: v.fallback(v.string(), ''),
  visibility: v.fallback(v.picklist(['global', 'private']), 'private'),
  format: v.fallback(v.picklist(['float', 'integer', 'percent', 'time']), 'float'),
  dplaces: v.fallback(v.number(), 2),
  unit: v.fallback(v.string(), ''),
  formula: v.text,
  shared_email_edit: v.fallback(v.array(v.string()), []),
  owner_id: v.string(),
});
export type Formula = v.Of<typeof Formula>;

/** The formulas that one sees, by name. */
export function formulas(appID: string) {
  return queryOptions({ queryKey: ['formulas', appID, 'list'], queryFn: ({ signal }) => read('/o/calculated_metrics/metrics', v.array(Formula), { app_id: appID }, signal) });
}

/** Whether a text is a formula: what its values are and of which events, or what is wrong at which character. */
export const Checked = v.object({
  correct: v.boolean(),
  /** 1 where values are seconds, 0 where they are numbers. */
  seconds: v.number(),
  events: v.optional(v.array(v.string())),
  at: v.optional(v.number()),
  error: v.optional(v.string()),
  code: v.optional(v.string()),
  of: v.optional(v.string()),
});
export type Checked = v.Of<typeof Checked>;

export function checked(appID: string, formula: string) {
  return queryOptions({
    queryKey: ['formulas', appID, 'check', formula],
    queryFn: ({ signal }) => read('/o/calculated_metrics/check', Checked, { app_id: appID, formula }, signal),
    enabled: formula.trim() !== '',
    staleTime: Infinity,
  });
}

const Course = v.object({ value: v.array(v.number()), buckets: v.array(v.string()) });

/** The values of a formula by bucket, and then by their time. */
export const Values = v.object({ data: v.record(v.record(Course)) });
export type Values = v.Of<typeof Values>;

/** What is computed: a formula that is kept, by its id, or a text; by which buckets, beside the whole period. */
export interface Asked {
  formula: { id: string } | { text: string };
  period: Period;
  bucket: string;
}

/** A question as the API takes it. */
export function paramsOf(app: AppZone, { formula, period, bucket }: Asked): Record<string, string> {
  return {
    method: 'calculated_metrics',
    app_id: app._id,
    ...('id' in formula ? { mode: 'saved', metric_id: formula.id } : { mode: 'unsaved', formula: formula.text }),
    bucket: JSON.stringify([bucket, 'single']),
    period: wirePeriod(period, app.timezone),
    ...(app.filter === undefined || app.filter === '' ? {} : { filter: app.filter }),
  };
}

/** The values of a formula over a period, and of all of it. */
export function values(app: AppZone, asked: Asked, onTask?: (id: string | undefined) => void) {
  const params = paramsOf(app, asked);
  return queryOptions({ queryKey: ['formulas', app._id, 'values', params], queryFn: ({ signal }) => read('/o', Values, params, signal, onTask), staleTime: 20_000, placeholderData: keepPreviousData });
}

/** How many tasks computed a kept formula. */
export function usedBy(appID: string, id: string) {
  return queryOptions({
    queryKey: ['formulas', appID, 'used', id],
    queryFn: async ({ signal }) => (await read('/o/calculated_metrics/metric', v.object({ result: v.object({ count: v.number() }) }), { app_id: appID, mode: 'has_reports', metric_id: id }, signal)).result.count,
  });
}

/** What is sent of a formula. */
export type Sent = Omit<Formula, '_id' | 'owner_id'> & { _id?: string };

/** Keeps a formula, and answers its id. */
export function useSaveFormula(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (metric: Sent) => (await writeFor('/i/calculated_metrics/save', v.object({ id: v.string() }), { app_id: appID, metric })).id,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['formulas', appID] }),
  });
}

export function useDeleteFormula(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => write('/i/calculated_metrics/delete', { app_id: appID, id }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['formulas', appID, 'list'] }),
  });
}

const Groups = v.object({ segments: v.record(v.object({ keys: v.record(v.unknown()) })), page_data: v.object({ total: v.number() }) });

/** How many groups are drawn; with all others as one there is a colour for each. */
const shownGroups = 5;

/** The most frequent values of a property at an event, null for those that have none, and how many there are. */
export function largest(app: AppZone, event: string, path: string, period: Period) {
  const filter = app.filter === undefined || app.filter === '' ? '{}' : app.filter;
  const params = { method: 'segmentation', app_id: app._id, event, queryObject: filter, period: wirePeriod(period, app.timezone), bucket: 'daily', projectionKey: JSON.stringify([path]), list: true, limit: shownGroups, sort: JSON.stringify({ t: -1 }) };
  return queryOptions({
    queryKey: ['formulas', app._id, 'largest', params],
    queryFn: async ({ signal }) => {
      const { segments, page_data } = await read('/o', Groups, params, signal);
      return { values: Object.values(segments).map(({ keys }) => keys[path] ?? null), total: page_data.total };
    },
    enabled: event !== '' && path !== '',
    staleTime: 20_000,
  });
}
