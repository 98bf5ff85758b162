// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json, Upload } from '../client.js';
import type { Result } from '../types.js';

/** Parameters of {@link Quipu.getAppimagesFile}. */
export interface GetAppimagesFileParams {
  file: string;
}

/** Parameters of {@link Quipu.postAppsCreate}. */
export interface PostAppsCreateParams {
  /** A file. */
  app_image?: Upload;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postAppsDelete}. */
export interface PostAppsDeleteParams {
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postAppsReset}. */
export interface PostAppsResetParams {
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postAppsUpdate}. */
export interface PostAppsUpdateParams {
  /** Id of the app. */
  app_id?: string;
  /** A file. */
  app_image?: Upload;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postAppsUpdatePlugins}. */
export interface PostAppsUpdatePluginsParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args?: Json;
}

/** Parameters of {@link Quipu.getAppsAll}. */
export interface GetAppsAllParams {
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
}

/** Parameters of {@link Quipu.getAppsDetails}. */
export interface GetAppsDetailsParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getAppsMine}. */
export interface GetAppsMineParams {
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
}

/** Parameters of {@link Quipu.getAppsPlugins}. */
export interface GetAppsPluginsParams {
  /** Id of the app. */
  app_id?: string;
  /** Name. */
  name?: string;
}

/** Parameters of {@link Quipu.getMethodAllApps}. */
export interface GetMethodAllAppsParams {
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
}

/** Operations of the group apps. */
export class AppsOperations extends Base {
  /** Icon of an app. Needs no credentials of a member.
   * `GET /appimages/{file}` */
  getAppimagesFile(p: GetAppimagesFileParams): Promise<Blob> {
    return this.raw('GET', '/appimages/{file}', p, { file: 'path' });
  }

  /** Create an app. For global administrators. Files stand in a form beside the parameters.
   * `POST /i/apps/create` */
  postAppsCreate(p: PostAppsCreateParams): Promise<AppsCreated> {
    return this.call('POST', '/i/apps/create', p, { app_image: 'body', args: 'body' });
  }

  /** Delete an app with its data. For global administrators.
   * `POST /i/apps/delete` */
  postAppsDelete(p: PostAppsDeleteParams): Promise<Result> {
    return this.call('POST', '/i/apps/delete', p, { args: 'body' });
  }

  /** Delete data of an app. For global administrators.
   * `POST /i/apps/reset` */
  postAppsReset(p: PostAppsResetParams): Promise<Result> {
    return this.call('POST', '/i/apps/reset', p, { args: 'body' });
  }

  /** Change an app. For administrators of the app. The app is the field `app_id` of `args`, or else the parameter `app_id`. Files stand in a form beside the parameters.
   * `POST /i/apps/update` */
  postAppsUpdate(p: PostAppsUpdateParams): Promise<Json> {
    return this.call('POST', '/i/apps/update', p, { app_id: 'body', app_image: 'body', args: 'body' });
  }

  /** Change settings of an app. For administrators of the app.
   * `POST /i/apps/update/plugins` */
  postAppsUpdatePlugins(p: PostAppsUpdatePluginsParams): Promise<Json> {
    return this.call('POST', '/i/apps/update/plugins', p, { app_id: 'body', args: 'body' });
  }

  /** List all apps. For global administrators. The answer is a list, which pages, sorts and searches.
   * `GET /o/apps/all` */
  getAppsAll(p: GetAppsAllParams = {}): Promise<Json> {
    return this.call('GET', '/o/apps/all', p, { iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query' });
  }

  /** An app with its members. For administrators of the app.
   * `GET /o/apps/details` */
  getAppsDetails(p: GetAppsDetailsParams): Promise<AppsDetails> {
    return this.call('GET', '/o/apps/details', p, { app_id: 'query' });
  }

  /** List apps of the caller. For every member. The answer is a list, which pages, sorts and searches. Tokens that are limited to apps may be used.
   * `GET /o/apps/mine` */
  getAppsMine(p: GetAppsMineParams = {}): Promise<Json> {
    return this.call('GET', '/o/apps/mine', p, { iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query' });
  }

  /** Settings of an app. For global administrators.
   * `GET /o/apps/plugins` */
  getAppsPlugins(p: GetAppsPluginsParams = {}): Promise<Json> {
    return this.call('GET', '/o/apps/plugins', p, { app_id: 'query', name: 'query' });
  }

  /** Figures of all apps. For global administrators. The same as `/o?method=all_apps`. The answer is a list, which pages, sorts and searches.
   * `GET /o/method/all_apps` */
  getMethodAllApps(p: GetMethodAllAppsParams): Promise<Json> {
    return this.call('GET', '/o/method/all_apps', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query' });
  }
}

export interface AppsCreated {
  _id: string;
  app_id: string;
  category: string;
  country: string;
  created_at: number;
  edited_at: number;
  has_image: boolean;
  id_key: string;
  image?: string;
  key: string;
  locked?: boolean;
  name: string;
  owner: string;
  paused?: boolean;
  plugins?: Record<string, Json>;
  salt?: string;
  seq: number;
  timezone: string;
  type: string;
}

export interface AppsDetails {
  admin: Array<AppsPerson>;
  app: Json;
  global_admin: Array<AppsPerson>;
  user: Array<AppsPerson>;
}

export interface AppsPerson {
  _id: string;
  full_name: string;
  username: string;
}
