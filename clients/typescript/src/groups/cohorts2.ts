// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';

/** Parameters of {@link Quipu.getMethodCohortdata}. */
export interface GetMethodCohortdataParams {
  /** Id of the app. */
  app_id: string;
  /** Ids of cohorts. */
  cohorts: Json;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
}

/** Parameters of {@link Quipu.getMethodCohortstate}. */
export interface GetMethodCohortstateParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodGetCohort}. */
export interface GetMethodGetCohortParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the cohort. */
  cohort: string;
}

/** Parameters of {@link Quipu.getMethodGetCohortList}. */
export interface GetMethodGetCohortListParams {
  /** Id of the app. */
  app_id: string;
  /** Which kind. */
  type?: string;
}

/** Parameters of {@link Quipu.getMethodGetCohortMetrics}. */
export interface GetMethodGetCohortMetricsParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the cohort, of several as a JSON list where many are meant. */
  cohort_id: string;
  /** Names of metrics. */
  metrics: Json;
}

/** Parameters of {@link Quipu.getMethodGetCohorts}. */
export interface GetMethodGetCohortsParams {
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
  /** Which form of the list. */
  outputFormat?: "full" | "list" | "table";
  /** Which kind. */
  type?: string;
  /** A group: of a list, those within it; of crashes, the id of the crash group. */
  group?: string;
  /** Names of the fields that are shown. */
  projection?: Json;
}

/** Operations of the group cohorts2. */
export class Cohorts2Operations extends Base {
  /** Sizes of cohorts over time. Needs the right to read `cohorts`. The same as `/o?method=cohortdata`.
   * `GET /o/method/cohortdata` */
  getMethodCohortdata(p: GetMethodCohortdataParams): Promise<Array<CohortsData>> {
    return this.call('GET', '/o/method/cohortdata', p, { app_id: 'query', cohorts: 'query', iDisplayStart: 'query', iDisplayLength: 'query' });
  }

  /** State of the calculation of cohorts. Needs the right to read `cohorts`. The same as `/o?method=cohortstate`.
   * `GET /o/method/cohortstate` */
  getMethodCohortstate(p: GetMethodCohortstateParams): Promise<CohortsStateRes> {
    return this.call('GET', '/o/method/cohortstate', p, { app_id: 'query' });
  }

  /** A cohort. Needs the right to read `cohorts`. The same as `/o?method=get_cohort`.
   * `GET /o/method/get_cohort` */
  getMethodGetCohort(p: GetMethodGetCohortParams): Promise<Json> {
    return this.call('GET', '/o/method/get_cohort', p, { app_id: 'query', cohort: 'query' });
  }

  /** Names of cohorts. Needs the right to read `cohorts`. The same as `/o?method=get_cohort_list`.
   * `GET /o/method/get_cohort_list` */
  getMethodGetCohortList(p: GetMethodGetCohortListParams): Promise<Record<string, string>> {
    return this.call('GET', '/o/method/get_cohort_list', p, { app_id: 'query', type: 'query' });
  }

  /** Metrics of the users of a cohort. Needs the right to read `cohorts`. The same as `/o?method=get_cohort_metrics`.
   * `GET /o/method/get_cohort_metrics` */
  getMethodGetCohortMetrics(p: GetMethodGetCohortMetricsParams): Promise<CohortsMetricsRes> {
    return this.call('GET', '/o/method/get_cohort_metrics', p, { app_id: 'query', cohort_id: 'query', metrics: 'query' });
  }

  /** List cohorts. Needs the right to read `cohorts`. The same as `/o?method=get_cohorts`. The answer is a list, which pages, sorts and searches.
   * `GET /o/method/get_cohorts` */
  getMethodGetCohorts(p: GetMethodGetCohortsParams): Promise<Json> {
    return this.call('GET', '/o/method/get_cohorts', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query', outputFormat: 'query', type: 'query', group: 'query', projection: 'query' });
  }
}

export interface CohortsData {
  _id: string;
  data: Record<string, Json>;
}

export interface CohortsIdentified {
  _id: string;
  last_calculated: number;
  name: string;
  state: string;
}

export interface CohortsMetricsRes {
  in_cohort: number;
  metrics: Record<string, Record<string, number>>;
}

export interface CohortsSignature {
  cid: Array<string>;
  data: CohortsStep;
}

export interface CohortsStateRes {
  cohorts: Record<string, CohortsIdentified>;
  hashes: Record<string, CohortsSignature>;
  ts: number;
}

export interface CohortsStep {
  conj?: string;
  event: string;
  period: string;
  query?: Json;
  times?: Json;
  type: string;
  within?: number;
}
