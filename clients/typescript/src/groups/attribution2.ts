// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { AttributionVisitRow } from '../types.js';

/** Parameters of {@link Quipu.getMethodKeywords}. */
export interface GetMethodKeywordsParams {
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
}

/** Operations of the group attribution2. */
export class Attribution2Operations extends Base {
  /** What people searched for. Needs the right to read `sources`. The same as `/o?method=keywords`.
   * `GET /o/method/keywords` */
  getMethodKeywords(p: GetMethodKeywordsParams): Promise<Array<AttributionVisitRow>> {
    return this.call('GET', '/o/method/keywords', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query' });
  }

  /** Names of stores. Needs no credentials of a member.
   * `GET /o/sources` */
  getSources(): Promise<Record<string, string>> {
    return this.call('GET', '/o/sources');
  }

  /** Names of stores. Needs no credentials of a member.
   * `GET /o/stores` */
  getStores(): Promise<Record<string, string>> {
    return this.call('GET', '/o/stores');
  }
}
