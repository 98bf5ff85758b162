import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write } from '../../api/client';
import * as v from '../../api/schema';

/** What is known of a property at an event: its type, how many values it has, since when, and where else it stands. */
export const Known = v.object({
  type: v.string(),
  values: v.optional(v.array(v.text)),
  count: v.optional(v.number()),
  format: v.optional(v.string()),
  rows: v.optional(v.number()),
  first: v.optional(v.number()),
  last: v.optional(v.number()),
  events: v.optional(v.array(v.string())),
  event_count: v.optional(v.number()),
});
export type Known = v.Of<typeof Known>;

/** What is known of the properties of an event, and of users. */
export const Meta = v.object({ sg: v.record(Known), up: v.record(Known) });
export type Meta = v.Of<typeof Meta>;

export function known(appID: string, event: string) {
  return queryOptions({
    queryKey: ['properties', appID, 'known', event],
    queryFn: ({ signal }) => read('/o', Meta, { method: 'segmentation_meta', app_id: appID, event }, signal),
    enabled: event !== '',
    staleTime: 60_000,
  });
}

/** How many values of a property are listed. */
export const mostValues = 20;

/** The days whose rows are looked at for values. */
const lately = '90days';

const Groups = v.object({ totals: v.object({ t: v.number() }), segments: v.record(v.object({ t: v.number(), keys: v.record(v.unknown()) })), page_data: v.object({ total: v.number() }) });

/** A value with how often it came; null for what has none. */
export interface Value {
  value: unknown;
  times: number;
}

/** The most frequent values of a property at an event, in the last 90 days. */
export function frequent(appID: string, event: string, path: string) {
  return queryOptions({
    queryKey: ['properties', appID, 'frequent', event, path],
    queryFn: async ({ signal }) => {
      const params = { method: 'segmentation', app_id: appID, event, queryObject: '{}', period: lately, bucket: 'daily', projectionKey: JSON.stringify([path]), list: true, limit: mostValues, sort: JSON.stringify({ t: -1 }) };
      const { totals, segments, page_data } = await read('/o', Groups, params, signal);
      return { all: totals.t, total: page_data.total, values: Object.values(segments).map(({ t, keys }): Value => ({ value: keys[path] ?? null, times: t })) };
    },
    enabled: event !== '',
    staleTime: 60_000,
  });
}

/** Values of a property that hold a text, the most frequent first, and how many there are. */
export function searched(appID: string, event: string, path: string, search: string) {
  return queryOptions({
    queryKey: ['properties', appID, 'searched', event, path, search],
    queryFn: ({ signal }) => read('/o', v.object({ values: v.array(v.text), counts: v.optional(v.array(v.number())), total: v.number() }), { method: 'segmentation_meta', app_id: appID, event, property: path, search }, signal),
    enabled: event !== '' && search !== '',
    staleTime: 60_000,
  });
}

/** What is said of properties, by their paths. */
export type Changes = Record<string, { label?: string; description?: string; hidden?: boolean }>;

/** Says what properties are called and mean, and whether they are offered. */
export function useEditProperties(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (properties: Changes) => write('/i/properties/edit', { app_id: appID, properties }),
    onSuccess: () => Promise.all([queries.invalidateQueries({ queryKey: ['explore', appID] }), queries.invalidateQueries({ queryKey: ['properties', appID] })]),
  });
}
