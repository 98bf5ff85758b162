// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// GetAnalyticsParams are the parameters of GetAnalytics. Zero values are left out.
type GetAnalyticsParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
}

// GetAnalytics: fault of an unknown read.
//
// Needs no credentials of a member.
//
// It calls GET /o/analytics.
func (c *Client) GetAnalytics(ctx context.Context, p GetAnalyticsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/analytics", p, false, &out)
	return out, err
}

// GetAnalyticsCompareParams are the parameters of GetAnalyticsCompare. Zero values are left out.
type GetAnalyticsCompareParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Moment that the period is counted from, in s or ms since 1970.
	Timestamp int64 `query:"timestamp"`
	// Distance of the client from UTC, in minutes west.
	PeriodOffset int64 `query:"periodOffset"`
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// Required. A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetAnalyticsCompare: figures of a period beside those of another.
//
// Needs the right to read `core`.
//
// It calls GET /o/analytics/compare.
func (c *Client) GetAnalyticsCompare(ctx context.Context, p GetAnalyticsCompareParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/analytics/compare", p, false, &out)
	return out, err
}

// GetAnalyticsCountriesParams are the parameters of GetAnalyticsCountries. Zero values are left out.
type GetAnalyticsCountriesParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Moment that the period is counted from, in s or ms since 1970.
	Timestamp int64 `query:"timestamp"`
	// Distance of the client from UTC, in minutes west.
	PeriodOffset int64 `query:"periodOffset"`
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetAnalyticsCountries: countries with the most users.
//
// Needs the right to read `core`.
//
// It calls GET /o/analytics/countries.
func (c *Client) GetAnalyticsCountries(ctx context.Context, p GetAnalyticsCountriesParams) (out map[string][]QueryCountryRow, err error) {
	err = c.call(ctx, "GET", "/o/analytics/countries", p, false, &out)
	return out, err
}

// GetAnalyticsDashboardParams are the parameters of GetAnalyticsDashboard. Zero values are left out.
type GetAnalyticsDashboardParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Moment that the period is counted from, in s or ms since 1970.
	Timestamp int64 `query:"timestamp"`
	// Distance of the client from UTC, in minutes west.
	PeriodOffset int64 `query:"periodOffset"`
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetAnalyticsDashboard: summary of three periods.
//
// Needs the right to read `core`.
//
// It calls GET /o/analytics/dashboard.
func (c *Client) GetAnalyticsDashboard(ctx context.Context, p GetAnalyticsDashboardParams) (out map[string]*QuerySummary, err error) {
	err = c.call(ctx, "GET", "/o/analytics/dashboard", p, false, &out)
	return out, err
}

// GetAnalyticsDurationsParams are the parameters of GetAnalyticsDurations. Zero values are left out.
type GetAnalyticsDurationsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Moment that the period is counted from, in s or ms since 1970.
	Timestamp int64 `query:"timestamp"`
	// Distance of the client from UTC, in minutes west.
	PeriodOffset int64 `query:"periodOffset"`
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetAnalyticsDurations: sessions by duration.
//
// Needs the right to read `core`.
//
// It calls GET /o/analytics/durations.
func (c *Client) GetAnalyticsDurations(ctx context.Context, p GetAnalyticsDurationsParams) (out []AnalyticsDurationRow, err error) {
	err = c.call(ctx, "GET", "/o/analytics/durations", p, false, &out)
	return out, err
}

// GetAnalyticsEventsParams are the parameters of GetAnalyticsEvents. Zero values are left out.
type GetAnalyticsEventsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Moment that the period is counted from, in s or ms since 1970.
	Timestamp int64 `query:"timestamp"`
	// Distance of the client from UTC, in minutes west.
	PeriodOffset int64 `query:"periodOffset"`
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetAnalyticsEvents: figures of an event.
//
// Needs the right to read `core`.
//
// It calls GET /o/analytics/events.
func (c *Client) GetAnalyticsEvents(ctx context.Context, p GetAnalyticsEventsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/analytics/events", p, false, &out)
	return out, err
}

// GetAnalyticsEventsOverviewParams are the parameters of GetAnalyticsEventsOverview. Zero values are left out.
type GetAnalyticsEventsOverviewParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Moment that the period is counted from, in s or ms since 1970.
	Timestamp int64 `query:"timestamp"`
	// Distance of the client from UTC, in minutes west.
	PeriodOffset int64 `query:"periodOffset"`
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetAnalyticsEventsOverview: summary of events.
//
// Needs the right to read `core`.
//
// It calls GET /o/analytics/events/overview.
func (c *Client) GetAnalyticsEventsOverview(ctx context.Context, p GetAnalyticsEventsOverviewParams) (out map[string]*QueryEventOverview, err error) {
	err = c.call(ctx, "GET", "/o/analytics/events/overview", p, false, &out)
	return out, err
}

// GetAnalyticsEventsTopParams are the parameters of GetAnalyticsEventsTop. Zero values are left out.
type GetAnalyticsEventsTopParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Moment that the period is counted from, in s or ms since 1970.
	Timestamp int64 `query:"timestamp"`
	// Distance of the client from UTC, in minutes west.
	PeriodOffset int64 `query:"periodOffset"`
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetAnalyticsEventsTop: events with the most occurrences.
//
// Needs the right to read `core`.
//
// It calls GET /o/analytics/events/top.
func (c *Client) GetAnalyticsEventsTop(ctx context.Context, p GetAnalyticsEventsTopParams) (out []QueryTopEvent, err error) {
	err = c.call(ctx, "GET", "/o/analytics/events/top", p, false, &out)
	return out, err
}

// GetAnalyticsFrequencyParams are the parameters of GetAnalyticsFrequency. Zero values are left out.
type GetAnalyticsFrequencyParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Moment that the period is counted from, in s or ms since 1970.
	Timestamp int64 `query:"timestamp"`
	// Distance of the client from UTC, in minutes west.
	PeriodOffset int64 `query:"periodOffset"`
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetAnalyticsFrequency: sessions by time since the one before.
//
// Needs the right to read `core`.
//
// It calls GET /o/analytics/frequency.
func (c *Client) GetAnalyticsFrequency(ctx context.Context, p GetAnalyticsFrequencyParams) (out []AnalyticsFrequencyRow, err error) {
	err = c.call(ctx, "GET", "/o/analytics/frequency", p, false, &out)
	return out, err
}

// GetAnalyticsLoyaltyParams are the parameters of GetAnalyticsLoyalty. Zero values are left out.
type GetAnalyticsLoyaltyParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Moment that the period is counted from, in s or ms since 1970.
	Timestamp int64 `query:"timestamp"`
	// Distance of the client from UTC, in minutes west.
	PeriodOffset int64 `query:"periodOffset"`
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetAnalyticsLoyalty: sessions by number of the session.
//
// Needs the right to read `core`.
//
// It calls GET /o/analytics/loyalty.
func (c *Client) GetAnalyticsLoyalty(ctx context.Context, p GetAnalyticsLoyaltyParams) (out []AnalyticsLoyaltyRow, err error) {
	err = c.call(ctx, "GET", "/o/analytics/loyalty", p, false, &out)
	return out, err
}

// GetAnalyticsMetricParams are the parameters of GetAnalyticsMetric. Zero values are left out.
type GetAnalyticsMetricParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Moment that the period is counted from, in s or ms since 1970.
	Timestamp int64 `query:"timestamp"`
	// Distance of the client from UTC, in minutes west.
	PeriodOffset int64 `query:"periodOffset"`
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Required. Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetAnalyticsMetric: figures by value of a metric.
//
// Needs the right to read `core`.
//
// It calls GET /o/analytics/metric.
func (c *Client) GetAnalyticsMetric(ctx context.Context, p GetAnalyticsMetricParams) (out []QueryMetricRow, err error) {
	err = c.call(ctx, "GET", "/o/analytics/metric", p, false, &out)
	return out, err
}

// GetAnalyticsSessionsParams are the parameters of GetAnalyticsSessions. Zero values are left out.
type GetAnalyticsSessionsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Moment that the period is counted from, in s or ms since 1970.
	Timestamp int64 `query:"timestamp"`
	// Distance of the client from UTC, in minutes west.
	PeriodOffset int64 `query:"periodOffset"`
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetAnalyticsSessions: figures of sessions.
//
// Needs the right to read `core`.
//
// It calls GET /o/analytics/sessions.
func (c *Client) GetAnalyticsSessions(ctx context.Context, p GetAnalyticsSessionsParams) (out []QuerySessionRow, err error) {
	err = c.call(ctx, "GET", "/o/analytics/sessions", p, false, &out)
	return out, err
}

// AnalyticsDurationRow is part of answers.
type AnalyticsDurationRow struct {
	Ds      string `json:"ds"`
	Percent string `json:"percent"`
	T       int64  `json:"t"`
}

// AnalyticsFrequencyRow is part of answers.
type AnalyticsFrequencyRow struct {
	F       string `json:"f"`
	Percent string `json:"percent"`
	T       int64  `json:"t"`
}

// AnalyticsLoyaltyRow is part of answers.
type AnalyticsLoyaltyRow struct {
	L       string `json:"l"`
	Percent string `json:"percent"`
	T       int64  `json:"t"`
}

// QueryCountryRow is part of answers.
type QueryCountryRow struct {
	Code    string `json:"code"`
	Country string `json:"country"`
	N       int64  `json:"n"`
	T       int64  `json:"t"`
	U       int64  `json:"u"`
}

// QueryEventOverview is part of answers.
type QueryEventOverview struct {
	Data json.RawMessage `json:"data"`
}

// QueryHeadline is part of answers.
type QueryHeadline struct {
	AvgRequests   json.RawMessage      `json:"avg_requests"`
	AvgTime       json.RawMessage      `json:"avg_time"`
	NewUsers      json.RawMessage      `json:"new_users"`
	TotalSessions json.RawMessage      `json:"total_sessions"`
	TotalTime     json.RawMessage      `json:"total_time"`
	TotalUsers    QueryEstimatedFigure `json:"total_users"`
}

// QuerySessionRow is part of answers.
type QuerySessionRow struct {
	ID string  `json:"_id"`
	D  float64 `json:"d"`
	E  int64   `json:"e"`
	N  int64   `json:"n"`
	T  int64   `json:"t"`
	U  int64   `json:"u"`
}

// QuerySummary is part of answers.
type QuerySummary struct {
	Dashboard QueryHeadline   `json:"dashboard"`
	Period    string          `json:"period"`
	Top       json.RawMessage `json:"top"`
}
