import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';
import * as v from '../../api/schema';
import type { Granularity } from '../../lib/granularity';
import type { Period } from '../../lib/period';
import { timed } from '../figures/api';
import { cutParams, ViewFigures, type AppZone, type Cut } from './api';

/** Figures nested by year, month and day. */
export const Course = v.record(v.record(v.union([ViewFigures, v.record(ViewFigures)])));
export type Course = v.Of<typeof Course>;

/** Views over the days, weeks or months of a period, by id. */
export function viewCourses(app: AppZone, ids: readonly string[], p: Period, step: Granularity, cut: Cut) {
  const { params, options } = timed(app, p);
  return queryOptions({
    queryKey: ['views', app._id, 'courses', ids, params, step, cut],
    queryFn: async ({ signal }) => {
      const ask = { ...params, ...cutParams(cut), method: 'views', bucket: step.charAt(0), selectedViews: ids };
      const { data } = await read('/o', v.object({ data: v.record(v.record(Course)) }), ask, signal);
      return Object.fromEntries(Object.entries(data).map(([id, by]) => [id, Object.values(by)[0] ?? {}]));
    },
    ...options,
  });
}
