// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { Result } from '../types.js';

/** Parameters of {@link Quipu.postExploreViewsDelete}. */
export interface PostExploreViewsDeleteParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the view. */
  view_id: string;
}

/** Parameters of {@link Quipu.postExploreViewsSave}. */
export interface PostExploreViewsSaveParams {
  /** Id of the app. */
  app_id: string;
  /** Name. */
  name: string;
  /** The page that the view is of. */
  page?: string;
  /** Whether all members of the app see it. */
  shared?: boolean;
  /** State of the page, as the dashboard writes it. */
  state: string;
  /** Id of the view. */
  view_id?: string;
}

/** Parameters of {@link Quipu.getExploreCount}. */
export interface GetExploreCountParams {
  /** Id of the app. */
  app_id: string;
  /** Keys of events. */
  events: Json;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** Start, in milliseconds since 1970; 0 for no bound. */
  from?: number;
  /** End, in milliseconds since 1970; 0 for no bound. */
  to?: number;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getExploreProperties}. */
export interface GetExplorePropertiesParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getExploreViews}. */
export interface GetExploreViewsParams {
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
  /** Description. */
  desc?: boolean;
}

/** Operations of the group explore. */
export class ExploreOperations extends Base {
  /** Delete a saved view. Needs the right to read `core`.
   * `POST /i/explore/views/delete` */
  postExploreViewsDelete(p: PostExploreViewsDeleteParams): Promise<Result> {
    return this.call('POST', '/i/explore/views/delete', p, { app_id: 'body', view_id: 'body' });
  }

  /** Save a view. Needs the right to read `core`.
   * `POST /i/explore/views/save` */
  postExploreViewsSave(p: PostExploreViewsSaveParams): Promise<Result> {
    return this.call('POST', '/i/explore/views/save', p, { app_id: 'body', name: 'body', page: 'body', shared: 'body', state: 'body', view_id: 'body' });
  }

  /** Count users and events. Needs the right to read `events`. A read that takes too long goes on as a task.
   * `GET /o/explore/count`. A read that takes too long throws a PendingError. */
  getExploreCount(p: GetExploreCountParams): Promise<ExploreCountRes> {
    return this.call('GET', '/o/explore/count', p, { app_id: 'query', events: 'query', query: 'query', from: 'query', to: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Properties of an app. Needs the right to read `core`.
   * `GET /o/explore/properties` */
  getExploreProperties(p: GetExplorePropertiesParams): Promise<ExplorePropertiesRes> {
    return this.call('GET', '/o/explore/properties', p, { app_id: 'query' });
  }

  /** List saved views. Needs the right to read `core`. The answer is a list, which pages, sorts and searches.
   * `GET /o/explore/views` */
  getExploreViews(p: GetExploreViewsParams): Promise<Json> {
    return this.call('GET', '/o/explore/views', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query', desc: 'query' });
  }
}

export interface ExploreCountRes {
  count: number;
  total: number;
}

export interface ExploreEventProperties {
  key: string;
  properties: Array<ExploreProperty>;
}

export interface ExplorePropertiesRes {
  custom: Array<ExploreProperty>;
  events: Array<ExploreEventProperties>;
}

export interface ExploreProperty {
  description?: string;
  hidden?: boolean;
  kind: string;
  label?: string;
  name: string;
}
