// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';

/** Parameters of {@link Quipu.getUsersPermissions}. */
export interface GetUsersPermissionsParams {
  /** Id of the app. */
  app_id?: string;
}

/** Parameters of {@link Quipu.postUsersResetTimeban}. */
export interface PostUsersResetTimebanParams {
  /** User name of the member. */
  username: string;
}

/** Parameters of {@link Quipu.getUsersSessions}. */
export interface GetUsersSessionsParams {
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

/** Operations of the group members2. */
export class Members2Operations extends Base {
  /** Features that rights are given on. Needs the right to read `core`. Global administrators may leave out `app_id`.
   * `GET /o/users/permissions` */
  getUsersPermissions(p: GetUsersPermissionsParams = {}): Promise<MembersFeatures> {
    return this.call('GET', '/o/users/permissions', p, { app_id: 'query' });
  }

  /** Let a member sign in again after failures. For global administrators.
   * `POST /o/users/reset_timeban` */
  postUsersResetTimeban(p: PostUsersResetTimebanParams): Promise<boolean> {
    return this.call('POST', '/o/users/reset_timeban', p, { username: 'body' });
  }

  /** List sessions of the caller. For every member. The answer is a list, which pages, sorts and searches.
   * `GET /o/users/sessions` */
  getUsersSessions(p: GetUsersSessionsParams = {}): Promise<Json> {
    return this.call('GET', '/o/users/sessions', p, { iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query' });
  }
}

export interface MembersFeatures {
  features: Array<string>;
  featuresPermissionDependency: Record<string, Record<string, Record<string, Array<string>>>>;
}
