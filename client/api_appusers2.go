// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// GetDataSubjectsParams are the parameters of GetDataSubjects. Zero values are left out.
type GetDataSubjectsParams struct {
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
	// Required. Name, e-mail address, user id or device id of the person.
	By string `query:"by"`
}

// GetDataSubjects: find a person.
//
// Needs the right to read `users`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/data_subjects.
func (c *Client) GetDataSubjects(ctx context.Context, p GetDataSubjectsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/data_subjects", p, false, &out)
	return out, err
}

// GetDataSubjectsErasuresParams are the parameters of GetDataSubjectsErasures. Zero values are left out.
type GetDataSubjectsErasuresParams struct {
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
}

// GetDataSubjectsErasures: list erasures.
//
// Needs the right to read `users`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/data_subjects/erasures.
func (c *Client) GetDataSubjectsErasures(ctx context.Context, p GetDataSubjectsErasuresParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/data_subjects/erasures", p, false, &out)
	return out, err
}

// GetDataSubjectsHeldParams are the parameters of GetDataSubjectsHeld. Zero values are left out.
type GetDataSubjectsHeldParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Number of the user.
	UID string `query:"uid"`
}

// GetDataSubjectsHeld: what is held of a person.
//
// Needs the right to read `users`.
//
// It calls GET /o/data_subjects/held.
func (c *Client) GetDataSubjectsHeld(ctx context.Context, p GetDataSubjectsHeldParams) (out map[string]json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/data_subjects/held", p, false, &out)
	return out, err
}

// GetMethodUserCountsParams are the parameters of GetMethodUserCounts. Zero values are left out.
type GetMethodUserCountsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetMethodUserCounts: how many users there are, and how many of them are anonymous.
//
// Needs the right to read `users`. The same as `/o?method=user_counts`.
//
// It calls GET /o/method/user_counts.
func (c *Client) GetMethodUserCounts(ctx context.Context, p GetMethodUserCountsParams) (out AppusersCountsRes, err error) {
	err = c.call(ctx, "GET", "/o/method/user_counts", p, false, &out)
	return out, err
}

// GetMethodUserDetailsParams are the parameters of GetMethodUserDetails. Zero values are left out.
type GetMethodUserDetailsParams struct {
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
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Moment that the period is counted from, in s or ms since 1970.
	Timestamp int64 `query:"timestamp"`
	// Distance of the client from UTC, in minutes west.
	PeriodOffset int64 `query:"periodOffset"`
	// Number of the user.
	UID string `query:"uid"`
	// Id of a device of the user.
	Did string `query:"did"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
	// Id of the cohort whose members are listed.
	ProfileGroup string `query:"profile_group"`
	// Users with a name, an e-mail or the like, or the others.
	Filter string `query:"filter"`
	// What of one user is wanted; without it the profile.
	Calculate string `query:"calculate"`
	// Columns of the table by short keys of profiles, in their order; `iSortCol_0` counts them.
	VisibleColumns any `query:"visibleColumns"`
	// Leaves everything but `visibleColumns` out of the rows.
	FetchOnlyVisibleColumns bool `query:"fetchOnlyVisibleColumns"`
	// The property that results are divided by; a list for several.
	ProjectionKey any `query:"projectionKey"`
	// Has a task write the list to a file.
	ExportToFile bool `query:"exportToFile"`
	// Format of the file.
	Type string `query:"type"`
	// Name of the file, without extension.
	Filename string `query:"filename"`
	// Step of the graph.
	Bucket string `query:"bucket"`
	// Also answers with the period before.
	ComparisonMode bool `query:"comparisonMode"`
	// Key of an event, `all`, or `custom-events`.
	Event string `query:"event"`
	// Id of a session whose events are wanted.
	Session string `query:"session"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// How many rows are left out at the start.
	Skip int64 `query:"skip"`
	// Whether rows that arrive while pages are read stay away.
	PaginationMode string `query:"paginationMode"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetMethodUserDetails: users, or one user.
//
// Needs the right to read `users`. The same as `/o?method=user_details`. The answer is a list, which pages, sorts and searches. A read that takes too long goes on as a task.
//
// It calls GET /o/method/user_details.
func (c *Client) GetMethodUserDetails(ctx context.Context, p GetMethodUserDetailsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/user_details", p, false, &out)
	return out, err
}

// AppusersCountsRes is part of answers.
type AppusersCountsRes struct {
	Total        int64 `json:"total"`
	Unidentified int64 `json:"unidentified"`
}
