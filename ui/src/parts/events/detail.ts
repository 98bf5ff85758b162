import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write } from '../../api/client';
import * as v from '../../api/schema';
import { stepParam, type Granularity } from '../../lib/granularity';
import type { Period } from '../../lib/period';
import { timed } from '../figures/api';
import { EventRow, type AppZone } from './api';

/** Events over the steps of a period, by key. */
export function eventTrends(app: AppZone, keys: readonly string[], p: Period, step: Granularity) {
  const { params, options } = timed(app, p);
  return queryOptions({
    queryKey: ['events', app._id, 'trends', keys, params, step],
    queryFn: ({ signal }) => read('/o/analytics/events', v.record(v.array(EventRow)), { ...params, events: keys, step: stepParam(step) }, signal),
    ...options,
  });
}

/** The values of a segment of an event. */
export function eventSegment(app: AppZone, key: string, segment: string, p: Period) {
  const { params, options } = timed(app, p);
  return queryOptions({
    queryKey: ['events', app._id, 'segment', key, segment, params],
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
