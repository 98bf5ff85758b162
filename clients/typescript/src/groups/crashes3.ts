// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';

/** Parameters of {@link Quipu.getMethodCrashRules}. */
export interface GetMethodCrashRulesParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodCrashVariants}. */
export interface GetMethodCrashVariantsParams {
  /** Id of the app. */
  app_id: string;
  /** A group: of a list, those within it; of crashes, the id of the crash group. */
  group: string;
}

/** Parameters of {@link Quipu.getMethodCrashVelocity}. */
export interface GetMethodCrashVelocityParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodCrashes}. */
export interface GetMethodCrashesParams {
  /** Id of the app. */
  app_id: string;
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
  /** A group: of a list, those within it; of crashes, the id of the crash group. */
  group?: string;
  /** Answers with the users who had the crash. */
  userlist?: boolean;
  /** Answers with a list. */
  list?: boolean;
  /** Answers with the figures of crashes by day. */
  graph?: boolean;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Operating system. */
  os?: string;
  /** Version of the app. */
  app_version?: string;
}

/** Parameters of {@link Quipu.getMethodReports}. */
export interface GetMethodReportsParams {
  /** Id of the app. */
  app_id: string;
  /** Ids of crash reports. */
  report_ids?: Json;
  /** Id of the crash report. */
  report_id?: string;
}

/** Parameters of {@link Quipu.getMethodUserCrashes}. */
export interface GetMethodUserCrashesParams {
  /** Id of the app. */
  app_id: string;
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
  /** Number of the user. */
  uid: string;
  /** Whether the groups are described. */
  names?: boolean;
}

/** Operations of the group crashes3. */
export class Crashes3Operations extends Base {
  /** Rules for crash groups. Needs the right to read `crashes`. The same as `/o?method=crash_rules`.
   * `GET /o/method/crash_rules` */
  getMethodCrashRules(p: GetMethodCrashRulesParams): Promise<CrashesRulesRes> {
    return this.call('GET', '/o/method/crash_rules', p, { app_id: 'query' });
  }

  /** Variants of a crash group. Needs the right to read `crashes`. The same as `/o?method=crash_variants`.
   * `GET /o/method/crash_variants` */
  getMethodCrashVariants(p: GetMethodCrashVariantsParams): Promise<CrashesVariantsRes> {
    return this.call('GET', '/o/method/crash_variants', p, { app_id: 'query', group: 'query' });
  }

  /** Crash groups that spread. Needs the right to read `crashes`. The same as `/o?method=crash_velocity`.
   * `GET /o/method/crash_velocity` */
  getMethodCrashVelocity(p: GetMethodCrashVelocityParams): Promise<CrashesVelocity> {
    return this.call('GET', '/o/method/crash_velocity', p, { app_id: 'query' });
  }

  /** List crash groups, show one, or figures of crashes. Needs the right to read `crashes`. The same as `/o?method=crashes`. The answer is a list, which pages, sorts and searches.
   * `GET /o/method/crashes` */
  getMethodCrashes(p: GetMethodCrashesParams): Promise<Json> {
    return this.call('GET', '/o/method/crashes', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query', group: 'query', userlist: 'query', list: 'query', graph: 'query', query: 'query', filter: 'query', os: 'query', app_version: 'query' });
  }

  /** Crash reports. Needs the right to read `crashes`. The same as `/o?method=reports`.
   * `GET /o/method/reports` */
  getMethodReports(p: GetMethodReportsParams): Promise<Record<string, Record<string, Json>>> {
    return this.call('GET', '/o/method/reports', p, { app_id: 'query', report_ids: 'query', report_id: 'query' });
  }

  /** Crashes of a user. Needs the right to read `crashes`. The same as `/o?method=user_crashes`. The answer is a list, which pages, sorts and searches.
   * `GET /o/method/user_crashes` */
  getMethodUserCrashes(p: GetMethodUserCrashesParams): Promise<Json> {
    return this.call('GET', '/o/method/user_crashes', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query', uid: 'query', names: 'query' });
  }
}

export interface CrashesCondition {
  not?: boolean;
  pattern: string;
  what: string;
}

export interface CrashesFingerprintRule {
  match: Array<CrashesCondition>;
  parts: Array<string>;
}

export interface CrashesGrouped {
  algorithm: number;
  fingerprints: Array<CrashesFingerprintRule>;
  stack: Array<CrashesStackRule>;
}

export interface CrashesRulesRes {
  at: number;
  by: string;
  merged: number;
  pins: number;
  rules: CrashesGrouped;
  task: string;
  version: number;
}

export interface CrashesSpreading {
  _id: string;
  first: number;
  name: string;
  nonfatal: boolean;
  sessions: number;
  share: number;
  users: number;
}

export interface CrashesStackRule {
  do: string;
  match: Array<CrashesCondition>;
}

export interface CrashesVariantRes {
  _id: string;
  error: string;
  lastTs: number;
  name: string;
  pinned: boolean;
  reports: number;
  startTs: number;
  users: number;
}

export interface CrashesVariantsRes {
  total: number;
  variants: Array<CrashesVariantRes>;
}

export interface CrashesVelocity {
  groups: Array<CrashesSpreading>;
  least: number;
  minutes: number;
  percent: number;
  sessions: number;
}
