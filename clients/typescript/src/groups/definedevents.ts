// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { QueryFigures, Result } from '../types.js';

/** Parameters of {@link Quipu.postDefinedEventsCreate}. */
export interface PostDefinedEventsCreateParams {
  /** Id of the app. */
  app_id: string;
  /** Description. */
  description?: string;
  /** Keys of events. */
  events: Json;
  /** Whether it stands in no menus. */
  hide?: boolean;
  /** Id of the document. */
  id?: string;
  /** Name. */
  name: string;
}

/** Parameters of {@link Quipu.postDefinedEventsDelete}. */
export interface PostDefinedEventsDeleteParams {
  /** Id of the app. */
  app_id: string;
  /** Also where several, or what uses it, would be concerned. */
  force?: boolean;
  /** Id of the document. */
  id: string;
}

/** Parameters of {@link Quipu.postDefinedEventsUpdate}. */
export interface PostDefinedEventsUpdateParams {
  /** Id of the app. */
  app_id: string;
  /** Description. */
  description?: string;
  /** Keys of events. */
  events?: Json;
  /** Whether it stands in no menus. */
  hide?: boolean;
  /** Id of the document. */
  id: string;
  /** Name. */
  name?: string;
}

/** Parameters of {@link Quipu.getDefinedEvents}. */
export interface GetDefinedEventsParams {
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
}

/** Parameters of {@link Quipu.getDefinedEventsPreview}. */
export interface GetDefinedEventsPreviewParams {
  /** Id of the app. */
  app_id: string;
  /** Keys of events. */
  events: Json;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getDefinedEventsUses}. */
export interface GetDefinedEventsUsesParams {
  /** Id of the app. */
  app_id: string;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event: string;
}

/** Operations of the group definedevents. */
export class DefinedeventsOperations extends Base {
  /** Create a defined event. Needs the right to create `defined_events`.
   * `POST /i/defined_events/create` */
  postDefinedEventsCreate(p: PostDefinedEventsCreateParams): Promise<Result> {
    return this.call('POST', '/i/defined_events/create', p, { app_id: 'body', description: 'body', events: 'body', hide: 'body', id: 'body', name: 'body' });
  }

  /** Delete a defined event. Needs the right to delete `defined_events`.
   * `POST /i/defined_events/delete` */
  postDefinedEventsDelete(p: PostDefinedEventsDeleteParams): Promise<Result> {
    return this.call('POST', '/i/defined_events/delete', p, { app_id: 'body', force: 'body', id: 'body' });
  }

  /** Change a defined event. Needs the right to update `defined_events`.
   * `POST /i/defined_events/update` */
  postDefinedEventsUpdate(p: PostDefinedEventsUpdateParams): Promise<Result> {
    return this.call('POST', '/i/defined_events/update', p, { app_id: 'body', description: 'body', events: 'body', hide: 'body', id: 'body', name: 'body' });
  }

  /** List defined events. Needs the right to read `core`. The answer is a list, which pages, sorts and searches.
   * `GET /o/defined_events` */
  getDefinedEvents(p: GetDefinedEventsParams): Promise<Json> {
    return this.call('GET', '/o/defined_events', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query' });
  }

  /** Figures of a defined event before it is saved. Needs the right to read `drill`. A read that takes too long goes on as a task.
   * `GET /o/defined_events/preview`. A read that takes too long throws a PendingError. */
  getDefinedEventsPreview(p: GetDefinedEventsPreviewParams): Promise<QueryFigures> {
    return this.call('GET', '/o/defined_events/preview', p, { app_id: 'query', events: 'query', period: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** What uses a defined event. Needs the right to read `core`.
   * `GET /o/defined_events/uses` */
  getDefinedEventsUses(p: GetDefinedEventsUsesParams): Promise<Record<string, DefinedeventsUsesOf | Json>> {
    return this.call('GET', '/o/defined_events/uses', p, { app_id: 'query', event: 'query' });
  }
}

export interface DefinedeventsUse {
  id: string;
  kind: string;
  name: string;
}

export interface DefinedeventsUsesOf {
  others: number;
  uses: Array<DefinedeventsUse>;
}
