import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write } from '../../api/client';
import * as v from '../../api/schema';
import { byField, type Listing } from '../../components/table/listing';
import { base } from '../../lib/base';
import { recordOf } from '../../lib/record';
import { dimensions, keyOf } from '../metrics/definitions';

/** A person who uses an app. What is not known is absent; times are in seconds. */
export const Profile = v.object({
  _id: v.string(),
  uid: v.string(),
  did: v.string(),
  name: v.optional(v.text),
  email: v.optional(v.text),
  username: v.optional(v.text),
  organization: v.optional(v.text),
  phone: v.optional(v.text),
  gender: v.optional(v.text),
  byear: v.optional(v.number()),
  picture: v.optional(v.text),
  ...recordOf(dimensions.map(keyOf), () => v.optional(v.text)),
  fs: v.optional(v.number()),
  ls: v.optional(v.number()),
  fac: v.optional(v.number()),
  lac: v.optional(v.number()),
  sc: v.optional(v.number()),
  sd: v.optional(v.number()),
  tsd: v.optional(v.number()),
  custom: v.optional(v.record(v.unknown())),
  /** The cohorts that the person is in, by id. */
  chr: v.optional(v.record(v.unknown())),
  consent: v.optional(v.record(v.fallback(v.boolean(), false))),
});
export type Profile = v.Of<typeof Profile>;

/** The answer where a number is nobody's. */
export const Nobody = v.object({ uid: v.optional(v.undefined()) });

/** Where a person's picture is: uploaded ones are on the server under a hash, others anywhere; undefined when there is none to show. */
export function pictureOf(appID: string, p: { uid: string; picture?: string | undefined }): string | undefined {
  if (p.picture === undefined || !/^[0-9a-f]{64}$/.test(p.picture)) return undefined; // pages load nothing from elsewhere
  return `${base}/o/app_users/picture?${new URLSearchParams({ app_id: appID, uid: p.uid, v: p.picture.slice(0, 8) }).toString()}`;
}

/** The people of an app whom a filter selects; the server searches, orders and pages. */
export function profileList(appID: string, filter?: object): Listing<Profile> {
  return { key: ['profiles', appID, 'table'], path: '/o', params: { app_id: appID, method: 'user_details', query: filter }, row: Profile, order: byField, most: 1000 };
}

/** The people who were last active before a moment, in seconds. */
export function inactiveSince(appID: string, moment: number): Listing<Profile> {
  return {
    key: ['profiles', appID, 'inactive'],
    path: '/o',
    params: { method: 'user_details', app_id: appID, query: { lac: { $lt: moment } } },
    row: Profile,
    order: byField,
    most: 1000,
  };
}

/** The people who were last active at a moment, in seconds, or later. */
export function activeSince(appID: string, moment: number): Listing<Profile> {
  return { ...inactiveSince(appID, moment), key: ['profiles', appID, 'active'], params: { method: 'user_details', app_id: appID, query: { lac: { $gte: moment } } } };
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
      const found = await read('/o', v.union([Profile, Nobody]), { app_id: appID, method: 'user_details', uid }, signal);
      return found.uid === undefined ? null : found;
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
