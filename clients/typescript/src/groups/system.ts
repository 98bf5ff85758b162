// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { Result } from '../types.js';

/** Parameters of {@link Quipu.getBatch}. */
export interface GetBatchParams {
  /** Addresses of the reads, below `/o`, at most 16. */
  requests: Json;
}

/** Parameters of {@link Quipu.getExplain}. */
export interface GetExplainParams {
  /** Address of the read, below `/o`. */
  read: string;
}

/** Parameters of {@link Quipu.getSystemKafkaEvents}. */
export interface GetSystemKafkaEventsParams {
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

/** Operations of the group system. */
export class SystemOperations extends Base {
  /** Whether the process runs. For probes of monitoring.
   * `GET /livez` */
  getLivez(): Promise<Blob> {
    return this.raw('GET', '/livez');
  }

  /** Make several reads. For every member. Tokens that are limited to apps may be used.
   * `GET /o/batch` */
  getBatch(p: GetBatchParams): Promise<Json> {
    return this.call('GET', '/o/batch', p, { requests: 'query' });
  }

  /** Versions of the program. For every member.
   * `GET /o/countly_version` */
  getCountlyVersion(): Promise<Result> {
    return this.call('GET', '/o/countly_version');
  }

  /** Make a read, and say what was done for it. For global administrators.
   * `GET /o/explain` */
  getExplain(p: GetExplainParams): Promise<Json> {
    return this.call('GET', '/o/explain', p, { read: 'query' });
  }

  /** Whether the server accepts data. Needs no credentials of a member.
   * `GET /o/ping` */
  getPing(): Promise<Result> {
    return this.call('GET', '/o/ping');
  }

  /** How far projection is. For every member.
   * `GET /o/system/aggregator` */
  getSystemAggregator(): Promise<Array<SystemAggregatorRow>> {
    return this.call('GET', '/o/system/aggregator');
  }

  /** State of the journal. For every member.
   * `GET /o/system/kafka` */
  getSystemKafka(): Promise<SystemKafkaState> {
    return this.call('GET', '/o/system/kafka');
  }

  /** Events of the journal. For every member. The answer is a list, which pages, sorts and searches.
   * `GET /o/system/kafka/events` */
  getSystemKafkaEvents(p: GetSystemKafkaEventsParams = {}): Promise<Json> {
    return this.call('GET', '/o/system/kafka/events', p, { iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query' });
  }

  /** What events of the journal can be filtered by. For every member.
   * `GET /o/system/kafka/events/meta` */
  getSystemKafkaEventsMeta(): Promise<SystemKafkaMeta> {
    return this.call('GET', '/o/system/kafka/events/meta');
  }

  /** Parts of the server and their state. For every member.
   * `GET /o/system/observability` */
  getSystemObservability(): Promise<Array<SystemServiceRow>> {
    return this.call('GET', '/o/system/observability');
  }

  /** Features that are there. For every member.
   * `GET /o/system/plugins` */
  getSystemPlugins(): Promise<Array<string>> {
    return this.call('GET', '/o/system/plugins');
  }

  /** Version of the program. For every member.
   * `GET /o/system/version` */
  getSystemVersion(): Promise<SystemVersion> {
    return this.call('GET', '/o/system/version');
  }
}

export interface SystemAggregatorRow {
  diff: number;
  diffDrill: number;
  drill: string;
  last_cd: string | null;
  last_id: string;
  name: string;
}

export interface SystemKafkaMeta {
  clusterIds: Array<string>;
  eventTypes: Array<string>;
  groupIds: Array<string>;
  topics: Array<string>;
}

export interface SystemKafkaState {
  connectStatus: Json;
  consumers: Array<string>;
  lagHistory: Array<string>;
  partitions: Array<string>;
  summary: Json;
}

export interface SystemServiceRow {
  lag: number;
  service: string;
  status: string;
}

export interface SystemVersion {
  version: string;
}
