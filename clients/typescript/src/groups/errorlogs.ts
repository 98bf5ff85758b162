// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { Result } from '../types.js';

/** Parameters of {@link Quipu.postErrorlogs}. */
export interface PostErrorlogsParams {
  /** Which log. */
  log: "api" | "dashboard";
}

/** Parameters of {@link Quipu.getErrorlogs}. */
export interface GetErrorlogsParams {
  /** Which log. */
  log?: "api" | "dashboard";
  /** How many bytes from the end are read. */
  bytes?: number;
  /** Answers with a file. */
  download?: boolean;
}

/** Operations of the group errorlogs. */
export class ErrorlogsOperations extends Base {
  /** Clear a log. For global administrators.
   * `POST /i/errorlogs` */
  postErrorlogs(p: PostErrorlogsParams): Promise<Result> {
    return this.call('POST', '/i/errorlogs', p, { log: 'body' });
  }

  /** Read logs. For global administrators.
   * `GET /o/errorlogs` */
  getErrorlogs(p: GetErrorlogsParams = {}): Promise<Json> {
    return this.call('GET', '/o/errorlogs', p, { log: 'query', bytes: 'query', download: 'query' });
  }
}
