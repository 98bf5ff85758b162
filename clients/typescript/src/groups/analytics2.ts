// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { QueryMetricRow } from '../types.js';

/** Parameters of {@link Quipu.getAnalyticsTops}. */
export interface GetAnalyticsTopsParams {
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

/** Parameters of {@link Quipu.getAnalyticsTail}. */
export interface GetAnalyticsTailParams {
  /** Id of the app. */
  app_id?: string;
  tail: string;
}

/** Parameters of {@link Quipu.getMethodAppVersions}. */
export interface GetMethodAppVersionsParams {
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

/** Parameters of {@link Quipu.getMethodBrowser}. */
export interface GetMethodBrowserParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period: string;
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

/** Parameters of {@link Quipu.getMethodCarriers}. */
export interface GetMethodCarriersParams {
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

/** Parameters of {@link Quipu.getMethodCities}. */
export interface GetMethodCitiesParams {
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

/** Parameters of {@link Quipu.getMethodCountries}. */
export interface GetMethodCountriesParams {
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

/** Parameters of {@link Quipu.getMethodDensity}. */
export interface GetMethodDensityParams {
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

/** Parameters of {@link Quipu.getMethodDeviceDetails}. */
export interface GetMethodDeviceDetailsParams {
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

/** Parameters of {@link Quipu.getMethodDevices}. */
export interface GetMethodDevicesParams {
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

/** Parameters of {@link Quipu.getMethodEvents}. */
export interface GetMethodEventsParams {
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

/** Parameters of {@link Quipu.getMethodGeodata}. */
export interface GetMethodGeodataParams {
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

/** Operations of the group analytics2. */
export class Analytics2Operations extends Base {
  /** Most frequent values of metrics. Needs the right to read `core`.
   * `GET /o/analytics/tops` */
  getAnalyticsTops(p: GetAnalyticsTopsParams): Promise<Json> {
    return this.call('GET', '/o/analytics/tops', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Fault of an unknown read. Needs no credentials of a member.
   * `GET /o/analytics/{tail}` */
  getAnalyticsTail(p: GetAnalyticsTailParams): Promise<Json> {
    return this.call('GET', '/o/analytics/{tail}', p, { app_id: 'query', tail: 'path' });
  }

  /** Figures by version of the app. Needs the right to read `core`. The same as `/o?method=app_versions`.
   * `GET /o/method/app_versions` */
  getMethodAppVersions(p: GetMethodAppVersionsParams): Promise<Json> {
    return this.call('GET', '/o/method/app_versions', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Figures by browser. Needs the right to read `core`. The same as `/o?method=browser`.
   * `GET /o/method/browser` */
  getMethodBrowser(p: GetMethodBrowserParams): Promise<Json> {
    return this.call('GET', '/o/method/browser', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Figures by carrier. Needs the right to read `core`. The same as `/o?method=carriers`.
   * `GET /o/method/carriers` */
  getMethodCarriers(p: GetMethodCarriersParams): Promise<Json> {
    return this.call('GET', '/o/method/carriers', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Figures by city. Needs the right to read `core`. The same as `/o?method=cities`.
   * `GET /o/method/cities` */
  getMethodCities(p: GetMethodCitiesParams): Promise<Json> {
    return this.call('GET', '/o/method/cities', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Figures by country. Needs the right to read `core`. The same as `/o?method=countries`.
   * `GET /o/method/countries` */
  getMethodCountries(p: GetMethodCountriesParams): Promise<Json> {
    return this.call('GET', '/o/method/countries', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Figures by density of screens. Needs the right to read `core`. The same as `/o?method=density`.
   * `GET /o/method/density` */
  getMethodDensity(p: GetMethodDensityParams): Promise<Json> {
    return this.call('GET', '/o/method/density', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Figures by operating system. Needs the right to read `core`. The same as `/o?method=device_details`.
   * `GET /o/method/device_details` */
  getMethodDeviceDetails(p: GetMethodDeviceDetailsParams): Promise<Json> {
    return this.call('GET', '/o/method/device_details', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Figures by device. Needs the right to read `core`. The same as `/o?method=devices`.
   * `GET /o/method/devices` */
  getMethodDevices(p: GetMethodDevicesParams): Promise<Json> {
    return this.call('GET', '/o/method/devices', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Figures of events. Needs the right to read `core`. The same as `/o?method=events`.
   * `GET /o/method/events` */
  getMethodEvents(p: GetMethodEventsParams): Promise<Json> {
    return this.call('GET', '/o/method/events', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Figures by place. Needs the right to read `core`. The same as `/o?method=geodata`.
   * `GET /o/method/geodata` */
  getMethodGeodata(p: GetMethodGeodataParams): Promise<Array<QueryMetricRow>> {
    return this.call('GET', '/o/method/geodata', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }
}
