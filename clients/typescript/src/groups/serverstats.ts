// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';

/** Parameters of {@link Quipu.getServerStatsDataPoints}. */
export interface GetServerStatsDataPointsParams {
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Id of the app; all apps without it. */
  selected_app?: string;
}

/** Parameters of {@link Quipu.getServerStatsPunchCard}. */
export interface GetServerStatsPunchCardParams {
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Id of the app; all apps without it. */
  selected_app?: string;
}

/** Parameters of {@link Quipu.getServerStatsTop}. */
export interface GetServerStatsTopParams {
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Id of the app; all apps without it. */
  selected_app?: string;
}

/** Operations of the group serverstats. */
export class ServerstatsOperations extends Base {
  /** Data points by app. For every member. Tokens that are limited to apps may be used.
   * `GET /o/server-stats/data-points` */
  getServerStatsDataPoints(p: GetServerStatsDataPointsParams = {}): Promise<Record<string, ServerstatsPoints | Json>> {
    return this.call('GET', '/o/server-stats/data-points', p, { period: 'query', selected_app: 'query' });
  }

  /** Data points by hour. For every member. Tokens that are limited to apps may be used.
   * `GET /o/server-stats/punch-card` */
  getServerStatsPunchCard(p: GetServerStatsPunchCardParams = {}): Promise<ServerstatsPunchCard> {
    return this.call('GET', '/o/server-stats/punch-card', p, { period: 'query', selected_app: 'query' });
  }

  /** Apps with the most data points. For every member. Tokens that are limited to apps may be used.
   * `GET /o/server-stats/top` */
  getServerStatsTop(p: GetServerStatsTopParams = {}): Promise<Array<ServerstatsTopRow>> {
    return this.call('GET', '/o/server-stats/top', p, { period: 'query', selected_app: 'query' });
  }
}

export interface ServerstatsPoints {
  aclk: number;
  actions: number;
  apm: number;
  change: number;
  crash: number;
  cs: number;
  custom: number;
  dp: number;
  events: number;
  llm: number;
  nps: number;
  ps: number;
  push: number;
  ratings: number;
  sessions: number;
  surveys: number;
  views: number;
}

export interface ServerstatsPunchCard {
  data: Array<Json>;
  dayCount: number;
  labels: Array<string>;
}

export interface ServerstatsTopRow {
  a: string;
  v: number;
}
