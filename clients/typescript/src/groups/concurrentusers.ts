// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { Result } from '../types.js';

/** Parameters of {@link Quipu.postConcurrentAlertDelete}. */
export interface PostConcurrentAlertDeleteParams {
  /** Id of the alert. */
  alertId: string;
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.postConcurrentAlertSave}. */
export interface PostConcurrentAlertSaveParams {
  /** The alert, as the reference of users online describes it. */
  alert: Json;
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.postConcurrentAlertStatus}. */
export interface PostConcurrentAlertStatusParams {
  /** Id of the app. */
  app_id: string;
  /** State that is looked for. */
  status?: string;
}

/** Parameters of {@link Quipu.postConcurrentUsersMaxReset}. */
export interface PostConcurrentUsersMaxResetParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getConcurrentUsers}. */
export interface GetConcurrentUsersParams {
  /** Id of the app. */
  app_id: string;
  /** Ids of up to 20 apps whose users are counted together, as a JSON list. */
  apps?: Json;
}

/** Parameters of {@link Quipu.getMethodConcurrent}. */
export interface GetMethodConcurrentParams {
  /** Id of the app. */
  app_id?: string;
  /** Ids of the apps whose figures are read. */
  r_apps?: Json;
  /** Which form of the calculation. */
  mode?: string;
  /** Whether users in their first session are counted apart. */
  add_new?: string;
}

/** Parameters of {@link Quipu.getMethodConcurrentAlerts}. */
export interface GetMethodConcurrentAlertsParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodLive}. */
export interface GetMethodLiveParams {
  /** Id of the app. */
  app_id: string;
}

/** Operations of the group concurrentusers. */
export class ConcurrentusersOperations extends Base {
  /** Delete an alert. Needs the right to delete `alerts`.
   * `POST /i/concurrent_alert/delete` */
  postConcurrentAlertDelete(p: PostConcurrentAlertDeleteParams): Promise<Result> {
    return this.call('POST', '/i/concurrent_alert/delete', p, { alertId: 'body', app_id: 'body' });
  }

  /** Keep or change an alert. Needs the right to create `alerts`.
   * `POST /i/concurrent_alert/save` */
  postConcurrentAlertSave(p: PostConcurrentAlertSaveParams): Promise<Json> {
    return this.call('POST', '/i/concurrent_alert/save', p, { alert: 'body', app_id: 'body' });
  }

  /** Switch alerts on and off. Needs the right to update `alerts`.
   * `POST /i/concurrent_alert/status` */
  postConcurrentAlertStatus(p: PostConcurrentAlertStatusParams): Promise<boolean> {
    return this.call('POST', '/i/concurrent_alert/status', p, { app_id: 'body', status: 'body' });
  }

  /** Forget the most users ever online. Needs the right to update `concurrent_users`.
   * `POST /i/concurrent_users_max/reset` */
  postConcurrentUsersMaxReset(p: PostConcurrentUsersMaxResetParams): Promise<Result> {
    return this.call('POST', '/i/concurrent_users_max/reset', p, { app_id: 'body' });
  }

  /** Users online: now, lately and at most. Needs the right to read `concurrent_users`.
   * `GET /o/concurrent_users` */
  getConcurrentUsers(p: GetConcurrentUsersParams): Promise<ConcurrentusersOverview | Json> {
    return this.call('GET', '/o/concurrent_users', p, { app_id: 'query', apps: 'query' });
  }

  /** Users online, by mode. For every member. The same as `/o?method=concurrent`. Tokens that are limited to apps may be used.
   * `GET /o/method/concurrent` */
  getMethodConcurrent(p: GetMethodConcurrentParams = {}): Promise<ConcurrentusersMetrics | Json> {
    return this.call('GET', '/o/method/concurrent', p, { app_id: 'query', r_apps: 'query', mode: 'query', add_new: 'query' });
  }

  /** Alerts about users online. Needs the right to read `concurrent_users`. The same as `/o?method=concurrent_alerts`.
   * `GET /o/method/concurrent_alerts` */
  getMethodConcurrentAlerts(p: GetMethodConcurrentAlertsParams): Promise<Array<ConcurrentusersShownAlert>> {
    return this.call('GET', '/o/method/concurrent_alerts', p, { app_id: 'query' });
  }

  /** Users online now. Needs the right to read `concurrent_users`. The same as `/o?method=live`.
   * `GET /o/method/live` */
  getMethodLive(p: GetMethodLiveParams): Promise<ConcurrentusersNow> {
    return this.call('GET', '/o/method/live', p, { app_id: 'query' });
  }
}

export interface ConcurrentusersAppRow {
  id: string;
  name: string;
}

export interface ConcurrentusersBucket {
  bound?: boolean;
  n: number;
  na?: number;
  o: number;
  oa?: number;
  t: number;
}

export interface ConcurrentusersCount {
  n: number;
  o: number;
}

export interface ConcurrentusersMetrics {
  ns_n?: Record<string, Json>;
  ns_o: Record<string, Json>;
}

export interface ConcurrentusersNow {
  n: number;
  nm: number;
  o: number;
  om: number;
}

export interface ConcurrentusersOverview {
  apps?: Array<ConcurrentusersAppRow>;
  at: number;
  days: Array<ConcurrentusersBucket>;
  hours: Array<ConcurrentusersBucket>;
  m: ConcurrentusersParts;
  minutes: Array<ConcurrentusersBucket>;
  most: ConcurrentusersBucket;
  now: ConcurrentusersCount;
  shared?: number;
  whole: boolean;
  window: number;
}

export interface ConcurrentusersParts {
  cc: Record<string, number>;
  lv: Record<string, number>;
  src: Record<string, number>;
}

export interface ConcurrentusersShownAlert {
  _id: string;
  app: string;
  condition_title: string;
  createdByUser?: string;
  created_by: string;
  def?: string;
  defined_at: number;
  email: Array<string>;
  enabled: boolean;
  last_triggered?: number;
  minutes: number;
  name: string;
  status: string;
  type: string;
  users: number;
}
