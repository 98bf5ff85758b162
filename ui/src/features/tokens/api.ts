import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write, writeFor } from '../../api/client';
import * as v from '../../api/schema';

/** A token of one's own. Times in seconds; a ttl of 0 never ends. */
export const Token = v.object({
  _id: v.string(),
  ttl: v.number(),
  ends: v.number(),
  multi: v.boolean(),
  app: v.union([v.array(v.string()), v.string()]),
  endpoint: v.unknown(),
  purpose: v.string(),
});
export type Token = v.Of<typeof Token>;

/** What the server's own tokens of signed-in browsers are for. */
const ofBrowsers = 'LoggedInAuth';

/** The tokens that people made; those of signed-in browsers end with their sessions, and are listed there. */
export const tokens = queryOptions({
  queryKey: ['tokens'],
  queryFn: async ({ signal }) => (await read('/o/token/list', v.object({ result: v.array(Token) }), {}, signal)).result.filter(({ purpose }) => purpose !== ofBrowsers),
});

export interface NewToken {
  purpose: string;
  ttl: number;
  multi: boolean;
  apps: string[];
  endpoints: string[];
}

/** A new token. */
export const Created = v.object({ result: v.string() });

export function useCreateToken() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ apps, endpoints, ...rest }: NewToken) => {
      const params = { ...rest, apps: apps.length === 0 ? undefined : apps.join(','), endpoint: endpoints.length === 0 ? undefined : endpoints.join(',') };
      return (await writeFor('/i/token/create', Created, params)).result;
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
