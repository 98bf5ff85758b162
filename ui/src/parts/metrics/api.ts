import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';
import * as v from '../../api/schema';
import type { Period } from '../../lib/period';
import { timed, type Scope } from '../figures/api';
import type { Dimension } from './definitions';

/** A value of a dimension: sessions, first sessions, users. */
export const MetricRow = v.object({
  _id: v.string(),
  t: v.number(),
  n: v.number(),
  u: v.number(),
});
export type MetricRow = v.Of<typeof MetricRow>;

export function metricRows(app: Scope, dimension: Dimension, p: Period) {
  const { params, options } = timed(app, p);
  return queryOptions({
    queryKey: ['metric', app._id, dimension, params],
    queryFn: ({ signal }) => read('/o/analytics/metric', v.array(MetricRow), { ...params, metric: dimension }, signal),
    ...options,
  });
}
