// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';

/** Parameters of {@link Quipu.getSlipping}. */
export interface GetSlippingParams {
  /** Id of the app. */
  app_id: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
}

/** Operations of the group slipping. */
export class SlippingOperations extends Base {
  /** Users who were not active for long. Needs the right to read `slipping_away_users`.
   * `GET /o/slipping` */
  getSlipping(p: GetSlippingParams): Promise<Array<SlippingRow>> {
    return this.call('GET', '/o/slipping', p, { app_id: 'query', query: 'query' });
  }
}

export interface SlippingRow {
  count: number;
  percentage: string;
  period: number;
  timeStamp: number;
}
