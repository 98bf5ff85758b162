import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { App, type AppType } from '../../access/apps';
import { read, upload, write } from '../../api/client';
import * as v from '../../api/schema';

export const Person = v.object({
  _id: v.string(),
  full_name: v.string(),
  username: v.string(),
});
export type Person = v.Of<typeof Person>;

/** An app with the members who have to do with it. */
export const Details = v.object({
  /** Times in seconds, 0 for never; profiles. */
  app: v.object({ owner: v.string(), created_at: v.number(), edited_at: v.number(), last_data: v.number(), last_data_users: v.number() }),
  global_admin: v.array(Person),
  admin: v.array(Person),
  user: v.array(Person),
});
export type Details = v.Of<typeof Details>;

export function appDetails(appID: string) {
  return queryOptions({
    queryKey: ['apps', appID, 'details'],
    queryFn: ({ signal }) => read('/o/apps/details', Details, { app_id: appID }, signal),
  });
}

/** Whether an app has ever received data; asked again until it has, though seldom: pages that wait listen to the live feed too. */
export function hasData(appID: string) {
  return queryOptions({
    queryKey: ['apps', appID, 'has-data'],
    queryFn: async ({ signal }) => {
      const { app } = await read('/o/apps/details', Details, { app_id: appID }, signal);
      return app.last_data > 0;
    },
    refetchInterval: ({ state }) => (state.data === true ? false : 15_000),
  });
}

/** What a form says about an app. */
export interface AppFields {
  name: string;
  timezone: string;
  type: AppType;
  category: string;
  country?: string;
}

function args(fields: object, icon: File | null): FormData {
  const form = new FormData();
  form.set('args', JSON.stringify(fields));
  if (icon !== null) form.set('app_image', icon);
  return form;
}

/** Makes an app and adds it to the lists. */
export function useCreateApp() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ icon, ...fields }: AppFields & { icon: File | null }) => upload('/i/apps/create', App, args(fields, icon)),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['apps'] }),
  });
}

/** Changes an app. */
export function useChangeApp(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ icon, ...fields }: Partial<AppFields> & { icon: File | null }) => upload('/i/apps/update', v.unknown(), args({ app_id: appID, ...fields }, icon)),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['apps'] }),
  });
}

/** Takes all data away from an app. */
export function useResetApp(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => write('/i/apps/reset', { args: { app_id: appID, period: 'reset' } }),
    onSuccess: () => queries.invalidateQueries(),
  });
}

/** Deletes an app with all its data. */
export function useDeleteApp(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => write('/i/apps/delete', { args: { app_id: appID } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['apps'] }),
  });
}
