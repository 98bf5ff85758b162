// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';

/** Parameters of {@link Quipu.postViews}. */
export interface PostViewsParams {
  /** Id of the app. */
  app_id: string;
  /** What is written or exported, as JSON. */
  data?: Json;
  /** Which of several requests of this path. */
  method: string;
  /** Names of segments that are left out. */
  omit_list?: Json;
  /** Id of the view. */
  view_id?: string;
}

/** Parameters of {@link Quipu.getActions}. */
export interface GetActionsParams {
  /** Id of the app. */
  app_id: string;
  /** Name of a view, or of a page of the dashboard. */
  view: string;
  /** Widths of screens: `{"minWidth":0,"maxWidth":767}`. */
  device: Json;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period: string;
  /** Clicks, or how far pages are scrolled. */
  actionType: "click" | "scroll";
  /** Name of a segment. */
  segment?: string;
}

/** Parameters of {@link Quipu.getMethodGetViewCount}. */
export interface GetMethodGetViewCountParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodGetViewSegments}. */
export interface GetMethodGetViewSegmentsParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodViews}. */
export interface GetMethodViewsParams {
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
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Name of a segment. */
  segment?: string;
  /** Value of the segment. */
  segmentVal?: string;
  /** Ids of views. */
  selectedViews?: Json;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
}

/** Operations of the group views. */
export class ViewsOperations extends Base {
  /** Rename, delete or trim views. Needs the right to read `views`.
   * `POST /i/views` */
  postViews(p: PostViewsParams): Promise<Json> {
    return this.call('POST', '/i/views', p, { app_id: 'body', data: 'body', method: 'body', omit_list: 'body', view_id: 'body' });
  }

  /** Clicks and scrolling on a page. Needs the right to read `views`.
   * `GET /o/actions` */
  getActions(p: GetActionsParams): Promise<ViewsActionsRes> {
    return this.call('GET', '/o/actions', p, { app_id: 'query', view: 'query', device: 'query', period: 'query', actionType: 'query', segment: 'query' });
  }

  /** How many views there are. Needs the right to read `views`. The same as `/o?method=get_view_count`.
   * `GET /o/method/get_view_count` */
  getMethodGetViewCount(p: GetMethodGetViewCountParams): Promise<ViewsCountRes> {
    return this.call('GET', '/o/method/get_view_count', p, { app_id: 'query' });
  }

  /** Segments of views. Needs the right to read `views`. The same as `/o?method=get_view_segments`.
   * `GET /o/method/get_view_segments` */
  getMethodGetViewSegments(p: GetMethodGetViewSegmentsParams): Promise<ViewsSegmentsRes> {
    return this.call('GET', '/o/method/get_view_segments', p, { app_id: 'query' });
  }

  /** Figures of views. Needs the right to read `views`. The same as `/o?method=views`. The answer is a list, which pages, sorts and searches.
   * `GET /o/method/views` */
  getMethodViews(p: GetMethodViewsParams): Promise<Json> {
    return this.call('GET', '/o/method/views', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', segment: 'query', segmentVal: 'query', selectedViews: 'query', bucket: 'query', filter: 'query' });
  }
}

export interface ViewsActionRow {
  c: number;
  sg: Record<string, Json>;
}

export interface ViewsActionsRes {
  data: Array<ViewsActionRow>;
  domains: Array<string>;
  types: Array<string>;
}

export interface ViewsCountRes {
  result: number;
}

export interface ViewsSegmentsRes {
  domains: Array<string>;
  omit?: Array<string>;
  segments: Record<string, Array<string>>;
}
