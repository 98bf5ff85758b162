// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { CrashesMeasure } from '../types.js';

/** Parameters of {@link Quipu.postCrashesShare}. */
export interface PostCrashesShareParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

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

/** Parameters of {@link Quipu.getMethodCrashCost}. */
export interface GetMethodCrashCostParams {
  /** Id of the app. */
  app_id: string;
  /** A group: of a list, those within it; of crashes, the id of the crash group. */
  group: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** Key of an event that is compared as well. */
  event?: string;
  /** Name of the view, where the event is `[CLY]_view`. */
  name?: string;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getMethodCrashMembers}. */
export interface GetMethodCrashMembersParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodCrashPaths}. */
export interface GetMethodCrashPathsParams {
  /** Id of the app. */
  app_id: string;
  /** A group: of a list, those within it; of crashes, the id of the crash group. */
  group: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** How many steps before the crash are shown, at most 10. */
  steps?: number;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Operations of the group crashes2. */
export class Crashes2Operations extends Base {
  /** Publish the page of a crash group. Needs the right to update `crashes`.
   * `POST /i/crashes/share` */
  postCrashesShare(p: PostCrashesShareParams): Promise<Json> {
    return this.call('POST', '/i/crashes/share', p, { app_id: 'body', args: 'body' });
  }

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

  /** What a crash group cost in return and conversion. Needs the right to read `crashes`. The same as `/o?method=crash_cost`. A read that takes too long goes on as a task.
   * `GET /o/method/crash_cost`. A read that takes too long throws a PendingError. */
  getMethodCrashCost(p: GetMethodCrashCostParams): Promise<CrashesCostRes> {
    return this.call('GET', '/o/method/crash_cost', p, { app_id: 'query', group: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', event: 'query', name: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Members to whom crash groups may be assigned. Needs the right to read `crashes`. The same as `/o?method=crash_members`.
   * `GET /o/method/crash_members` */
  getMethodCrashMembers(p: GetMethodCrashMembersParams): Promise<Array<CrashesAssignee>> {
    return this.call('GET', '/o/method/crash_members', p, { app_id: 'query' });
  }

  /** What users did before a crash. Needs the right to read `crashes`. The same as `/o?method=crash_paths`. A read that takes too long goes on as a task.
   * `GET /o/method/crash_paths`. A read that takes too long throws a PendingError. */
  getMethodCrashPaths(p: GetMethodCrashPathsParams): Promise<CrashesPathsRes> {
    return this.call('GET', '/o/method/crash_paths', p, { app_id: 'query', group: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', steps: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }
}

export interface CrashesAssignee {
  _id: string;
  full_name: string;
}

export interface CrashesCostOutcome {
  days: number;
  difference?: CrashesMeasure | Json;
  few: boolean;
  followed: number;
  hit?: CrashesMeasure | Json;
  kind: string;
  matched: number;
  moments: number;
  other?: CrashesMeasure | Json;
  ratio?: CrashesMeasure | Json;
  unhit: number;
}

export interface CrashesCostRes {
  event?: string;
  name?: string;
  outcomes: Array<CrashesCostOutcome>;
  sample?: number;
  users: number;
}

export interface CrashesLeading {
  event: string;
  hit: number;
  lift: number;
  name?: string;
  percent: number;
  sessions: number;
}

export interface CrashesPathLevel {
  level: number;
  links: Array<CrashesPathLink>;
  nodes: Array<CrashesPathNode>;
}

export interface CrashesPathLink {
  from: number;
  paths: number;
  to: number;
  users: number;
}

export interface CrashesPathNode {
  ended: number;
  event?: string;
  name?: string;
  other?: boolean;
  paths: number;
  users: number;
}

export interface CrashesPathsRes {
  few: boolean;
  hit: number;
  levels: Array<CrashesPathLevel>;
  paths: number;
  sessions: number;
  steps: Array<CrashesLeading>;
  users: number;
}
