// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// GetMethodRetentionParams are the parameters of GetMethodRetention. Zero values are left out.
type GetMethodRetentionParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Unit of cohorts and ages: days, weeks or months.
	Period string `query:"period"`
	// Who begins and who comes back, as the reference of retention says.
	Rettype string `query:"rettype"`
	// Key of the event that users come back with, or a JSON list of keys of which any counts.
	Evt string `query:"evt"`
	// A range of days: a period, or a list of two.
	Range any `query:"range"`
	// How many units.
	Span int64 `query:"span"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetMethodRetention: retention as a table.
//
// Needs the right to read `retention_segments`. The same as `/o?method=retention`. A read that takes too long goes on as a task.
//
// It calls GET /o/method/retention.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetMethodRetention(ctx context.Context, p GetMethodRetentionParams) (out []json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/retention", p, true, &out)
	return out, err
}

// GetRetentionParams are the parameters of GetRetention. Zero values are left out.
type GetRetentionParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// The event that starts it; a text is a key.
	Start any `query:"start"`
	// The event that users come back with; a text is a key, and a list has any of several.
	Return any `query:"return"`
	// Which occurrence of the start counts: each, or the first ever.
	StartType string `query:"start_type"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
	// Which form of the calculation.
	Mode string `query:"mode"`
	// Unit of cohorts and ages.
	Unit string `query:"unit"`
	// Groups of days, such as `[[0,0],[1,6],[7,29]]`.
	Brackets any `query:"brackets"`
	// How many units.
	Span int64 `query:"span"`
	// A user who comes back later counts for each unit before, too.
	Rolling bool `query:"rolling"`
	// The property that results are divided by.
	Breakdown string `query:"breakdown"`
	// How many values of the property are shown; the others are one group.
	BreakdownLimit *int64 `query:"breakdown_limit"`
	// The property whose sums are shown in place of users.
	Value string `query:"value"`
	// What unique figures count: `users`, `sessions`, or the path of a property whose values are accounts, as `custom.company`.
	CountBy string `query:"count_by"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetRetention: retention.
//
// Needs the right to read `retention_segments`. A read that takes too long goes on as a task.
//
// It calls GET /o/retention.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetRetention(ctx context.Context, p GetRetentionParams) (out *RetentionReport, err error) {
	err = c.call(ctx, "GET", "/o/retention", p, true, &out)
	return out, err
}

// GetRetentionActivityParams are the parameters of GetRetentionActivity. Zero values are left out.
type GetRetentionActivityParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Keys of events.
	Events any `query:"events"`
	// Unit of time.
	Unit string `query:"unit"`
	// What unique figures count: `users`, `sessions`, or the path of a property whose values are accounts, as `custom.company`.
	CountBy string `query:"count_by"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetRetentionActivity: users by days on which they were active.
//
// Needs the right to read `retention_segments`. A read that takes too long goes on as a task.
//
// It calls GET /o/retention/activity.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetRetentionActivity(ctx context.Context, p GetRetentionActivityParams) (out *RetentionActivity, err error) {
	err = c.call(ctx, "GET", "/o/retention/activity", p, true, &out)
	return out, err
}

// GetRetentionPeopleParams are the parameters of GetRetentionPeople. Zero values are left out.
type GetRetentionPeopleParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// The event that starts it; a text is a key.
	Start any `query:"start"`
	// The event that users come back with; a text is a key, and a list has any of several.
	Return any `query:"return"`
	// Which occurrence of the start counts: each, or the first ever.
	StartType string `query:"start_type"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
	// Which form of the calculation.
	Mode string `query:"mode"`
	// Unit of cohorts and ages.
	Unit string `query:"unit"`
	// Groups of days, such as `[[0,0],[1,6],[7,29]]`.
	Brackets any `query:"brackets"`
	// How many units.
	Span int64 `query:"span"`
	// A user who comes back later counts for each unit before, too.
	Rolling bool `query:"rolling"`
	// The property that results are divided by.
	Breakdown string `query:"breakdown"`
	// How many values of the property are shown; the others are one group.
	BreakdownLimit *int64 `query:"breakdown_limit"`
	// The property whose sums are shown in place of users.
	Value string `query:"value"`
	// What unique figures count: `users`, `sessions`, or the path of a property whose values are accounts, as `custom.company`.
	CountBy string `query:"count_by"`
	// The row of the table whose users are listed.
	Cohort string `query:"cohort"`
	// Number of the group of days.
	Bracket int64 `query:"bracket"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetRetentionPeople: users behind a cell of retention.
//
// Needs the right to read `retention_segments`. A read that takes too long goes on as a task.
//
// It calls GET /o/retention/people.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetRetentionPeople(ctx context.Context, p GetRetentionPeopleParams) (out RetentionPeople, err error) {
	err = c.call(ctx, "GET", "/o/retention/people", p, true, &out)
	return out, err
}

// RetentionActivity is part of answers.
type RetentionActivity struct {
	Interval   RetentionInterval       `json:"interval"`
	Lifecycle  []RetentionLifecycleRow `json:"lifecycle"`
	Stickiness []RetentionStickyRow    `json:"stickiness"`
	Timezone   string                  `json:"timezone"`
	Unit       string                  `json:"unit"`
	Users      int64                   `json:"users"`
}

// RetentionBracketRow is part of answers.
type RetentionBracketRow struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// RetentionCohortRow is part of answers.
type RetentionCohortRow struct {
	ID    string              `json:"_id"`
	Cells []*RetentionFigures `json:"cells"`
	Start int64               `json:"start"`
	Users int64               `json:"users"`
}

// RetentionFigures is part of answers.
type RetentionFigures struct {
	Kept         int64    `json:"kept"`
	Over         int64    `json:"over"`
	Percent      float64  `json:"percent"`
	Users        int64    `json:"users"`
	Value        *float64 `json:"value,omitempty"`
	ValuePerUser *float64 `json:"value_per_user,omitempty"`
}

// RetentionGroupRow is part of answers.
type RetentionGroupRow struct {
	Cells []*RetentionFigures `json:"cells"`
	Other bool                `json:"other,omitempty"`
	Users int64               `json:"users"`
	Value json.RawMessage     `json:"value"`
}

// RetentionInterval is part of answers.
type RetentionInterval struct {
	Histogram []RetentionStickyRow `json:"histogram"`
	Median    int64                `json:"median"`
	P80       int64                `json:"p80"`
	Users     int64                `json:"users"`
}

// RetentionLifecycleRow is part of answers.
type RetentionLifecycleRow struct {
	ID          string `json:"_id"`
	Dormant     int64  `json:"dormant"`
	New         int64  `json:"new"`
	Resurrected int64  `json:"resurrected"`
	Returning   int64  `json:"returning"`
	Start       int64  `json:"start"`
}

// RetentionPeople is part of answers.
type RetentionPeople struct {
	Accounts []string `json:"accounts,omitempty"`
	UIDs     []string `json:"uids"`
	Users    int64    `json:"users"`
}

// RetentionReport is part of answers.
type RetentionReport struct {
	Brackets  []RetentionBracketRow `json:"brackets"`
	From      int64                 `json:"from"`
	Groups    []RetentionGroupRow   `json:"groups,omitempty"`
	Mean      []*RetentionFigures   `json:"mean"`
	Mode      string                `json:"mode"`
	Rolling   bool                  `json:"rolling"`
	Rows      []RetentionCohortRow  `json:"rows"`
	Source    string                `json:"source"`
	StartType string                `json:"start_type"`
	Timezone  string                `json:"timezone"`
	To        int64                 `json:"to"`
	Unit      string                `json:"unit"`
	Users     int64                 `json:"users"`
}

// RetentionStickyRow is part of answers.
type RetentionStickyRow struct {
	Units int64 `json:"units"`
	Users int64 `json:"users"`
}
