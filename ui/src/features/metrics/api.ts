import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';
import type { Period } from '../../lib/period';
import { timed } from '../overview/api';
import type { Dimension } from './definitions';

/** A value of a dimension: sessions, first sessions, users. */
export interface MetricRow {
  _id: string;
  t: number;
  n: number;
  u: number;
}

export function metricRows(app: { _id: string; timezone: string }, dimension: Dimension, p: Period) {
  const { params, options } = timed(app, p);
  return queryOptions({
    queryKey: ['metric', app._id, dimension, params.period],
    queryFn: ({ signal }) => read<MetricRow[]>('/o/analytics/metric', { ...params, metric: dimension }, signal),
    ...options,
  });
}
