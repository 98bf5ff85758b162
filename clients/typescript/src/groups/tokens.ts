// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { Result } from '../types.js';

/** Parameters of {@link Quipu.postTokenCreate}. */
export interface PostTokenCreateParams {
  /** Id of the app that the token is for, or several. */
  app?: string;
  /** Ids of apps: a JSON list, or separated by commas. */
  apps?: string;
  /** Paths that the token is for: texts or patterns. */
  endpoint?: string;
  /** Parameters that requests with the token must have. */
  endpointquery?: Json;
  /** Whether the token may be used more than once. */
  multi?: boolean;
  /** What the token is for. */
  purpose?: string;
  /** Seconds until the token ends; 0 for never. */
  ttl?: number;
}

/** Parameters of {@link Quipu.postTokenDelete}. */
export interface PostTokenDeleteParams {
  /** The token. */
  tokenid: string;
}

/** Parameters of {@link Quipu.getTokenCheck}. */
export interface GetTokenCheckParams {
  /** The token. */
  token: string;
}

/** Parameters of {@link Quipu.getTokenList}. */
export interface GetTokenListParams {
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
}

/** Operations of the group tokens. */
export class TokensOperations extends Base {
  /** Create a token. For every member. Tokens that are limited to apps may be used.
   * `POST /i/token/create` */
  postTokenCreate(p: PostTokenCreateParams = {}): Promise<Result> {
    return this.call('POST', '/i/token/create', p, { app: 'body', apps: 'body', endpoint: 'body', endpointquery: 'body', multi: 'body', purpose: 'body', ttl: 'body' });
  }

  /** Delete a token. For every member. Tokens that are limited to apps may be used.
   * `POST /i/token/delete` */
  postTokenDelete(p: PostTokenDeleteParams): Promise<Result> {
    return this.call('POST', '/i/token/delete', p, { tokenid: 'body' });
  }

  /** Whether a token is valid. For every member. Tokens that are limited to apps may be used.
   * `GET /o/token/check` */
  getTokenCheck(p: GetTokenCheckParams): Promise<Result> {
    return this.call('GET', '/o/token/check', p, { token: 'query' });
  }

  /** List tokens of the caller. For every member. The answer is a list, which pages, sorts and searches. Tokens that are limited to apps may be used.
   * `GET /o/token/list` */
  getTokenList(p: GetTokenListParams = {}): Promise<Json> {
    return this.call('GET', '/o/token/list', p, { iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query' });
  }
}
