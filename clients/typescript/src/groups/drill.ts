// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { QueryFigures, Result } from '../types.js';

/** Parameters of {@link Quipu.postDrillAddBookmark}. */
export interface PostDrillAddBookmarkParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the bookmark. */
  bookmark_id?: string;
  /** The property that the bookmark divides by. */
  by_val?: string;
  /** The property as the page shows it. */
  by_val_text?: string;
  /** Description. */
  desc: string;
  /** Key of an event. */
  event_key: string;
  /** Whether all members of the app see it. */
  global: boolean;
  /** Name. */
  name: string;
  /** Where the bookmark is shown. */
  namespace?: string;
  /** The filter of the bookmark. */
  query_obj: Json;
  /** The filter as pages show it. */
  query_text?: string;
  /** E-mail addresses of members who may change it. */
  shared_email_edit?: Json;
  /** E-mail addresses of members who may see it. */
  shared_email_view?: Json;
  /** Who sees the bookmark: its creator, members who are named in `shared_email_view` and `shared_email_edit`, or everyone who may read bookmarks. Without it, `global` says. */
  visibility?: "private" | "shared" | "global";
  /** How the bookmark is shown. */
  visualization?: string;
}

/** Parameters of {@link Quipu.postDrillCleanupMeta}. */
export interface PostDrillCleanupMetaParams {
  /** For all that the app has, rather than for one event. */
  all?: boolean;
  /** For every app; for global administrators. */
  all_apps?: boolean;
  /** Id of the app. */
  app_id?: string;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Which of several requests of this path. */
  method?: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Id of the view. */
  view_id?: string;
  /** Whether the answer waits until it is done. */
  wait_to_finish?: boolean;
}

/** Parameters of {@link Quipu.postDrillDeleteBookmark}. */
export interface PostDrillDeleteBookmarkParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the bookmark. */
  bookmark_id: string;
}

/** Parameters of {@link Quipu.postDrillEditBookmark}. */
export interface PostDrillEditBookmarkParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the bookmark. */
  bookmark_id: string;
  /** The property that the bookmark divides by. */
  by_val: string;
  /** The property as the page shows it. */
  by_val_text: string;
  /** Description. */
  desc: string;
  /** Key of an event. */
  event_key: string;
  /** Whether all members of the app see it. */
  global: boolean;
  /** Name. */
  name: string;
  /** Where the bookmark is shown. */
  namespace?: string;
  /** The filter of the bookmark. */
  query_obj: Json;
  /** The filter as pages show it. */
  query_text: string;
  /** E-mail addresses of members who may change it. */
  shared_email_edit?: Json;
  /** E-mail addresses of members who may see it. */
  shared_email_view?: Json;
  /** Who sees the bookmark: its creator, members who are named in `shared_email_view` and `shared_email_edit`, or everyone who may read bookmarks. Without it, `global` says. */
  visibility?: "private" | "shared" | "global";
  /** How the bookmark is shown. */
  visualization?: string;
}

/** Parameters of {@link Quipu.postDrillRecheckLists}. */
export interface PostDrillRecheckListsParams {
  /** For all that the app has, rather than for one event. */
  all?: boolean;
  /** For every app; for global administrators. */
  all_apps?: boolean;
  /** Id of the app. */
  app_id?: string;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Which of several requests of this path. */
  method?: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Id of the view. */
  view_id?: string;
  /** Whether the answer waits until it is done. */
  wait_to_finish?: boolean;
}

/** Parameters of {@link Quipu.postDrillRegenerateMeta}. */
export interface PostDrillRegenerateMetaParams {
  /** For all that the app has, rather than for one event. */
  all?: boolean;
  /** For every app; for global administrators. */
  all_apps?: boolean;
  /** Id of the app. */
  app_id?: string;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Which of several requests of this path. */
  method?: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Id of the view. */
  view_id?: string;
  /** Whether the answer waits until it is done. */
  wait_to_finish?: boolean;
}

/** Parameters of {@link Quipu.postDrillRegeneration}. */
export interface PostDrillRegenerationParams {
  /** For all that the app has, rather than for one event. */
  all?: boolean;
  /** For every app; for global administrators. */
  all_apps?: boolean;
  /** Id of the app. */
  app_id?: string;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Which of several requests of this path. */
  method: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Id of the view. */
  view_id?: string;
  /** Whether the answer waits until it is done. */
  wait_to_finish?: boolean;
}

/** Parameters of {@link Quipu.getMethodDrillBookmark}. */
export interface GetMethodDrillBookmarkParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the document. */
  _id: string;
}

/** Parameters of {@link Quipu.getMethodDrillBookmarks}. */
export interface GetMethodDrillBookmarksParams {
  /** Id of the app. */
  app_id: string;
  /** Key of an event. */
  event_key?: string;
  /** With `1`, bookmarks of the app whatever its event. */
  app_level?: "0" | "1";
  /** Ids of apps: a JSON list, or separated by commas. */
  apps?: string;
  /** Where the bookmark is shown. */
  namespace?: string;
  /** Answers with how many there are alone. */
  only_count?: boolean;
}

/** Parameters of {@link Quipu.getMethodSegmentation}. */
export interface GetMethodSegmentationParams {
  /** Id of the app. */
  app_id: string;
  /** Key of an event, or a JSON list of keys of which any counts; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event: string;
  /** A filter, in the language of queries. */
  queryObject: Json;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket: string;
  /** The property that results are divided by; a list for several. */
  projectionKey?: Json;
  /** Answers with a list. */
  list?: string;
  /** How many values of the breakdown are shown. */
  limit?: number;
  /** How many values are left out at the start, with `list=true`. */
  skip?: number;
  /** Order of the values, with `list=true`: `{"u":-1}`; the direction is 1 or -1. */
  sort?: Json;
  /** What values are ranked by: `u`, `t`, `s`, `dur`, `s0` for the value, or `m0` for a measure. */
  sortGraphBy?: string;
  /** Ids of cohorts. */
  cohorts?: Json;
  /** What unique figures count: `users`, `sessions`, or the path of a property whose values are accounts, as `custom.company`. */
  count_by?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Steps, in their order. */
  steps?: Json;
  /** What is measured, such as `[{"agg":"sum","prop":"sum"}]`. */
  measures?: Json;
  /** By property, the edges of the ranges that its numbers are put into: `{"sg.price":[2.5,50]}`. */
  bins?: Json;
  /** What the values beyond the limit are called. */
  other?: string;
  /** An earlier period beside it: `previous` (as many days before), `year` (the same dates a year before), or a period. */
  compare?: string;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getMethodSegmentationMeta}. */
export interface GetMethodSegmentationMetaParams {
  /** Id of the app. */
  app_id: string;
  /** Key of an event, or a JSON list of keys; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event: string;
  /** Name of a property. */
  property?: string;
  /** Text that is searched for. */
  search?: string;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getMethodSegmentationUsers}. */
export interface GetMethodSegmentationUsersParams {
  /** Id of the app. */
  app_id: string;
  /** Key of an event, or a JSON list of keys of which any counts; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** A filter, in the language of queries. */
  queryObject?: Json;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** The property that results are divided by; a list for several. */
  projectionKey?: Json;
  /** Ids of cohorts. */
  cohorts?: Json;
  /** What unique figures count: `users`, `sessions`, or the path of a property whose values are accounts, as `custom.company`. */
  count_by?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Steps, in their order. */
  steps?: Json;
  /** By property, the edges of the ranges that its numbers are put into: `{"sg.price":[2.5,50]}`. */
  bins?: Json;
  /** The bucket of a series whose users are listed, as the series names it. */
  at?: string;
  /** Groups that it is in. */
  groups?: Json;
  /** Groups that users must not be in. */
  not_groups?: Json;
  /** How many people are listed. */
  limit?: number;
  /** How many people are left out at the start. */
  skip?: number;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Operations of the group drill. */
export class DrillOperations extends Base {
  /** Create a bookmark. Needs the right to read `drill`.
   * `POST /i/drill/add_bookmark` */
  postDrillAddBookmark(p: PostDrillAddBookmarkParams): Promise<Result> {
    return this.call('POST', '/i/drill/add_bookmark', p, { app_id: 'body', bookmark_id: 'body', by_val: 'body', by_val_text: 'body', desc: 'body', event_key: 'body', global: 'body', name: 'body', namespace: 'body', query_obj: 'body', query_text: 'body', shared_email_edit: 'body', shared_email_view: 'body', visibility: 'body', visualization: 'body' });
  }

  /** Remove properties that no row has. Needs the right to update `drill`. Global administrators may leave out `app_id`.
   * `POST /i/drill/cleanup_meta` */
  postDrillCleanupMeta(p: PostDrillCleanupMetaParams = {}): Promise<Result> {
    return this.call('POST', '/i/drill/cleanup_meta', p, { all: 'body', all_apps: 'body', app_id: 'body', event: 'body', method: 'body', period: 'body', view_id: 'body', wait_to_finish: 'body' });
  }

  /** Delete a bookmark. Needs the right to read `drill`.
   * `POST /i/drill/delete_bookmark` */
  postDrillDeleteBookmark(p: PostDrillDeleteBookmarkParams): Promise<Result> {
    return this.call('POST', '/i/drill/delete_bookmark', p, { app_id: 'body', bookmark_id: 'body' });
  }

  /** Change a bookmark. Needs the right to read `drill`.
   * `POST /i/drill/edit_bookmark` */
  postDrillEditBookmark(p: PostDrillEditBookmarkParams): Promise<Result> {
    return this.call('POST', '/i/drill/edit_bookmark', p, { app_id: 'body', bookmark_id: 'body', by_val: 'body', by_val_text: 'body', desc: 'body', event_key: 'body', global: 'body', name: 'body', namespace: 'body', query_obj: 'body', query_text: 'body', shared_email_edit: 'body', shared_email_view: 'body', visibility: 'body', visualization: 'body' });
  }

  /** Check which properties have too many values for a list. Needs the right to update `drill`. Global administrators may leave out `app_id`.
   * `POST /i/drill/recheck_lists` */
  postDrillRecheckLists(p: PostDrillRecheckListsParams = {}): Promise<Result> {
    return this.call('POST', '/i/drill/recheck_lists', p, { all: 'body', all_apps: 'body', app_id: 'body', event: 'body', method: 'body', period: 'body', view_id: 'body', wait_to_finish: 'body' });
  }

  /** Find the properties of events again. Needs the right to update `drill`. Global administrators may leave out `app_id`.
   * `POST /i/drill/regenerate_meta` */
  postDrillRegenerateMeta(p: PostDrillRegenerateMetaParams = {}): Promise<Result> {
    return this.call('POST', '/i/drill/regenerate_meta', p, { all: 'body', all_apps: 'body', app_id: 'body', event: 'body', method: 'body', period: 'body', view_id: 'body', wait_to_finish: 'body' });
  }

  /** Start one of the repairs of properties. Needs the right to create `drill`. Global administrators may leave out `app_id`.
   * `POST /i/drill/regeneration` */
  postDrillRegeneration(p: PostDrillRegenerationParams): Promise<Json> {
    return this.call('POST', '/i/drill/regeneration', p, { all: 'body', all_apps: 'body', app_id: 'body', event: 'body', method: 'body', period: 'body', view_id: 'body', wait_to_finish: 'body' });
  }

  /** A bookmark. Needs the right to read `drill` or `funnels` or `cohorts` or `users` or `formulas`. The same as `/o?method=drill_bookmark`.
   * `GET /o/method/drill_bookmark` */
  getMethodDrillBookmark(p: GetMethodDrillBookmarkParams): Promise<Json> {
    return this.call('GET', '/o/method/drill_bookmark', p, { app_id: 'query', _id: 'query' });
  }

  /** List bookmarks. Needs the right to read `drill` or `funnels` or `cohorts` or `users` or `formulas`. The same as `/o?method=drill_bookmarks`.
   * `GET /o/method/drill_bookmarks` */
  getMethodDrillBookmarks(p: GetMethodDrillBookmarksParams): Promise<Json> {
    return this.call('GET', '/o/method/drill_bookmarks', p, { app_id: 'query', event_key: 'query', app_level: 'query', apps: 'query', namespace: 'query', only_count: 'query' });
  }

  /** Figures of events by filter and property. Needs the right to read `drill`. The same as `/o?method=segmentation`. A read that takes too long goes on as a task.
   * `GET /o/method/segmentation`. A read that takes too long throws a PendingError. */
  getMethodSegmentation(p: GetMethodSegmentationParams): Promise<DrillSegmentationRes> {
    return this.call('GET', '/o/method/segmentation', p, { app_id: 'query', event: 'query', queryObject: 'query', period: 'query', bucket: 'query', projectionKey: 'query', list: 'query', limit: 'query', skip: 'query', sort: 'query', sortGraphBy: 'query', cohorts: 'query', count_by: 'query', timezone: 'query', steps: 'query', measures: 'query', bins: 'query', other: 'query', compare: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Properties of events. Needs the right to read `drill` or `crashes`. The same as `/o?method=segmentation_meta`. A read that takes too long goes on as a task.
   * `GET /o/method/segmentation_meta` */
  getMethodSegmentationMeta(p: GetMethodSegmentationMetaParams): Promise<Json> {
    return this.call('GET', '/o/method/segmentation_meta', p, { app_id: 'query', event: 'query', property: 'query', search: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Users behind figures of events. Needs the right to read `drill`. The same as `/o?method=segmentation_users`. A read that takes too long goes on as a task.
   * `GET /o/method/segmentation_users`. A read that takes too long throws a PendingError. */
  getMethodSegmentationUsers(p: GetMethodSegmentationUsersParams): Promise<DrillPeopleRes> {
    return this.call('GET', '/o/method/segmentation_users', p, { app_id: 'query', event: 'query', queryObject: 'query', period: 'query', bucket: 'query', projectionKey: 'query', cohorts: 'query', count_by: 'query', timezone: 'query', steps: 'query', bins: 'query', at: 'query', groups: 'query', not_groups: 'query', limit: 'query', skip: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }
}

export interface DrillCompareRes {
  data: Json;
  from: number;
  other?: DrillOtherRes | Json;
  segments?: Json;
  to: number;
  totals: QueryFigures;
}

export interface DrillOtherRes {
  data: Json;
  dur: number;
  groups?: number | null;
  m?: Array<number | null>;
  s: number;
  t: number;
  u: number;
}

export interface DrillPageData {
  curPage: number;
  end: number;
  limit: number;
  pages: number;
  start: number;
  total: number;
}

export interface DrillPeopleRes {
  accounts?: Array<QueryTrendAccount>;
  total: number;
  users: Array<QueryTrendUser>;
}

export interface DrillSegmentationRes {
  app_id: string;
  buckets: Array<string>;
  compare?: DrillCompareRes | Json;
  data: Json;
  lu: string;
  other?: DrillOtherRes | Json;
  page_data?: DrillPageData | Json;
  query_time: number;
  segments?: Json;
  totals: QueryFigures;
}

export interface QueryTrendAccount {
  account: string;
  last: number;
  t: number;
  users: number;
}

export interface QueryTrendUser {
  did?: string;
  lac?: number;
  last: number;
  name?: string;
  t: number;
  uid: string;
}
