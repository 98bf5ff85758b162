import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';
import * as v from '../../api/schema';

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
