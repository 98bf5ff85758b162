// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';

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
  /** Number of the user. */
  uid: string;
  /** Whether the groups are described. */
  names?: boolean;
}

/** Operations of the group crashes3. */
export class Crashes3Operations extends Base {
  /** List crash groups, show one, or figures of crashes. Needs the right to read `crashes`. The same as `/o?method=crashes`. The answer is a list, which pages, sorts and searches.
   * `GET /o/method/crashes` */
  getMethodCrashes(p: GetMethodCrashesParams): Promise<Json> {
    return this.call('GET', '/o/method/crashes', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', group: 'query', userlist: 'query', list: 'query', graph: 'query', query: 'query', filter: 'query', os: 'query', app_version: 'query' });
  }

  /** Crash reports. Needs the right to read `crashes`. The same as `/o?method=reports`.
   * `GET /o/method/reports` */
  getMethodReports(p: GetMethodReportsParams): Promise<Record<string, Record<string, Json>>> {
    return this.call('GET', '/o/method/reports', p, { app_id: 'query', report_ids: 'query', report_id: 'query' });
  }

  /** Crashes of a user. Needs the right to read `crashes`. The same as `/o?method=user_crashes`. The answer is a list, which pages, sorts and searches.
   * `GET /o/method/user_crashes` */
  getMethodUserCrashes(p: GetMethodUserCrashesParams): Promise<Json> {
    return this.call('GET', '/o/method/user_crashes', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', uid: 'query', names: 'query' });
  }
}
