import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write } from '../../api/client';
import { byField, type Listing } from '../../components/table/listing';

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

/** Where a person's picture is: uploaded ones are on the server under a hash, others anywhere; undefined when there is none to show. */
export function pictureOf(appID: string, p: { uid: string; picture?: string | undefined }): string | undefined {
  if (p.picture === undefined || !/^[0-9a-f]{64}$/.test(p.picture)) return undefined; // pages load nothing from elsewhere
  return `/o/app_users/picture?${new URLSearchParams({ app_id: appID, uid: p.uid, v: p.picture.slice(0, 8) }).toString()}`;
}

/** The people of an app whom a filter selects; the server searches, orders and pages. */
export function profileList(appID: string, filter?: object): Listing {
  return { key: ['profiles', appID, 'table'], path: '/o', params: { app_id: appID, method: 'user_details', query: filter }, order: byField, most: 1000 };
}

/** A file of the people whom a filter selects, all of them. */
export function profileFile(appID: string, filter?: object) {
  return (format: string, name: string) => ({
    path: '/o/export/db',
    params: { collection: `app_users${appID}`, app_id: appID, type: format, filename: name, sort: { lac: -1 }, ...(filter === undefined ? {} : { query: filter }) },
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
