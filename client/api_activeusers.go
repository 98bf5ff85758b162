// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// PostActiveUsersClearActiveUsersCacheParams are the parameters of PostActiveUsersClearActiveUsersCache. Zero values are left out.
type PostActiveUsersClearActiveUsersCacheParams struct {
	// For every app; for global administrators.
	AllApps bool `body:"all_apps"`
	// Id of the app.
	AppID string `body:"app_id"`
}

// PostActiveUsersClearActiveUsersCache: forget remembered answers.
//
// Needs the right to read `active_users`. Global administrators may leave out `app_id`.
//
// It calls POST /i/active_users/clear_active_users_cache.
func (c *Client) PostActiveUsersClearActiveUsersCache(ctx context.Context, p PostActiveUsersClearActiveUsersCacheParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/active_users/clear_active_users_cache", p, false, &out)
	return out, err
}

// GetActiveUsersParams are the parameters of GetActiveUsers. Zero values are left out.
type GetActiveUsersParams struct {
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
	// Ids of up to 20 apps whose people are counted together, as a JSON list.
	Apps any `query:"apps"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetActiveUsers: active users by day.
//
// Needs the right to read `active_users`. A read that takes too long goes on as a task.
//
// It calls GET /o/active_users.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetActiveUsers(ctx context.Context, p GetActiveUsersParams) (out *ActiveusersTable, err error) {
	err = c.call(ctx, "GET", "/o/active_users", p, true, &out)
	return out, err
}

// GetActiveUsersReportParams are the parameters of GetActiveUsersReport. Zero values are left out.
type GetActiveUsersReportParams struct {
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
	// Ids of up to 20 apps whose people are counted together, as a JSON list.
	Apps any `query:"apps"`
	// Keys of events.
	Events any `query:"events"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// The property that results are divided by.
	Breakdown string `query:"breakdown"`
	// How many values of the property are shown; the others are one group.
	BreakdownLimit *int64 `query:"breakdown_limit"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetActiveUsersReport: active users by day, week and month, with averages and groups.
//
// Needs the right to read `active_users`. A read that takes too long goes on as a task.
//
// It calls GET /o/active_users/report.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetActiveUsersReport(ctx context.Context, p GetActiveUsersReportParams) (out *ActiveusersReport, err error) {
	err = c.call(ctx, "GET", "/o/active_users/report", p, true, &out)
	return out, err
}

// ActiveusersAppRow is part of answers.
type ActiveusersAppRow struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// ActiveusersDayRow is part of answers.
type ActiveusersDayRow struct {
	ID string  `json:"_id"`
	D  int64   `json:"d"`
	Dm float64 `json:"dm"`
	M  int64   `json:"m"`
	W  int64   `json:"w"`
}

// ActiveusersFigures is part of answers.
type ActiveusersFigures struct {
	D  float64 `json:"d"`
	Dm float64 `json:"dm"`
	Dw float64 `json:"dw"`
	M  float64 `json:"m"`
	W  float64 `json:"w"`
}

// ActiveusersGroupRow is part of answers.
type ActiveusersGroupRow struct {
	Days  []ActiveusersTriple `json:"days"`
	Mean  ActiveusersFigures  `json:"mean"`
	Other bool                `json:"other,omitempty"`
	Users int64               `json:"users"`
	Value json.RawMessage     `json:"value"`
}

// ActiveusersReport is part of answers.
type ActiveusersReport struct {
	Apps        []ActiveusersAppRow   `json:"apps,omitempty"`
	Days        []ActiveusersDayRow   `json:"days"`
	Groups      []ActiveusersGroupRow `json:"groups,omitempty"`
	GroupsTotal int64                 `json:"groups_total,omitempty"`
	Mean        ActiveusersFigures    `json:"mean"`
	MeanDays    int64                 `json:"mean_days"`
	Months      []ActiveusersUnitRow  `json:"months"`
	Source      string                `json:"source"`
	Timezone    string                `json:"timezone"`
	Today       string                `json:"today"`
	Users       int64                 `json:"users"`
	Weeks       []ActiveusersUnitRow  `json:"weeks"`
}

// ActiveusersTable is part of answers.
type ActiveusersTable struct {
	Calculating bool            `json:"calculating"`
	Data        json.RawMessage `json:"data"`
}

// ActiveusersTriple is part of answers.
type ActiveusersTriple struct {
	D int64 `json:"d"`
	M int64 `json:"m"`
	W int64 `json:"w"`
}

// ActiveusersUnitRow is part of answers.
type ActiveusersUnitRow struct {
	ID    string `json:"_id"`
	First string `json:"first"`
	Over  bool   `json:"over"`
	U     int64  `json:"u"`
}
