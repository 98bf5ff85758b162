import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';
import * as v from '../../api/schema';
import { Profile } from '../profiles/api';
import { byField, type Listing } from '../../components/table/listing';

/** How many people have not been active for some days. The time stamp, in seconds, is when those were last active at the latest. */
export const Slipping = v.object({
  period: v.number(),
  count: v.number(),
  percentage: v.string(),
  timeStamp: v.number(),
});
export type Slipping = v.Of<typeof Slipping>;

export function slipping(appID: string) {
  return queryOptions({
    queryKey: ['slipping', appID],
    queryFn: ({ signal }) => read('/o/slipping', v.array(Slipping), { app_id: appID }, signal),
    staleTime: 30_000,
  });
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
