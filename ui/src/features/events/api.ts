import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write } from '../../api/client';
import type { Compared } from '../../lib/change';
import { stepParam, type Granularity } from '../../lib/granularity';
import type { Period, Span } from '../../lib/period';
import { againstParam, timed } from '../overview/api';

/** Count, sum and seconds of an event. */
export interface EventRow {
  _id: string;
  c: number;
  s: number;
  dur: number;
}

/** What is known about an app's events; parts are absent until they are needed. */
export interface EventList {
  list?: string[];
  segments?: Record<string, string[]>;
  /** The order that people gave events. */
  order?: string[];
  /** Segments that are counted no more. */
  omitted_segments?: Record<string, string[]>;
  map?: Record<string, { name?: string; desc?: string; is_visible?: boolean }>;
  limits: { event_limit: number };
}

type AppZone = { _id: string; timezone: string };

export function eventList(appID: string) {
  return queryOptions({
    queryKey: ['events', appID, 'list'],
    queryFn: ({ signal }) => read<EventList>('/o', { app_id: appID, method: 'get_events' }, signal),
    staleTime: 30_000,
  });
}

/** The sums of an event over a part of a period, with its users where the part has whole days only. */
export interface EventSum extends EventRow {
  u?: number;
}

export type EventSums = Compared<Record<string, EventSum>>;

/** The sums of all events of a period by key, beside those of other days. */
export function eventSums(app: AppZone, p: Period, against: Span) {
  const { params, options } = timed(app, p);
  const asked = { ...params, ...againstParam(app, against), of: 'events' };
  return queryOptions({
    queryKey: ['events', app._id, 'sums', asked],
    queryFn: ({ signal }) => read<EventSums>('/o/analytics/compare', asked, signal),
    ...options,
  });
}

/** Events over the steps of a period, by key. */
export function eventTrends(app: AppZone, keys: readonly string[], p: Period, step: Granularity) {
  const { params, options } = timed(app, p);
  return queryOptions({
    queryKey: ['events', app._id, 'trends', keys, params.period, step],
    queryFn: ({ signal }) => read<Record<string, EventRow[]>>('/o/analytics/events', { ...params, events: keys, step: stepParam(step) }, signal),
    ...options,
  });
}

/** The values of a segment of an event. */
export function eventSegment(app: AppZone, key: string, segment: string, p: Period) {
  const { params, options } = timed(app, p);
  return queryOptions({
    queryKey: ['events', app._id, 'segment', key, segment, params.period],
    queryFn: ({ signal }) => read<EventRow[]>('/o/analytics/events', { ...params, event: key, segmentation: segment }, signal),
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
