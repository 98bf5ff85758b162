// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// GetMethodGetPeriodObjParams are the parameters of GetMethodGetPeriodObj. Zero values are left out.
type GetMethodGetPeriodObjParams struct {
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

// GetMethodGetPeriodObj: days of a period.
//
// Needs the right to read `core`. The same as `/o?method=get_period_obj`.
//
// It calls GET /o/method/get_period_obj.
func (c *Client) GetMethodGetPeriodObj(ctx context.Context, p GetMethodGetPeriodObjParams) (out AnalyticsPeriodRes, err error) {
	err = c.call(ctx, "GET", "/o/method/get_period_obj", p, false, &out)
	return out, err
}

// GetMethodLangsParams are the parameters of GetMethodLangs. Zero values are left out.
type GetMethodLangsParams struct {
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

// GetMethodLangs: figures by language.
//
// Needs the right to read `locale`. The same as `/o?method=langs`.
//
// It calls GET /o/method/langs.
func (c *Client) GetMethodLangs(ctx context.Context, p GetMethodLangsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/langs", p, false, &out)
	return out, err
}

// GetMethodLocationsParams are the parameters of GetMethodLocations. Zero values are left out.
type GetMethodLocationsParams struct {
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

// GetMethodLocations: figures by country.
//
// Needs the right to read `core`. The same as `/o?method=locations`.
//
// It calls GET /o/method/locations.
func (c *Client) GetMethodLocations(ctx context.Context, p GetMethodLocationsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/locations", p, false, &out)
	return out, err
}

// GetMethodSdksParams are the parameters of GetMethodSdks. Zero values are left out.
type GetMethodSdksParams struct {
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

// GetMethodSdks: figures by SDK.
//
// Needs the right to read `core`. The same as `/o?method=sdks`.
//
// It calls GET /o/method/sdks.
func (c *Client) GetMethodSdks(ctx context.Context, p GetMethodSdksParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/sdks", p, false, &out)
	return out, err
}

// GetMethodSessionsParams are the parameters of GetMethodSessions. Zero values are left out.
type GetMethodSessionsParams struct {
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

// GetMethodSessions: figures of sessions.
//
// Needs the right to read `core`. The same as `/o?method=sessions`.
//
// It calls GET /o/method/sessions.
func (c *Client) GetMethodSessions(ctx context.Context, p GetMethodSessionsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/sessions", p, false, &out)
	return out, err
}

// GetMethodSourcesParams are the parameters of GetMethodSources. Zero values are left out.
type GetMethodSourcesParams struct {
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

// GetMethodSources: figures by source.
//
// Needs the right to read `core`. The same as `/o?method=sources`.
//
// It calls GET /o/method/sources.
func (c *Client) GetMethodSources(ctx context.Context, p GetMethodSourcesParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/sources", p, false, &out)
	return out, err
}

// GetMethodTimesOfDayParams are the parameters of GetMethodTimesOfDay. Zero values are left out.
type GetMethodTimesOfDayParams struct {
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
	// Required. Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetMethodTimesOfDay: figures by day of the week and hour.
//
// Needs the right to read `times_of_day`. The same as `/o?method=times-of-day`.
//
// It calls GET /o/method/times-of-day.
func (c *Client) GetMethodTimesOfDay(ctx context.Context, p GetMethodTimesOfDayParams) (out [][]int64, err error) {
	err = c.call(ctx, "GET", "/o/method/times-of-day", p, false, &out)
	return out, err
}

// GetMethodTopEventsParams are the parameters of GetMethodTopEvents. Zero values are left out.
type GetMethodTopEventsParams struct {
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

// GetMethodTopEvents: events with the most occurrences.
//
// Needs the right to read `core`. The same as `/o?method=top_events`.
//
// It calls GET /o/method/top_events.
func (c *Client) GetMethodTopEvents(ctx context.Context, p GetMethodTopEventsParams) (out []QueryTopEvent, err error) {
	err = c.call(ctx, "GET", "/o/method/top_events", p, false, &out)
	return out, err
}

// GetMethodTotalUsersParams are the parameters of GetMethodTotalUsers. Zero values are left out.
type GetMethodTotalUsersParams struct {
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

// GetMethodTotalUsers: users by value of a metric.
//
// Needs the right to read `core`. The same as `/o?method=total_users`.
//
// It calls GET /o/method/total_users.
func (c *Client) GetMethodTotalUsers(ctx context.Context, p GetMethodTotalUsersParams) (out []QueryUsersRow, err error) {
	err = c.call(ctx, "GET", "/o/method/total_users", p, false, &out)
	return out, err
}

// GetMethodUsersParams are the parameters of GetMethodUsers. Zero values are left out.
type GetMethodUsersParams struct {
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

// GetMethodUsers: figures of users.
//
// Needs the right to read `core`. The same as `/o?method=users`.
//
// It calls GET /o/method/users.
func (c *Client) GetMethodUsers(ctx context.Context, p GetMethodUsersParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/users", p, false, &out)
	return out, err
}

// AnalyticsPeriodRes is part of answers.
type AnalyticsPeriodRes struct {
	CurrentPeriodArr    []string `json:"currentPeriodArr"`
	DaysInPeriod        int64    `json:"daysInPeriod"`
	End                 int64    `json:"end"`
	PeriodContainsToday bool     `json:"periodContainsToday"`
	Start               int64    `json:"start"`
}

// QueryUsersRow is part of answers.
type QueryUsersRow struct {
	ID string `json:"_id"`
	Pu int64  `json:"pu"`
	U  int64  `json:"u"`
}
