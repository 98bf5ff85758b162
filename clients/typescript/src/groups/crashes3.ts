// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { CrashesMeasure } from '../types.js';

/** Parameters of {@link Quipu.getMethodCrashProperties}. */
export interface GetMethodCrashPropertiesParams {
  /** Id of the app. */
  app_id: string;
  /** A group: of a list, those within it; of crashes, the id of the crash group. */
  group: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** How many values at most, up to 500. */
  limit?: number;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getMethodCrashReleases}. */
export interface GetMethodCrashReleasesParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodCrashRules}. */
export interface GetMethodCrashRulesParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodCrashSimilar}. */
export interface GetMethodCrashSimilarParams {
  /** Id of the app. */
  app_id: string;
  /** A group: of a list, those within it; of crashes, the id of the crash group. */
  group: string;
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
  /** Properties that users hit by a crash group have more often. Needs the right to read `crashes`. The same as `/o?method=crash_properties`. A read that takes too long goes on as a task.
   * `GET /o/method/crash_properties`. A read that takes too long throws a PendingError. */
  getMethodCrashProperties(p: GetMethodCrashPropertiesParams): Promise<CrashesPropertiesRes> {
    return this.call('GET', '/o/method/crash_properties', p, { app_id: 'query', group: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', limit: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Crashes by version of the app. Needs the right to read `crashes`. The same as `/o?method=crash_releases`.
   * `GET /o/method/crash_releases` */
  getMethodCrashReleases(p: GetMethodCrashReleasesParams): Promise<CrashesReleasesRes> {
    return this.call('GET', '/o/method/crash_releases', p, { app_id: 'query' });
  }

  /** Rules for crash groups. Needs the right to read `crashes`. The same as `/o?method=crash_rules`.
   * `GET /o/method/crash_rules` */
  getMethodCrashRules(p: GetMethodCrashRulesParams): Promise<CrashesRulesRes> {
    return this.call('GET', '/o/method/crash_rules', p, { app_id: 'query' });
  }

  /** Crash groups whose stacks resemble that of a group. Needs the right to read `crashes`. The same as `/o?method=crash_similar`.
   * `GET /o/method/crash_similar` */
  getMethodCrashSimilar(p: GetMethodCrashSimilarParams): Promise<Array<CrashesSimilarTo>> {
    return this.call('GET', '/o/method/crash_similar', p, { app_id: 'query', group: 'query' });
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

export interface CrashesChanged {
  _id: string;
  before: number;
  name: string;
  nonfatal: boolean;
  ratio: number;
  reports: number;
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

export interface CrashesOverRep {
  adjusted: number;
  exact: boolean;
  hit: number;
  hitPercent: number;
  kind: string;
  odds: CrashesMeasure;
  other: number;
  otherPercent: number;
  p: number;
  path: string;
  value: Json;
}

export interface CrashesPopulation {
  few: boolean;
  hit: number;
  other: number;
}

export interface CrashesPropertiesRes {
  properties: Array<CrashesOverRep>;
  reports: CrashesPopulation;
  tested: number;
  users: CrashesPopulation;
}

export interface CrashesReleaseChange {
  before: string;
  counts: Json;
  fatal: number;
  frequent: Array<CrashesChanged>;
  new: Array<CrashesChanged>;
  nonfatal: number;
  returned: Array<CrashesChanged>;
  sessions: number;
  version: string;
}

export interface CrashesReleasesRes {
  releases: Array<CrashesReleaseChange>;
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

export interface CrashesSimilarTo {
  _id: string;
  is_resolved: boolean;
  lastTs: number;
  name: string;
  os: string;
  reports: number;
  similarity: number;
  users: number;
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
