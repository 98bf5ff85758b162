import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write } from '../../api/client';

/** The rights to one action in one app. */
export interface Rights {
  all?: boolean;
  allowed?: Record<string, boolean>;
}

/** What a member may do: apps administered and used, and rights by action and app. */
export interface Permission {
  _: { a: string[]; u: string[][] };
  c: Record<string, Rights>;
  r: Record<string, Rights>;
  u: Record<string, Rights>;
  d: Record<string, Rights>;
}

/** The member who is signed in. */
export interface Me {
  _id: string;
  full_name: string;
  username: string;
  email: string;
  global_admin: boolean;
  permission: Permission;
  api_key?: string;
  /** Seconds; 0 for never. */
  created_at: number;
  last_login: number;
  password_changed: number;
}

export const me = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => read<Me>('/o/users/me', {}, signal),
  staleTime: 300_000,
});

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
