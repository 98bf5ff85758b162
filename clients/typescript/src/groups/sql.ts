// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { Result } from '../types.js';

/** Parameters of {@link Quipu.postSqlDelete}. */
export interface PostSqlDeleteParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the saved query. */
  query_id: string;
}

/** Parameters of {@link Quipu.postSqlSave}. */
export interface PostSqlSaveParams {
  /** Id of the app. */
  app_id: string;
  /** How the page shows the result. */
  chart?: "table" | "line" | "bar";
  /** Name. */
  name: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Id of the saved query. */
  query_id?: string;
  /** Whether all members of the app see it. */
  shared?: boolean;
  /** The statement. */
  sql: string;
}

/** Parameters of {@link Quipu.getSql}. */
export interface GetSqlParams {
  /** Id of the app. */
  app_id: string;
  /** The statement. */
  sql: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** How many rows at most. */
  limit?: number;
  /** The form of rows. */
  form?: "lists" | "objects";
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getSqlQueries}. */
export interface GetSqlQueriesParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getSqlSchema}. */
export interface GetSqlSchemaParams {
  /** Id of the app. */
  app_id: string;
}

/** Operations of the group sql. */
export class SqlOperations extends Base {
  /** Delete a saved query. Needs the right to delete `sql`.
   * `POST /i/sql/delete` */
  postSqlDelete(p: PostSqlDeleteParams): Promise<Result> {
    return this.call('POST', '/i/sql/delete', p, { app_id: 'body', query_id: 'body' });
  }

  /** Keep a query, or change one. Needs the right to create `sql`.
   * `POST /i/sql/save` */
  postSqlSave(p: PostSqlSaveParams): Promise<Result> {
    return this.call('POST', '/i/sql/save', p, { app_id: 'body', chart: 'body', name: 'body', period: 'body', query_id: 'body', shared: 'body', sql: 'body' });
  }

  /** Run a statement in SQL. Needs the right to read `sql`. A read that takes too long goes on as a task.
   * `GET /o/sql`. A read that takes too long throws a PendingError. */
  getSql(p: GetSqlParams): Promise<SqlAnswer | Json> {
    return this.call('GET', '/o/sql', p, { app_id: 'query', sql: 'query', period: 'query', limit: 'query', form: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Saved queries. Needs the right to read `sql`.
   * `GET /o/sql/queries` */
  getSqlQueries(p: GetSqlQueriesParams): Promise<Array<SqlListed>> {
    return this.call('GET', '/o/sql/queries', p, { app_id: 'query' });
  }

  /** Views that statements may read. Needs the right to read `sql`.
   * `GET /o/sql/schema` */
  getSqlSchema(p: GetSqlSchemaParams): Promise<Array<SqlShownView>> {
    return this.call('GET', '/o/sql/schema', p, { app_id: 'query' });
  }
}

export interface SqlAnswer {
  columns: Array<SqlboxResultColumn>;
  from: number;
  read: number;
  rows: Array<Json>;
  to: number;
  took: number;
  truncated: boolean;
}

export interface SqlListed {
  _id: string;
  chart: string;
  created_at: number;
  editable: boolean;
  edited_at: number;
  name: string;
  owner: string;
  period: string;
  shared: boolean;
  sql: string;
}

export interface SqlShownView {
  columns: Array<SqlboxColumn>;
  name: string;
}

export interface SqlboxColumn {
  name: string;
  type: string;
}

export interface SqlboxResultColumn {
  name: string;
  type: string;
}
