// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// GetMethodCohortdataParams are the parameters of GetMethodCohortdata. Zero values are left out.
type GetMethodCohortdataParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Ids of cohorts.
	Cohorts any `query:"cohorts"`
	// How many rows are left out at the start.
	IDisplayStart int64 `query:"iDisplayStart"`
	// How many rows at most; a negative number for as many as the list allows.
	IDisplayLength *int64 `query:"iDisplayLength"`
}

// GetMethodCohortdata: sizes of cohorts over time.
//
// Needs the right to read `cohorts`. The same as `/o?method=cohortdata`.
//
// It calls GET /o/method/cohortdata.
func (c *Client) GetMethodCohortdata(ctx context.Context, p GetMethodCohortdataParams) (out []CohortsData, err error) {
	err = c.call(ctx, "GET", "/o/method/cohortdata", p, false, &out)
	return out, err
}

// GetMethodCohortstateParams are the parameters of GetMethodCohortstate. Zero values are left out.
type GetMethodCohortstateParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetMethodCohortstate: state of the calculation of cohorts.
//
// Needs the right to read `cohorts`. The same as `/o?method=cohortstate`.
//
// It calls GET /o/method/cohortstate.
func (c *Client) GetMethodCohortstate(ctx context.Context, p GetMethodCohortstateParams) (out CohortsStateRes, err error) {
	err = c.call(ctx, "GET", "/o/method/cohortstate", p, false, &out)
	return out, err
}

// GetMethodGetCohortParams are the parameters of GetMethodGetCohort. Zero values are left out.
type GetMethodGetCohortParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Id of the cohort.
	Cohort string `query:"cohort"`
}

// GetMethodGetCohort: A cohort.
//
// Needs the right to read `cohorts`. The same as `/o?method=get_cohort`.
//
// It calls GET /o/method/get_cohort.
func (c *Client) GetMethodGetCohort(ctx context.Context, p GetMethodGetCohortParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/get_cohort", p, false, &out)
	return out, err
}

// GetMethodGetCohortListParams are the parameters of GetMethodGetCohortList. Zero values are left out.
type GetMethodGetCohortListParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Which kind.
	Type string `query:"type"`
}

// GetMethodGetCohortList: names of cohorts.
//
// Needs the right to read `cohorts`. The same as `/o?method=get_cohort_list`.
//
// It calls GET /o/method/get_cohort_list.
func (c *Client) GetMethodGetCohortList(ctx context.Context, p GetMethodGetCohortListParams) (out map[string]string, err error) {
	err = c.call(ctx, "GET", "/o/method/get_cohort_list", p, false, &out)
	return out, err
}

// GetMethodGetCohortMetricsParams are the parameters of GetMethodGetCohortMetrics. Zero values are left out.
type GetMethodGetCohortMetricsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Id of the cohort, of several as a JSON list where many are meant.
	CohortID string `query:"cohort_id"`
	// Required. Names of metrics.
	Metrics any `query:"metrics"`
}

// GetMethodGetCohortMetrics: metrics of the users of a cohort.
//
// Needs the right to read `cohorts`. The same as `/o?method=get_cohort_metrics`.
//
// It calls GET /o/method/get_cohort_metrics.
func (c *Client) GetMethodGetCohortMetrics(ctx context.Context, p GetMethodGetCohortMetricsParams) (out CohortsMetricsRes, err error) {
	err = c.call(ctx, "GET", "/o/method/get_cohort_metrics", p, false, &out)
	return out, err
}

// GetMethodGetCohortsParams are the parameters of GetMethodGetCohorts. Zero values are left out.
type GetMethodGetCohortsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
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
	// Which form of the list.
	OutputFormat string `query:"outputFormat"`
	// Which kind.
	Type string `query:"type"`
	// A group: of a list, those within it; of crashes, the id of the crash group.
	Group string `query:"group"`
	// Names of the fields that are shown.
	Projection any `query:"projection"`
}

// GetMethodGetCohorts: list cohorts.
//
// Needs the right to read `cohorts`. The same as `/o?method=get_cohorts`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/method/get_cohorts.
func (c *Client) GetMethodGetCohorts(ctx context.Context, p GetMethodGetCohortsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/get_cohorts", p, false, &out)
	return out, err
}

// CohortsData is part of answers.
type CohortsData struct {
	ID   string                     `json:"_id"`
	Data map[string]json.RawMessage `json:"data"`
}

// CohortsIdentified is part of answers.
type CohortsIdentified struct {
	ID             string `json:"_id"`
	LastCalculated int64  `json:"last_calculated"`
	Name           string `json:"name"`
	State          string `json:"state"`
}

// CohortsMetricsRes is part of answers.
type CohortsMetricsRes struct {
	InCohort int64                       `json:"in_cohort"`
	Metrics  map[string]map[string]int64 `json:"metrics"`
}

// CohortsSignature is part of answers.
type CohortsSignature struct {
	Cid  []string    `json:"cid"`
	Data CohortsStep `json:"data"`
}

// CohortsStateRes is part of answers.
type CohortsStateRes struct {
	Cohorts map[string]CohortsIdentified `json:"cohorts"`
	Hashes  map[string]CohortsSignature  `json:"hashes"`
	Ts      int64                        `json:"ts"`
}

// CohortsStep is part of answers.
type CohortsStep struct {
	Conj   string          `json:"conj,omitempty"`
	Event  string          `json:"event"`
	Period string          `json:"period"`
	Query  json.RawMessage `json:"query,omitempty"`
	Times  json.RawMessage `json:"times,omitempty"`
	Type   string          `json:"type"`
	Within int64           `json:"within,omitempty"`
}
