import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { me, type Me } from '../../access/me';
import { read, write } from '../../api/client';
import * as v from '../../api/schema';

/** Changes one's own password; the other sessions end. */
export function useChangePassword() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ present, wanted, rotate }: { present: string; wanted: string; rotate: boolean }) =>
      write('/i/users/password', { old_pwd: present, new_pwd: wanted, rotate_key: rotate }),
    onSuccess: () => Promise.all([queries.invalidateQueries({ queryKey: me.queryKey }), queries.invalidateQueries({ queryKey: ['sessions'] })]),
  });
}

/** Replaces one's own API key; the one before stops at once. */
export function useRotateKey(member: Me) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => write('/i/users/api_key/rotate', { user_id: member._id }),
    onSuccess: () => queries.invalidateQueries({ queryKey: me.queryKey }),
  });
}

/** Changes the account of a member who is an administrator; others have no way to do it themselves. */
export function useChangeAccount(member: Me) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: { full_name?: string; username?: string; email?: string; password?: string }) =>
      write('/i/users/update', { args: { user_id: member._id, ...change } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: me.queryKey }),
  });
}

/** An open session of one's own. Times in seconds. */
export const OpenSession = v.object({
  _id: v.string(),
  created: v.number(),
  seen: v.number(),
  expires: v.number(),
  addr: v.string(),
  agent: v.string(),
  current: v.boolean(),
});
export type OpenSession = v.Of<typeof OpenSession>;

/** Where one is signed in. */
export const sessions = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => read('/o/users/sessions', v.array(OpenSession), {}, signal),
});
