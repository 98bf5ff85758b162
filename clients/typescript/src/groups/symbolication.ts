// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json, Upload } from '../client.js';
import type { Result } from '../types.js';

/** Parameters of {@link Quipu.postCrashSymbolsAddSymbol}. */
export interface PostCrashSymbolsAddSymbolParams {
  /** Id of the app. */
  app_id: string;
  /** Version or build that the files are of. */
  build: string;
  /** A note about the files. */
  note?: string;
  /** Platform: `android`, `ios`, `javascript` and so on. */
  platform: string;
  /** Version of the tool that made the files. */
  sym_tool_ver?: string;
  /** A file. */
  symbols?: Upload;
}

/** Parameters of {@link Quipu.postCrashSymbolsEditSymbol}. */
export interface PostCrashSymbolsEditSymbolParams {
  /** Id of the app. */
  app_id: string;
  /** Version or build that the files are of. */
  build?: string;
  /** Ids of files that stay. */
  keepSymbols?: Json;
  /** A note about the files. */
  note?: string;
  /** Platform: `android`, `ios`, `javascript` and so on. */
  platform?: string;
  /** Version of the tool that made the files. */
  sym_tool_ver?: string;
  /** Id of the build's files. */
  symbol_id: string;
  /** A file. */
  symbols?: Upload;
}

/** Parameters of {@link Quipu.postCrashSymbolsRemoveSymbol}. */
export interface PostCrashSymbolsRemoveSymbolParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the document. */
  id: string;
}

/** Parameters of {@link Quipu.postCrashSymbolsSymbolicatationResult}. */
export interface PostCrashSymbolsSymbolicatationResultParams {
  /** Id of the job. */
  jobId: string;
  /** The result. */
  symbRes: string;
  /** Marks a test. */
  symbolication_test?: string;
}

/** Parameters of {@link Quipu.postCrashSymbolsSymbolicate}. */
export interface PostCrashSymbolsSymbolicateParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the crash group. */
  crashgroup_id: string;
  /** Where the result is sent. */
  return_url?: string;
  /** Id of the build's files. */
  symbol_id?: string;
}

/** Parameters of {@link Quipu.postCrashSymbolsUploadSymbol}. */
export interface PostCrashSymbolsUploadSymbolParams {
  /** Key of the app, as clients send it. */
  app_key: string;
  /** Version or build that the files are of. */
  build: string;
  /** A note about the files. */
  note?: string;
  /** Platform: `android`, `ios`, `javascript` and so on. */
  platform: string;
  /** Version of the tool that made the files. */
  sym_tool_ver?: string;
  /** A file. */
  symbols?: Upload;
}

/** Parameters of {@link Quipu.getMethodCrashJobs}. */
export interface GetMethodCrashJobsParams {
  /** Id of the app. */
  app_id: string;
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
  /** Platform: `android`, `ios`, `javascript` and so on. */
  platform?: string;
  /** State that is looked for. */
  status?: string;
  /** Which form of the list. */
  outputFormat?: "full" | "list" | "table";
}

/** Parameters of {@link Quipu.getMethodCrashReport}. */
export interface GetMethodCrashReportParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the crash report. */
  report_id: string;
}

/** Parameters of {@link Quipu.getMethodCrashSymbols}. */
export interface GetMethodCrashSymbolsParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodCrashSymbolsOverview}. */
export interface GetMethodCrashSymbolsOverviewParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodDownloadSymbol}. */
export interface GetMethodDownloadSymbolParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the build's files. */
  symbol_id: string;
  /** Id of one file of several. */
  file_id?: string;
}

/** Parameters of {@link Quipu.getSymbolicationTestSymbolicationConnection}. */
export interface GetSymbolicationTestSymbolicationConnectionParams {
  /** Id of the app. */
  app_id?: string;
}

/** Operations of the group symbolication. */
export class SymbolicationOperations extends Base {
  /** Upload symbol files of a build. Needs the right to create `crashes`. Files stand in a form beside the parameters.
   * `POST /i/crash_symbols/add_symbol` */
  postCrashSymbolsAddSymbol(p: PostCrashSymbolsAddSymbolParams): Promise<SymbolicationAdded> {
    return this.call('POST', '/i/crash_symbols/add_symbol', p, { app_id: 'body', build: 'body', note: 'body', platform: 'body', sym_tool_ver: 'body', symbols: 'body' });
  }

  /** Change or replace symbol files of a build. Needs the right to update `crashes`. Files stand in a form beside the parameters.
   * `POST /i/crash_symbols/edit_symbol` */
  postCrashSymbolsEditSymbol(p: PostCrashSymbolsEditSymbolParams): Promise<Result> {
    return this.call('POST', '/i/crash_symbols/edit_symbol', p, { app_id: 'body', build: 'body', keepSymbols: 'body', note: 'body', platform: 'body', sym_tool_ver: 'body', symbol_id: 'body', symbols: 'body' });
  }

  /** Delete symbol files of a build. Needs the right to delete `crashes`.
   * `POST /i/crash_symbols/remove_symbol` */
  postCrashSymbolsRemoveSymbol(p: PostCrashSymbolsRemoveSymbolParams): Promise<Result> {
    return this.call('POST', '/i/crash_symbols/remove_symbol', p, { app_id: 'body', id: 'body' });
  }

  /** Take the result of a symbolication server. Needs no credentials of a member.
   * `POST /i/crash_symbols/symbolicatation_result` */
  postCrashSymbolsSymbolicatationResult(p: PostCrashSymbolsSymbolicatationResultParams): Promise<Json> {
    return this.call('POST', '/i/crash_symbols/symbolicatation_result', p, { jobId: 'body', symbRes: 'body', symbolication_test: 'body' });
  }

  /** Symbolicate a crash group. Needs the right to update `crashes`.
   * `POST /i/crash_symbols/symbolicate` */
  postCrashSymbolsSymbolicate(p: PostCrashSymbolsSymbolicateParams): Promise<Result> {
    return this.call('POST', '/i/crash_symbols/symbolicate', p, { app_id: 'body', crashgroup_id: 'body', return_url: 'body', symbol_id: 'body' });
  }

  /** Upload symbol files by the key of the app. Needs no credentials of a member. Files stand in a form beside the parameters.
   * `POST /i/crash_symbols/upload_symbol` */
  postCrashSymbolsUploadSymbol(p: PostCrashSymbolsUploadSymbolParams): Promise<SymbolicationAdded> {
    return this.call('POST', '/i/crash_symbols/upload_symbol', p, { app_key: 'body', build: 'body', note: 'body', platform: 'body', sym_tool_ver: 'body', symbols: 'body' });
  }

  /** List symbolications. Needs the right to read `crashes`. The same as `/o?method=crash_jobs`. The answer is a list, which pages, sorts and searches.
   * `GET /o/method/crash_jobs` */
  getMethodCrashJobs(p: GetMethodCrashJobsParams): Promise<Json> {
    return this.call('GET', '/o/method/crash_jobs', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query', platform: 'query', status: 'query', outputFormat: 'query' });
  }

  /** A crash report. Needs the right to read `crashes`. The same as `/o?method=crash_report`.
   * `GET /o/method/crash_report` */
  getMethodCrashReport(p: GetMethodCrashReportParams): Promise<Record<string, Json>> {
    return this.call('GET', '/o/method/crash_report', p, { app_id: 'query', report_id: 'query' });
  }

  /** List symbol files. Needs the right to read `crashes`. The same as `/o?method=crash_symbols`.
   * `GET /o/method/crash_symbols` */
  getMethodCrashSymbols(p: GetMethodCrashSymbolsParams): Promise<Array<SymbolicationListed>> {
    return this.call('GET', '/o/method/crash_symbols', p, { app_id: 'query' });
  }

  /** Symbols of an app, and the builds that lack some. Needs the right to read `crashes`. The same as `/o?method=crash_symbols_overview`.
   * `GET /o/method/crash_symbols_overview` */
  getMethodCrashSymbolsOverview(p: GetMethodCrashSymbolsOverviewParams): Promise<SymbolicationOverview> {
    return this.call('GET', '/o/method/crash_symbols_overview', p, { app_id: 'query' });
  }

  /** Download a symbol file. Needs the right to read `crashes`. The same as `/o?method=download_symbol`.
   * `GET /o/method/download_symbol` */
  getMethodDownloadSymbol(p: GetMethodDownloadSymbolParams): Promise<Blob> {
    return this.raw('GET', '/o/method/download_symbol', p, { app_id: 'query', symbol_id: 'query', file_id: 'query' });
  }

  /** Whether symbolication works. Needs the right to read `crashes`. Global administrators may leave out `app_id`.
   * `GET /o/symbolication/test_symbolication_connection` */
  getSymbolicationTestSymbolicationConnection(p: GetSymbolicationTestSymbolicationConnectionParams = {}): Promise<boolean> {
    return this.call('GET', '/o/symbolication/test_symbolication_connection', p, { app_id: 'query' });
  }
}

export interface SymbolicationAdded {
  _id: string;
  message: string;
  problem?: string;
}

export interface SymbolicationEntry {
  _id: string;
  builds: Array<string>;
  files: Array<SymbolicationUpload>;
  note: string;
  platform: string;
  problem: string;
  several: boolean;
  size: number;
  sym_tool_ver: string;
  ts: number;
}

export interface SymbolicationLack {
  build: string;
  last: number;
  os: string;
  reports: number;
  uuid: string;
  version: string;
}

export interface SymbolicationListed {
  _id: string;
  build: Json;
  filename?: string;
  filenames?: Array<SymbolicationUpload>;
  note: string;
  parts?: number | null;
  platform: string;
  problem?: string;
  several?: number | null;
  sym_tool_ver?: string;
  ts: number;
  uploads?: number | null;
}

export interface SymbolicationOverview {
  by_key: boolean;
  days: number;
  max_files: number;
  max_symbols: number;
  missing: Array<SymbolicationLack>;
  most: number;
  symbols: Array<SymbolicationEntry>;
  used: number;
}

export interface SymbolicationUpload {
  id: string;
  name: string;
  size: number;
}
