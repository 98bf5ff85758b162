// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';

/** Parameters of {@link Quipu.getExportData}. */
export interface GetExportDataParams {
  /** Which kind. */
  type?: string;
  /** Name of the file, without extension. */
  filename?: string;
  /** What is written or exported, as JSON. */
  data: Json;
  /** The text is exported as it is. */
  raw?: boolean;
}

/** Parameters of {@link Quipu.getExportDb}. */
export interface GetExportDbParams {
  /** Which kind. */
  type?: string;
  /** Name of the file, without extension. */
  filename?: string;
  /** Name of what is exported: `app_users` with the id of the app behind it, `events`, `drill_events`, or a collection of documents. */
  collection: string;
  /** The data base of the wire that the collection is in. */
  db?: "countly" | "countly_drill";
  /** Id of the app. */
  app_id?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these. */
  projection?: Json;
  /** Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these. */
  project?: Json;
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** How many rows are left out at the start. */
  skip?: number;
  /** How many rows at most. */
  limit?: number;
  /** Whether rows are numbered. */
  get_index?: boolean;
  /** Titles of columns by field. */
  columnNames?: Json;
  /** How fields are written, by field. */
  formatFields?: Json;
}

/** Parameters of {@link Quipu.getExportDownload}. */
export interface GetExportDownloadParams {
  /** Id of the app. */
  app_id?: string;
}

/** Parameters of {@link Quipu.getExportDownloadId}. */
export interface GetExportDownloadIdParams {
  /** Id of the app. */
  app_id?: string;
  /** Id of the document. */
  id: string;
}

/** Parameters of {@link Quipu.getExportRequest}. */
export interface GetExportRequestParams {
  /** Which kind. */
  type?: string;
  /** Name of the file, without extension. */
  filename?: string;
  /** Path of the answer that is exported, below `/o`, with or without a query. */
  path: string;
  /** Where the rows stand in the answer that is exported. */
  prop?: string;
  /** What is written or exported, as JSON. */
  data?: Json;
  /** Id of the app. */
  app_id?: string;
  /** Which of several requests of this path. */
  method?: string;
  /** Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these. */
  projection?: Json;
  /** Titles of columns by field. */
  columnNames?: Json;
  /** How fields are written, by field. */
  mapper?: Json;
}

/** Parameters of {@link Quipu.postExportRequestQuery}. */
export interface PostExportRequestQueryParams {
  /** Id of the app. */
  app_id?: string;
  /** Titles of columns by field. */
  columnNames?: Json;
  /** What is written or exported, as JSON. */
  data?: Json;
  /** Name of the file, without extension. */
  filename?: string;
  /** How fields are written, by field. */
  mapper?: Json;
  /** Which of several requests of this path. */
  method?: string;
  /** Path of the answer that is exported, below `/o`, with or without a query. */
  path: string;
  /** Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these. */
  projection?: Json;
  /** Where the rows stand in the answer that is exported. */
  prop?: string;
  /** Which kind. */
  type?: string;
  /** Label of the task. */
  type_name?: string;
}

/** Operations of the group export. */
export class ExportOperations extends Base {
  /** Export rows that are sent. For every member. Tokens that are limited to apps may be used.
   * `GET /o/export/data` */
  getExportData(p: GetExportDataParams): Promise<Blob> {
    return this.raw('GET', '/o/export/data', p, { type: 'query', filename: 'query', data: 'query', raw: 'query' });
  }

  /** Export a collection. For every member. Tokens that are limited to apps may be used.
   * `GET /o/export/db` */
  getExportDb(p: GetExportDbParams): Promise<Blob> {
    return this.raw('GET', '/o/export/db', p, { type: 'query', filename: 'query', collection: 'query', db: 'query', app_id: 'query', filter: 'query', query: 'query', projection: 'query', project: 'query', sort: 'query', skip: 'query', limit: 'query', get_index: 'query', columnNames: 'query', formatFields: 'query' });
  }

  /** Fault of a download without a name. Needs the right to read `core`. Global administrators may leave out `app_id`.
   * `GET /o/export/download` */
  getExportDownload(p: GetExportDownloadParams = {}): Promise<Blob> {
    return this.raw('GET', '/o/export/download', p, { app_id: 'query' });
  }

  /** Download an export. Needs the right to read `core`. Global administrators may leave out `app_id`.
   * `GET /o/export/download/{id}` */
  getExportDownloadId(p: GetExportDownloadIdParams): Promise<Blob> {
    return this.raw('GET', '/o/export/download/{id}', p, { app_id: 'query', id: 'path' });
  }

  /** Export the answer of a read. For every member. Tokens that are limited to apps may be used.
   * `GET /o/export/request` */
  getExportRequest(p: GetExportRequestParams): Promise<Blob> {
    return this.raw('GET', '/o/export/request', p, { type: 'query', filename: 'query', path: 'query', prop: 'query', data: 'query', app_id: 'query', method: 'query', projection: 'query', columnNames: 'query', mapper: 'query' });
  }

  /** Export the answer of a read as a task. For every member. Tokens that are limited to apps may be used.
   * `POST /o/export/requestQuery` */
  postExportRequestQuery(p: PostExportRequestQueryParams): Promise<Json> {
    return this.call('POST', '/o/export/requestQuery', p, { app_id: 'body', columnNames: 'body', data: 'body', filename: 'body', mapper: 'body', method: 'body', path: 'body', projection: 'body', prop: 'body', type: 'body', type_name: 'body' });
  }
}
