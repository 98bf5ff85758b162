// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { Result } from '../types.js';

/** Parameters of {@link Quipu.postTasksDelete}. */
export interface PostTasksDeleteParams {
  /** Id of the app. */
  app_id?: string;
  /** Id of the task; the result of a task is answered at once. */
  task_id: string;
}

/** Parameters of {@link Quipu.postTasksEdit}. */
export interface PostTasksEditParams {
  /** Id of the app. */
  app_id?: string;
  /** Whether the result is calculated again by itself. */
  autoRefresh?: boolean;
  /** Whether all members of the app see it. */
  global?: boolean;
  /** The period in words. */
  period_desc?: string;
  /** Description of the report. */
  report_desc?: string;
  /** Name of the report. */
  report_name?: string;
  /** Id of the task; the result of a task is answered at once. */
  task_id: string;
}

/** Parameters of {@link Quipu.postTasksName}. */
export interface PostTasksNameParams {
  /** Id of the app. */
  app_id?: string;
  /** Name. */
  name?: string;
  /** Id of the task; the result of a task is answered at once. */
  task_id: string;
}

/** Parameters of {@link Quipu.postTasksUpdate}. */
export interface PostTasksUpdateParams {
  /** Id of the app. */
  app_id?: string;
  /** Id of the task; the result of a task is answered at once. */
  task_id: string;
}

/** Parameters of {@link Quipu.getTasksAll}. */
export interface GetTasksAllParams {
  /** Id of the app. */
  app_id?: string;
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
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** Ids of apps, separated by commas. */
  app_ids?: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Tasks that read rows, or those that do not. */
  data_source?: "drill" | "non_drill";
}

/** Parameters of {@link Quipu.getTasksCheck}. */
export interface GetTasksCheckParams {
  /** Id of the app. */
  app_id?: string;
  /** Id of the task; the result of a task is answered at once. */
  task_id: string;
}

/** Parameters of {@link Quipu.getTasksCount}. */
export interface GetTasksCountParams {
  /** Id of the app. */
  app_id?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** Ids of apps, separated by commas. */
  app_ids?: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Tasks that read rows, or those that do not. */
  data_source?: "drill" | "non_drill";
}

/** Parameters of {@link Quipu.getTasksList}. */
export interface GetTasksListParams {
  /** Id of the app. */
  app_id?: string;
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
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** Ids of apps, separated by commas. */
  app_ids?: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Tasks that read rows, or those that do not. */
  data_source?: "drill" | "non_drill";
}

/** Parameters of {@link Quipu.getTasksTask}. */
export interface GetTasksTaskParams {
  /** Id of the app. */
  app_id?: string;
  /** Id of the task; the result of a task is answered at once. */
  task_id: string;
}

/** Operations of the group tasks. */
export class TasksOperations extends Base {
  /** Delete a task. Needs the right to delete `core`. Global administrators may leave out `app_id`.
   * `POST /i/tasks/delete` */
  postTasksDelete(p: PostTasksDeleteParams): Promise<Result> {
    return this.call('POST', '/i/tasks/delete', p, { app_id: 'body', task_id: 'body' });
  }

  /** Change a task. Needs the right to update `core`. Global administrators may leave out `app_id`.
   * `POST /i/tasks/edit` */
  postTasksEdit(p: PostTasksEditParams): Promise<Result> {
    return this.call('POST', '/i/tasks/edit', p, { app_id: 'body', autoRefresh: 'body', global: 'body', period_desc: 'body', report_desc: 'body', report_name: 'body', task_id: 'body' });
  }

  /** Name a task. Needs the right to update `core`. Global administrators may leave out `app_id`.
   * `POST /i/tasks/name` */
  postTasksName(p: PostTasksNameParams): Promise<Result> {
    return this.call('POST', '/i/tasks/name', p, { app_id: 'body', name: 'body', task_id: 'body' });
  }

  /** Run a task again. Needs the right to update `core`. Global administrators may leave out `app_id`.
   * `POST /i/tasks/update` */
  postTasksUpdate(p: PostTasksUpdateParams): Promise<Result> {
    return this.call('POST', '/i/tasks/update', p, { app_id: 'body', task_id: 'body' });
  }

  /** List tasks. Needs the right to read `core`. Global administrators may leave out `app_id`. The answer is a list, which pages, sorts and searches.
   * `GET /o/tasks/all` */
  getTasksAll(p: GetTasksAllParams = {}): Promise<Json> {
    return this.call('GET', '/o/tasks/all', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query', query: 'query', app_ids: 'query', period: 'query', data_source: 'query' });
  }

  /** State of tasks. Needs the right to read `core`. Global administrators may leave out `app_id`.
   * `GET /o/tasks/check` */
  getTasksCheck(p: GetTasksCheckParams): Promise<Result> {
    return this.call('GET', '/o/tasks/check', p, { app_id: 'query', task_id: 'query' });
  }

  /** Tasks by state. Needs the right to read `core`. Global administrators may leave out `app_id`.
   * `GET /o/tasks/count` */
  getTasksCount(p: GetTasksCountParams = {}): Promise<Array<TasksCountRow>> {
    return this.call('GET', '/o/tasks/count', p, { app_id: 'query', query: 'query', app_ids: 'query', period: 'query', data_source: 'query' });
  }

  /** List tasks as a table. Needs the right to read `core`. Global administrators may leave out `app_id`. The answer is a list, which pages, sorts and searches.
   * `GET /o/tasks/list` */
  getTasksList(p: GetTasksListParams = {}): Promise<Json> {
    return this.call('GET', '/o/tasks/list', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query', query: 'query', app_ids: 'query', period: 'query', data_source: 'query' });
  }

  /** Result of a task. Needs the right to read `core`. Global administrators may leave out `app_id`.
   * `GET /o/tasks/task` */
  getTasksTask(p: GetTasksTaskParams): Promise<TasksView> {
    return this.call('GET', '/o/tasks/task', p, { app_id: 'query', task_id: 'query' });
  }
}

export interface TasksCountRow {
  _id: string;
  c: number;
}

export interface TasksFile {
  name: string;
  size: number;
  type: string;
}

export interface TasksProgress {
  done: number;
  total: number;
}

export interface TasksView {
  _id: string;
  app_id: string;
  autoRefresh: boolean;
  creator: string;
  data?: Json;
  end?: number;
  errorcode?: string;
  errormsg?: string;
  file?: TasksFile | Json;
  global: boolean;
  hasData: boolean;
  manually_create: boolean;
  name?: string;
  period_desc?: string;
  progress?: TasksProgress | Json;
  report_desc?: string;
  report_name: string;
  start?: number;
  status: string;
  ts: number;
  type: string;
  view?: string;
}
