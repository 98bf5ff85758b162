import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write } from '../../api/client';
import * as v from '../../api/schema';
import { Permission } from '../../access/me';

/** A member as the list of all has it. Times in seconds, 0 for never. */
export const Member = v.object({
  _id: v.string(),
  full_name: v.string(),
  username: v.string(),
  email: v.string(),
  global_admin: v.boolean(),
  locked: v.boolean(),
  blocked: v.optional(v.boolean()),
  must_change_password: v.optional(v.boolean()),
  password_expired: v.optional(v.boolean()),
  is_current_user: v.optional(v.boolean()),
  created_at: v.number(),
  last_login: v.number(),
  permission: Permission,
});
export type Member = v.Of<typeof Member>;

export const members = queryOptions({
  queryKey: ['members'],
  queryFn: async ({ signal }) => Object.values(await read('/o/users/all', v.record(Member), {}, signal)),
});

/** The features that rights can be given to. */
export const features = queryOptions({
  queryKey: ['features'],
  queryFn: async ({ signal }) => (await read('/o/users/permissions', v.object({ features: v.array(v.string()) }), {}, signal)).features,
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
    mutationFn: (username: string) => write('/o/users/reset_timeban', { username }),
    onSuccess: () => queries.invalidateQueries({ queryKey: members.queryKey }),
  });
}
