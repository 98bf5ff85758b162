import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';
import * as v from '../../api/schema';

/** How much of each log is shown, from its end, in bytes. */
const shown = 200_000;

/** The end of each log, by its name. */
export const Logs = v.record(v.string());

export const logs = queryOptions({
  queryKey: ['logs'],
  queryFn: ({ signal }) => read('/o/errorlogs', Logs, { bytes: shown }, signal),
  refetchInterval: 10_000,
});
