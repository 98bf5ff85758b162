import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write } from '../../api/client';

/** An app as lists of the API hold it. */
export interface App {
  _id: string;
  name: string;
  key: string;
  timezone: string;
}

export const appTypes = ['web', 'mobile', 'desktop'] as const;
export type AppType = (typeof appTypes)[number];

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

/** The member who is signed in. */
export interface Me {
  full_name: string;
  username: string;
  email: string;
  global_admin: boolean;
}

export const me = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => read<Me>('/o/users/me', {}, signal),
  staleTime: 300_000,
});

interface Details {
  app: { last_data?: number };
}

/** Whether an app has ever received data; asked again until it has. */
export function hasData(appID: string) {
  return queryOptions({
    queryKey: ['apps', appID, 'has-data'],
    queryFn: async ({ signal }) => {
      const { app } = await read<Details>('/o/apps/details', { app_id: appID }, signal);
      return (app.last_data ?? 0) > 0;
    },
    refetchInterval: ({ state }) => (state.data === false ? 3000 : false),
  });
}

export interface NewApp {
  name: string;
  timezone: string;
  type: AppType;
}

/** Makes an app and adds it to the lists. */
export function useCreateApp() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (app: NewApp) => write<App>('/i/apps/create', { args: app }),
    onSuccess: () => queries.invalidateQueries({ queryKey: myApps.queryKey }),
  });
}
