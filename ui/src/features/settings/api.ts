import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write } from '../../api/client';
import * as v from '../../api/schema';

export const Value = v.union([v.boolean(), v.number(), v.string()]);
export type Value = v.Of<typeof Value>;
/** Settings by namespace and name. */
export const Values = v.record(v.record(v.unknown()));
export type Values = v.Of<typeof Values>;

/** What a setting is and which values it takes; a max of 0 is none. */
export const Declaration = v.object({
  type: v.picklist(['bool', 'number', 'text']),
  default: Value,
  /** What holds for the server, for administrators. */
  value: v.optional(Value),
  min: v.number(),
  max: v.number(),
  one_of: v.optional(v.array(v.string())),
  per_app: v.boolean(),
  per_member: v.boolean(),
});
export type Declaration = v.Of<typeof Declaration>;
export const Schema = v.record(v.record(Declaration));
export type Schema = v.Of<typeof Schema>;

export const schema = queryOptions({
  queryKey: ['settings', 'schema'],
  queryFn: ({ signal }) => read('/o/configs/schema', Schema, {}, signal),
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
    queryFn: ({ signal }) => read('/o/configs', Values, { app_id: appID }, signal),
  });
}

/** Sets settings of the server. */
export function useSetConfigs() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: Values) => write('/i/configs', { configs: change }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['settings'] }),
  });
}

/** The values that an app has of its own. */
export function appValues(appID: string) {
  return queryOptions({
    queryKey: ['settings', 'values', appID, 'own'],
    queryFn: async ({ signal }) => (await read('/o/apps/details', v.object({ app: v.object({ plugins: Values }) }), { app_id: appID }, signal)).app.plugins,
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
export const Feature = v.object({
  code: v.string(),
  title: v.string(),
  description: v.string(),
  enabled: v.boolean(),
  /** It cannot be switched off. */
  fixed: v.optional(v.boolean()),
});
export type Feature = v.Of<typeof Feature>;

export const featureList = queryOptions({
  queryKey: ['settings', 'features'],
  queryFn: ({ signal }) => read('/o/plugins', v.array(Feature), {}, signal),
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
