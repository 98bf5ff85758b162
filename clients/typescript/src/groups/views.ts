// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json, Upload } from '../client.js';
import type { Result } from '../types.js';

/** Parameters of {@link Quipu.postHeatmapsDelete}. */
export interface PostHeatmapsDeleteParams {
  /** Id of the app. */
  app_id: string;
  /** Kind of devices that the picture is of. */
  device: "phone" | "tablet" | "desktop";
  /** Name of a view, or of a page of the dashboard. */
  view: string;
}

/** Parameters of {@link Quipu.postHeatmapsTake}. */
export interface PostHeatmapsTakeParams {
  /** Id of the app. */
  app_id: string;
  /** Kind of devices that the picture is of. */
  device: "phone" | "tablet" | "desktop";
  /** Address of the page, https or http. */
  url: string;
  /** Name of a view, or of a page of the dashboard. */
  view: string;
}

/** Parameters of {@link Quipu.postHeatmapsUpload}. */
export interface PostHeatmapsUploadParams {
  /** Id of the app. */
  app_id: string;
  /** Kind of devices that the picture is of. */
  device: "phone" | "tablet" | "desktop";
  /** A file. */
  picture?: Upload;
  /** Name of a view, or of a page of the dashboard. */
  view: string;
}

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
  /** Name of a segment. */
  segment?: string;
  /** Domain that the page was on; without it, any. */
  domain?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Clicks, how far pages are scrolled, clicks that nothing follows, or clicks in a rage. */
  actionType: "click" | "scroll" | "dead" | "rage";
}

/** Parameters of {@link Quipu.getHeatmaps}. */
export interface GetHeatmapsParams {
  /** Id of the app. */
  app_id: string;
  /** Name of a view, or of a page of the dashboard. */
  view: string;
  /** Widths of screens: `{"minWidth":0,"maxWidth":767}`. */
  device?: Json;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period: string;
  /** Name of a segment. */
  segment?: string;
  /** Domain that the page was on; without it, any. */
  domain?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getHeatmapsPicture}. */
export interface GetHeatmapsPictureParams {
  /** Id of the app. */
  app_id: string;
  /** Name of a view, or of a page of the dashboard. */
  view: string;
  /** Kind of devices that the picture is of. */
  device: "phone" | "tablet" | "desktop";
}

/** Parameters of {@link Quipu.getHeatmapsPictures}. */
export interface GetHeatmapsPicturesParams {
  /** Id of the app. */
  app_id: string;
  /** Name of a view, or of a page of the dashboard. */
  view?: string;
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
  /** Delete the picture of a view. Needs the right to update `views`.
   * `POST /i/heatmaps/delete` */
  postHeatmapsDelete(p: PostHeatmapsDeleteParams): Promise<Result> {
    return this.call('POST', '/i/heatmaps/delete', p, { app_id: 'body', device: 'body', view: 'body' });
  }

  /** Take a picture of the page of a view. Needs the right to update `views`.
   * `POST /i/heatmaps/take` */
  postHeatmapsTake(p: PostHeatmapsTakeParams): Promise<ViewsShownPicture> {
    return this.call('POST', '/i/heatmaps/take', p, { app_id: 'body', device: 'body', url: 'body', view: 'body' });
  }

  /** Upload a picture of a view. Needs the right to update `views`. Files stand in a form beside the parameters.
   * `POST /i/heatmaps/upload` */
  postHeatmapsUpload(p: PostHeatmapsUploadParams): Promise<ViewsShownPicture> {
    return this.call('POST', '/i/heatmaps/upload', p, { app_id: 'body', device: 'body', picture: 'body', view: 'body' });
  }

  /** Rename, delete or trim views. Needs the right to read `views`.
   * `POST /i/views` */
  postViews(p: PostViewsParams): Promise<Json> {
    return this.call('POST', '/i/views', p, { app_id: 'body', data: 'body', method: 'body', omit_list: 'body', view_id: 'body' });
  }

  /** Clicks and scrolling on a page. Needs the right to read `views`.
   * `GET /o/actions` */
  getActions(p: GetActionsParams): Promise<ViewsActionsRes> {
    return this.call('GET', '/o/actions', p, { app_id: 'query', view: 'query', device: 'query', period: 'query', segment: 'query', domain: 'query', filter: 'query', actionType: 'query' });
  }

  /** Heat map of a view. Needs the right to read `views`. A read that takes too long goes on as a task.
   * `GET /o/heatmaps`. A read that takes too long throws a PendingError. */
  getHeatmaps(p: GetHeatmapsParams): Promise<ViewsHeatmap> {
    return this.call('GET', '/o/heatmaps', p, { app_id: 'query', view: 'query', device: 'query', period: 'query', segment: 'query', domain: 'query', filter: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** The picture of a view. Needs the right to read `views`.
   * `GET /o/heatmaps/picture` */
  getHeatmapsPicture(p: GetHeatmapsPictureParams): Promise<Blob> {
    return this.raw('GET', '/o/heatmaps/picture', p, { app_id: 'query', view: 'query', device: 'query' });
  }

  /** Pictures of views. Needs the right to read `views`.
   * `GET /o/heatmaps/pictures` */
  getHeatmapsPictures(p: GetHeatmapsPicturesParams): Promise<Array<ViewsShownPicture>> {
    return this.call('GET', '/o/heatmaps/pictures', p, { app_id: 'query', view: 'query' });
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

  /** Script of heat maps. Needs no credentials of a member.
   * `GET /views/heatmap.js` */
  getViewsHeatmapJs(): Promise<Blob> {
    return this.raw('GET', '/views/heatmap.js');
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

export interface ViewsHeatmap {
  clicked: number;
  clicks: number;
  columns: number;
  cut: boolean;
  dead: number;
  first_click: number;
  first_click_late: number;
  height: number;
  name: string;
  rage: number;
  rage_users: number;
  reached: Array<number>;
  rows: number;
  scrolls: number;
  spots: Array<Array<number>>;
  users: number;
  view: string;
  visits: number;
  width: number;
}

export interface ViewsSegmentsRes {
  domains: Array<string>;
  omit?: Array<string>;
  segments: Record<string, Array<string>>;
}

export interface ViewsShownPicture {
  address: string;
  at: number;
  device: string;
  height: number;
  view: string;
  width: number;
}
