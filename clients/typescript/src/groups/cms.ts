// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { Result } from '../types.js';

/** Parameters of {@link Quipu.postCmsClear}. */
export interface PostCmsClearParams {
  /** Id of the document. */
  _id?: string;
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.postCmsSaveEntries}. */
export interface PostCmsSaveEntriesParams {
  /** Id of the app. */
  app_id: string;
  /** Entries of content. */
  entries: Json;
}

/** Parameters of {@link Quipu.getCmsEntries}. */
export interface GetCmsEntriesParams {
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
  /** Id of the document. */
  _id: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
}

/** Operations of the group cms. */
export class CmsOperations extends Base {
  /** Delete entries of content. Needs the right to delete `core`.
   * `POST /i/cms/clear` */
  postCmsClear(p: PostCmsClearParams): Promise<Result> {
    return this.call('POST', '/i/cms/clear', p, { _id: 'body', app_id: 'body' });
  }

  /** Store entries of content. Needs the right to create `core`.
   * `POST /i/cms/save_entries` */
  postCmsSaveEntries(p: PostCmsSaveEntriesParams): Promise<Result> {
    return this.call('POST', '/i/cms/save_entries', p, { app_id: 'body', entries: 'body' });
  }

  /** Entries of content. For every member. The answer is a list, which pages, sorts and searches.
   * `GET /o/cms/entries` */
  getCmsEntries(p: GetCmsEntriesParams): Promise<Json> {
    return this.call('GET', '/o/cms/entries', p, { iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query', _id: 'query', query: 'query' });
  }
}
