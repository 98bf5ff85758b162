// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { Result } from '../types.js';

/** Parameters of {@link Quipu.postDatePresetsCreate}. */
export interface PostDatePresetsCreateParams {
  /** Id of the app. */
  app_id: string;
  /** Whether today does not count. */
  exclude_current_day?: boolean;
  /** Whether the preset is a favourite. */
  fav?: boolean;
  /** Name. */
  name: string;
  /** Id of the date preset. */
  preset_id?: string;
  /** A range of days: a period, or a list of two. */
  range: Json;
  /** Who sees the preset. */
  share_with: "all-users" | "selected-users" | "none";
  /** E-mail addresses of members who may change it. */
  shared_email_edit?: Json;
  /** E-mail addresses of members who may see it. */
  shared_email_view?: Json;
  /** Groups whose members may change it. */
  shared_user_groups_edit?: Json;
  /** Groups whose members may see it. */
  shared_user_groups_view?: Json;
  /** Place in the list. */
  sort_order?: number;
}

/** Parameters of {@link Quipu.postDatePresetsDelete}. */
export interface PostDatePresetsDeleteParams {
  /** Id of the app. */
  app_id: string;
  /** Whether today does not count. */
  exclude_current_day?: boolean;
  /** Whether the preset is a favourite. */
  fav?: boolean;
  /** Name. */
  name?: string;
  /** Id of the date preset. */
  preset_id: string;
  /** A range of days: a period, or a list of two. */
  range?: Json;
  /** Who sees the preset. */
  share_with?: "all-users" | "selected-users" | "none";
  /** E-mail addresses of members who may change it. */
  shared_email_edit?: Json;
  /** E-mail addresses of members who may see it. */
  shared_email_view?: Json;
  /** Groups whose members may change it. */
  shared_user_groups_edit?: Json;
  /** Groups whose members may see it. */
  shared_user_groups_view?: Json;
  /** Place in the list. */
  sort_order?: number;
}

/** Parameters of {@link Quipu.postDatePresetsUpdate}. */
export interface PostDatePresetsUpdateParams {
  /** Id of the app. */
  app_id: string;
  /** Whether today does not count. */
  exclude_current_day?: boolean;
  /** Whether the preset is a favourite. */
  fav?: boolean;
  /** Name. */
  name?: string;
  /** Id of the date preset. */
  preset_id: string;
  /** A range of days: a period, or a list of two. */
  range?: Json;
  /** Who sees the preset. */
  share_with?: "all-users" | "selected-users" | "none";
  /** E-mail addresses of members who may change it. */
  shared_email_edit?: Json;
  /** E-mail addresses of members who may see it. */
  shared_email_view?: Json;
  /** Groups whose members may change it. */
  shared_user_groups_edit?: Json;
  /** Groups whose members may see it. */
  shared_user_groups_view?: Json;
  /** Place in the list. */
  sort_order?: number;
}

/** Parameters of {@link Quipu.getDatePresetsGetAll}. */
export interface GetDatePresetsGetAllParams {
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

/** Parameters of {@link Quipu.getDatePresetsGetById}. */
export interface GetDatePresetsGetByIdParams {
  /** Id of the date preset. */
  preset_id: string;
  /** Name. */
  name?: string;
  /** A range of days: a period, or a list of two. */
  range?: Json;
  /** Who sees the preset. */
  share_with?: "all-users" | "selected-users" | "none";
  /** E-mail addresses of members who may change it. */
  shared_email_edit?: Json;
  /** E-mail addresses of members who may see it. */
  shared_email_view?: Json;
  /** Groups whose members may change it. */
  shared_user_groups_edit?: Json;
  /** Groups whose members may see it. */
  shared_user_groups_view?: Json;
  /** Whether today does not count. */
  exclude_current_day?: boolean;
  /** Whether the preset is a favourite. */
  fav?: boolean;
  /** Place in the list. */
  sort_order?: number;
}

/** Operations of the group datepresets. */
export class DatepresetsOperations extends Base {
  /** Create a date preset. Needs the right to create `core`.
   * `POST /i/date_presets/create` */
  postDatePresetsCreate(p: PostDatePresetsCreateParams): Promise<Record<string, Json>> {
    return this.call('POST', '/i/date_presets/create', p, { app_id: 'body', exclude_current_day: 'body', fav: 'body', name: 'body', preset_id: 'body', range: 'body', share_with: 'body', shared_email_edit: 'body', shared_email_view: 'body', shared_user_groups_edit: 'body', shared_user_groups_view: 'body', sort_order: 'body' });
  }

  /** Delete a date preset. Needs the right to delete `core`.
   * `POST /i/date_presets/delete` */
  postDatePresetsDelete(p: PostDatePresetsDeleteParams): Promise<DatepresetsDeleted> {
    return this.call('POST', '/i/date_presets/delete', p, { app_id: 'body', exclude_current_day: 'body', fav: 'body', name: 'body', preset_id: 'body', range: 'body', share_with: 'body', shared_email_edit: 'body', shared_email_view: 'body', shared_user_groups_edit: 'body', shared_user_groups_view: 'body', sort_order: 'body' });
  }

  /** Change a date preset. Needs the right to update `core`.
   * `POST /i/date_presets/update` */
  postDatePresetsUpdate(p: PostDatePresetsUpdateParams): Promise<Result> {
    return this.call('POST', '/i/date_presets/update', p, { app_id: 'body', exclude_current_day: 'body', fav: 'body', name: 'body', preset_id: 'body', range: 'body', share_with: 'body', shared_email_edit: 'body', shared_email_view: 'body', shared_user_groups_edit: 'body', shared_user_groups_view: 'body', sort_order: 'body' });
  }

  /** List date presets. For every member. The answer is a list, which pages, sorts and searches.
   * `GET /o/date_presets/getAll` */
  getDatePresetsGetAll(p: GetDatePresetsGetAllParams = {}): Promise<Json> {
    return this.call('GET', '/o/date_presets/getAll', p, { iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query' });
  }

  /** A date preset. For every member.
   * `GET /o/date_presets/getById` */
  getDatePresetsGetById(p: GetDatePresetsGetByIdParams): Promise<Record<string, Json>> {
    return this.call('GET', '/o/date_presets/getById', p, { preset_id: 'query', name: 'query', range: 'query', share_with: 'query', shared_email_edit: 'query', shared_email_view: 'query', shared_user_groups_edit: 'query', shared_user_groups_view: 'query', exclude_current_day: 'query', fav: 'query', sort_order: 'query' });
  }
}

export interface DatepresetsDeleted {
  acknowledged: boolean;
  deletedCount: number;
}
