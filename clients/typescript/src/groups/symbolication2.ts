// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';

/** Parameters of {@link Quipu.getSymbolicationTestSymbolicationEndpoints}. */
export interface GetSymbolicationTestSymbolicationEndpointsParams {
  /** Id of the app. */
  app_id?: string;
}

/** Parameters of {@link Quipu.getSymbolicationTestSymbolicationKey}. */
export interface GetSymbolicationTestSymbolicationKeyParams {
  /** Id of the app. */
  app_id?: string;
}

/** Parameters of {@link Quipu.getSymbolicationTestSymbolicationReturnConnection}. */
export interface GetSymbolicationTestSymbolicationReturnConnectionParams {
  /** Id of the app. */
  app_id?: string;
}

/** Operations of the group symbolication2. */
export class Symbolication2Operations extends Base {
  /** Where symbolication is done. Needs the right to read `crashes`. Global administrators may leave out `app_id`.
   * `GET /o/symbolication/test_symbolication_endpoints` */
  getSymbolicationTestSymbolicationEndpoints(p: GetSymbolicationTestSymbolicationEndpointsParams = {}): Promise<Array<SymbolicationEndpoint>> {
    return this.call('GET', '/o/symbolication/test_symbolication_endpoints', p, { app_id: 'query' });
  }

  /** Whether the key of symbolication is right. Needs the right to read `crashes`. Global administrators may leave out `app_id`.
   * `GET /o/symbolication/test_symbolication_key` */
  getSymbolicationTestSymbolicationKey(p: GetSymbolicationTestSymbolicationKeyParams = {}): Promise<boolean> {
    return this.call('GET', '/o/symbolication/test_symbolication_key', p, { app_id: 'query' });
  }

  /** Whether results of symbolication arrive. Needs the right to read `crashes`. Global administrators may leave out `app_id`.
   * `GET /o/symbolication/test_symbolication_return_connection` */
  getSymbolicationTestSymbolicationReturnConnection(p: GetSymbolicationTestSymbolicationReturnConnectionParams = {}): Promise<boolean> {
    return this.call('GET', '/o/symbolication/test_symbolication_return_connection', p, { app_id: 'query' });
  }
}

export interface SymbolicationEndpoint {
  value: string;
}
