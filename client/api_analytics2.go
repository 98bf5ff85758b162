// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// GetAnalyticsTopsParams are the parameters of GetAnalyticsTops. Zero values are left out.
type GetAnalyticsTopsParams struct {
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

// GetAnalyticsTops: most frequent values of metrics.
//
// Needs the right to read `core`.
//
// It calls GET /o/analytics/tops.
func (c *Client) GetAnalyticsTops(ctx context.Context, p GetAnalyticsTopsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/analytics/tops", p, false, &out)
	return out, err
}

// GetAnalyticsTailParams are the parameters of GetAnalyticsTail. Zero values are left out.
type GetAnalyticsTailParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
	// Required.
	Tail string `path:"tail"`
}

// GetAnalyticsTail: fault of an unknown read.
//
// Needs no credentials of a member.
//
// It calls GET /o/analytics/{tail}.
func (c *Client) GetAnalyticsTail(ctx context.Context, p GetAnalyticsTailParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/analytics/{tail}", p, false, &out)
	return out, err
}

// GetMethodAppVersionsParams are the parameters of GetMethodAppVersions. Zero values are left out.
type GetMethodAppVersionsParams struct {
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

// GetMethodAppVersions: figures by version of the app.
//
// Needs the right to read `core`. The same as `/o?method=app_versions`.
//
// It calls GET /o/method/app_versions.
func (c *Client) GetMethodAppVersions(ctx context.Context, p GetMethodAppVersionsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/app_versions", p, false, &out)
	return out, err
}

// GetMethodBrowserParams are the parameters of GetMethodBrowser. Zero values are left out.
type GetMethodBrowserParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
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

// GetMethodBrowser: figures by browser.
//
// Needs the right to read `core`. The same as `/o?method=browser`.
//
// It calls GET /o/method/browser.
func (c *Client) GetMethodBrowser(ctx context.Context, p GetMethodBrowserParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/browser", p, false, &out)
	return out, err
}

// GetMethodCarriersParams are the parameters of GetMethodCarriers. Zero values are left out.
type GetMethodCarriersParams struct {
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

// GetMethodCarriers: figures by carrier.
//
// Needs the right to read `core`. The same as `/o?method=carriers`.
//
// It calls GET /o/method/carriers.
func (c *Client) GetMethodCarriers(ctx context.Context, p GetMethodCarriersParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/carriers", p, false, &out)
	return out, err
}

// GetMethodCitiesParams are the parameters of GetMethodCities. Zero values are left out.
type GetMethodCitiesParams struct {
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

// GetMethodCities: figures by city.
//
// Needs the right to read `core`. The same as `/o?method=cities`.
//
// It calls GET /o/method/cities.
func (c *Client) GetMethodCities(ctx context.Context, p GetMethodCitiesParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/cities", p, false, &out)
	return out, err
}

// GetMethodCountriesParams are the parameters of GetMethodCountries. Zero values are left out.
type GetMethodCountriesParams struct {
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

// GetMethodCountries: figures by country.
//
// Needs the right to read `core`. The same as `/o?method=countries`.
//
// It calls GET /o/method/countries.
func (c *Client) GetMethodCountries(ctx context.Context, p GetMethodCountriesParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/countries", p, false, &out)
	return out, err
}

// GetMethodDensityParams are the parameters of GetMethodDensity. Zero values are left out.
type GetMethodDensityParams struct {
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

// GetMethodDensity: figures by density of screens.
//
// Needs the right to read `core`. The same as `/o?method=density`.
//
// It calls GET /o/method/density.
func (c *Client) GetMethodDensity(ctx context.Context, p GetMethodDensityParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/density", p, false, &out)
	return out, err
}

// GetMethodDeviceDetailsParams are the parameters of GetMethodDeviceDetails. Zero values are left out.
type GetMethodDeviceDetailsParams struct {
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

// GetMethodDeviceDetails: figures by operating system.
//
// Needs the right to read `core`. The same as `/o?method=device_details`.
//
// It calls GET /o/method/device_details.
func (c *Client) GetMethodDeviceDetails(ctx context.Context, p GetMethodDeviceDetailsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/device_details", p, false, &out)
	return out, err
}

// GetMethodDevicesParams are the parameters of GetMethodDevices. Zero values are left out.
type GetMethodDevicesParams struct {
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

// GetMethodDevices: figures by device.
//
// Needs the right to read `core`. The same as `/o?method=devices`.
//
// It calls GET /o/method/devices.
func (c *Client) GetMethodDevices(ctx context.Context, p GetMethodDevicesParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/devices", p, false, &out)
	return out, err
}

// GetMethodEventsParams are the parameters of GetMethodEvents. Zero values are left out.
type GetMethodEventsParams struct {
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

// GetMethodEvents: figures of events.
//
// Needs the right to read `core`. The same as `/o?method=events`.
//
// It calls GET /o/method/events.
func (c *Client) GetMethodEvents(ctx context.Context, p GetMethodEventsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/events", p, false, &out)
	return out, err
}

// GetMethodGeodataParams are the parameters of GetMethodGeodata. Zero values are left out.
type GetMethodGeodataParams struct {
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

// GetMethodGeodata: figures by place.
//
// Needs the right to read `core`. The same as `/o?method=geodata`.
//
// It calls GET /o/method/geodata.
func (c *Client) GetMethodGeodata(ctx context.Context, p GetMethodGeodataParams) (out []QueryMetricRow, err error) {
	err = c.call(ctx, "GET", "/o/method/geodata", p, false, &out)
	return out, err
}
