// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { Result } from '../types.js';

/** Parameters of {@link Quipu.postSystemlogs}. */
export interface PostSystemlogsParams {
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action: string;
  /** What is written or exported, as JSON. */
  data?: Json;
}

/** Parameters of {@link Quipu.getMethodSystemlogs}. */
export interface GetMethodSystemlogsParams {
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
}

/** Parameters of {@link Quipu.getMethodSystemlogsMeta}. */
export interface GetMethodSystemlogsMetaParams {
  /** Id of the app. */
  app_id: string;
}

/** Operations of the group systemlogs. */
export class SystemlogsOperations extends Base {
  /** Write an entry of the audit log. For every member.
   * `POST /i/systemlogs` */
  postSystemlogs(p: PostSystemlogsParams): Promise<Result> {
    return this.call('POST', '/i/systemlogs', p, { action: 'body', data: 'body' });
  }

  /** List the audit log. For global administrators. The same as `/o?method=systemlogs`. The answer is a list, which pages, sorts and searches.
   * `GET /o/method/systemlogs` */
  getMethodSystemlogs(p: GetMethodSystemlogsParams): Promise<Json> {
    return this.call('GET', '/o/method/systemlogs', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query', query: 'query' });
  }

  /** Actions and members of the audit log. For global administrators. The same as `/o?method=systemlogs_meta`.
   * `GET /o/method/systemlogs_meta` */
  getMethodSystemlogsMeta(p: GetMethodSystemlogsMetaParams): Promise<Record<string, Json>> {
    return this.call('GET', '/o/method/systemlogs_meta', p, { app_id: 'query' });
  }
}
