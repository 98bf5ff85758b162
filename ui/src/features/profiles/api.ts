import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write } from '../../api/client';

/** A person who uses an app. What is not known is absent; times are in seconds. */
export interface Profile {
  _id: string;
  uid: string;
  did: string;
  name?: string;
  email?: string;
  username?: string;
  organization?: string;
  phone?: string;
  gender?: string;
  byear?: number;
  picture?: string;
  cc?: string;
  cty?: string;
  rgn?: string;
  p?: string;
  pv?: string;
  d?: string;
  dt?: string;
  mnf?: string;
  av?: string;
  r?: string;
  c?: string;
  dnst?: string;
  la?: string;
  src?: string;
  brw?: string;
  brwv?: string;
  fs?: number;
  ls?: number;
  fac?: number;
  lac?: number;
  sc?: number;
  sd?: number;
  tsd?: number;
  custom?: Record<string, unknown>;
  consent?: Record<string, boolean>;
}

export interface ProfilePage {
  iTotalDisplayRecords: number;
  aaData: Profile[];
}

export interface ProfileQuery {
  search: string;
  sort: { key: string; desc: boolean };
  /** From 1. */
  page: number;
  size: number;
}

/** A page of the people of an app; the server searches and orders. */
export function profiles(appID: string, { search, sort, page, size }: ProfileQuery) {
  return queryOptions({
    queryKey: ['profiles', appID, search, sort, page, size],
    queryFn: ({ signal }) =>
      read<ProfilePage>(
        '/o',
        {
          app_id: appID,
          method: 'user_details',
          sSearch: search === '' ? undefined : search,
          sort: { [sort.key]: sort.desc ? -1 : 1 },
          iDisplayStart: (page - 1) * size,
          iDisplayLength: size,
        },
        signal,
      ),
    placeholderData: keepPreviousData,
  });
}

/** One person; undefined when there is none of that number. */
export function profile(appID: string, uid: string) {
  return queryOptions({
    queryKey: ['profile', appID, uid],
    queryFn: async ({ signal }) => {
      const found = await read<Partial<Profile>>('/o', { app_id: appID, method: 'user_details', uid }, signal);
      return found.uid === undefined ? null : (found as Profile);
    },
  });
}

/** Deletes a person with the profile. */
export function useDeleteProfile(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (uid: string) => write('/i/app_users/delete', { app_id: appID, query: { uid } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['profiles', appID] }),
  });
}
