import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';
import * as v from '../../api/schema';

/** The values of a metric of the last month, the most common first. */
export function valuesOf(appID: string, metric: string | undefined) {
  return queryOptions({
    queryKey: ['filter', appID, 'values', metric],
    queryFn: async ({ signal }) => {
      const rows = await read('/o/analytics/metric', v.array(v.object({ _id: v.string() })), { app_id: appID, metric, period: '30days' }, signal);
      return rows.slice(0, 300).map((row) => row._id);
    },
    enabled: metric !== undefined,
    staleTime: 60_000,
  });
}
