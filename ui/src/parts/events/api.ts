import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';
import * as v from '../../api/schema';
import { compared } from '../../lib/change';
import type { Period, Span } from '../../lib/period';
import { againstParam, timed, type Scope } from '../figures/api';

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

export type AppZone = Scope;

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
