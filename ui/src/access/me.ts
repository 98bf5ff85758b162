import { queryOptions } from '@tanstack/react-query';
import { read } from '../api/client';
import { firstReads } from '../api/first';
import * as v from '../api/schema';

/** The rights to one action in one app. */
export const Rights = v.object({
  all: v.optional(v.boolean()),
  allowed: v.optional(v.record(v.boolean())),
});
export type Rights = v.Of<typeof Rights>;

/** What a member may do: apps administered and used, and rights by action and app. */
export const Permission = v.object({
  _: v.object({ a: v.array(v.string()), u: v.array(v.array(v.string())) }),
  c: v.record(Rights),
  r: v.record(Rights),
  u: v.record(Rights),
  d: v.record(Rights),
});
export type Permission = v.Of<typeof Permission>;

/** The member who is signed in. */
export const Me = v.object({
  _id: v.string(),
  full_name: v.string(),
  username: v.string(),
  email: v.string(),
  global_admin: v.boolean(),
  permission: Permission,
  api_key: v.optional(v.string()),
  /** Seconds; 0 for never. */
  created_at: v.number(),
  last_login: v.number(),
  password_changed: v.number(),
});
export type Me = v.Of<typeof Me>;

export const me = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => read(firstReads.me, Me, {}, signal),
  staleTime: 300_000,
});
