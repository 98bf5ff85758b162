// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';

/** Parameters of {@link Quipu.getAppUsersConsents}. */
export interface GetAppUsersConsentsParams {
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
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these. */
  project?: Json;
  /** Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these. */
  projection?: Json;
  /** How many rows at most. */
  limit?: number;
  /** How many rows are left out at the start. */
  skip?: number;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
}

/** Parameters of {@link Quipu.getConsentCurrent}. */
export interface GetConsentCurrentParams {
  /** Id of the app. */
  app_id: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
}

/** Parameters of {@link Quipu.getConsentSearch}. */
export interface GetConsentSearchParams {
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
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these. */
  project?: Json;
  /** Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these. */
  projection?: Json;
  /** How many rows at most. */
  limit?: number;
  /** How many rows are left out at the start. */
  skip?: number;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
}

/** Parameters of {@link Quipu.getConsentSearchOld}. */
export interface GetConsentSearchOldParams {
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
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these. */
  project?: Json;
  /** Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these. */
  projection?: Json;
  /** How many rows at most. */
  limit?: number;
  /** How many rows are left out at the start. */
  skip?: number;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
}

/** Parameters of {@link Quipu.getMethodConsents}. */
export interface GetMethodConsentsParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
}

/** Operations of the group compliancehub. */
export class CompliancehubOperations extends Base {
  /** Consents of users. Needs the right to read `compliance_hub`. The answer is a list, which pages, sorts and searches.
   * `GET /o/app_users/consents` */
  getAppUsersConsents(p: GetAppUsersConsentsParams): Promise<Json> {
    return this.call('GET', '/o/app_users/consents', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query', query: 'query', filter: 'query', project: 'query', projection: 'query', limit: 'query', skip: 'query', period: 'query' });
  }

  /** Consents of a user. Needs the right to read `compliance_hub`.
   * `GET /o/consent/current` */
  getConsentCurrent(p: GetConsentCurrentParams): Promise<Record<string, boolean>> {
    return this.call('GET', '/o/consent/current', p, { app_id: 'query', query: 'query', filter: 'query' });
  }

  /** Changes of consents. Needs the right to read `compliance_hub`. The answer is a list, which pages, sorts and searches.
   * `GET /o/consent/search` */
  getConsentSearch(p: GetConsentSearchParams): Promise<CompliancehubChangesTable> {
    return this.call('GET', '/o/consent/search', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query', query: 'query', filter: 'query', project: 'query', projection: 'query', limit: 'query', skip: 'query', period: 'query' });
  }

  /** Changes of consents, by their age. Needs the right to read `compliance_hub`. The answer is a list, which pages, sorts and searches.
   * `GET /o/consent/searchOld` */
  getConsentSearchOld(p: GetConsentSearchOldParams): Promise<Json> {
    return this.call('GET', '/o/consent/searchOld', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query', query: 'query', filter: 'query', project: 'query', projection: 'query', limit: 'query', skip: 'query', period: 'query' });
  }

  /** Consents over time. Needs the right to read `compliance_hub`. The same as `/o?method=consents`.
   * `GET /o/method/consents` */
  getMethodConsents(p: GetMethodConsentsParams): Promise<Json> {
    return this.call('GET', '/o/method/consents', p, { app_id: 'query', period: 'query' });
  }
}

export interface CompliancehubChangesTable {
  aaData: Array<Record<string, Json>>;
  hasNextPage: boolean;
  iTotalDisplayRecords: number;
  iTotalRecords: number;
  isApproximate: boolean;
  nextCursor: string | null;
  paginationMode: string;
  sEcho?: Json;
}
