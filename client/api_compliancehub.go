// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// GetAppUsersConsentsParams are the parameters of GetAppUsersConsents. Zero values are left out.
type GetAppUsersConsentsParams struct {
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
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these.
	Project any `query:"project"`
	// Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these.
	Projection any `query:"projection"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// How many rows are left out at the start.
	Skip int64 `query:"skip"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
}

// GetAppUsersConsents: consents of users.
//
// Needs the right to read `compliance_hub`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/app_users/consents.
func (c *Client) GetAppUsersConsents(ctx context.Context, p GetAppUsersConsentsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/app_users/consents", p, false, &out)
	return out, err
}

// GetConsentCurrentParams are the parameters of GetConsentCurrent. Zero values are left out.
type GetConsentCurrentParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
}

// GetConsentCurrent: consents of a user.
//
// Needs the right to read `compliance_hub`.
//
// It calls GET /o/consent/current.
func (c *Client) GetConsentCurrent(ctx context.Context, p GetConsentCurrentParams) (out map[string]bool, err error) {
	err = c.call(ctx, "GET", "/o/consent/current", p, false, &out)
	return out, err
}

// GetConsentSearchParams are the parameters of GetConsentSearch. Zero values are left out.
type GetConsentSearchParams struct {
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
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these.
	Project any `query:"project"`
	// Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these.
	Projection any `query:"projection"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// How many rows are left out at the start.
	Skip int64 `query:"skip"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
}

// GetConsentSearch: changes of consents.
//
// Needs the right to read `compliance_hub`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/consent/search.
func (c *Client) GetConsentSearch(ctx context.Context, p GetConsentSearchParams) (out CompliancehubChangesTable, err error) {
	err = c.call(ctx, "GET", "/o/consent/search", p, false, &out)
	return out, err
}

// GetConsentSearchOldParams are the parameters of GetConsentSearchOld. Zero values are left out.
type GetConsentSearchOldParams struct {
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
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these.
	Project any `query:"project"`
	// Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these.
	Projection any `query:"projection"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// How many rows are left out at the start.
	Skip int64 `query:"skip"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
}

// GetConsentSearchOld: changes of consents, by their age.
//
// Needs the right to read `compliance_hub`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/consent/searchOld.
func (c *Client) GetConsentSearchOld(ctx context.Context, p GetConsentSearchOldParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/consent/searchOld", p, false, &out)
	return out, err
}

// GetMethodConsentsParams are the parameters of GetMethodConsents. Zero values are left out.
type GetMethodConsentsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
}

// GetMethodConsents: consents over time.
//
// Needs the right to read `compliance_hub`. The same as `/o?method=consents`.
//
// It calls GET /o/method/consents.
func (c *Client) GetMethodConsents(ctx context.Context, p GetMethodConsentsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/consents", p, false, &out)
	return out, err
}

// CompliancehubChangesTable is part of answers.
type CompliancehubChangesTable struct {
	AaData               []map[string]json.RawMessage `json:"aaData"`
	HasNextPage          bool                         `json:"hasNextPage"`
	ITotalDisplayRecords int64                        `json:"iTotalDisplayRecords"`
	ITotalRecords        int64                        `json:"iTotalRecords"`
	IsApproximate        bool                         `json:"isApproximate"`
	NextCursor           *string                      `json:"nextCursor"`
	PaginationMode       string                       `json:"paginationMode"`
	SEcho                json.RawMessage              `json:"sEcho,omitempty"`
}
