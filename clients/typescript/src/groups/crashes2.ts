// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';

/** Parameters of {@link Quipu.postCrashesShow}. */
export interface PostCrashesShowParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postCrashesSplit}. */
export interface PostCrashesSplitParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postCrashesUnresolve}. */
export interface PostCrashesUnresolveParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postCrashesUnshare}. */
export interface PostCrashesUnshareParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postCrashesView}. */
export interface PostCrashesViewParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.getCrashesDownloadBinary}. */
export interface GetCrashesDownloadBinaryParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the crash report. */
  crash_id: string;
}

/** Parameters of {@link Quipu.getCrashesDownloadStacktrace}. */
export interface GetCrashesDownloadStacktraceParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the crash report. */
  crash_id: string;
}

/** Parameters of {@link Quipu.getCrashesPreviewRules}. */
export interface GetCrashesPreviewRulesParams {
  /** Id of the app. */
  app_id: string;
  /** Rules for crash groups: `algorithm`, `stack` and `fingerprints`; see docs/reference/crashes.md. */
  rules: Json;
  /** Version of the rules for crash groups that were changed. */
  version?: number;
}

/** Parameters of {@link Quipu.getMethodCrashReleases}. */
export interface GetMethodCrashReleasesParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodCrashRules}. */
export interface GetMethodCrashRulesParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodCrashVariants}. */
export interface GetMethodCrashVariantsParams {
  /** Id of the app. */
  app_id: string;
  /** A group: of a list, those within it; of crashes, the id of the crash group. */
  group: string;
}

/** Parameters of {@link Quipu.getMethodCrashVelocity}. */
export interface GetMethodCrashVelocityParams {
  /** Id of the app. */
  app_id: string;
}

/** Operations of the group crashes2. */
export class Crashes2Operations extends Base {
  /** Show hidden crash groups. Needs the right to update `crashes`.
   * `POST /i/crashes/show` */
  postCrashesShow(p: PostCrashesShowParams): Promise<Json> {
    return this.call('POST', '/i/crashes/show', p, { app_id: 'body', args: 'body' });
  }

  /** Split variants off a crash group. Needs the right to update `crashes`.
   * `POST /i/crashes/split` */
  postCrashesSplit(p: PostCrashesSplitParams): Promise<Json> {
    return this.call('POST', '/i/crashes/split', p, { app_id: 'body', args: 'body' });
  }

  /** Mark crash groups as unresolved. Needs the right to update `crashes`.
   * `POST /i/crashes/unresolve` */
  postCrashesUnresolve(p: PostCrashesUnresolveParams): Promise<Json> {
    return this.call('POST', '/i/crashes/unresolve', p, { app_id: 'body', args: 'body' });
  }

  /** Withdraw the public page of a crash group. Needs the right to update `crashes`.
   * `POST /i/crashes/unshare` */
  postCrashesUnshare(p: PostCrashesUnshareParams): Promise<Json> {
    return this.call('POST', '/i/crashes/unshare', p, { app_id: 'body', args: 'body' });
  }

  /** Mark crash groups as seen. Needs the right to update `crashes`.
   * `POST /i/crashes/view` */
  postCrashesView(p: PostCrashesViewParams): Promise<Json> {
    return this.call('POST', '/i/crashes/view', p, { app_id: 'body', args: 'body' });
  }

  /** Download the dump of a crash. Needs the right to read `crashes`.
   * `GET /o/crashes/download_binary` */
  getCrashesDownloadBinary(p: GetCrashesDownloadBinaryParams): Promise<Blob> {
    return this.raw('GET', '/o/crashes/download_binary', p, { app_id: 'query', crash_id: 'query' });
  }

  /** Download the stack of a crash. Needs the right to read `crashes`.
   * `GET /o/crashes/download_stacktrace` */
  getCrashesDownloadStacktrace(p: GetCrashesDownloadStacktraceParams): Promise<Blob> {
    return this.raw('GET', '/o/crashes/download_stacktrace', p, { app_id: 'query', crash_id: 'query' });
  }

  /** What rules for crash groups would change. Needs the right to read `crashes`.
   * `GET /o/crashes/preview_rules` */
  getCrashesPreviewRules(p: GetCrashesPreviewRulesParams): Promise<Json> {
    return this.call('GET', '/o/crashes/preview_rules', p, { app_id: 'query', rules: 'query', version: 'query' });
  }

  /** Crashes by version of the app. Needs the right to read `crashes`. The same as `/o?method=crash_releases`.
   * `GET /o/method/crash_releases` */
  getMethodCrashReleases(p: GetMethodCrashReleasesParams): Promise<CrashesReleasesRes> {
    return this.call('GET', '/o/method/crash_releases', p, { app_id: 'query' });
  }

  /** Rules for crash groups. Needs the right to read `crashes`. The same as `/o?method=crash_rules`.
   * `GET /o/method/crash_rules` */
  getMethodCrashRules(p: GetMethodCrashRulesParams): Promise<CrashesRulesRes> {
    return this.call('GET', '/o/method/crash_rules', p, { app_id: 'query' });
  }

  /** Variants of a crash group. Needs the right to read `crashes`. The same as `/o?method=crash_variants`.
   * `GET /o/method/crash_variants` */
  getMethodCrashVariants(p: GetMethodCrashVariantsParams): Promise<CrashesVariantsRes> {
    return this.call('GET', '/o/method/crash_variants', p, { app_id: 'query', group: 'query' });
  }

  /** Crash groups that spread. Needs the right to read `crashes`. The same as `/o?method=crash_velocity`.
   * `GET /o/method/crash_velocity` */
  getMethodCrashVelocity(p: GetMethodCrashVelocityParams): Promise<CrashesVelocity> {
    return this.call('GET', '/o/method/crash_velocity', p, { app_id: 'query' });
  }
}

export interface CrashesChanged {
  _id: string;
  before: number;
  name: string;
  nonfatal: boolean;
  ratio: number;
  reports: number;
}

export interface CrashesCondition {
  not?: boolean;
  pattern: string;
  what: string;
}

export interface CrashesFingerprintRule {
  match: Array<CrashesCondition>;
  parts: Array<string>;
}

export interface CrashesGrouped {
  algorithm: number;
  fingerprints: Array<CrashesFingerprintRule>;
  stack: Array<CrashesStackRule>;
}

export interface CrashesReleaseChange {
  before: string;
  counts: Json;
  fatal: number;
  frequent: Array<CrashesChanged>;
  new: Array<CrashesChanged>;
  nonfatal: number;
  returned: Array<CrashesChanged>;
  sessions: number;
  version: string;
}

export interface CrashesReleasesRes {
  releases: Array<CrashesReleaseChange>;
}

export interface CrashesRulesRes {
  at: number;
  by: string;
  merged: number;
  pins: number;
  rules: CrashesGrouped;
  task: string;
  version: number;
}

export interface CrashesSpreading {
  _id: string;
  first: number;
  name: string;
  nonfatal: boolean;
  sessions: number;
  share: number;
  users: number;
}

export interface CrashesStackRule {
  do: string;
  match: Array<CrashesCondition>;
}

export interface CrashesVariantRes {
  _id: string;
  error: string;
  lastTs: number;
  name: string;
  pinned: boolean;
  reports: number;
  startTs: number;
  users: number;
}

export interface CrashesVariantsRes {
  total: number;
  variants: Array<CrashesVariantRes>;
}

export interface CrashesVelocity {
  groups: Array<CrashesSpreading>;
  least: number;
  minutes: number;
  percent: number;
  sessions: number;
}
