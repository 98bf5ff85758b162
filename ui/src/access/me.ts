import { queryOptions } from '@tanstack/react-query';
import { read } from '../api/client';
import { firstReads } from '../api/first';

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
  queryFn: ({ signal }) => read<Me>(firstReads.me, {}, signal),
  staleTime: 300_000,
});
