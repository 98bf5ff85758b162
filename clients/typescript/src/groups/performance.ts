// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';

/** Parameters of {@link Quipu.getPerformance}. */
export interface GetPerformanceParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
}

/** Parameters of {@link Quipu.getPerformanceCourse}. */
export interface GetPerformanceCourseParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Id of a measure, as `lcp`, `app_start` or `response_time`. */
  measure: string;
  /** Width of the buckets: `hour`, `day`, `week`, `month`; usual for the period by default. */
  bucket?: string;
  /** Name of the traces alone that count. */
  name?: string;
}

/** Parameters of {@link Quipu.getPerformanceTable}. */
export interface GetPerformanceTableParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
  /** `start`, or the `nextCursor` of the answer before: the answer is a table of the rows behind it, with `nextCursor`. */
  cursor?: string;
  /** Id of a measure, as `lcp`, `app_start` or `response_time`. */
  measure: string;
  /** What the table is by: `name`, `app_version`, `country`, `device`, `device_type`, `platform`, `platform_version`, `browser`, `code`, or the path of a property. */
  by: string;
  /** Name of the traces alone that count. */
  name?: string;
}

/** Parameters of {@link Quipu.getPerformanceTrace}. */
export interface GetPerformanceTraceParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** `device` or `network`. */
  kind: string;
  /** Name of the traces. */
  name: string;
}

/** Operations of the group performance. */
export class PerformanceOperations extends Base {
  /** Web vitals, starts, frames and network requests. Needs the right to read `performance_monitoring`.
   * `GET /o/performance` */
  getPerformance(p: GetPerformanceParams): Promise<PerformanceOverviewRes> {
    return this.call('GET', '/o/performance', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', filter: 'query' });
  }

  /** A measure by buckets of time. Needs the right to read `performance_monitoring`.
   * `GET /o/performance/course` */
  getPerformanceCourse(p: GetPerformanceCourseParams): Promise<PerformanceCourseRes> {
    return this.call('GET', '/o/performance/course', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', filter: 'query', measure: 'query', bucket: 'query', name: 'query' });
  }

  /** A measure by the values of a dimension. Needs the right to read `performance_monitoring`. The answer is a list, which pages, sorts and searches.
   * `GET /o/performance/table` */
  getPerformanceTable(p: GetPerformanceTableParams): Promise<Json> {
    return this.call('GET', '/o/performance/table', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', filter: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query', measure: 'query', by: 'query', name: 'query' });
  }

  /** All metrics of a trace. Needs the right to read `performance_monitoring`.
   * `GET /o/performance/trace` */
  getPerformanceTrace(p: GetPerformanceTraceParams): Promise<PerformanceTraceRes> {
    return this.call('GET', '/o/performance/trace', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', filter: 'query', kind: 'query', name: 'query' });
  }
}

export interface PerformanceBucketRes {
  _id: string;
  avg: number | null;
  good: number;
  n: number;
  p50: number | null;
  p75: number | null;
  p90: number | null;
  p95: number | null;
  p99: number | null;
  poor: number;
  poor_u: number;
  u: number;
}

export interface PerformanceCourseRes {
  buckets: Array<PerformanceBucketRes>;
  error: number;
  measure: PerformanceMeasureRes;
  source: string;
}

export interface PerformanceMeasureRes {
  avg: number | null;
  event: string;
  good: number;
  group: string;
  id: string;
  limits?: Array<number>;
  metric: string;
  n: number;
  name?: string;
  others?: Array<string>;
  p50: number | null;
  p75: number | null;
  p90: number | null;
  p95: number | null;
  p99: number | null;
  poor: number;
  poor_u: number;
  u: number;
  unit: string;
}

export interface PerformanceMetricRes {
  avg: number | null;
  good: number;
  metric: string;
  n: number;
  p50: number | null;
  p75: number | null;
  p90: number | null;
  p95: number | null;
  p99: number | null;
  poor: number;
  poor_u: number;
  u: number;
}

export interface PerformanceOverviewRes {
  error: number;
  measures: Array<PerformanceMeasureRes>;
  source: string;
}

export interface PerformanceTraceRes {
  metrics: Array<PerformanceMetricRes>;
  more: number;
  name: string;
}
