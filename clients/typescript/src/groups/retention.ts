// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';

/** Parameters of {@link Quipu.getMethodRetention}. */
export interface GetMethodRetentionParams {
  /** Id of the app. */
  app_id: string;
  /** Unit of cohorts and ages: days, weeks or months. */
  period: "adaily" | "aweekly" | "amonthly";
  /** Who begins and who comes back, as the reference of retention says. */
  rettype?: "full" | "classic" | "unbounded";
  /** Key of the event that users come back with, or a JSON list of keys of which any counts. */
  evt?: string;
  /** A range of days: a period, or a list of two. */
  range?: Json;
  /** How many units. */
  span?: number;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getRetention}. */
export interface GetRetentionParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** The event that starts it; a text is a key. */
  start?: Json;
  /** The event that users come back with; a text is a key, and a list has any of several. */
  return?: Json;
  /** Which occurrence of the start counts: each, or the first ever. */
  start_type?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** Which form of the calculation. */
  mode?: string;
  /** Unit of cohorts and ages. */
  unit?: "hour" | "day" | "week" | "month";
  /** Groups of days, such as `[[0,0],[1,6],[7,29]]`. */
  brackets?: Json;
  /** How many units. */
  span?: number;
  /** A user who comes back later counts for each unit before, too. */
  rolling?: boolean;
  /** The property that results are divided by. */
  breakdown?: string;
  /** How many values of the property are shown; the others are one group. */
  breakdown_limit?: number;
  /** The property whose sums are shown in place of users. */
  value?: string;
  /** What unique figures count: `users`, `sessions`, or the path of a property whose values are accounts, as `custom.company`. */
  count_by?: string;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getRetentionActivity}. */
export interface GetRetentionActivityParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Keys of events. */
  events?: Json;
  /** Unit of time. */
  unit?: "day" | "week" | "month";
  /** What unique figures count: `users`, `sessions`, or the path of a property whose values are accounts, as `custom.company`. */
  count_by?: string;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getRetentionPeople}. */
export interface GetRetentionPeopleParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** The event that starts it; a text is a key. */
  start?: Json;
  /** The event that users come back with; a text is a key, and a list has any of several. */
  return?: Json;
  /** Which occurrence of the start counts: each, or the first ever. */
  start_type?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** Which form of the calculation. */
  mode?: string;
  /** Unit of cohorts and ages. */
  unit?: "hour" | "day" | "week" | "month";
  /** Groups of days, such as `[[0,0],[1,6],[7,29]]`. */
  brackets?: Json;
  /** How many units. */
  span?: number;
  /** A user who comes back later counts for each unit before, too. */
  rolling?: boolean;
  /** The property that results are divided by. */
  breakdown?: string;
  /** How many values of the property are shown; the others are one group. */
  breakdown_limit?: number;
  /** The property whose sums are shown in place of users. */
  value?: string;
  /** What unique figures count: `users`, `sessions`, or the path of a property whose values are accounts, as `custom.company`. */
  count_by?: string;
  /** The row of the table whose users are listed. */
  cohort?: string;
  /** Number of the group of days. */
  bracket?: number;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Operations of the group retention. */
export class RetentionOperations extends Base {
  /** Retention as a table. Needs the right to read `retention_segments`. The same as `/o?method=retention`. A read that takes too long goes on as a task.
   * `GET /o/method/retention`. A read that takes too long throws a PendingError. */
  getMethodRetention(p: GetMethodRetentionParams): Promise<Array<Json>> {
    return this.call('GET', '/o/method/retention', p, { app_id: 'query', period: 'query', rettype: 'query', evt: 'query', range: 'query', span: 'query', query: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Retention. Needs the right to read `retention_segments`. A read that takes too long goes on as a task.
   * `GET /o/retention`. A read that takes too long throws a PendingError. */
  getRetention(p: GetRetentionParams): Promise<RetentionReport | Json> {
    return this.call('GET', '/o/retention', p, { app_id: 'query', period: 'query', timezone: 'query', start: 'query', return: 'query', start_type: 'query', query: 'query', mode: 'query', unit: 'query', brackets: 'query', span: 'query', rolling: 'query', breakdown: 'query', breakdown_limit: 'query', value: 'query', count_by: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Users by days on which they were active. Needs the right to read `retention_segments`. A read that takes too long goes on as a task.
   * `GET /o/retention/activity`. A read that takes too long throws a PendingError. */
  getRetentionActivity(p: GetRetentionActivityParams): Promise<RetentionActivity | Json> {
    return this.call('GET', '/o/retention/activity', p, { app_id: 'query', period: 'query', timezone: 'query', events: 'query', unit: 'query', count_by: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Users behind a cell of retention. Needs the right to read `retention_segments`. A read that takes too long goes on as a task.
   * `GET /o/retention/people`. A read that takes too long throws a PendingError. */
  getRetentionPeople(p: GetRetentionPeopleParams): Promise<RetentionPeople> {
    return this.call('GET', '/o/retention/people', p, { app_id: 'query', period: 'query', timezone: 'query', start: 'query', return: 'query', start_type: 'query', query: 'query', mode: 'query', unit: 'query', brackets: 'query', span: 'query', rolling: 'query', breakdown: 'query', breakdown_limit: 'query', value: 'query', count_by: 'query', cohort: 'query', bracket: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }
}

export interface RetentionActivity {
  interval: RetentionInterval;
  lifecycle: Array<RetentionLifecycleRow>;
  stickiness: Array<RetentionStickyRow>;
  timezone: string;
  unit: string;
  users: number;
}

export interface RetentionBracketRow {
  from: number;
  to: number;
}

export interface RetentionCohortRow {
  _id: string;
  cells: Array<RetentionFigures | Json>;
  start: number;
  users: number;
}

export interface RetentionFigures {
  kept: number;
  over: number;
  percent: number;
  users: number;
  value?: number | null;
  value_per_user?: number | null;
}

export interface RetentionGroupRow {
  cells: Array<RetentionFigures | Json>;
  other?: boolean;
  users: number;
  value: Json;
}

export interface RetentionInterval {
  histogram: Array<RetentionStickyRow>;
  median: number;
  p80: number;
  users: number;
}

export interface RetentionLifecycleRow {
  _id: string;
  dormant: number;
  new: number;
  resurrected: number;
  returning: number;
  start: number;
}

export interface RetentionPeople {
  accounts?: Array<string>;
  uids: Array<string>;
  users: number;
}

export interface RetentionReport {
  brackets: Array<RetentionBracketRow>;
  from: number;
  groups?: Array<RetentionGroupRow>;
  mean: Array<RetentionFigures | Json>;
  mode: string;
  rolling: boolean;
  rows: Array<RetentionCohortRow>;
  source: string;
  start_type: string;
  timezone: string;
  to: number;
  unit: string;
  users: number;
}

export interface RetentionStickyRow {
  units: number;
  users: number;
}
