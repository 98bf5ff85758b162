// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Result } from '../types.js';

/** Parameters of {@link Quipu.getInspectorProfile}. */
export interface GetInspectorProfileParams {
  /** Name of the profile. */
  profile: string;
}

/** Operations of the group systemutility. */
export class SystemutilityOperations extends Base {
  /** Start the inspector. For global administrators.
   * `POST /i/inspector/start` */
  postInspectorStart(): Promise<Result> {
    return this.call('POST', '/i/inspector/start');
  }

  /** Stop the inspector. For global administrators.
   * `POST /i/inspector/stop` */
  postInspectorStop(): Promise<Result> {
    return this.call('POST', '/i/inspector/stop');
  }

  /** Download all profiles. For global administrators.
   * `POST /i/profiler/download-all` */
  postProfilerDownloadAll(): Promise<Blob> {
    return this.raw('POST', '/i/profiler/download-all');
  }

  /** List profiles. For global administrators.
   * `POST /i/profiler/list-files` */
  postProfilerListFiles(): Promise<Result> {
    return this.call('POST', '/i/profiler/list-files');
  }

  /** Start the profiler. For global administrators.
   * `POST /i/profiler/start` */
  postProfilerStart(): Promise<Result> {
    return this.call('POST', '/i/profiler/start');
  }

  /** Stop the profiler. For global administrators.
   * `POST /i/profiler/stop` */
  postProfilerStop(): Promise<Result> {
    return this.call('POST', '/i/profiler/stop');
  }

  /** Download a profile of the heap. For global administrators.
   * `POST /i/profiler/take-heap-snapshot` */
  postProfilerTakeHeapSnapshot(): Promise<Blob> {
    return this.raw('POST', '/i/profiler/take-heap-snapshot');
  }

  /** Download a profile. For global administrators.
   * `GET /o/inspector/{profile}` */
  getInspectorProfile(p: GetInspectorProfileParams): Promise<Blob> {
    return this.raw('GET', '/o/inspector/{profile}', p, { profile: 'path' });
  }

  /** Load of processors. For global administrators.
   * `GET /o/system/cpu` */
  getSystemCpu(): Promise<Result> {
    return this.call('GET', '/o/system/cpu');
  }

  /** State of the document store. For global administrators.
   * `GET /o/system/database` */
  getSystemDatabase(): Promise<Result> {
    return this.call('GET', '/o/system/database');
  }

  /** Whether the document store answers. For global administrators.
   * `GET /o/system/dbCheck` */
  getSystemDbCheck(): Promise<Result> {
    return this.call('GET', '/o/system/dbCheck');
  }

  /** Whether the document store answers. For global administrators.
   * `GET /o/system/dbcheck` */
  getSystemDbcheck(): Promise<Result> {
    return this.call('GET', '/o/system/dbcheck');
  }
}
