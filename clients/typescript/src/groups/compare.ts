// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { QueryEstimatedFigure } from '../types.js';

/** Parameters of {@link Quipu.getCompareApps}. */
export interface GetCompareAppsParams {
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** Ids of apps: a JSON list, or separated by commas. */
  apps: string;
}

/** Parameters of {@link Quipu.getCompareEvents}. */
export interface GetCompareEventsParams {
  /** Id of the app. */
  app_id?: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** Keys of events. */
  events: Json;
}

/** Parameters of {@link Quipu.getCompareSums}. */
export interface GetCompareSumsParams {
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** Ids of apps: a JSON list, or separated by commas. */
  apps?: string;
}

/** Operations of the group compare. */
export class CompareOperations extends Base {
  /** Compare apps. For every member. Tokens that are limited to apps may be used.
   * `GET /o/compare/apps` */
  getCompareApps(p: GetCompareAppsParams): Promise<Array<CompareAppRow>> {
    return this.call('GET', '/o/compare/apps', p, { period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', apps: 'query' });
  }

  /** Compare events. Needs the right to read `compare`. Global administrators may leave out `app_id`.
   * `GET /o/compare/events` */
  getCompareEvents(p: GetCompareEventsParams): Promise<Record<string, Json>> {
    return this.call('GET', '/o/compare/events', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', events: 'query' });
  }

  /** Sums over apps, with the people of all. For every member. Tokens that are limited to apps may be used.
   * `GET /o/compare/sums` */
  getCompareSums(p: GetCompareSumsParams = {}): Promise<CompareSumsRes> {
    return this.call('GET', '/o/compare/sums', p, { period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', apps: 'query' });
  }
}

export interface CompareAppRow {
  avgduration: Json;
  charts: Json;
  duration: Json;
  id: string;
  name: string;
  newusers: Json;
  sessions: Json;
  users: QueryEstimatedFigure;
}

export interface CompareSumRow {
  crash_free: number | null;
  crashes: number | null;
  events: number;
  id: string;
  name: string;
  new: number;
  seconds: number;
  sessions: number;
  users: number;
}

export interface CompareSumsRes {
  apps: Array<CompareSumRow>;
  more: number;
  total: CompareTotalRow;
}

export interface CompareTotalRow {
  crash_free: number | null;
  crashes: number | null;
  events: number;
  new: number;
  seconds: number;
  sessions: number;
  shared: number;
  users: number;
}
