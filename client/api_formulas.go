// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// PostCalculatedMetricsDeleteParams are the parameters of PostCalculatedMetricsDelete. Zero values are left out.
type PostCalculatedMetricsDeleteParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the document.
	ID string `body:"id"`
}

// PostCalculatedMetricsDelete: delete a calculated metric.
//
// Needs the right to delete `formulas`.
//
// It calls POST /i/calculated_metrics/delete.
func (c *Client) PostCalculatedMetricsDelete(ctx context.Context, p PostCalculatedMetricsDeleteParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/calculated_metrics/delete", p, false, &out)
	return out, err
}

// PostCalculatedMetricsSaveParams are the parameters of PostCalculatedMetricsSave. Zero values are left out.
type PostCalculatedMetricsSaveParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `body:"metric"`
}

// PostCalculatedMetricsSave: create or change a calculated metric.
//
// Needs the right to create `formulas`.
//
// It calls POST /i/calculated_metrics/save.
func (c *Client) PostCalculatedMetricsSave(ctx context.Context, p PostCalculatedMetricsSaveParams) (out FormulasSaved, err error) {
	err = c.call(ctx, "POST", "/i/calculated_metrics/save", p, false, &out)
	return out, err
}

// GetCalculatedMetricsCheckParams are the parameters of GetCalculatedMetricsCheck. Zero values are left out.
type GetCalculatedMetricsCheckParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. The formula, as an object.
	Formula any `query:"formula"`
}

// GetCalculatedMetricsCheck: check a formula.
//
// Needs the right to read `formulas`.
//
// It calls GET /o/calculated_metrics/check.
func (c *Client) GetCalculatedMetricsCheck(ctx context.Context, p GetCalculatedMetricsCheckParams) (out FormulasChecked, err error) {
	err = c.call(ctx, "GET", "/o/calculated_metrics/check", p, false, &out)
	return out, err
}

// GetCalculatedMetricsMetricParams are the parameters of GetCalculatedMetricsMetric. Zero values are left out.
type GetCalculatedMetricsMetricParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Id of the document.
	ID string `query:"_id"`
	// Which form of the calculation.
	Mode string `query:"mode"`
	// Id of the calculated metric.
	MetricID string `query:"metric_id"`
	// Metrics that boards may show.
	ForWidgets bool `query:"for_widgets"`
}

// GetCalculatedMetricsMetric: A calculated metric.
//
// Needs the right to read `formulas`.
//
// It calls GET /o/calculated_metrics/metric.
func (c *Client) GetCalculatedMetricsMetric(ctx context.Context, p GetCalculatedMetricsMetricParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/calculated_metrics/metric", p, false, &out)
	return out, err
}

// GetCalculatedMetricsMetricsParams are the parameters of GetCalculatedMetricsMetrics. Zero values are left out.
type GetCalculatedMetricsMetricsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Metrics that boards may show.
	ForWidgets bool `query:"for_widgets"`
}

// GetCalculatedMetricsMetrics: list calculated metrics.
//
// Needs the right to read `formulas`.
//
// It calls GET /o/calculated_metrics/metrics.
func (c *Client) GetCalculatedMetricsMetrics(ctx context.Context, p GetCalculatedMetricsMetricsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/calculated_metrics/metrics", p, false, &out)
	return out, err
}

// GetMethodCalculatedMetricsParams are the parameters of GetMethodCalculatedMetrics. Zero values are left out.
type GetMethodCalculatedMetricsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Which form of the calculation.
	Mode string `query:"mode"`
	// Id of the calculated metric.
	MetricID string `query:"metric_id"`
	// The formula, as an object.
	Formula any `query:"formula"`
	// Required. Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Required. Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// With the value of the period before.
	Previous bool `query:"previous"`
	// Answers with the metric beside its value.
	MetricDetails bool `query:"metric_details"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetMethodCalculatedMetrics: values of a calculated metric.
//
// Needs the right to read `formulas`. The same as `/o?method=calculated_metrics`. A read that takes too long goes on as a task.
//
// It calls GET /o/method/calculated_metrics.
func (c *Client) GetMethodCalculatedMetrics(ctx context.Context, p GetMethodCalculatedMetricsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/calculated_metrics", p, false, &out)
	return out, err
}

// FormulasChecked is part of answers.
type FormulasChecked struct {
	At      *int64   `json:"at,omitempty"`
	Code    string   `json:"code,omitempty"`
	Correct bool     `json:"correct"`
	Error   string   `json:"error,omitempty"`
	Events  []string `json:"events,omitempty"`
	Of      string   `json:"of,omitempty"`
	Seconds int64    `json:"seconds"`
}

// FormulasSaved is part of answers.
type FormulasSaved struct {
	Action string `json:"action"`
	ID     string `json:"id"`
	Status string `json:"status"`
}
