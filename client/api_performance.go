// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// GetPerformanceParams are the parameters of GetPerformance. Zero values are left out.
type GetPerformanceParams struct {
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
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
}

// GetPerformance: web vitals, starts, frames and network requests.
//
// Needs the right to read `performance_monitoring`.
//
// It calls GET /o/performance.
func (c *Client) GetPerformance(ctx context.Context, p GetPerformanceParams) (out PerformanceOverviewRes, err error) {
	err = c.call(ctx, "GET", "/o/performance", p, false, &out)
	return out, err
}

// GetPerformanceCourseParams are the parameters of GetPerformanceCourse. Zero values are left out.
type GetPerformanceCourseParams struct {
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
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Required. Id of a measure, as `lcp`, `app_start` or `response_time`.
	Measure string `query:"measure"`
	// Width of the buckets: `hour`, `day`, `week`, `month`; usual for the period by default.
	Bucket string `query:"bucket"`
	// Name of the traces alone that count.
	Name string `query:"name"`
}

// GetPerformanceCourse: A measure by buckets of time.
//
// Needs the right to read `performance_monitoring`.
//
// It calls GET /o/performance/course.
func (c *Client) GetPerformanceCourse(ctx context.Context, p GetPerformanceCourseParams) (out PerformanceCourseRes, err error) {
	err = c.call(ctx, "GET", "/o/performance/course", p, false, &out)
	return out, err
}

// GetPerformanceTableParams are the parameters of GetPerformanceTable. Zero values are left out.
type GetPerformanceTableParams struct {
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
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// How many rows are left out at the start.
	IDisplayStart int64 `query:"iDisplayStart"`
	// How many rows at most; a negative number for as many as the list allows.
	IDisplayLength *int64 `query:"iDisplayLength"`
	// Text that rows are searched for.
	SSearch string `query:"sSearch"`
	// Number of the column that rows are sorted by.
	ISortCol0 int64 `query:"iSortCol_0"`
	// Direction of sorting.
	SSortDir0 string `query:"sSortDir_0"`
	// Order: `{"name":-1}`, or the name of a column.
	Sort any `query:"sort"`
	// Number that the answer repeats; where a list has another form, it makes it a table.
	SEcho int64 `query:"sEcho"`
	// `start`, or the `nextCursor` of the answer before: the answer is a table of the rows behind it, with `nextCursor`.
	Cursor string `query:"cursor"`
	// Required. Id of a measure, as `lcp`, `app_start` or `response_time`.
	Measure string `query:"measure"`
	// Required. What the table is by: `name`, `app_version`, `country`, `device`, `device_type`, `platform`, `platform_version`, `browser`, `code`, or the path of a property.
	By string `query:"by"`
	// Name of the traces alone that count.
	Name string `query:"name"`
}

// GetPerformanceTable: A measure by the values of a dimension.
//
// Needs the right to read `performance_monitoring`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/performance/table.
func (c *Client) GetPerformanceTable(ctx context.Context, p GetPerformanceTableParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/performance/table", p, false, &out)
	return out, err
}

// GetPerformanceTraceParams are the parameters of GetPerformanceTrace. Zero values are left out.
type GetPerformanceTraceParams struct {
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
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Required. `device` or `network`.
	Kind string `query:"kind"`
	// Required. Name of the traces.
	Name string `query:"name"`
}

// GetPerformanceTrace: all metrics of a trace.
//
// Needs the right to read `performance_monitoring`.
//
// It calls GET /o/performance/trace.
func (c *Client) GetPerformanceTrace(ctx context.Context, p GetPerformanceTraceParams) (out PerformanceTraceRes, err error) {
	err = c.call(ctx, "GET", "/o/performance/trace", p, false, &out)
	return out, err
}

// PerformanceBucketRes is part of answers.
type PerformanceBucketRes struct {
	ID    string   `json:"_id"`
	Avg   *float64 `json:"avg"`
	Good  int64    `json:"good"`
	N     int64    `json:"n"`
	P50   *float64 `json:"p50"`
	P75   *float64 `json:"p75"`
	P90   *float64 `json:"p90"`
	P95   *float64 `json:"p95"`
	P99   *float64 `json:"p99"`
	Poor  int64    `json:"poor"`
	PoorU int64    `json:"poor_u"`
	U     int64    `json:"u"`
}

// PerformanceCourseRes is part of answers.
type PerformanceCourseRes struct {
	Buckets []PerformanceBucketRes `json:"buckets"`
	Error   float64                `json:"error"`
	Measure PerformanceMeasureRes  `json:"measure"`
	Source  string                 `json:"source"`
}

// PerformanceMeasureRes is part of answers.
type PerformanceMeasureRes struct {
	Avg    *float64  `json:"avg"`
	Event  string    `json:"event"`
	Good   int64     `json:"good"`
	Group  string    `json:"group"`
	ID     string    `json:"id"`
	Limits []float64 `json:"limits,omitempty"`
	Metric string    `json:"metric"`
	N      int64     `json:"n"`
	Name   string    `json:"name,omitempty"`
	Others []string  `json:"others,omitempty"`
	P50    *float64  `json:"p50"`
	P75    *float64  `json:"p75"`
	P90    *float64  `json:"p90"`
	P95    *float64  `json:"p95"`
	P99    *float64  `json:"p99"`
	Poor   int64     `json:"poor"`
	PoorU  int64     `json:"poor_u"`
	U      int64     `json:"u"`
	Unit   string    `json:"unit"`
}

// PerformanceMetricRes is part of answers.
type PerformanceMetricRes struct {
	Avg    *float64 `json:"avg"`
	Good   int64    `json:"good"`
	Metric string   `json:"metric"`
	N      int64    `json:"n"`
	P50    *float64 `json:"p50"`
	P75    *float64 `json:"p75"`
	P90    *float64 `json:"p90"`
	P95    *float64 `json:"p95"`
	P99    *float64 `json:"p99"`
	Poor   int64    `json:"poor"`
	PoorU  int64    `json:"poor_u"`
	U      int64    `json:"u"`
}

// PerformanceOverviewRes is part of answers.
type PerformanceOverviewRes struct {
	Error    float64                 `json:"error"`
	Measures []PerformanceMeasureRes `json:"measures"`
	Source   string                  `json:"source"`
}

// PerformanceTraceRes is part of answers.
type PerformanceTraceRes struct {
	Metrics []PerformanceMetricRes `json:"metrics"`
	More    int64                  `json:"more"`
	Name    string                 `json:"name"`
}
