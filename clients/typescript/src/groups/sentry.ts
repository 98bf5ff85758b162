// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';

/** Parameters of {@link Quipu.getApiProjectEnvelope}. */
export interface GetApiProjectEnvelopeParams {
  /** Key of the app, where the SDK sends it in the address. */
  sentry_key?: string;
  /** Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these. */
  project: string;
}

/** Parameters of {@link Quipu.getApiProjectMinidump}. */
export interface GetApiProjectMinidumpParams {
  /** Key of the app, where the SDK sends it in the address. */
  sentry_key?: string;
  /** Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these. */
  project: string;
}

/** Parameters of {@link Quipu.getApiProjectStore}. */
export interface GetApiProjectStoreParams {
  /** Key of the app, where the SDK sends it in the address. */
  sentry_key?: string;
  /** Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these. */
  project: string;
}

/** Operations of the group sentry. */
export class SentryOperations extends Base {
  /** Take what SDKs of Sentry send. Needs no credentials of a member.
   * `GET /api/{project}/envelope` */
  getApiProjectEnvelope(p: GetApiProjectEnvelopeParams): Promise<Blob> {
    return this.raw('GET', '/api/{project}/envelope', p, { sentry_key: 'query', project: 'path' });
  }

  /** Take a minidump as Crashpad and SDKs of Sentry upload it. Needs no credentials of a member.
   * `GET /api/{project}/minidump` */
  getApiProjectMinidump(p: GetApiProjectMinidumpParams): Promise<Blob> {
    return this.raw('GET', '/api/{project}/minidump', p, { sentry_key: 'query', project: 'path' });
  }

  /** Take an event of older SDKs of Sentry. Needs no credentials of a member.
   * `GET /api/{project}/store` */
  getApiProjectStore(p: GetApiProjectStoreParams): Promise<Blob> {
    return this.raw('GET', '/api/{project}/store', p, { sentry_key: 'query', project: 'path' });
  }
}
