// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';

/** Parameters of {@link Quipu.getIngestOutcomes}. */
export interface GetIngestOutcomesParams {
  /** Id of the app. */
  app_id?: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
}

/** Operations of the group outcomes. */
export class OutcomesOperations extends Base {
  /** What became of received items, of an app or, for global administrators, of what came for none. Needs the right to read `core`. Global administrators may leave out `app_id`.
   * `GET /o/ingest/outcomes` */
  getIngestOutcomes(p: GetIngestOutcomesParams = {}): Promise<OutcomesAnswer> {
    return this.call('GET', '/o/ingest/outcomes', p, { app_id: 'query', period: 'query' });
  }
}

export interface OutcomesAnswer {
  clamped: Record<string, number>;
  days: Record<string, Record<string, Record<string, number>>>;
  period: string;
  totals: Record<string, Record<string, number>>;
}
