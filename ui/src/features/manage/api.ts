import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write } from '../../api/client';
import type { Permission } from '../account/api';

/** A member as the list of all has it. Times in seconds, 0 for never. */
export interface Member {
  _id: string;
  full_name: string;
  username: string;
  email: string;
  global_admin: boolean;
  locked: boolean;
  blocked?: boolean;
  must_change_password?: boolean;
  password_expired?: boolean;
  is_current_user?: boolean;
  created_at: number;
  last_login: number;
  permission: Permission;
}

export const members = queryOptions({
  queryKey: ['members'],
  queryFn: async ({ signal }) => Object.values(await read<Record<string, Member>>('/o/users/all', {}, signal)),
});

/** The features that rights can be given to. */
export const features = queryOptions({
  queryKey: ['features'],
  queryFn: async ({ signal }) => (await read<{ features: string[] }>('/o/users/permissions', {}, signal)).features,
  staleTime: 600_000,
});

export interface MemberFields {
  full_name: string;
  username: string;
  email: string;
  password?: string;
  global_admin: boolean;
  locked: boolean;
  must_change_password?: boolean;
  permission: Permission;
}

/** Makes a member, or changes the one of an id. */
export function useSaveMember() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...fields }: MemberFields & { id?: string }) =>
      id === undefined ? write('/i/users/create', { args: fields }) : write('/i/users/update', { args: { user_id: id, ...fields } }),
    onSuccess: () => Promise.all([queries.invalidateQueries({ queryKey: members.queryKey }), queries.invalidateQueries({ queryKey: ['me'] })]),
  });
}

export function useDeleteMember() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => write('/i/users/delete', { args: { user_ids: [id] } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: members.queryKey }),
  });
}

/** Lets someone who mistyped the password too often try again. */
export function useUnblock() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (username: string) => write<boolean>('/o/users/reset_timeban', { username }),
    onSuccess: () => queries.invalidateQueries({ queryKey: members.queryKey }),
  });
}

/** A token of one's own. Times in seconds; a ttl of 0 never ends. */
export interface Token {
  _id: string;
  ttl: number;
  ends: number;
  multi: boolean;
  app: string[] | string;
  endpoint: unknown;
  purpose: string;
}

/** What the server's own tokens of signed-in browsers are for. */
const ofBrowsers = 'LoggedInAuth';

/** The tokens that people made; those of signed-in browsers end with their sessions, and are listed there. */
export const tokens = queryOptions({
  queryKey: ['tokens'],
  queryFn: async ({ signal }) => (await read<{ result: Token[] }>('/o/token/list', {}, signal)).result.filter(({ purpose }) => purpose !== ofBrowsers),
});

export interface NewToken {
  purpose: string;
  ttl: number;
  multi: boolean;
  apps: string[];
  endpoints: string[];
}

export function useCreateToken() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ apps, endpoints, ...rest }: NewToken) => {
      const params = { ...rest, apps: apps.length === 0 ? undefined : apps.join(','), endpoint: endpoints.length === 0 ? undefined : endpoints.join(',') };
      return (await write<{ result: string }>('/i/token/create', params)).result;
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: tokens.queryKey }),
  });
}

export function useDeleteToken() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => write('/i/token/delete', { tokenid: id }),
    onSuccess: () => queries.invalidateQueries({ queryKey: tokens.queryKey }),
  });
}

export interface About {
  version: string;
  modules: string[];
  /** Whether the server's store answers, and how long that took, in ms. */
  healthy: boolean;
  delay: number;
}

export const about = queryOptions({
  queryKey: ['about'],
  queryFn: async ({ signal }): Promise<About> => {
    const [{ version }, modules] = await Promise.all([
      read<{ version: string }>('/o/system/version', {}, signal),
      read<string[]>('/o/system/plugins', {}, signal),
    ]);
    const begun = performance.now();
    const healthy = await read<{ result: string }>('/o/ping', {}, signal).then(
      ({ result }) => result === 'Success',
      () => false,
    );
    return { version, modules, healthy, delay: performance.now() - begun };
  },
  refetchInterval: 10_000,
});
