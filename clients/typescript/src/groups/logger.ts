// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';

/** Parameters of {@link Quipu.getMethodCollectionInfo}. */
export interface GetMethodCollectionInfoParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodLogs}. */
export interface GetMethodLogsParams {
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
  filter?: Json;
}

/** Operations of the group logger. */
export class LoggerOperations extends Base {
  /** Size of the log of requests. Needs the right to read `logger`. The same as `/o?method=collection_info`.
   * `GET /o/method/collection_info` */
  getMethodCollectionInfo(p: GetMethodCollectionInfoParams): Promise<LoggerInfo> {
    return this.call('GET', '/o/method/collection_info', p, { app_id: 'query' });
  }

  /** Requests of clients. Needs the right to read `logger`. The same as `/o?method=logs`. The answer is a list, which pages, sorts and searches.
   * `GET /o/method/logs` */
  getMethodLogs(p: GetMethodLogsParams): Promise<Json> {
    return this.call('GET', '/o/method/logs', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query', filter: 'query' });
  }
}

export interface LoggerInfo {
  capped: boolean;
  count: number;
  max: number;
  status: string;
}
