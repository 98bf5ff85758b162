// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { Result } from '../types.js';

/** Parameters of {@link Quipu.postConfigs}. */
export interface PostConfigsParams {
  /** Settings by feature and name: `{"api":{"metric_limit":1000}}`. */
  configs: Json;
}

/** Parameters of {@link Quipu.postPlugins}. */
export interface PostPluginsParams {
  /** Features by code, `true` to switch on. */
  plugin: Json;
}

/** Parameters of {@link Quipu.postUserconfigs}. */
export interface PostUserconfigsParams {
  /** Settings by feature and name: `{"api":{"metric_limit":1000}}`. */
  configs: Json;
}

/** Parameters of {@link Quipu.getConfigs}. */
export interface GetConfigsParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getInternalEvents}. */
export interface GetInternalEventsParams {
  /** Id of the app. */
  app_id?: string;
}

/** Operations of the group plugins. */
export class PluginsOperations extends Base {
  /** Change settings of the server. For global administrators.
   * `POST /i/configs` */
  postConfigs(p: PostConfigsParams): Promise<Record<string, Record<string, Json>>> {
    return this.call('POST', '/i/configs', p, { configs: 'body' });
  }

  /** Switch features on or off. For global administrators.
   * `POST /i/plugins` */
  postPlugins(p: PostPluginsParams): Promise<Json> {
    return this.call('POST', '/i/plugins', p, { plugin: 'body' });
  }

  /** Change settings of the caller. For global administrators.
   * `POST /i/userconfigs` */
  postUserconfigs(p: PostUserconfigsParams): Promise<Record<string, Record<string, Json>>> {
    return this.call('POST', '/i/userconfigs', p, { configs: 'body' });
  }

  /** Settings of the server. For administrators of the app.
   * `GET /o/configs` */
  getConfigs(p: GetConfigsParams): Promise<Record<string, Record<string, Json>>> {
    return this.call('GET', '/o/configs', p, { app_id: 'query' });
  }

  /** What can be set. For every member.
   * `GET /o/configs/schema` */
  getConfigsSchema(): Promise<Record<string, Record<string, SettingsDeclaration>>> {
    return this.call('GET', '/o/configs/schema');
  }

  /** Send a test message. For global administrators.
   * `POST /o/email_test` */
  postEmailTest(): Promise<Result> {
    return this.call('POST', '/o/email_test');
  }

  /** Keys of the events of the server. Needs the right to read `core`. Global administrators may leave out `app_id`.
   * `GET /o/internal-events` */
  getInternalEvents(p: GetInternalEventsParams = {}): Promise<Array<string>> {
    return this.call('GET', '/o/internal-events', p, { app_id: 'query' });
  }

  /** List features. For global administrators.
   * `GET /o/plugins` */
  getPlugins(): Promise<Array<PluginsRow>> {
    return this.call('GET', '/o/plugins');
  }

  /** State of switching features. For global administrators.
   * `GET /o/plugins-check` */
  getPluginsCheck(): Promise<Result> {
    return this.call('GET', '/o/plugins-check');
  }

  /** Themes of the dashboard. For every member.
   * `GET /o/themes` */
  getThemes(): Promise<Array<string>> {
    return this.call('GET', '/o/themes');
  }

  /** Settings of the caller. For every member.
   * `GET /o/userconfigs` */
  getUserconfigs(): Promise<Record<string, Record<string, Json>>> {
    return this.call('GET', '/o/userconfigs');
  }
}

export interface PluginsRow {
  author: string;
  cly_dependencies: Record<string, Json>;
  code: string;
  description: string;
  enabled: boolean;
  fixed?: boolean;
  homepage: string;
  name: string;
  title: string;
  version: string;
}

export interface SettingsDeclaration {
  default: Json;
  max: number;
  min: number;
  one_of?: Array<string>;
  per_app: boolean;
  per_member: boolean;
  type: string;
  value?: Json;
}
