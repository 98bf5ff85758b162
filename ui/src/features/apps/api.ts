import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { App, AppType } from '../../access/apps';
import { read, upload, write } from '../../api/client';

export interface Details {
  /** Times in seconds, 0 for never; profiles. */
  app: { owner: string; created_at: number; edited_at: number; last_data: number; last_data_users: number };
  global_admin: Person[];
  admin: Person[];
  user: Person[];
}

export interface Person {
  _id: string;
  full_name: string;
  username: string;
}

export function appDetails(appID: string) {
  return queryOptions({
    queryKey: ['apps', appID, 'details'],
    queryFn: ({ signal }) => read<Details>('/o/apps/details', { app_id: appID }, signal),
  });
}

/** Whether an app has ever received data; asked again until it has, though seldom: pages that wait listen to the live feed too. */
export function hasData(appID: string) {
  return queryOptions({
    queryKey: ['apps', appID, 'has-data'],
    queryFn: async ({ signal }) => {
      const { app } = await read<Details>('/o/apps/details', { app_id: appID }, signal);
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
    mutationFn: ({ icon, ...fields }: AppFields & { icon: File | null }) => upload<App>('/i/apps/create', args(fields, icon)),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['apps'] }),
  });
}

/** Changes an app. */
export function useChangeApp(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ icon, ...fields }: Partial<AppFields> & { icon: File | null }) => upload('/i/apps/update', args({ app_id: appID, ...fields }, icon)),
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
