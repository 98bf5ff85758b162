import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write } from '../../api/client';

export type Value = boolean | number | string;
/** Settings by namespace and name. */
export type Values = Record<string, Record<string, unknown>>;

/** What a setting is and which values it takes; a max of 0 is none. */
export interface Declaration {
  type: 'bool' | 'number' | 'text';
  default: Value;
  /** What holds for the server, for administrators. */
  value?: Value;
  min: number;
  max: number;
  one_of?: string[];
  per_app: boolean;
  per_member: boolean;
}
export type Schema = Record<string, Record<string, Declaration>>;

export const schema = queryOptions({
  queryKey: ['settings', 'schema'],
  queryFn: ({ signal }) => read<Schema>('/o/configs/schema', {}, signal),
});

/** The settings of the server as a schema has them. */
export function serverValues(all: Schema): Values {
  return Object.fromEntries(
    Object.entries(all).map(([namespace, list]) => [namespace, Object.fromEntries(Object.entries(list).map(([name, d]) => [name, d.value]))]),
  );
}

/** The settings as they hold for an app. */
export function configs(appID: string) {
  return queryOptions({
    queryKey: ['settings', 'values', appID],
    queryFn: ({ signal }) => read<Values>('/o/configs', { app_id: appID }, signal),
  });
}

/** Sets settings of the server. */
export function useSetConfigs() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: Values) => write<Values>('/i/configs', { configs: change }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['settings'] }),
  });
}

/** The values that an app has of its own. */
export function appValues(appID: string) {
  return queryOptions({
    queryKey: ['settings', 'values', appID, 'own'],
    queryFn: async ({ signal }) => (await read<{ app: { plugins: Values } }>('/o/apps/details', { app_id: appID }, signal)).app.plugins,
  });
}

/** Sets settings of an app; null takes the app's own value away. */
export function useSetAppConfigs(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: Values) => write('/i/apps/update/plugins', { app_id: appID, args: change }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['settings', 'values'] }),
  });
}

/** A part of the server that people know. */
export interface Feature {
  code: string;
  title: string;
  description: string;
  enabled: boolean;
  /** It cannot be switched off. */
  fixed?: boolean;
}

export const featureList = queryOptions({
  queryKey: ['settings', 'features'],
  queryFn: ({ signal }) => read<Feature[]>('/o/plugins', {}, signal),
});

export function useSwitchFeature() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: Record<string, boolean>) => write('/i/plugins', { plugin: change }),
    onSuccess: () => Promise.all([queries.invalidateQueries({ queryKey: ['settings'] }), queries.invalidateQueries({ queryKey: ['modules'] })]),
  });
}

/** Sends an e-mail to oneself. */
export function useTestMail() {
  return useMutation({ mutationFn: () => write('/o/email_test') });
}
