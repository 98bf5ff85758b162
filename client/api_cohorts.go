// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
)

// PostCohortsAddParams are the parameters of PostCohortsAdd. Zero values are left out.
type PostCohortsAddParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Description of the cohort.
	CohortDesc string `body:"cohort_desc"`
	// Required. Name of the cohort.
	CohortName string `body:"cohort_name"`
	// E-mail addresses of members who may change it.
	SharedEmailEdit any `body:"shared_email_edit"`
	// Steps, in their order.
	Steps any `body:"steps"`
	// Which kind.
	Type string `body:"type"`
	// Filter of users.
	UserSegmentation any `body:"user_segmentation"`
	// Who sees it.
	Visibility string `body:"visibility"`
}

// PostCohortsAdd: create a cohort or a profile group.
//
// Needs the right to create `cohorts` or `profile_groups`.
//
// It calls POST /i/cohorts/add.
func (c *Client) PostCohortsAdd(ctx context.Context, p PostCohortsAddParams) (out CohortsAdded, err error) {
	err = c.call(ctx, "POST", "/i/cohorts/add", p, false, &out)
	return out, err
}

// PostCohortsAddUsersParams are the parameters of PostCohortsAddUsers. Zero values are left out.
type PostCohortsAddUsersParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the cohort.
	Cohort string `body:"cohort"`
	// A file.
	File File `body:"file"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `body:"query"`
	// Ids in a text, separated by commas, blanks or lines.
	Text string `body:"text"`
	// Numbers of users.
	UIDs any `body:"uids"`
}

// PostCohortsAddUsers: put users into a profile group.
//
// Needs the right to update `profile_groups`. Files stand in a form beside the parameters.
//
// It calls POST /i/cohorts/add_users.
func (c *Client) PostCohortsAddUsers(ctx context.Context, p PostCohortsAddUsersParams) (out CohortsReport, err error) {
	err = c.call(ctx, "POST", "/i/cohorts/add_users", p, false, &out)
	return out, err
}

// PostCohortsCleanupParams are the parameters of PostCohortsCleanup. Zero values are left out.
type PostCohortsCleanupParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
}

// PostCohortsCleanup: remove what deleted cohorts left on users.
//
// Needs the right to update `cohorts`.
//
// It calls POST /i/cohorts/cleanup.
func (c *Client) PostCohortsCleanup(ctx context.Context, p PostCohortsCleanupParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/cohorts/cleanup", p, false, &out)
	return out, err
}

// PostCohortsDeleteParams are the parameters of PostCohortsDelete. Zero values are left out.
type PostCohortsDeleteParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the cohort, of several as a JSON list where many are meant.
	CohortID string `body:"cohort_id"`
}

// PostCohortsDelete: delete a cohort.
//
// Needs the right to delete `cohorts` or `profile_groups`.
//
// It calls POST /i/cohorts/delete.
func (c *Client) PostCohortsDelete(ctx context.Context, p PostCohortsDeleteParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/cohorts/delete", p, false, &out)
	return out, err
}

// PostCohortsDetailMetricsParams are the parameters of PostCohortsDetailMetrics. Zero values are left out.
type PostCohortsDetailMetricsParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the cohort, of several as a JSON list where many are meant.
	CohortID string `body:"cohort_id"`
	// Required. Metrics that pages of the cohort show.
	DetailMetrics any `body:"detail_metrics"`
}

// PostCohortsDetailMetrics: choose the metrics that the page of a cohort shows.
//
// Needs the right to update `cohorts`.
//
// It calls POST /i/cohorts/detail_metrics.
func (c *Client) PostCohortsDetailMetrics(ctx context.Context, p PostCohortsDetailMetricsParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/cohorts/detail_metrics", p, false, &out)
	return out, err
}

// PostCohortsEditParams are the parameters of PostCohortsEdit. Zero values are left out.
type PostCohortsEditParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Description of the cohort.
	CohortDesc string `body:"cohort_desc"`
	// Required. Id of the cohort, of several as a JSON list where many are meant.
	CohortID string `body:"cohort_id"`
	// Name of the cohort.
	CohortName string `body:"cohort_name"`
	// E-mail addresses of members who may change it.
	SharedEmailEdit any `body:"shared_email_edit"`
	// Steps, in their order.
	Steps any `body:"steps"`
	// Filter of users.
	UserSegmentation any `body:"user_segmentation"`
	// Who sees it.
	Visibility string `body:"visibility"`
}

// PostCohortsEdit: change a cohort.
//
// Needs the right to create `cohorts` or `profile_groups`.
//
// It calls POST /i/cohorts/edit.
func (c *Client) PostCohortsEdit(ctx context.Context, p PostCohortsEditParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/cohorts/edit", p, false, &out)
	return out, err
}

// PostCohortsFixuidParams are the parameters of PostCohortsFixuid. Zero values are left out.
type PostCohortsFixuidParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
}

// PostCohortsFixuid: accepted for compatibility; nothing is to be repaired.
//
// Needs the right to update `cohorts`.
//
// It calls POST /i/cohorts/fixuid.
func (c *Client) PostCohortsFixuid(ctx context.Context, p PostCohortsFixuidParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/cohorts/fixuid", p, false, &out)
	return out, err
}

// PostCohortsGroupParams are the parameters of PostCohortsGroup. Zero values are left out.
type PostCohortsGroupParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the cohort, of several as a JSON list where many are meant.
	CohortID string `body:"cohort_id"`
	// Required. Groups by name, with whether the cohort is in it: `{"marketing":true}`; `fav` are the caller's favourites.
	Groups any `body:"groups"`
}

// PostCohortsGroup: put a cohort into groups.
//
// Needs the right to update `cohorts`.
//
// It calls POST /i/cohorts/group.
func (c *Client) PostCohortsGroup(ctx context.Context, p PostCohortsGroupParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/cohorts/group", p, false, &out)
	return out, err
}

// PostCohortsRecalculateParams are the parameters of PostCohortsRecalculate. Zero values are left out.
type PostCohortsRecalculateParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the cohort, of several as a JSON list where many are meant.
	CohortID string `body:"cohort_id"`
}

// PostCohortsRecalculate: calculate a cohort again.
//
// Needs the right to update `cohorts`.
//
// It calls POST /i/cohorts/recalculate.
func (c *Client) PostCohortsRecalculate(ctx context.Context, p PostCohortsRecalculateParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/cohorts/recalculate", p, false, &out)
	return out, err
}

// PostCohortsRemoveUsersParams are the parameters of PostCohortsRemoveUsers. Zero values are left out.
type PostCohortsRemoveUsersParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the cohort.
	Cohort string `body:"cohort"`
	// A file.
	File File `body:"file"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `body:"query"`
	// Ids in a text, separated by commas, blanks or lines.
	Text string `body:"text"`
	// Numbers of users.
	UIDs any `body:"uids"`
}

// PostCohortsRemoveUsers: take users out of a profile group.
//
// Needs the right to update `profile_groups`. Files stand in a form beside the parameters.
//
// It calls POST /i/cohorts/remove_users.
func (c *Client) PostCohortsRemoveUsers(ctx context.Context, p PostCohortsRemoveUsersParams) (out CohortsReport, err error) {
	err = c.call(ctx, "POST", "/i/cohorts/remove_users", p, false, &out)
	return out, err
}

// PostCohortsResetRealTimeDataParams are the parameters of PostCohortsResetRealTimeData. Zero values are left out.
type PostCohortsResetRealTimeDataParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
}

// PostCohortsResetRealTimeData: accepted for compatibility; nothing is kept that could be reset.
//
// Needs the right to update `cohorts`.
//
// It calls POST /i/cohorts/resetRealTimeData.
func (c *Client) PostCohortsResetRealTimeData(ctx context.Context, p PostCohortsResetRealTimeDataParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/cohorts/resetRealTimeData", p, false, &out)
	return out, err
}

// GetCohortsPreviewParams are the parameters of GetCohortsPreview. Zero values are left out.
type GetCohortsPreviewParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Steps, in their order.
	Steps any `query:"steps"`
	// Filter of users.
	UserSegmentation any `query:"user_segmentation"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetCohortsPreview: how many users a definition finds.
//
// Needs the right to read `cohorts`. A read that takes too long goes on as a task.
//
// It calls GET /o/cohorts/preview.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetCohortsPreview(ctx context.Context, p GetCohortsPreviewParams) (out CohortsPreviewRes, err error) {
	err = c.call(ctx, "GET", "/o/cohorts/preview", p, true, &out)
	return out, err
}

// CohortsAdded is part of answers.
type CohortsAdded struct {
	Duplicate bool   `json:"duplicate"`
	Result    string `json:"result"`
}

// CohortsPreviewRes is part of answers.
type CohortsPreviewRes struct {
	Of    int64 `json:"of"`
	Users int64 `json:"users"`
}

// CohortsReport is part of answers.
type CohortsReport struct {
	Changed   int64    `json:"changed"`
	Matched   int64    `json:"matched"`
	Missed    int64    `json:"missed"`
	Result    string   `json:"result"`
	Unmatched []string `json:"unmatched"`
}
