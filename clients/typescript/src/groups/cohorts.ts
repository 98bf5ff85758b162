// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json, Upload } from '../client.js';
import type { Result } from '../types.js';

/** Parameters of {@link Quipu.postCohortsAdd}. */
export interface PostCohortsAddParams {
  /** Id of the app. */
  app_id: string;
  /** Description of the cohort. */
  cohort_desc?: string;
  /** Name of the cohort. */
  cohort_name: string;
  /** E-mail addresses of members who may change it. */
  shared_email_edit?: Json;
  /** Steps, in their order. */
  steps?: Json;
  /** Which kind. */
  type?: string;
  /** Filter of users. */
  user_segmentation?: Json;
  /** Who sees it. */
  visibility?: "global" | "private";
}

/** Parameters of {@link Quipu.postCohortsAddUsers}. */
export interface PostCohortsAddUsersParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the cohort. */
  cohort: string;
  /** A file. */
  file?: Upload;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** Ids in a text, separated by commas, blanks or lines. */
  text?: string;
  /** Numbers of users. */
  uids?: Json;
}

/** Parameters of {@link Quipu.postCohortsCleanup}. */
export interface PostCohortsCleanupParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.postCohortsDelete}. */
export interface PostCohortsDeleteParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the cohort, of several as a JSON list where many are meant. */
  cohort_id: string;
}

/** Parameters of {@link Quipu.postCohortsDetailMetrics}. */
export interface PostCohortsDetailMetricsParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the cohort, of several as a JSON list where many are meant. */
  cohort_id: string;
  /** Metrics that pages of the cohort show. */
  detail_metrics: Json;
}

/** Parameters of {@link Quipu.postCohortsEdit}. */
export interface PostCohortsEditParams {
  /** Id of the app. */
  app_id: string;
  /** Description of the cohort. */
  cohort_desc?: string;
  /** Id of the cohort, of several as a JSON list where many are meant. */
  cohort_id: string;
  /** Name of the cohort. */
  cohort_name?: string;
  /** E-mail addresses of members who may change it. */
  shared_email_edit?: Json;
  /** Steps, in their order. */
  steps?: Json;
  /** Filter of users. */
  user_segmentation?: Json;
  /** Who sees it. */
  visibility?: "global" | "private";
}

/** Parameters of {@link Quipu.postCohortsFixuid}. */
export interface PostCohortsFixuidParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.postCohortsGroup}. */
export interface PostCohortsGroupParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the cohort, of several as a JSON list where many are meant. */
  cohort_id: string;
  /** Groups by name, with whether the cohort is in it: `{"marketing":true}`; `fav` are the caller's favourites. */
  groups: Json;
}

/** Parameters of {@link Quipu.postCohortsRecalculate}. */
export interface PostCohortsRecalculateParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the cohort, of several as a JSON list where many are meant. */
  cohort_id: string;
}

/** Parameters of {@link Quipu.postCohortsRemoveUsers}. */
export interface PostCohortsRemoveUsersParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the cohort. */
  cohort: string;
  /** A file. */
  file?: Upload;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** Ids in a text, separated by commas, blanks or lines. */
  text?: string;
  /** Numbers of users. */
  uids?: Json;
}

/** Parameters of {@link Quipu.postCohortsResetRealTimeData}. */
export interface PostCohortsResetRealTimeDataParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getCohortsPreview}. */
export interface GetCohortsPreviewParams {
  /** Id of the app. */
  app_id: string;
  /** Steps, in their order. */
  steps?: Json;
  /** Filter of users. */
  user_segmentation?: Json;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Operations of the group cohorts. */
export class CohortsOperations extends Base {
  /** Create a cohort or a profile group. Needs the right to create `cohorts` or `profile_groups`.
   * `POST /i/cohorts/add` */
  postCohortsAdd(p: PostCohortsAddParams): Promise<CohortsAdded> {
    return this.call('POST', '/i/cohorts/add', p, { app_id: 'body', cohort_desc: 'body', cohort_name: 'body', shared_email_edit: 'body', steps: 'body', type: 'body', user_segmentation: 'body', visibility: 'body' });
  }

  /** Put users into a profile group. Needs the right to update `profile_groups`. Files stand in a form beside the parameters.
   * `POST /i/cohorts/add_users` */
  postCohortsAddUsers(p: PostCohortsAddUsersParams): Promise<CohortsReport> {
    return this.call('POST', '/i/cohorts/add_users', p, { app_id: 'body', cohort: 'body', file: 'body', query: 'body', text: 'body', uids: 'body' });
  }

  /** Remove what deleted cohorts left on users. Needs the right to update `cohorts`.
   * `POST /i/cohorts/cleanup` */
  postCohortsCleanup(p: PostCohortsCleanupParams): Promise<Result> {
    return this.call('POST', '/i/cohorts/cleanup', p, { app_id: 'body' });
  }

  /** Delete a cohort. Needs the right to delete `cohorts` or `profile_groups`.
   * `POST /i/cohorts/delete` */
  postCohortsDelete(p: PostCohortsDeleteParams): Promise<Result> {
    return this.call('POST', '/i/cohorts/delete', p, { app_id: 'body', cohort_id: 'body' });
  }

  /** Choose the metrics that the page of a cohort shows. Needs the right to update `cohorts`.
   * `POST /i/cohorts/detail_metrics` */
  postCohortsDetailMetrics(p: PostCohortsDetailMetricsParams): Promise<Result> {
    return this.call('POST', '/i/cohorts/detail_metrics', p, { app_id: 'body', cohort_id: 'body', detail_metrics: 'body' });
  }

  /** Change a cohort. Needs the right to create `cohorts` or `profile_groups`.
   * `POST /i/cohorts/edit` */
  postCohortsEdit(p: PostCohortsEditParams): Promise<Result> {
    return this.call('POST', '/i/cohorts/edit', p, { app_id: 'body', cohort_desc: 'body', cohort_id: 'body', cohort_name: 'body', shared_email_edit: 'body', steps: 'body', user_segmentation: 'body', visibility: 'body' });
  }

  /** Accepted for compatibility; nothing is to be repaired. Needs the right to update `cohorts`.
   * `POST /i/cohorts/fixuid` */
  postCohortsFixuid(p: PostCohortsFixuidParams): Promise<Result> {
    return this.call('POST', '/i/cohorts/fixuid', p, { app_id: 'body' });
  }

  /** Put a cohort into groups. Needs the right to update `cohorts`.
   * `POST /i/cohorts/group` */
  postCohortsGroup(p: PostCohortsGroupParams): Promise<Result> {
    return this.call('POST', '/i/cohorts/group', p, { app_id: 'body', cohort_id: 'body', groups: 'body' });
  }

  /** Calculate a cohort again. Needs the right to update `cohorts`.
   * `POST /i/cohorts/recalculate` */
  postCohortsRecalculate(p: PostCohortsRecalculateParams): Promise<Result> {
    return this.call('POST', '/i/cohorts/recalculate', p, { app_id: 'body', cohort_id: 'body' });
  }

  /** Take users out of a profile group. Needs the right to update `profile_groups`. Files stand in a form beside the parameters.
   * `POST /i/cohorts/remove_users` */
  postCohortsRemoveUsers(p: PostCohortsRemoveUsersParams): Promise<CohortsReport> {
    return this.call('POST', '/i/cohorts/remove_users', p, { app_id: 'body', cohort: 'body', file: 'body', query: 'body', text: 'body', uids: 'body' });
  }

  /** Accepted for compatibility; nothing is kept that could be reset. Needs the right to update `cohorts`.
   * `POST /i/cohorts/resetRealTimeData` */
  postCohortsResetRealTimeData(p: PostCohortsResetRealTimeDataParams): Promise<Result> {
    return this.call('POST', '/i/cohorts/resetRealTimeData', p, { app_id: 'body' });
  }

  /** How many users a definition finds. Needs the right to read `cohorts`. A read that takes too long goes on as a task.
   * `GET /o/cohorts/preview`. A read that takes too long throws a PendingError. */
  getCohortsPreview(p: GetCohortsPreviewParams): Promise<CohortsPreviewRes> {
    return this.call('GET', '/o/cohorts/preview', p, { app_id: 'query', steps: 'query', user_segmentation: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }
}

export interface CohortsAdded {
  duplicate: boolean;
  result: string;
}

export interface CohortsPreviewRes {
  of: number;
  users: number;
}

export interface CohortsReport {
  changed: number;
  matched: number;
  missed: number;
  result: string;
  unmatched: Array<string>;
}
