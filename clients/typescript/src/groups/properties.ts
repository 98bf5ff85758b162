// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { Result } from '../types.js';

/** Parameters of {@link Quipu.postPropertiesEdit}. */
export interface PostPropertiesEditParams {
  /** Id of the app. */
  app_id: string;
  /** What is said about properties, by path: `{"sg.price":{"label":"Price","description":"in euros","hidden":true}}`. What a label lacks stays as it is; `null` takes everything back. */
  properties: Json;
}

/** Parameters of {@link Quipu.getProperties}. */
export interface GetPropertiesParams {
  /** Id of the app. */
  app_id: string;
}

/** Operations of the group properties. */
export class PropertiesOperations extends Base {
  /** Change what is said about properties. Needs the right to update `events`.
   * `POST /i/properties/edit` */
  postPropertiesEdit(p: PostPropertiesEditParams): Promise<Result> {
    return this.call('POST', '/i/properties/edit', p, { app_id: 'body', properties: 'body' });
  }

  /** What is said about properties. Needs the right to read `core`.
   * `GET /o/properties` */
  getProperties(p: GetPropertiesParams): Promise<Record<string, KernelPropertyLabel>> {
    return this.call('GET', '/o/properties', p, { app_id: 'query' });
  }
}

export interface KernelPropertyLabel {
  description?: string;
  hidden?: boolean;
  label?: string;
}
