// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';

/** Parameters of {@link Quipu.getRevenue}. */
export interface GetRevenueParams {
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
  /** Keys of the events that are purchases; those that the app names unless they are sent. A text is one key. */
  events?: Json;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getRevenueLtv}. */
export interface GetRevenueLtvParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Keys of the events that are purchases; those that the app names unless they are sent. A text is one key. */
  events?: Json;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Unit of time. */
  unit?: "day" | "week" | "month";
  /** How many ages are shown, in units; up to 400. */
  ages?: number;
  /** The property that results are divided by. */
  breakdown?: string;
  /** How many values of the property are shown; the others are one group. */
  breakdown_limit?: number;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getRevenueReport}. */
export interface GetRevenueReportParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Keys of the events that are purchases; those that the app names unless they are sent. A text is one key. */
  events?: Json;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** The property that results are divided by. */
  breakdown?: string;
  /** How many values of the property are shown; the others are one group. */
  breakdown_limit?: number;
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** An earlier period beside it: `previous` (as many days before), `year` (the same dates a year before), or a period. */
  compare?: string;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Operations of the group revenue. */
export class RevenueOperations extends Base {
  /** Revenue by day. Needs the right to read `revenue`. A read that takes too long goes on as a task.
   * `GET /o/revenue`. A read that takes too long throws a PendingError. */
  getRevenue(p: GetRevenueParams): Promise<Record<string, Json>> {
    return this.call('GET', '/o/revenue', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', events: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** What users spend by the time since they were first seen. Needs the right to read `revenue`. A read that takes too long goes on as a task.
   * `GET /o/revenue/ltv`. A read that takes too long throws a PendingError. */
  getRevenueLtv(p: GetRevenueLtvParams): Promise<RevenueLifetimes | Json> {
    return this.call('GET', '/o/revenue/ltv', p, { app_id: 'query', period: 'query', timezone: 'query', events: 'query', filter: 'query', unit: 'query', ages: 'query', breakdown: 'query', breakdown_limit: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Revenue, paying users and averages. Needs the right to read `revenue`. A read that takes too long goes on as a task.
   * `GET /o/revenue/report`. A read that takes too long throws a PendingError. */
  getRevenueReport(p: GetRevenueReportParams): Promise<RevenueReport | Json> {
    return this.call('GET', '/o/revenue/report', p, { app_id: 'query', period: 'query', timezone: 'query', events: 'query', filter: 'query', bucket: 'query', breakdown: 'query', breakdown_limit: 'query', sort: 'query', compare: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }
}

export interface RevenueAgeCell {
  ltv: number | null;
  over: boolean;
  paying: number;
  revenue: number;
}

export interface RevenueAgePoint {
  ltv: number;
  paying_percent: number;
  revenue: number;
  users: number;
}

export interface RevenueBesidePoint {
  arppu: number | null;
  arpu: number | null;
  at: string;
  average_order: number | null;
  beside: string;
  paying: number;
  paying_percent: number | null;
  refunds: number;
  revenue: number;
  transactions: number;
  transactions_per_payer: number | null;
  users: number | null;
}

export interface RevenueEarlier {
  data: Array<RevenueBesidePoint>;
  from: number;
  groups?: Array<RevenueFigures>;
  to: number;
  totals: RevenueFigures;
}

export interface RevenueFigures {
  arppu: number | null;
  arpu: number | null;
  average_order: number | null;
  paying: number;
  paying_percent: number | null;
  refunds: number;
  revenue: number;
  transactions: number;
  transactions_per_payer: number | null;
  users: number | null;
}

export interface RevenueGroup {
  arppu: number | null;
  arpu: number | null;
  average_order: number | null;
  data?: Array<RevenuePoint>;
  paying: number;
  paying_percent: number | null;
  refunds: number;
  revenue: number;
  transactions: number;
  transactions_per_payer: number | null;
  users: number | null;
  values: Array<Json>;
}

export interface RevenueLifetimeOf {
  curve: Array<RevenueAgePoint | Json>;
  other?: boolean;
  users: number;
  value: Json;
}

export interface RevenueLifetimeRow {
  _id: string;
  cells: Array<RevenueAgeCell | Json>;
  start: number;
  users: number;
}

export interface RevenueLifetimes {
  ages: number;
  configured: Array<string>;
  curve: Array<RevenueAgePoint | Json>;
  events: Array<string>;
  from: number;
  groups?: Array<RevenueLifetimeOf>;
  rows: Array<RevenueLifetimeRow>;
  timezone: string;
  to: number;
  unit: string;
  users: number;
}

export interface RevenueOtherRes {
  arppu: number | null;
  arpu: number | null;
  average_order: number | null;
  groups: number;
  paying: number;
  paying_percent: number | null;
  refunds: number;
  revenue: number;
  transactions: number;
  transactions_per_payer: number | null;
  users: number | null;
}

export interface RevenuePoint {
  arppu: number | null;
  arpu: number | null;
  at: string;
  average_order: number | null;
  paying: number;
  paying_percent: number | null;
  refunds: number;
  revenue: number;
  transactions: number;
  transactions_per_payer: number | null;
  users: number | null;
}

export interface RevenueReport {
  bucket: string;
  compare?: RevenueEarlier | Json;
  configured: Array<string>;
  data: Array<RevenuePoint>;
  events: Array<string>;
  from: number;
  groups?: Array<RevenueGroup>;
  lu: number;
  other?: RevenueOtherRes | Json;
  timezone: string;
  to: number;
  totals: RevenueFigures;
}
