import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write } from '../../api/client';
import type { Kind } from './filter';

export interface Property {
  name: string;
  kind: Kind;
}

/** The events of an app with their properties, and the properties of users that the app made up. */
export interface Properties {
  events: { key: string; properties: Property[] }[];
  custom: Property[];
}

export function properties(appID: string) {
  return queryOptions({
    queryKey: ['explore', appID, 'properties'],
    queryFn: ({ signal }) => read<Properties>('/o/explore/properties', { app_id: appID }, signal),
    staleTime: 30_000,
  });
}

/** How many items of events a filter selects, of all of them. */
export function counted(appID: string, events: readonly string[], query: object, from: number, to: number, onTask?: (id: string | undefined) => void) {
  return queryOptions({
    queryKey: ['explore', appID, 'count', events, query, from, to],
    queryFn: ({ signal }) => read<{ count: number; total: number }>('/o/explore/count', { app_id: appID, events, query, from, to }, signal, onTask),
    enabled: events.length > 0,
    placeholderData: keepPreviousData,
  });
}

/** The values of a metric of the last month, the most common first. */
export function valuesOf(appID: string, metric: string | undefined) {
  return queryOptions({
    queryKey: ['explore', appID, 'values', metric],
    queryFn: async ({ signal }) => {
      const rows = await read<{ _id: string }[]>('/o/analytics/metric', { app_id: appID, metric, period: '30days' }, signal);
      return rows.slice(0, 300).map((row) => row._id);
    },
    enabled: metric !== undefined,
    staleTime: 60_000,
  });
}

/** A page with all that was chosen on it, kept under a name. */
export interface SavedView {
  _id: string;
  name: string;
  page: string;
  /** The query of its address. */
  state: string;
  shared: boolean;
  edited_at: number;
  owner_name: string;
  mine: boolean;
  may_change: boolean;
}

export function savedViews(appID: string) {
  return queryOptions({
    queryKey: ['explore', appID, 'views'],
    queryFn: async ({ signal }) => (await read<{ aaData: SavedView[] }>('/o/explore/views', { app_id: appID }, signal)).aaData,
  });
}

export function useSaveView(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...view }: { id?: string; name: string; page: string; state: string; shared: boolean }) =>
      write('/i/explore/views/save', { app_id: appID, view_id: id, ...view }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['explore', appID, 'views'] }),
  });
}

export function useDeleteView(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => write('/i/explore/views/delete', { app_id: appID, view_id: id }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['explore', appID, 'views'] }),
  });
}
