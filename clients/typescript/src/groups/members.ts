// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { Result } from '../types.js';

/** Parameters of {@link Quipu.postUsersApiKeyRotate}. */
export interface PostUsersApiKeyRotateParams {
  /** Id of the member; the caller without it. */
  user_id?: string;
}

/** Parameters of {@link Quipu.postUsersCreate}. */
export interface PostUsersCreateParams {
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postUsersDelete}. */
export interface PostUsersDeleteParams {
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postUsersDeleteOwnAccount}. */
export interface PostUsersDeleteOwnAccountParams {
  /** The password of the caller. */
  password: string;
}

/** Parameters of {@link Quipu.postUsersPassword}. */
export interface PostUsersPasswordParams {
  /** The new password. */
  new_pwd: string;
  /** The present password. */
  old_pwd: string;
  /** Whether the member gets a new key. */
  rotate_key?: boolean;
}

/** Parameters of {@link Quipu.postUsersSessionsEnd}. */
export interface PostUsersSessionsEndParams {
  /** Ends all sessions but that of the caller. */
  others?: boolean;
  /** Id of the session. */
  session_id?: string;
}

/** Parameters of {@link Quipu.postUsersUpdate}. */
export interface PostUsersUpdateParams {
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postUsersUpdateHomeSettings}. */
export interface PostUsersUpdateHomeSettingsParams {
  /** Id of the app. */
  app_id?: string;
  /** What the home page shows. */
  homeSettings: Json;
}

/** Parameters of {@link Quipu.getUsersAll}. */
export interface GetUsersAllParams {
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

/** Parameters of {@link Quipu.getUsersId}. */
export interface GetUsersIdParams {
  /** Id of the document. */
  id: string;
}

/** Operations of the group members. */
export class MembersOperations extends Base {
  /** Key of a member by name and password. The answer is the key as text.
   * `GET /api-key` */
  getAPIKey(): Promise<Blob> {
    return this.raw('GET', '/api-key');
  }

  /** Replace the API key of a member. For every member.
   * `POST /i/users/api_key/rotate` */
  postUsersApiKeyRotate(p: PostUsersApiKeyRotateParams = {}): Promise<MembersRotated> {
    return this.call('POST', '/i/users/api_key/rotate', p, { user_id: 'body' });
  }

  /** Create a member. For global administrators.
   * `POST /i/users/create` */
  postUsersCreate(p: PostUsersCreateParams): Promise<MembersAccount> {
    return this.call('POST', '/i/users/create', p, { args: 'body' });
  }

  /** Delete members. For global administrators.
   * `POST /i/users/delete` */
  postUsersDelete(p: PostUsersDeleteParams): Promise<Result> {
    return this.call('POST', '/i/users/delete', p, { args: 'body' });
  }

  /** Delete the account of the caller. For global administrators.
   * `POST /i/users/deleteOwnAccount` */
  postUsersDeleteOwnAccount(p: PostUsersDeleteOwnAccountParams): Promise<Result> {
    return this.call('POST', '/i/users/deleteOwnAccount', p, { password: 'body' });
  }

  /** Change the password of the caller. For every member.
   * `POST /i/users/password` */
  postUsersPassword(p: PostUsersPasswordParams): Promise<Result> {
    return this.call('POST', '/i/users/password', p, { new_pwd: 'body', old_pwd: 'body', rotate_key: 'body' });
  }

  /** End sessions of the caller. For every member.
   * `POST /i/users/sessions/end` */
  postUsersSessionsEnd(p: PostUsersSessionsEndParams = {}): Promise<Result> {
    return this.call('POST', '/i/users/sessions/end', p, { others: 'body', session_id: 'body' });
  }

  /** Change a member. For global administrators.
   * `POST /i/users/update` */
  postUsersUpdate(p: PostUsersUpdateParams): Promise<Result> {
    return this.call('POST', '/i/users/update', p, { args: 'body' });
  }

  /** Change the home page of the caller. For global administrators.
   * `POST /i/users/updateHomeSettings` */
  postUsersUpdateHomeSettings(p: PostUsersUpdateHomeSettingsParams): Promise<Result> {
    return this.call('POST', '/i/users/updateHomeSettings', p, { app_id: 'body', homeSettings: 'body' });
  }

  /** List members. For global administrators. The answer is a list, which pages, sorts and searches.
   * `GET /o/users/all` */
  getUsersAll(p: GetUsersAllParams = {}): Promise<Json> {
    return this.call('GET', '/o/users/all', p, { iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query' });
  }

  /** A member. For global administrators.
   * `GET /o/users/id` */
  getUsersId(p: GetUsersIdParams): Promise<Record<string, MembersAccount>> {
    return this.call('GET', '/o/users/id', p, { id: 'query' });
  }

  /** The caller. For every member.
   * `GET /o/users/me` */
  getUsersMe(): Promise<MembersAccount> {
    return this.call('GET', '/o/users/me');
  }
}

export interface MembersAccount {
  _id: string;
  api_key?: string;
  blocked?: boolean | null;
  created_at: number;
  email: string;
  full_name: string;
  global_admin: boolean;
  homeSettings?: Record<string, Json>;
  is_current_user?: boolean | null;
  lang?: string;
  last_login: number;
  locked: boolean;
  must_change_password?: boolean;
  password_changed: number;
  password_expired?: boolean;
  permission: Json;
  settings?: Record<string, Json>;
  username: string;
}

export interface MembersRotated {
  api_key?: string;
  result: string;
}
