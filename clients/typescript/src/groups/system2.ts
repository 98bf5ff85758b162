// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';

/** Operations of the group system2. */
export class System2Operations extends Base {
  /** This description. OpenAPI 3.1, made of the routes of the server.
   * `GET /openapi.json` */
  getOpenAPI(): Promise<Json> {
    return this.call('GET', '/openapi.json');
  }

  /** Whether data is accepted. For probes of monitoring.
   * `GET /readyz` */
  getReadyz(): Promise<Blob> {
    return this.raw('GET', '/readyz');
  }
}
