// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { QueryTopEvent } from '../types.js';

/** Parameters of {@link Quipu.getMethodGetPeriodObj}. */
export interface GetMethodGetPeriodObjParams {
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
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getMethodLangs}. */
export interface GetMethodLangsParams {
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
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getMethodLocations}. */
export interface GetMethodLocationsParams {
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
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getMethodSdks}. */
export interface GetMethodSdksParams {
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
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getMethodSessions}. */
export interface GetMethodSessionsParams {
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
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getMethodSources}. */
export interface GetMethodSourcesParams {
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
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getMethodTimesOfDay}. */
export interface GetMethodTimesOfDayParams {
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
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type: string;
}

/** Parameters of {@link Quipu.getMethodTopEvents}. */
export interface GetMethodTopEventsParams {
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
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getMethodTotalUsers}. */
export interface GetMethodTotalUsersParams {
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
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getMethodUsers}. */
export interface GetMethodUsersParams {
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
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Operations of the group analytics3. */
export class Analytics3Operations extends Base {
  /** Days of a period. Needs the right to read `core`. The same as `/o?method=get_period_obj`.
   * `GET /o/method/get_period_obj` */
  getMethodGetPeriodObj(p: GetMethodGetPeriodObjParams): Promise<AnalyticsPeriodRes> {
    return this.call('GET', '/o/method/get_period_obj', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Figures by language. Needs the right to read `locale`. The same as `/o?method=langs`.
   * `GET /o/method/langs` */
  getMethodLangs(p: GetMethodLangsParams): Promise<Json> {
    return this.call('GET', '/o/method/langs', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Figures by country. Needs the right to read `core`. The same as `/o?method=locations`.
   * `GET /o/method/locations` */
  getMethodLocations(p: GetMethodLocationsParams): Promise<Json> {
    return this.call('GET', '/o/method/locations', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Figures by SDK. Needs the right to read `core`. The same as `/o?method=sdks`.
   * `GET /o/method/sdks` */
  getMethodSdks(p: GetMethodSdksParams): Promise<Json> {
    return this.call('GET', '/o/method/sdks', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Figures of sessions. Needs the right to read `core`. The same as `/o?method=sessions`.
   * `GET /o/method/sessions` */
  getMethodSessions(p: GetMethodSessionsParams): Promise<Json> {
    return this.call('GET', '/o/method/sessions', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Figures by source. Needs the right to read `core`. The same as `/o?method=sources`.
   * `GET /o/method/sources` */
  getMethodSources(p: GetMethodSourcesParams): Promise<Json> {
    return this.call('GET', '/o/method/sources', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Figures by day of the week and hour. Needs the right to read `times_of_day`. The same as `/o?method=times-of-day`.
   * `GET /o/method/times-of-day` */
  getMethodTimesOfDay(p: GetMethodTimesOfDayParams): Promise<Array<Array<number>>> {
    return this.call('GET', '/o/method/times-of-day', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Events with the most occurrences. Needs the right to read `core`. The same as `/o?method=top_events`.
   * `GET /o/method/top_events` */
  getMethodTopEvents(p: GetMethodTopEventsParams): Promise<Array<QueryTopEvent>> {
    return this.call('GET', '/o/method/top_events', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Users by value of a metric. Needs the right to read `core`. The same as `/o?method=total_users`.
   * `GET /o/method/total_users` */
  getMethodTotalUsers(p: GetMethodTotalUsersParams): Promise<Array<QueryUsersRow>> {
    return this.call('GET', '/o/method/total_users', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Figures of users. Needs the right to read `core`. The same as `/o?method=users`.
   * `GET /o/method/users` */
  getMethodUsers(p: GetMethodUsersParams): Promise<Json> {
    return this.call('GET', '/o/method/users', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }
}

export interface AnalyticsPeriodRes {
  currentPeriodArr: Array<string>;
  daysInPeriod: number;
  end: number;
  periodContainsToday: boolean;
  start: number;
}

export interface QueryUsersRow {
  _id: string;
  pu: number;
  u: number;
}
