import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write } from '../../api/client';
import * as v from '../../api/schema';
import { compared } from '../../lib/change';
import { stepParam, type Granularity } from '../../lib/granularity';
import type { Period, Span } from '../../lib/period';
import { againstParam, timed } from '../overview/api';

/** Count, sum and seconds of an event. */
export const EventRow = v.object({
  _id: v.string(),
  c: v.number(),
  s: v.number(),
  dur: v.number(),
});
export type EventRow = v.Of<typeof EventRow>;

/** What is known about an app's events; parts are absent until they are needed. */
export const EventList = v.object({
  list: v.optional(v.array(v.string())),
  segments: v.optional(v.record(v.fallback(v.array(v.text), []))),
  /** The order that people gave events. */
  order: v.optional(v.array(v.string())),
  /** Segments that are counted no more. */
  omitted_segments: v.optional(v.record(v.fallback(v.array(v.text), []))),
  map: v.optional(v.record(v.object({ name: v.optional(v.string()), desc: v.optional(v.string()), is_visible: v.optional(v.boolean()) }))),
  limits: v.object({ event_limit: v.number() }),
});
export type EventList = v.Of<typeof EventList>;

type AppZone = { _id: string; timezone: string };

export function eventList(appID: string) {
  return queryOptions({
    queryKey: ['events', appID, 'list'],
    queryFn: ({ signal }) => read('/o', EventList, { app_id: appID, method: 'get_events' }, signal),
    staleTime: 30_000,
  });
}

/** The sums of an event over a part of a period, with its users where the part has whole days only. */
export const EventSum = v.object({
  ...EventRow.entries,
  u: v.optional(v.number()),
});
export type EventSum = v.Of<typeof EventSum>;

export const EventSums = compared(v.record(EventSum));
export type EventSums = v.Of<typeof EventSums>;

/** The sums of all events of a period by key, beside those of other days. */
export function eventSums(app: AppZone, p: Period, against: Span) {
  const { params, options } = timed(app, p);
  const asked = { ...params, ...againstParam(app, against), of: 'events' };
  return queryOptions({
    queryKey: ['events', app._id, 'sums', asked],
    queryFn: ({ signal }) => read('/o/analytics/compare', EventSums, asked, signal),
    ...options,
  });
}

/** Events over the steps of a period, by key. */
export function eventTrends(app: AppZone, keys: readonly string[], p: Period, step: Granularity) {
  const { params, options } = timed(app, p);
  return queryOptions({
    queryKey: ['events', app._id, 'trends', keys, params.period, step],
    queryFn: ({ signal }) => read('/o/analytics/events', v.record(v.array(EventRow)), { ...params, events: keys, step: stepParam(step) }, signal),
    ...options,
  });
}

/** The values of a segment of an event. */
export function eventSegment(app: AppZone, key: string, segment: string, p: Period) {
  const { params, options } = timed(app, p);
  return queryOptions({
    queryKey: ['events', app._id, 'segment', key, segment, params.period],
    queryFn: ({ signal }) => read('/o/analytics/events', v.array(EventRow), { ...params, event: key, segmentation: segment }, signal),
    ...options,
  });
}

/** Gives an event a name and a description. */
export function useDescribeEvent(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ key, ...entry }: { key: string; name: string; desc: string }) =>
      write('/i/events/edit_map', { app_id: appID, event_map: { [key]: entry } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['events', appID, 'list'] }),
  });
}

/** Deletes an event with all its data. */
export function useDeleteEvent(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (key: string) => write('/i/events/delete_events', { app_id: appID, events: [key] }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['events', appID] }),
  });
}
