// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Result } from '../types.js';

/** Parameters of {@link Quipu.getSystemHealthcheck}. */
export interface GetSystemHealthcheckParams {
  /** The conditions that must hold, as JSON or by name. */
  test: string;
}

/** Operations of the group systemutility2. */
export class Systemutility2Operations extends Base {
  /** Room on disks. For global administrators.
   * `GET /o/system/disks` */
  getSystemDisks(): Promise<Result> {
    return this.call('GET', '/o/system/disks');
  }

  /** Whether conditions hold. For global administrators.
   * `GET /o/system/healthcheck` */
  getSystemHealthcheck(p: GetSystemHealthcheckParams): Promise<Result> {
    return this.call('GET', '/o/system/healthcheck', p, { test: 'query' });
  }

  /** Figures of the machine over time. For global administrators.
   * `GET /o/system/history` */
  getSystemHistory(): Promise<SystemutilityHistoryRes> {
    return this.call('GET', '/o/system/history');
  }

  /** Memory. For global administrators.
   * `GET /o/system/memory` */
  getSystemMemory(): Promise<Result> {
    return this.call('GET', '/o/system/memory');
  }

  /** Figures of the machine. For global administrators.
   * `GET /o/system/overall` */
  getSystemOverall(): Promise<Result> {
    return this.call('GET', '/o/system/overall');
  }
}

export interface KernelMemory {
  limit: number;
  resident: number;
}

export interface SystemutilityHistoryRes {
  memory: KernelMemory;
  minutes: Array<SystemutilitySample>;
  quarters: Array<SystemutilitySample>;
}

export interface SystemutilitySample {
  cpu: number;
  disk: number;
  memory: number;
  resident: number;
  ts: number;
  waiting: number;
}
