// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { Result } from '../types.js';

/** Parameters of {@link Quipu.postActiveUsersClearActiveUsersCache}. */
export interface PostActiveUsersClearActiveUsersCacheParams {
  /** For every app; for global administrators. */
  all_apps?: boolean;
  /** Id of the app. */
  app_id?: string;
}

/** Parameters of {@link Quipu.getActiveUsers}. */
export interface GetActiveUsersParams {
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
  /** Ids of up to 20 apps whose people are counted together, as a JSON list. */
  apps?: Json;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getActiveUsersReport}. */
export interface GetActiveUsersReportParams {
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
  /** Ids of up to 20 apps whose people are counted together, as a JSON list. */
  apps?: Json;
  /** Keys of events. */
  events?: Json;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
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

/** Operations of the group activeusers. */
export class ActiveusersOperations extends Base {
  /** Forget remembered answers. Needs the right to read `active_users`. Global administrators may leave out `app_id`.
   * `POST /i/active_users/clear_active_users_cache` */
  postActiveUsersClearActiveUsersCache(p: PostActiveUsersClearActiveUsersCacheParams = {}): Promise<Result> {
    return this.call('POST', '/i/active_users/clear_active_users_cache', p, { all_apps: 'body', app_id: 'body' });
  }

  /** Active users by day. Needs the right to read `active_users`. A read that takes too long goes on as a task.
   * `GET /o/active_users`. A read that takes too long throws a PendingError. */
  getActiveUsers(p: GetActiveUsersParams): Promise<ActiveusersTable | Json> {
    return this.call('GET', '/o/active_users', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', apps: 'query', filter: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Active users by day, week and month, with averages and groups. Needs the right to read `active_users`. A read that takes too long goes on as a task.
   * `GET /o/active_users/report`. A read that takes too long throws a PendingError. */
  getActiveUsersReport(p: GetActiveUsersReportParams): Promise<ActiveusersReport | Json> {
    return this.call('GET', '/o/active_users/report', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', apps: 'query', events: 'query', filter: 'query', breakdown: 'query', breakdown_limit: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }
}

export interface ActiveusersAppRow {
  id: string;
  name: string;
}

export interface ActiveusersDayRow {
  _id: string;
  d: number;
  dm: number;
  m: number;
  w: number;
}

export interface ActiveusersFigures {
  d: number;
  dm: number;
  dw: number;
  m: number;
  w: number;
}

export interface ActiveusersGroupRow {
  days: Array<ActiveusersTriple>;
  mean: ActiveusersFigures;
  other?: boolean;
  users: number;
  value: Json;
}

export interface ActiveusersReport {
  apps?: Array<ActiveusersAppRow>;
  days: Array<ActiveusersDayRow>;
  groups?: Array<ActiveusersGroupRow>;
  groups_total?: number;
  mean: ActiveusersFigures;
  mean_days: number;
  months: Array<ActiveusersUnitRow>;
  source: string;
  timezone: string;
  today: string;
  users: number;
  weeks: Array<ActiveusersUnitRow>;
}

export interface ActiveusersTable {
  calculating: boolean;
  data: Json;
}

export interface ActiveusersTriple {
  d: number;
  m: number;
  w: number;
}

export interface ActiveusersUnitRow {
  _id: string;
  first: string;
  over: boolean;
  u: number;
}
