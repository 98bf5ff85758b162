// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';

/** Parameters of {@link Quipu.getLiveFeed}. */
export interface GetLiveFeedParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getLiveNow}. */
export interface GetLiveNowParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getLiveTiles}. */
export interface GetLiveTilesParams {
  /** Id of the app. */
  app_id: string;
}

/** Operations of the group live. */
export class LiveOperations extends Base {
  /** Stream of events as they arrive. Needs the right to read `events`.
   * `GET /o/live/feed` */
  getLiveFeed(p: GetLiveFeedParams): Promise<Blob> {
    return this.raw('GET', '/o/live/feed', p, { app_id: 'query' });
  }

  /** Figures of the moment. Needs the right to read `core`.
   * `GET /o/live/now` */
  getLiveNow(p: GetLiveNowParams): Promise<LiveTiles> {
    return this.call('GET', '/o/live/now', p, { app_id: 'query' });
  }

  /** Stream of figures of the moment. Needs the right to read `core`.
   * `GET /o/live/tiles` */
  getLiveTiles(p: GetLiveTilesParams): Promise<Blob> {
    return this.raw('GET', '/o/live/tiles', p, { app_id: 'query' });
  }
}

export interface LiveTiles {
  at: number;
  minutes: Array<QueryMinute>;
  online: number;
  users: number;
}

export interface QueryMinute {
  events: number;
  new_users: number;
  sessions: number;
}
