import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write } from '../../api/client';
import * as v from '../../api/schema';

/** A page with all that was chosen on it, kept under a name. */
export const SavedView = v.object({
  _id: v.string(),
  name: v.string(),
  page: v.string(),
  /** The query of its address. */
  state: v.string(),
  shared: v.boolean(),
  edited_at: v.number(),
  owner_name: v.string(),
  mine: v.boolean(),
  may_change: v.boolean(),
});
export type SavedView = v.Of<typeof SavedView>;

/** The page of kept views that are segments: filters of figures, whose state is a filter object as JSON. */
export const segmentPage = 'segment';

export function savedViews(appID: string) {
  return queryOptions({
    queryKey: ['explore', appID, 'views'],
    queryFn: async ({ signal }) => (await read('/o/explore/views', v.object({ aaData: v.array(SavedView) }), { app_id: appID }, signal)).aaData,
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
