import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';
import { byField, type Listing } from '../../components/table/listing';

/** How many people have not been active for some days. The time stamp, in seconds, is when those were last active at the latest. */
export interface Slipping {
  period: number;
  count: number;
  percentage: string;
  timeStamp: number;
}

export function slipping(appID: string) {
  return queryOptions({
    queryKey: ['slipping', appID],
    queryFn: ({ signal }) => read<Slipping[]>('/o/slipping', { app_id: appID }, signal),
    staleTime: 30_000,
  });
}

/** The people who were last active before a moment, in seconds. */
export function inactiveSince(appID: string, moment: number): Listing {
  return {
    key: ['profiles', appID, 'inactive'],
    path: '/o',
    params: { method: 'user_details', app_id: appID, query: { lac: { $lt: moment } } },
    order: byField,
    most: 1000,
  };
}
