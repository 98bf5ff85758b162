// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { Result } from '../types.js';

/** Parameters of {@link Quipu.postAppUsersCreate}. */
export interface PostAppUsersCreateParams {
  /** Id of the app. */
  app_id: string;
  /** What is written or exported, as JSON. */
  data: Json;
}

/** Parameters of {@link Quipu.postAppUsersDelete}. */
export interface PostAppUsersDeleteParams {
  /** Id of the app. */
  app_id: string;
  /** Also where several, or what uses it, would be concerned. */
  force?: boolean;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query: Json;
  /** Fields that change, with their values. */
  update?: Json;
}

/** Parameters of {@link Quipu.postAppUsersDeleteExport}. */
export interface PostAppUsersDeleteExportParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.postAppUsersDeleteExportId}. */
export interface PostAppUsersDeleteExportIdParams {
  /** Id of the document. */
  id: string;
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.postAppUsersExport}. */
export interface PostAppUsersExportParams {
  /** Id of the app. */
  app_id: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query: Json;
}

/** Parameters of {@link Quipu.postAppUsersUpdate}. */
export interface PostAppUsersUpdateParams {
  /** Id of the app. */
  app_id: string;
  /** Also where several, or what uses it, would be concerned. */
  force?: boolean;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query: Json;
  /** Fields that change, with their values. */
  update: Json;
}

/** Parameters of {@link Quipu.postDataSubjectsErase}. */
export interface PostDataSubjectsEraseParams {
  /** Id of the app. */
  app_id: string;
  /** Why, for the audit log. */
  reason?: string;
  /** Number of the user. */
  uid: string;
}

/** Parameters of {@link Quipu.postDataSubjectsExport}. */
export interface PostDataSubjectsExportParams {
  /** Id of the app. */
  app_id: string;
  /** Why, for the audit log. */
  reason?: string;
  /** Number of the user. */
  uid: string;
}

/** Parameters of {@link Quipu.getAppUsersDownload}. */
export interface GetAppUsersDownloadParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getAppUsersDownloadId}. */
export interface GetAppUsersDownloadIdParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the document. */
  id: string;
}

/** Parameters of {@link Quipu.getAppUsersLoyalty}. */
export interface GetAppUsersLoyaltyParams {
  /** Id of the app. */
  app_id: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
}

/** Parameters of {@link Quipu.getAppUsersPicture}. */
export interface GetAppUsersPictureParams {
  /** Id of the app. */
  app_id: string;
  /** Number of the user. */
  uid?: string;
  /** Id of a device of the user. */
  did?: string;
}

/** Operations of the group appusers. */
export class AppusersOperations extends Base {
  /** Create a user. Needs the right to create `core`.
   * `POST /i/app_users/create` */
  postAppUsersCreate(p: PostAppUsersCreateParams): Promise<Result> {
    return this.call('POST', '/i/app_users/create', p, { app_id: 'body', data: 'body' });
  }

  /** Delete users. Needs the right to delete `core`.
   * `POST /i/app_users/delete` */
  postAppUsersDelete(p: PostAppUsersDeleteParams): Promise<Result> {
    return this.call('POST', '/i/app_users/delete', p, { app_id: 'body', force: 'body', query: 'body', update: 'body' });
  }

  /** Delete an export of a user whose name is missing. Needs the right to update `users`.
   * `POST /i/app_users/deleteExport` */
  postAppUsersDeleteExport(p: PostAppUsersDeleteExportParams): Promise<Result> {
    return this.call('POST', '/i/app_users/deleteExport', p, { app_id: 'body' });
  }

  /** Delete an export of a user. Needs the right to update `users`.
   * `POST /i/app_users/deleteExport/{id}` */
  postAppUsersDeleteExportId(p: PostAppUsersDeleteExportIdParams): Promise<Result> {
    return this.call('POST', '/i/app_users/deleteExport/{id}', p, { id: 'path', app_id: 'body' });
  }

  /** Export all data of users. Needs the right to update `users`.
   * `POST /i/app_users/export` */
  postAppUsersExport(p: PostAppUsersExportParams): Promise<Json> {
    return this.call('POST', '/i/app_users/export', p, { app_id: 'body', query: 'body' });
  }

  /** Change users. Needs the right to update `core`.
   * `POST /i/app_users/update` */
  postAppUsersUpdate(p: PostAppUsersUpdateParams): Promise<Result> {
    return this.call('POST', '/i/app_users/update', p, { app_id: 'body', force: 'body', query: 'body', update: 'body' });
  }

  /** Erase all data of a person. Needs the right to delete `users`.
   * `POST /i/data_subjects/erase` */
  postDataSubjectsErase(p: PostDataSubjectsEraseParams): Promise<AppusersStarted> {
    return this.call('POST', '/i/data_subjects/erase', p, { app_id: 'body', reason: 'body', uid: 'body' });
  }

  /** Export all data of a person. Needs the right to update `users`.
   * `POST /i/data_subjects/export` */
  postDataSubjectsExport(p: PostDataSubjectsExportParams): Promise<AppusersStarted> {
    return this.call('POST', '/i/data_subjects/export', p, { app_id: 'body', reason: 'body', uid: 'body' });
  }

  /** Fault of a download without a name. Needs the right to read `users`.
   * `GET /o/app_users/download` */
  getAppUsersDownload(p: GetAppUsersDownloadParams): Promise<Blob> {
    return this.raw('GET', '/o/app_users/download', p, { app_id: 'query' });
  }

  /** Download an export of users. Needs the right to read `users`.
   * `GET /o/app_users/download/{id}` */
  getAppUsersDownloadId(p: GetAppUsersDownloadIdParams): Promise<Blob> {
    return this.raw('GET', '/o/app_users/download/{id}', p, { app_id: 'query', id: 'path' });
  }

  /** Users by number of sessions. Needs the right to read `core`.
   * `GET /o/app_users/loyalty` */
  getAppUsersLoyalty(p: GetAppUsersLoyaltyParams): Promise<AppusersLoyaltyRes> {
    return this.call('GET', '/o/app_users/loyalty', p, { app_id: 'query', query: 'query' });
  }

  /** Uploaded picture of a user. Needs the right to read `users`.
   * `GET /o/app_users/picture` */
  getAppUsersPicture(p: GetAppUsersPictureParams): Promise<Blob> {
    return this.raw('GET', '/o/app_users/picture', p, { app_id: 'query', uid: 'query', did: 'query' });
  }
}

export interface AppusersLoyaltyRes {
  '30days': Array<QueryLoyaltyRow>;
  '7days': Array<QueryLoyaltyRow>;
  all: Array<QueryLoyaltyRow>;
}

export interface AppusersStarted {
  result: AppusersStartedTask;
}

export interface AppusersStartedTask {
  backups?: string;
  id?: string;
  task_id: string;
}

export interface QueryLoyaltyRow {
  _id: string;
  count: number;
  index: number;
}
