import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write } from '../../api/client';
import * as v from '../../api/schema';
import { ViewName } from './api';

/** The names of all views. */
export function viewNames(appID: string) {
  return queryOptions({
    queryKey: ['views', appID, 'names'],
    queryFn: ({ signal }) => read('/o', v.array(ViewName), { app_id: appID, method: 'views', action: 'listNames' }, signal),
    refetchInterval: 10_000,
  });
}

/** What apps sent of views beside what they saw. */
export const Segments = v.object({ segments: v.record(v.fallback(v.array(v.text), [])) });

/** The segments of views with their values. */
export function viewSegments(appID: string) {
  return queryOptions({
    queryKey: ['views', appID, 'segments'],
    queryFn: async ({ signal }) => (await read('/o', Segments, { app_id: appID, method: 'get_view_segments' }, signal)).segments,
    staleTime: 30_000,
  });
}

/** Gives a view the name that people read; an empty one takes it away. */
export function useRenameView(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      write('/i/views', { app_id: appID, method: 'rename_views', data: [{ key: id, value: name }] }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['views', appID] }),
  });
}

/** Deletes a view with all its data. It does not wait for the lists without it: what asked for it would be gone before it hears of the end. */
export function useDeleteView(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => write('/i/views', { app_id: appID, method: 'delete_view', view_id: id }),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['views', appID] }),
  });
}
