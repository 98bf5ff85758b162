// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { Result } from '../types.js';

/** Parameters of {@link Quipu.postFunnelsAdd}. */
export interface PostFunnelsAddParams {
  /** Id of the app. */
  app_id: string;
  /** Description of the funnel. */
  funnel_desc?: string;
  /** Name of the funnel. */
  funnel_name: string;
  /** Whether steps must happen in one session: `session-independent` or `same-session`. */
  funnel_type?: string;
  /** Options of the calculation. */
  options?: Json;
  /** Filters of the steps. */
  queries?: Json;
  /** Filters of the steps as pages show them. */
  queryTexts?: Json;
  /** How steps are grouped: `and`, `or`. */
  stepGroups?: Json;
  /** Steps, in their order. */
  steps: Json;
}

/** Parameters of {@link Quipu.postFunnelsDelete}. */
export interface PostFunnelsDeleteParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the funnel. */
  funnel_id: string;
}

/** Parameters of {@link Quipu.postFunnelsEdit}. */
export interface PostFunnelsEditParams {
  /** Id of the app. */
  app_id: string;
  /** The funnel by its id: `{"ID":{…}}`. */
  funnel_map: Json;
}

/** Parameters of {@link Quipu.postFunnelsGroup}. */
export interface PostFunnelsGroupParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the funnel. */
  funnel_id: string;
  /** Groups by name, with whether the funnel is in it: `{"marketing":true}`. */
  groups: Json;
}

/** Parameters of {@link Quipu.getMethodFunnel}. */
export interface GetMethodFunnelParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** Id of the funnel. */
  funnel: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Id of a saved filter. */
  filter_id?: string;
  /** Id of the task; the result of a task is answered at once. */
  task_id?: string;
  /** The last step that counts, from 0. */
  end_step?: number;
  /** Number of the step whose users are listed, from 0. */
  users_for_step?: number;
  /** Two steps: the users who left between them. */
  users_between_steps?: Json;
  /** Text that the answer repeats, by which clients match answers with requests. */
  echo?: string;
  /** What unique figures count: `users`, `sessions`, or the path of a property whose values are accounts, as `custom.company`. */
  count_by?: string;
  /** The property that results are divided by. */
  breakdown?: string;
  /** Whose step's event has the property: `first`, `last`, or a step from 1 on. */
  breakdown_step?: string;
  /** How many values of the property are shown; the others are one group. */
  breakdown_limit?: number;
  /** The value of the property whose group the others are compared with. */
  breakdown_base?: string;
  /** Figures by when users began, in units of this size. */
  trend?: "hour" | "day" | "week" | "month";
  /** `N|M`, from 0: what those did next who reached step N and not step M. */
  instead?: string;
  /** `true`, or `N|M`, from 0: what separates those who reached step M from those who reached only step N. */
  drivers?: string;
  /** Paths of the properties that are looked at. */
  drivers_by?: Json;
  /** Seconds before an attempt in which events are looked for; 0 = none. */
  drivers_back?: number;
  /** How many differences are listed. */
  drivers_limit?: number;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getMethodFunneldata}. */
export interface GetMethodFunneldataParams {
  /** Id of the app. */
  app_id: string;
  /** Ids of funnels. */
  funnels: Json;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getMethodGetFunnel}. */
export interface GetMethodGetFunnelParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the funnel. */
  funnel: string;
}

/** Parameters of {@link Quipu.getMethodGetFunnels}. */
export interface GetMethodGetFunnelsParams {
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
  /** A group: of a list, those within it; of crashes, the id of the crash group. */
  group?: string;
  /** Which form of the list. */
  outputFormat?: "full" | "list" | "table";
}

/** Parameters of {@link Quipu.getMethodUserFunnels}. */
export interface GetMethodUserFunnelsParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** Number of the user. */
  uid: string;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Operations of the group funnels. */
export class FunnelsOperations extends Base {
  /** Create a funnel. Needs the right to create `funnels`.
   * `POST /i/funnels/add` */
  postFunnelsAdd(p: PostFunnelsAddParams): Promise<Result> {
    return this.call('POST', '/i/funnels/add', p, { app_id: 'body', funnel_desc: 'body', funnel_name: 'body', funnel_type: 'body', options: 'body', queries: 'body', queryTexts: 'body', stepGroups: 'body', steps: 'body' });
  }

  /** Delete a funnel. Needs the right to delete `funnels`.
   * `POST /i/funnels/delete` */
  postFunnelsDelete(p: PostFunnelsDeleteParams): Promise<Result> {
    return this.call('POST', '/i/funnels/delete', p, { app_id: 'body', funnel_id: 'body' });
  }

  /** Change a funnel. Needs the right to update `funnels`.
   * `POST /i/funnels/edit` */
  postFunnelsEdit(p: PostFunnelsEditParams): Promise<Result> {
    return this.call('POST', '/i/funnels/edit', p, { app_id: 'body', funnel_map: 'body' });
  }

  /** Put a funnel into groups. Needs the right to update `funnels`.
   * `POST /i/funnels/group` */
  postFunnelsGroup(p: PostFunnelsGroupParams): Promise<Result> {
    return this.call('POST', '/i/funnels/group', p, { app_id: 'body', funnel_id: 'body', groups: 'body' });
  }

  /** Results of a funnel. Needs the right to read `funnels`. The same as `/o?method=funnel`. A read that takes too long goes on as a task.
   * `GET /o/method/funnel` */
  getMethodFunnel(p: GetMethodFunnelParams): Promise<Json> {
    return this.call('GET', '/o/method/funnel', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', funnel: 'query', filter: 'query', filter_id: 'query', task_id: 'query', end_step: 'query', users_for_step: 'query', users_between_steps: 'query', echo: 'query', count_by: 'query', breakdown: 'query', breakdown_step: 'query', breakdown_limit: 'query', breakdown_base: 'query', trend: 'query', instead: 'query', drivers: 'query', drivers_by: 'query', drivers_back: 'query', drivers_limit: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Results of several funnels. Needs the right to read `funnels`. The same as `/o?method=funneldata`. A read that takes too long goes on as a task.
   * `GET /o/method/funneldata`. A read that takes too long throws a PendingError. */
  getMethodFunneldata(p: GetMethodFunneldataParams): Promise<Record<string, Array<FunnelsDayRow>>> {
    return this.call('GET', '/o/method/funneldata', p, { app_id: 'query', funnels: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** A funnel. Needs the right to read `funnels`. The same as `/o?method=get_funnel`.
   * `GET /o/method/get_funnel` */
  getMethodGetFunnel(p: GetMethodGetFunnelParams): Promise<Json> {
    return this.call('GET', '/o/method/get_funnel', p, { app_id: 'query', funnel: 'query' });
  }

  /** List funnels. Needs the right to read `funnels`. The same as `/o?method=get_funnels`. The answer is a list, which pages, sorts and searches.
   * `GET /o/method/get_funnels` */
  getMethodGetFunnels(p: GetMethodGetFunnelsParams): Promise<Json> {
    return this.call('GET', '/o/method/get_funnels', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query', group: 'query', outputFormat: 'query' });
  }

  /** Funnels of a user. Needs the right to read `funnels`. The same as `/o?method=user_funnels`. A read that takes too long goes on as a task.
   * `GET /o/method/user_funnels`. A read that takes too long throws a PendingError. */
  getMethodUserFunnels(p: GetMethodUserFunnelsParams): Promise<Array<FunnelsUserRow>> {
    return this.call('GET', '/o/method/user_funnels', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', uid: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }
}

export interface FunnelsAnalysis {
  conversion: FunnelsSpread;
  echo?: Json;
  groups?: Array<FunnelsGroupRow>;
  significance?: FunnelsSignificance | Json;
  steps: Array<FunnelsStepRow>;
  success_rate: number;
  success_users: number;
  total_users: number;
  trend?: Array<FunnelsTrendRow>;
  users_in_first_step: number;
}

export interface FunnelsBar {
  count: number;
  to?: number;
}

export interface FunnelsComparison {
  adjusted: number;
  difference: number;
  differenceHigh: number;
  differenceLow: number;
  exact?: boolean;
  odds: number;
  oddsHigh: number;
  oddsLow: number;
  p: number;
  percent: number;
  percentHigh: number;
  percentLow: number;
}

export interface FunnelsDayRow {
  _id: string;
  success_rate: number;
  success_users: number;
  total_users: number;
  users_in_first_step: number;
}

export interface FunnelsGroupRow {
  comparison?: FunnelsComparison | Json;
  other?: boolean;
  users: Array<number>;
  value: Json;
}

export interface FunnelsSignificance {
  base?: string;
  baseMissing?: boolean;
  chiSquared: number;
  freedom: number;
  p: number;
  rough?: boolean;
  step: number;
}

export interface FunnelsSpread {
  count: number;
  histogram: Array<FunnelsBar>;
  max: number;
  mean: number;
  median: number;
  min: number;
  p75: number;
  p90: number;
  p95: number;
}

export interface FunnelsStepRow {
  attempts: number;
  averageTimeSpend: number;
  optional?: boolean;
  percent: number;
  percentLeft: number;
  percentLeftUserEntered: number;
  percentUserEntered: number;
  query: Json;
  step: Json;
  timeSpend?: FunnelsSpread | Json;
  times: number;
  users: number;
}

export interface FunnelsTrendRow {
  _id: string;
  open?: boolean;
  success_rate: number;
  success_users: number;
  users: Array<number>;
}

export interface FunnelsUserRow {
  _id: string;
  data: FunnelsAnalysis | Json;
  name: string;
  step: number;
  steps: Array<Json>;
}
