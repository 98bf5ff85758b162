// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { Result } from '../types.js';

/** Parameters of {@link Quipu.postFlowsCalculate}. */
export interface PostFlowsCalculateParams {
  /** Id of the document. */
  _id: string;
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.postFlowsCreate}. */
export interface PostFlowsCreateParams {
  /** Id of the app. */
  app_id: string;
  /** Whether the flow is not calculated. */
  disabled?: boolean;
  /** The event that paths end at; a text is a key. */
  end?: Json;
  /** Events that paths leave out. */
  exclude?: Json;
  /** Name. */
  name: string;
  /** Options of the calculation. */
  options?: Json;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** The event that starts it; a text is a key. */
  start?: Json;
  /** Which kind. */
  type?: string;
  /** Filter of users. */
  user_segmentation?: Json;
}

/** Parameters of {@link Quipu.postFlowsDelete}. */
export interface PostFlowsDeleteParams {
  /** Id of the document. */
  _id: string;
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.postFlowsEdit}. */
export interface PostFlowsEditParams {
  /** Id of the document. */
  _id: string;
  /** Id of the app. */
  app_id: string;
  /** Whether the flow is not calculated. */
  disabled?: boolean;
  /** The event that paths end at; a text is a key. */
  end?: Json;
  /** Events that paths leave out. */
  exclude?: Json;
  /** Name. */
  name?: string;
  /** Options of the calculation. */
  options?: Json;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** The event that starts it; a text is a key. */
  start?: Json;
  /** Which kind. */
  type?: string;
  /** Filter of users. */
  user_segmentation?: Json;
}

/** Parameters of {@link Quipu.postFlowsUpdateDisabled}. */
export interface PostFlowsUpdateDisabledParams {
  /** Id of the app. */
  app_id: string;
  /** What is written or exported, as JSON. */
  data: Json;
}

/** Parameters of {@link Quipu.getFlows}. */
export interface GetFlowsParams {
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
  /** Which of several requests of this path. */
  method?: string;
  /** Id of the document. */
  _id?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
}

/** Parameters of {@link Quipu.getFlowsPaths}. */
export interface GetFlowsPathsParams {
  /** Id of the app. */
  app_id: string;
  /** Name. */
  name?: string;
  /** Which kind. */
  type?: string;
  /** The event that starts it; a text is a key. */
  start: Json;
  /** The event that paths end at; a text is a key. */
  end?: Json;
  /** Events that paths leave out. */
  exclude?: Json;
  /** Filter of users. */
  user_segmentation?: Json;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Whether the flow is not calculated. */
  disabled?: boolean;
  /** Options of the calculation. */
  options?: Json;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Operations of the group flows. */
export class FlowsOperations extends Base {
  /** Calculate a flow. Needs the right to create `flows`.
   * `POST /i/flows/calculate` */
  postFlowsCalculate(p: PostFlowsCalculateParams): Promise<Result> {
    return this.call('POST', '/i/flows/calculate', p, { _id: 'body', app_id: 'body' });
  }

  /** Create a flow. Needs the right to create `flows`.
   * `POST /i/flows/create` */
  postFlowsCreate(p: PostFlowsCreateParams): Promise<Result> {
    return this.call('POST', '/i/flows/create', p, { app_id: 'body', disabled: 'body', end: 'body', exclude: 'body', name: 'body', options: 'body', period: 'body', start: 'body', type: 'body', user_segmentation: 'body' });
  }

  /** Delete a flow. Needs the right to create `flows`.
   * `POST /i/flows/delete` */
  postFlowsDelete(p: PostFlowsDeleteParams): Promise<Result> {
    return this.call('POST', '/i/flows/delete', p, { _id: 'body', app_id: 'body' });
  }

  /** Change a flow. Needs the right to create `flows`.
   * `POST /i/flows/edit` */
  postFlowsEdit(p: PostFlowsEditParams): Promise<Result> {
    return this.call('POST', '/i/flows/edit', p, { _id: 'body', app_id: 'body', disabled: 'body', end: 'body', exclude: 'body', name: 'body', options: 'body', period: 'body', start: 'body', type: 'body', user_segmentation: 'body' });
  }

  /** Switch flows on or off. Needs the right to create `flows`.
   * `POST /i/flows/updateDisabled` */
  postFlowsUpdateDisabled(p: PostFlowsUpdateDisabledParams): Promise<Result> {
    return this.call('POST', '/i/flows/updateDisabled', p, { app_id: 'body', data: 'body' });
  }

  /** List flows, or the result of one. Needs the right to read `flows`. The answer is a list, which pages, sorts and searches.
   * `GET /o/flows` */
  getFlows(p: GetFlowsParams): Promise<Json> {
    return this.call('GET', '/o/flows', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query', method: 'query', _id: 'query', query: 'query' });
  }

  /** Paths of a flow that is not saved. Needs the right to read `flows`. A read that takes too long goes on as a task.
   * `GET /o/flows/paths`. A read that takes too long throws a PendingError. */
  getFlowsPaths(p: GetFlowsPathsParams): Promise<FlowsData> {
    return this.call('GET', '/o/flows/paths', p, { app_id: 'query', name: 'query', type: 'query', start: 'query', end: 'query', exclude: 'query', user_segmentation: 'query', period: 'query', disabled: 'query', options: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }
}

export interface FlowsData {
  _id?: string;
  calculated: number;
  flow?: string;
  from: number;
  levels: Array<FlowsLevel>;
  paths: number;
  period: string;
  to: number;
  users: number;
}

export interface FlowsLevel {
  level: number;
  links: Array<FlowsLink>;
  nodes: Array<FlowsNode>;
}

export interface FlowsLink {
  from: number;
  paths: number;
  to: number;
  users: number;
}

export interface FlowsNode {
  ended: number;
  event?: string;
  name?: string;
  other?: boolean;
  paths: number;
  users: number;
  value?: string;
}
