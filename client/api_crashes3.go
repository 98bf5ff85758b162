// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// GetMethodCrashesParams are the parameters of GetMethodCrashes. Zero values are left out.
type GetMethodCrashesParams struct {
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
	// A group: of a list, those within it; of crashes, the id of the crash group.
	Group string `query:"group"`
	// Answers with the users who had the crash.
	Userlist bool `query:"userlist"`
	// Answers with a list.
	List bool `query:"list"`
	// Answers with the figures of crashes by day.
	Graph bool `query:"graph"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Operating system.
	Os string `query:"os"`
	// Version of the app.
	AppVersion string `query:"app_version"`
}

// GetMethodCrashes: list crash groups, show one, or figures of crashes.
//
// Needs the right to read `crashes`. The same as `/o?method=crashes`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/method/crashes.
func (c *Client) GetMethodCrashes(ctx context.Context, p GetMethodCrashesParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/crashes", p, false, &out)
	return out, err
}

// GetMethodReportsParams are the parameters of GetMethodReports. Zero values are left out.
type GetMethodReportsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Ids of crash reports.
	ReportIDs any `query:"report_ids"`
	// Id of the crash report.
	ReportID string `query:"report_id"`
}

// GetMethodReports: crash reports.
//
// Needs the right to read `crashes`. The same as `/o?method=reports`.
//
// It calls GET /o/method/reports.
func (c *Client) GetMethodReports(ctx context.Context, p GetMethodReportsParams) (out map[string]map[string]json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/reports", p, false, &out)
	return out, err
}

// GetMethodUserCrashesParams are the parameters of GetMethodUserCrashes. Zero values are left out.
type GetMethodUserCrashesParams struct {
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
	// Required. Number of the user.
	UID string `query:"uid"`
	// Whether the groups are described.
	Names bool `query:"names"`
}

// GetMethodUserCrashes: crashes of a user.
//
// Needs the right to read `crashes`. The same as `/o?method=user_crashes`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/method/user_crashes.
func (c *Client) GetMethodUserCrashes(ctx context.Context, p GetMethodUserCrashesParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/user_crashes", p, false, &out)
	return out, err
}
