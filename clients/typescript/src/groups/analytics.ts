// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { QueryEstimatedFigure, QueryMetricRow, QueryTopEvent } from '../types.js';

/** Parameters of {@link Quipu.getAnalytics}. */
export interface GetAnalyticsParams {
  /** Id of the app. */
  app_id?: string;
}

/** Parameters of {@link Quipu.getAnalyticsCompare}. */
export interface GetAnalyticsCompareParams {
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
  against: string;
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

/** Parameters of {@link Quipu.getAnalyticsCountries}. */
export interface GetAnalyticsCountriesParams {
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

/** Parameters of {@link Quipu.getAnalyticsDashboard}. */
export interface GetAnalyticsDashboardParams {
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

/** Parameters of {@link Quipu.getAnalyticsDurations}. */
export interface GetAnalyticsDurationsParams {
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

/** Parameters of {@link Quipu.getAnalyticsEvents}. */
export interface GetAnalyticsEventsParams {
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

/** Parameters of {@link Quipu.getAnalyticsEventsOverview}. */
export interface GetAnalyticsEventsOverviewParams {
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

/** Parameters of {@link Quipu.getAnalyticsEventsTop}. */
export interface GetAnalyticsEventsTopParams {
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

/** Parameters of {@link Quipu.getAnalyticsFrequency}. */
export interface GetAnalyticsFrequencyParams {
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

/** Parameters of {@link Quipu.getAnalyticsLoyalty}. */
export interface GetAnalyticsLoyaltyParams {
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

/** Parameters of {@link Quipu.getAnalyticsMetric}. */
export interface GetAnalyticsMetricParams {
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
  metric: string;
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

/** Parameters of {@link Quipu.getAnalyticsSessions}. */
export interface GetAnalyticsSessionsParams {
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

/** Operations of the group analytics. */
export class AnalyticsOperations extends Base {
  /** Fault of an unknown read. Needs no credentials of a member.
   * `GET /o/analytics` */
  getAnalytics(p: GetAnalyticsParams = {}): Promise<Json> {
    return this.call('GET', '/o/analytics', p, { app_id: 'query' });
  }

  /** Figures of a period beside those of another. Needs the right to read `core`.
   * `GET /o/analytics/compare` */
  getAnalyticsCompare(p: GetAnalyticsCompareParams): Promise<Json> {
    return this.call('GET', '/o/analytics/compare', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Countries with the most users. Needs the right to read `core`.
   * `GET /o/analytics/countries` */
  getAnalyticsCountries(p: GetAnalyticsCountriesParams): Promise<Record<string, Array<QueryCountryRow>>> {
    return this.call('GET', '/o/analytics/countries', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Summary of three periods. Needs the right to read `core`.
   * `GET /o/analytics/dashboard` */
  getAnalyticsDashboard(p: GetAnalyticsDashboardParams): Promise<Record<string, QuerySummary | Json>> {
    return this.call('GET', '/o/analytics/dashboard', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Sessions by duration. Needs the right to read `core`.
   * `GET /o/analytics/durations` */
  getAnalyticsDurations(p: GetAnalyticsDurationsParams): Promise<Array<AnalyticsDurationRow>> {
    return this.call('GET', '/o/analytics/durations', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Figures of an event. Needs the right to read `core`.
   * `GET /o/analytics/events` */
  getAnalyticsEvents(p: GetAnalyticsEventsParams): Promise<Json> {
    return this.call('GET', '/o/analytics/events', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Summary of events. Needs the right to read `core`.
   * `GET /o/analytics/events/overview` */
  getAnalyticsEventsOverview(p: GetAnalyticsEventsOverviewParams): Promise<Record<string, QueryEventOverview | Json>> {
    return this.call('GET', '/o/analytics/events/overview', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Events with the most occurrences. Needs the right to read `core`.
   * `GET /o/analytics/events/top` */
  getAnalyticsEventsTop(p: GetAnalyticsEventsTopParams): Promise<Array<QueryTopEvent>> {
    return this.call('GET', '/o/analytics/events/top', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Sessions by time since the one before. Needs the right to read `core`.
   * `GET /o/analytics/frequency` */
  getAnalyticsFrequency(p: GetAnalyticsFrequencyParams): Promise<Array<AnalyticsFrequencyRow>> {
    return this.call('GET', '/o/analytics/frequency', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Sessions by number of the session. Needs the right to read `core`.
   * `GET /o/analytics/loyalty` */
  getAnalyticsLoyalty(p: GetAnalyticsLoyaltyParams): Promise<Array<AnalyticsLoyaltyRow>> {
    return this.call('GET', '/o/analytics/loyalty', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Figures by value of a metric. Needs the right to read `core`.
   * `GET /o/analytics/metric` */
  getAnalyticsMetric(p: GetAnalyticsMetricParams): Promise<Array<QueryMetricRow>> {
    return this.call('GET', '/o/analytics/metric', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Figures of sessions. Needs the right to read `core`.
   * `GET /o/analytics/sessions` */
  getAnalyticsSessions(p: GetAnalyticsSessionsParams): Promise<Array<QuerySessionRow>> {
    return this.call('GET', '/o/analytics/sessions', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }
}

export interface AnalyticsDurationRow {
  ds: string;
  percent: string;
  t: number;
}

export interface AnalyticsFrequencyRow {
  f: string;
  percent: string;
  t: number;
}

export interface AnalyticsLoyaltyRow {
  l: string;
  percent: string;
  t: number;
}

export interface QueryCountryRow {
  code: string;
  country: string;
  n: number;
  t: number;
  u: number;
}

export interface QueryEventOverview {
  data: Json;
}

export interface QueryHeadline {
  avg_requests: Json;
  avg_time: Json;
  new_users: Json;
  total_sessions: Json;
  total_time: Json;
  total_users: QueryEstimatedFigure;
}

export interface QuerySessionRow {
  _id: string;
  d: number;
  e: number;
  n: number;
  t: number;
  u: number;
}

export interface QuerySummary {
  dashboard: QueryHeadline;
  period: string;
  top: Json;
}
