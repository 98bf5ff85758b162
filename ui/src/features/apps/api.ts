import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, upload, write } from '../../api/client';

/** An app as lists of the API hold it. */
export interface App {
  _id: string;
  name: string;
  key: string;
  timezone: string;
  country: string;
  category: string;
  type: AppType;
  salt?: string;
  has_image: boolean;
}

export const appTypes = ['web', 'mobile', 'desktop'] as const;
export type AppType = (typeof appTypes)[number];

/** The categories of apps, by the number that the API has for each. */
export const categories = [
  'books', 'business', 'education', 'entertainment', 'finance', 'games', 'health', 'lifestyle', 'medical', 'music',
  'navigation', 'news', 'photography', 'productivity', 'reference', 'social', 'sports', 'travel', 'utilities', 'weather',
] as const;

interface Mine {
  admin_of: Record<string, App>;
  user_of: Record<string, App>;
}

/** The apps that the member may see, by name. */
export function sorted({ admin_of, user_of }: Mine): App[] {
  const all = new Map(Object.entries({ ...user_of, ...admin_of }));
  return [...all.values()].sort((a, b) => a.name.localeCompare(b.name) || (a._id < b._id ? -1 : 1));
}

export const myApps = queryOptions({
  queryKey: ['apps', 'mine'],
  queryFn: async ({ signal }) => sorted(await read<Mine>('/o/apps/mine', {}, signal)),
  staleTime: 60_000,
});

/** Where an app's picture is; undefined when it has none. */
export function iconOf(app: Pick<App, '_id' | 'has_image'>): string | undefined {
  return app.has_image ? `/appimages/${app._id}.png` : undefined;
}

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
