import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';
import * as v from '../../api/schema';
import { byField, type Listing } from '../../components/table/listing';
import type { Granularity } from '../../lib/granularity';
import type { Period } from '../../lib/period';
import { timed, type Scope } from '../../parts/figures/api';

/** How numbers are spread: how many, of how many people, their average and percentiles, how many are good and poor, and of whom poor ones are. */
export const Spread = v.object({
  n: v.number(),
  u: v.number(),
  avg: v.nullable(v.number()),
  p50: v.nullable(v.number()),
  p75: v.nullable(v.number()),
  p90: v.nullable(v.number()),
  p95: v.nullable(v.number()),
  p99: v.nullable(v.number()),
  good: v.number(),
  poor: v.number(),
  poor_u: v.number(),
});
export type Spread = v.Of<typeof Spread>;

/** Something that traces measure. */
export const Measure = v.object({
  ...Spread.entries,
  id: v.string(),
  group: v.string(),
  unit: v.string(),
  event: v.string(),
  metric: v.string(),
  name: v.optional(v.string()),
  others: v.optional(v.array(v.string())),
  limits: v.optional(v.array(v.number())),
});
export type Measure = v.Of<typeof Measure>;

export const Overview = v.object({ source: v.string(), error: v.number(), measures: v.array(Measure) });
export type Overview = v.Of<typeof Overview>;

/** A step of a course. */
export const Bucket = v.object({ ...Spread.entries, _id: v.string() });
export type Bucket = v.Of<typeof Bucket>;

export const Course = v.object({ source: v.string(), error: v.number(), measure: Measure, buckets: v.array(Bucket) });
export type Course = v.Of<typeof Course>;

/** The numbers of a value: a name, a version, a country. */
export const Group = v.object({ ...Spread.entries, value: v.nullable(v.string()) });
export type Group = v.Of<typeof Group>;

export const Trace = v.object({ name: v.string(), metrics: v.array(v.object({ ...Spread.entries, metric: v.string() })), more: v.number() });
export type Trace = v.Of<typeof Trace>;

/** All measures of a period. */
export function overview(app: Scope, p: Period) {
  const { params, options } = timed(app, p);
  return queryOptions({ queryKey: ['performance', app._id, 'overview', params], queryFn: ({ signal }) => read('/o/performance', Overview, params, signal), ...options });
}

/** The parameters of the course of a measure, as the API takes them. */
export const courseParams = (app: Scope, p: Period, measure: string, bucket: Granularity) => ({ ...timed(app, p).params, measure, bucket });

/** A measure by steps of time. */
export function course(app: Scope, p: Period, measure: string, bucket: Granularity) {
  const params = courseParams(app, p, measure, bucket);
  return queryOptions({ queryKey: ['performance', app._id, 'course', params], queryFn: ({ signal }) => read('/o/performance/course', Course, params, signal), ...timed(app, p).options });
}

/** A measure by the values of a dimension, which the server searches, orders and pages. */
export function groups(app: Scope, p: Period, measure: string, by: string): Listing<Group> {
  return {
    key: ['performance', app._id, 'table'],
    path: '/o/performance/table',
    params: { ...timed(app, p).params, measure, by },
    row: Group,
    order: byField,
    most: 1000,
  };
}

/** All that traces of a name measure. */
export function trace(app: Scope, p: Period, kind: 'device' | 'network', name: string) {
  const params = { ...timed(app, p).params, kind, name };
  return queryOptions({ queryKey: ['performance', app._id, 'trace', params], queryFn: ({ signal }) => read('/o/performance/trace', Trace, params, signal) });
}
