import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write } from '../../api/client';

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
