import { useMutation, useQueryClient } from '@tanstack/react-query';
import { App, type AppType } from '../../access/apps';
import { upload, write } from '../../api/client';
import * as v from '../../api/schema';

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
