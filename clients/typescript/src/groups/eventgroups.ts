// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { Result } from '../types.js';

/** Parameters of {@link Quipu.postEventGroupsCreate}. */
export interface PostEventGroupsCreateParams {
  /** Id of the app. */
  app_id?: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postEventGroupsDelete}. */
export interface PostEventGroupsDeleteParams {
  /** Id of the app. */
  app_id?: string;
  /** What is deleted, or a list of ids. */
  args: Json;
}

/** Parameters of {@link Quipu.postEventGroupsUpdate}. */
export interface PostEventGroupsUpdateParams {
  /** Id of the app. */
  app_id?: string;
  /** What is written, as one JSON object. */
  args?: Json;
  /** Keys of events in the order in which menus list them. */
  event_order?: Json;
  /** State that is looked for. */
  status?: string;
  /** Ids of groups whose state changes. */
  update_status?: Json;
}

/** Parameters of {@link Quipu.getMethodGetEventGroup}. */
export interface GetMethodGetEventGroupParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the document. */
  _id?: string;
}

/** Parameters of {@link Quipu.getMethodGetEventGroups}. */
export interface GetMethodGetEventGroupsParams {
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

/** Operations of the group eventgroups. */
export class EventgroupsOperations extends Base {
  /** Create an event group. Needs the right to create `core`. The app is the field `app_id` of `args`, or else the parameter `app_id`.
   * `POST /i/event_groups/create` */
  postEventGroupsCreate(p: PostEventGroupsCreateParams): Promise<Result> {
    return this.call('POST', '/i/event_groups/create', p, { app_id: 'body', args: 'body' });
  }

  /** Delete event groups. Needs the right to delete `core`. The app is the field `app_id` of `args`, or else the parameter `app_id`.
   * `POST /i/event_groups/delete` */
  postEventGroupsDelete(p: PostEventGroupsDeleteParams): Promise<Result> {
    return this.call('POST', '/i/event_groups/delete', p, { app_id: 'body', args: 'body' });
  }

  /** Change, order or switch event groups. Needs the right to update `core`. The app is the field `app_id` of `args`, or else the parameter `app_id`.
   * `POST /i/event_groups/update` */
  postEventGroupsUpdate(p: PostEventGroupsUpdateParams = {}): Promise<Result> {
    return this.call('POST', '/i/event_groups/update', p, { app_id: 'body', args: 'body', event_order: 'body', status: 'body', update_status: 'body' });
  }

  /** An event group. Needs the right to read `core`. The same as `/o?method=get_event_group`.
   * `GET /o/method/get_event_group` */
  getMethodGetEventGroup(p: GetMethodGetEventGroupParams): Promise<Json> {
    return this.call('GET', '/o/method/get_event_group', p, { app_id: 'query', _id: 'query' });
  }

  /** List event groups. Needs the right to read `core`. The same as `/o?method=get_event_groups`. The answer is a list, which pages, sorts and searches.
   * `GET /o/method/get_event_groups` */
  getMethodGetEventGroups(p: GetMethodGetEventGroupsParams): Promise<Json> {
    return this.call('GET', '/o/method/get_event_groups', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query' });
  }
}
