import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';
import * as v from '../../api/schema';

/** Work that the server does on a schedule. Times in ms, null for never. */
export const Job = v.object({
  name: v.string(),
  status: v.string(),
  result: v.string(),
  schedule: v.string(),
  next: v.nullable(v.number()),
  finished: v.nullable(v.number()),
  total: v.number(),
  failures: v.number(),
  error: v.optional(v.string()),
});
export type Job = v.Of<typeof Job>;

/** All jobs, of which there are a few dozen; the endpoint wants an app to be named, whichever. */
export function jobList(anyApp: string) {
  return queryOptions({
    queryKey: ['jobs', anyApp],
    queryFn: async ({ signal }) => (await read('/o', v.object({ aaData: v.array(Job) }), { method: 'jobs', app_id: anyApp }, signal)).aaData,
    refetchInterval: 5000,
  });
}
