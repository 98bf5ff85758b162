import { useMutation, useQueryClient } from '@tanstack/react-query';
import { me, type Me } from '../../access/me';
import { write } from '../../api/client';

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
