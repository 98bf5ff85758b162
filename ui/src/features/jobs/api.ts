import * as v from '../../api/schema';
import { byColumn, type Listing } from '../../components/table/listing';

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

/** The list of jobs; the endpoint wants an app to be named, whichever. */
export function jobList(anyApp: string): Listing<Job> {
  return {
    key: ['jobs'],
    path: '/o',
    params: { method: 'jobs', app_id: anyApp },
    row: Job,
    order: byColumn(['name', 'status', 'schedule', 'next', 'finished', 'total', 'result', 'failures']),
    most: 1000,
  };
}
