// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';

/** Parameters of {@link Quipu.getDataSubjects}. */
export interface GetDataSubjectsParams {
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
  /** Name, e-mail address, user id or device id of the person. */
  by: string;
}

/** Parameters of {@link Quipu.getDataSubjectsErasures}. */
export interface GetDataSubjectsErasuresParams {
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
}

/** Parameters of {@link Quipu.getDataSubjectsHeld}. */
export interface GetDataSubjectsHeldParams {
  /** Id of the app. */
  app_id: string;
  /** Number of the user. */
  uid: string;
}

/** Parameters of {@link Quipu.getMethodUserCounts}. */
export interface GetMethodUserCountsParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodUserDetails}. */
export interface GetMethodUserDetailsParams {
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
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** Number of the user. */
  uid?: string;
  /** Id of a device of the user. */
  did?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** Id of the cohort whose members are listed. */
  profile_group?: string;
  /** Users with a name, an e-mail or the like, or the others. */
  filter?: "user-known" | "user-anonymous";
  /** What of one user is wanted; without it the profile. */
  calculate?: "eventsTable" | "graph" | "history" | "sessions";
  /** Columns of the table by short keys of profiles, in their order; `iSortCol_0` counts them. */
  visibleColumns?: Json;
  /** Leaves everything but `visibleColumns` out of the rows. */
  fetchOnlyVisibleColumns?: boolean;
  /** The property that results are divided by; a list for several. */
  projectionKey?: Json;
  /** Has a task write the list to a file. */
  exportToFile?: boolean;
  /** Format of the file. */
  type?: "json" | "csv" | "xlsx";
  /** Name of the file, without extension. */
  filename?: string;
  /** Step of the graph. */
  bucket?: "hourly" | "daily" | "weekly" | "monthly";
  /** Also answers with the period before. */
  comparisonMode?: boolean;
  /** Key of an event, `all`, or `custom-events`. */
  event?: string;
  /** Id of a session whose events are wanted. */
  session?: string;
  /** How many rows at most. */
  limit?: number;
  /** How many rows are left out at the start. */
  skip?: number;
  /** Whether rows that arrive while pages are read stay away. */
  paginationMode?: "snapshot" | "live";
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Operations of the group appusers2. */
export class Appusers2Operations extends Base {
  /** Find a person. Needs the right to read `users`. The answer is a list, which pages, sorts and searches.
   * `GET /o/data_subjects` */
  getDataSubjects(p: GetDataSubjectsParams): Promise<Json> {
    return this.call('GET', '/o/data_subjects', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query', by: 'query' });
  }

  /** List erasures. Needs the right to read `users`. The answer is a list, which pages, sorts and searches.
   * `GET /o/data_subjects/erasures` */
  getDataSubjectsErasures(p: GetDataSubjectsErasuresParams): Promise<Json> {
    return this.call('GET', '/o/data_subjects/erasures', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query' });
  }

  /** What is held of a person. Needs the right to read `users`.
   * `GET /o/data_subjects/held` */
  getDataSubjectsHeld(p: GetDataSubjectsHeldParams): Promise<Record<string, Json>> {
    return this.call('GET', '/o/data_subjects/held', p, { app_id: 'query', uid: 'query' });
  }

  /** How many users there are, and how many of them are anonymous. Needs the right to read `users`. The same as `/o?method=user_counts`.
   * `GET /o/method/user_counts` */
  getMethodUserCounts(p: GetMethodUserCountsParams): Promise<AppusersCountsRes> {
    return this.call('GET', '/o/method/user_counts', p, { app_id: 'query' });
  }

  /** Users, or one user. Needs the right to read `users`. The same as `/o?method=user_details`. The answer is a list, which pages, sorts and searches. A read that takes too long goes on as a task.
   * `GET /o/method/user_details` */
  getMethodUserDetails(p: GetMethodUserDetailsParams): Promise<Json> {
    return this.call('GET', '/o/method/user_details', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', uid: 'query', did: 'query', query: 'query', profile_group: 'query', filter: 'query', calculate: 'query', visibleColumns: 'query', fetchOnlyVisibleColumns: 'query', projectionKey: 'query', exportToFile: 'query', type: 'query', filename: 'query', bucket: 'query', comparisonMode: 'query', event: 'query', session: 'query', limit: 'query', skip: 'query', paginationMode: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }
}

export interface AppusersCountsRes {
  total: number;
  unidentified: number;
}
