// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json, Upload } from '../client.js';
import type { AttributionVisitRow, Result } from '../types.js';

/** Parameters of {@link Quipu.getCampaignId}. */
export interface GetCampaignIdParams {
  /** Id of the document. */
  id: string;
}

/** Parameters of {@link Quipu.postAdjust}. */
export interface PostAdjustParams {
  /** Ad group. */
  adgroup_name?: string;
  /** Id of the device at Adjust. */
  adjust_id?: string;
  /** Key of the app, as clients send it. */
  app_key: string;
  /** Name of the campaign. */
  campaign_name?: string;
  /** When the ad was clicked, in seconds. */
  click_time?: string;
  /** Name of the creative. */
  creative_name?: string;
  /** Name of the event at Adjust. */
  event?: string;
  /** First tracker. */
  first_tracker_name?: string;
  /** When the app was installed, in seconds. */
  installed_at?: string;
  /** Last tracker. */
  last_tracker_name?: string;
  /** Ad network. */
  network_name?: string;
  /** Tracker before. */
  outdated_tracker_name?: string;
  /** Tracker. */
  tracker_name?: string;
}

/** Parameters of {@link Quipu.postCampaignCosts}. */
export interface PostCampaignCostsParams {
  /** Id of the app. */
  app_id: string;
  /** The file as text: columns date, campaign and cost. */
  data?: string;
  /** A file. */
  file?: Upload;
}

/** Parameters of {@link Quipu.postCampaignCreate}. */
export interface PostCampaignCreateParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postCampaignDelete}. */
export interface PostCampaignDeleteParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postCampaignHide}. */
export interface PostCampaignHideParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postCampaignShow}. */
export interface PostCampaignShowParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postCampaignUpdate}. */
export interface PostCampaignUpdateParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.getAttribution}. */
export interface GetAttributionParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** Key of the event that is a conversion; first sessions unless one is sent. */
  event?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Which of several touches a conversion is credited to. */
  model?: "first" | "last" | "linear";
  /** How many days before a conversion a touch may be, 1 to 180. */
  window?: number;
  /** What conversions are credited to. */
  by?: "channel" | "source" | "medium" | "campaign" | "content" | "keyword" | "id";
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getAttributionVisits}. */
export interface GetAttributionVisitsParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What visits are counted by. */
  by?: "channel" | "source" | "medium" | "campaign" | "content" | "keyword" | "id";
}

/** Parameters of {@link Quipu.getCampaign}. */
export interface GetCampaignParams {
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
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** Id of a campaign. */
  camp_id?: string;
  /** Answers with a list. */
  list?: string;
  /** Ids of campaigns whose days are wanted. */
  data?: Json;
  /** Answers with a table. */
  getTable?: boolean;
  /** `campaign-hidden` for hidden campaigns. */
  filter?: string;
}

/** Parameters of {@link Quipu.getKeywords}. */
export interface GetKeywordsParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
}

/** Operations of the group attribution. */
export class AttributionOperations extends Base {
  /** Follow the link of a campaign. Needs no credentials of a member.
   * `GET /campaign/{id}` */
  getCampaignId(p: GetCampaignIdParams): Promise<Blob> {
    return this.raw('GET', '/campaign/{id}', p, { id: 'path' });
  }

  /** Take a postback of Adjust. Needs no credentials of a member.
   * `POST /i/adjust` */
  postAdjust(p: PostAdjustParams): Promise<Json> {
    return this.call('POST', '/i/adjust', p, { adgroup_name: 'body', adjust_id: 'body', app_key: 'body', campaign_name: 'body', click_time: 'body', creative_name: 'body', event: 'body', first_tracker_name: 'body', installed_at: 'body', last_tracker_name: 'body', network_name: 'body', outdated_tracker_name: 'body', tracker_name: 'body' });
  }

  /** Import what campaigns cost. Needs the right to update `attribution`. Files stand in a form beside the parameters.
   * `POST /i/campaign/costs` */
  postCampaignCosts(p: PostCampaignCostsParams): Promise<AttributionCostsRes | Json> {
    return this.call('POST', '/i/campaign/costs', p, { app_id: 'body', data: 'body', file: 'body' });
  }

  /** Create a campaign. Needs the right to create `attribution`.
   * `POST /i/campaign/create` */
  postCampaignCreate(p: PostCampaignCreateParams): Promise<Result> {
    return this.call('POST', '/i/campaign/create', p, { app_id: 'body', args: 'body' });
  }

  /** Delete a campaign with its clicks. Needs the right to delete `attribution`.
   * `POST /i/campaign/delete` */
  postCampaignDelete(p: PostCampaignDeleteParams): Promise<Result> {
    return this.call('POST', '/i/campaign/delete', p, { app_id: 'body', args: 'body' });
  }

  /** Hide a campaign. Needs the right to update `attribution`.
   * `POST /i/campaign/hide` */
  postCampaignHide(p: PostCampaignHideParams): Promise<Result> {
    return this.call('POST', '/i/campaign/hide', p, { app_id: 'body', args: 'body' });
  }

  /** Show a hidden campaign. Needs the right to update `attribution`.
   * `POST /i/campaign/show` */
  postCampaignShow(p: PostCampaignShowParams): Promise<Result> {
    return this.call('POST', '/i/campaign/show', p, { app_id: 'body', args: 'body' });
  }

  /** Change a campaign. Needs the right to update `attribution`.
   * `POST /i/campaign/update` */
  postCampaignUpdate(p: PostCampaignUpdateParams): Promise<Result> {
    return this.call('POST', '/i/campaign/update', p, { app_id: 'body', args: 'body' });
  }

  /** What conversions are credited to. Needs the right to read `attribution`. A read that takes too long goes on as a task.
   * `GET /o/attribution`. A read that takes too long throws a PendingError. */
  getAttribution(p: GetAttributionParams): Promise<AttributionReportRes | Json> {
    return this.call('GET', '/o/attribution', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', event: 'query', filter: 'query', model: 'query', window: 'query', by: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Where visits come from. Needs the right to read `attribution`.
   * `GET /o/attribution/visits` */
  getAttributionVisits(p: GetAttributionVisitsParams): Promise<AttributionVisitsRes | Json> {
    return this.call('GET', '/o/attribution/visits', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', by: 'query' });
  }

  /** Campaigns and their figures. Needs the right to read `attribution`. The answer is a list, which pages, sorts and searches.
   * `GET /o/campaign` */
  getCampaign(p: GetCampaignParams): Promise<Json> {
    return this.call('GET', '/o/campaign', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', camp_id: 'query', list: 'query', data: 'query', getTable: 'query', filter: 'query' });
  }

  /** What people searched for. Needs the right to read `sources`.
   * `GET /o/keywords` */
  getKeywords(p: GetKeywordsParams): Promise<Array<AttributionVisitRow>> {
    return this.call('GET', '/o/keywords', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query' });
  }
}

export interface AttributionCostsRes {
  days: number;
  missed: number;
  result: string;
  rows: number;
  unmatched: Array<string>;
}

export interface AttributionCredit {
  _id: string;
  conversions: number;
  users: number;
  value: number;
}

export interface AttributionReportRes {
  by: string;
  conversions: number;
  event: string;
  model: string;
  rows: Array<AttributionCredit>;
  users: number;
  value: number;
  window: number;
}

export interface AttributionVisitsRes {
  by: string;
  channels: Record<string, Array<number>>;
  days: Array<string>;
  rows: Array<AttributionVisitRow>;
  totals: AttributionVisitRow;
}
