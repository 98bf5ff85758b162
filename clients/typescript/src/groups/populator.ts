// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { Result } from '../types.js';

/** Parameters of {@link Quipu.postPopulatorEnvironmentSave}. */
export interface PostPopulatorEnvironmentSaveParams {
  /** Id of the app. */
  app_id: string;
  /** Whether the environment itself is stored, too. */
  setEnviromentInformationOnce?: boolean;
  /** The users, as objects. */
  users: Json;
}

/** Parameters of {@link Quipu.postPopulatorLoad}. */
export interface PostPopulatorLoadParams {
  /** Id of the app. */
  app_id: string;
  /** Over how many days, up to today. */
  days?: number;
  /** Name of the environment. */
  environment_name?: string;
  /** Id of the template. */
  template_id: string;
  /** How many users. */
  users?: number;
}

/** Parameters of {@link Quipu.postPopulatorTemplatesCreate}. */
export interface PostPopulatorTemplatesCreateParams {
  /** Id of the app. */
  app_id: string;
  /** How users of the template behave: times between runs and sequences. */
  behavior?: Json;
  /** Keys of events. */
  events?: Json;
  /** Whether the template is offered first. */
  isDefault?: boolean;
  /** Name of the member who edits. */
  lastEditedBy?: string;
  /** Name. */
  name: string;
  /** Platforms of the users of the template. */
  platformType: Json;
  /** Sequences of events that users go through. */
  sequences?: Json;
  /** How many users the template makes. */
  uniqueUserCount: number;
  /** Properties of users with the values that they can have. */
  users?: Json;
  /** Views that users see. */
  views?: Json;
}

/** Parameters of {@link Quipu.postPopulatorTemplatesEdit}. */
export interface PostPopulatorTemplatesEditParams {
  /** Id of the app. */
  app_id: string;
  /** How users of the template behave: times between runs and sequences. */
  behavior?: Json;
  /** Keys of events. */
  events?: Json;
  /** When the template was made, ms. */
  generated_on?: number;
  /** Whether the template is offered first. */
  isDefault?: boolean;
  /** Name. */
  name: string;
  /** Platforms of the users of the template. */
  platformType: Json;
  /** Sequences of events that users go through. */
  sequences?: Json;
  /** Id of the template. */
  template_id: string;
  /** How many users the template makes. */
  uniqueUserCount: number;
  /** Properties of users with the values that they can have. */
  users?: Json;
  /** Views that users see. */
  views?: Json;
}

/** Parameters of {@link Quipu.postPopulatorTemplatesRemove}. */
export interface PostPopulatorTemplatesRemoveParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the template. */
  template_id: string;
}

/** Parameters of {@link Quipu.getPopulatorEnvironmentCheck}. */
export interface GetPopulatorEnvironmentCheckParams {
  /** Id of the app. */
  app_id: string;
  /** Name of the environment. */
  environment_name: string;
}

/** Parameters of {@link Quipu.getPopulatorEnvironmentGet}. */
export interface GetPopulatorEnvironmentGetParams {
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
  /** Id of the template. */
  template_id: string;
  /** Id of the environment. */
  environment_id: string;
}

/** Parameters of {@link Quipu.getPopulatorEnvironmentList}. */
export interface GetPopulatorEnvironmentListParams {
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

/** Parameters of {@link Quipu.postPopulatorEnvironmentRemove}. */
export interface PostPopulatorEnvironmentRemoveParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the environment. */
  environment_id: string;
  /** Id of the template. */
  template_id: string;
}

/** Parameters of {@link Quipu.getPopulatorTemplates}. */
export interface GetPopulatorTemplatesParams {
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
  /** Id of the template. */
  template_id?: string;
  /** Platform of templates. */
  platform_type?: string;
}

/** Operations of the group populator. */
export class PopulatorOperations extends Base {
  /** Store users of an environment. Needs the right to create `populator`.
   * `POST /i/populator/environment/save` */
  postPopulatorEnvironmentSave(p: PostPopulatorEnvironmentSaveParams): Promise<Result> {
    return this.call('POST', '/i/populator/environment/save', p, { app_id: 'body', setEnviromentInformationOnce: 'body', users: 'body' });
  }

  /** Load demo data into an app. Needs the right to create `populator`.
   * `POST /i/populator/load` */
  postPopulatorLoad(p: PostPopulatorLoadParams): Promise<Result> {
    return this.call('POST', '/i/populator/load', p, { app_id: 'body', days: 'body', environment_name: 'body', template_id: 'body', users: 'body' });
  }

  /** Create a template of demo data. Needs the right to create `populator`.
   * `POST /i/populator/templates/create` */
  postPopulatorTemplatesCreate(p: PostPopulatorTemplatesCreateParams): Promise<Result> {
    return this.call('POST', '/i/populator/templates/create', p, { app_id: 'body', behavior: 'body', events: 'body', isDefault: 'body', lastEditedBy: 'body', name: 'body', platformType: 'body', sequences: 'body', uniqueUserCount: 'body', users: 'body', views: 'body' });
  }

  /** Change a template of demo data. Needs the right to update `populator`.
   * `POST /i/populator/templates/edit` */
  postPopulatorTemplatesEdit(p: PostPopulatorTemplatesEditParams): Promise<Result> {
    return this.call('POST', '/i/populator/templates/edit', p, { app_id: 'body', behavior: 'body', events: 'body', generated_on: 'body', isDefault: 'body', name: 'body', platformType: 'body', sequences: 'body', template_id: 'body', uniqueUserCount: 'body', users: 'body', views: 'body' });
  }

  /** Delete a template of demo data. Needs the right to delete `populator`.
   * `POST /i/populator/templates/remove` */
  postPopulatorTemplatesRemove(p: PostPopulatorTemplatesRemoveParams): Promise<Result> {
    return this.call('POST', '/i/populator/templates/remove', p, { app_id: 'body', template_id: 'body' });
  }

  /** Whether the name of an environment is free. Needs the right to read `populator`.
   * `GET /o/populator/environment/check` */
  getPopulatorEnvironmentCheck(p: GetPopulatorEnvironmentCheckParams): Promise<Json> {
    return this.call('GET', '/o/populator/environment/check', p, { app_id: 'query', environment_name: 'query' });
  }

  /** Users of an environment. Needs the right to read `populator`. The answer is a list, which pages, sorts and searches.
   * `GET /o/populator/environment/get` */
  getPopulatorEnvironmentGet(p: GetPopulatorEnvironmentGetParams): Promise<Json> {
    return this.call('GET', '/o/populator/environment/get', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query', template_id: 'query', environment_id: 'query' });
  }

  /** List environments. Needs the right to read `populator`. The answer is a list, which pages, sorts and searches.
   * `GET /o/populator/environment/list` */
  getPopulatorEnvironmentList(p: GetPopulatorEnvironmentListParams): Promise<Json> {
    return this.call('GET', '/o/populator/environment/list', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query' });
  }

  /** Delete an environment. Needs the right to delete `populator`.
   * `POST /o/populator/environment/remove` */
  postPopulatorEnvironmentRemove(p: PostPopulatorEnvironmentRemoveParams): Promise<Result> {
    return this.call('POST', '/o/populator/environment/remove', p, { app_id: 'body', environment_id: 'body', template_id: 'body' });
  }

  /** List templates of demo data. Needs the right to read `populator`. The answer is a list, which pages, sorts and searches.
   * `GET /o/populator/templates` */
  getPopulatorTemplates(p: GetPopulatorTemplatesParams): Promise<Json> {
    return this.call('GET', '/o/populator/templates', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query', template_id: 'query', platform_type: 'query' });
  }
}
