// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// PostSystemlogsParams are the parameters of PostSystemlogs. Zero values are left out.
type PostSystemlogsParams struct {
	// Required. What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `body:"action"`
	// What is written or exported, as JSON.
	Data any `body:"data"`
}

// PostSystemlogs: write an entry of the audit log.
//
// For every member.
//
// It calls POST /i/systemlogs.
func (c *Client) PostSystemlogs(ctx context.Context, p PostSystemlogsParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/systemlogs", p, false, &out)
	return out, err
}

// GetMethodSystemlogsParams are the parameters of GetMethodSystemlogs. Zero values are left out.
type GetMethodSystemlogsParams struct {
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
}

// GetMethodSystemlogs: list the audit log.
//
// For global administrators. The same as `/o?method=systemlogs`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/method/systemlogs.
func (c *Client) GetMethodSystemlogs(ctx context.Context, p GetMethodSystemlogsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/systemlogs", p, false, &out)
	return out, err
}

// GetMethodSystemlogsMetaParams are the parameters of GetMethodSystemlogsMeta. Zero values are left out.
type GetMethodSystemlogsMetaParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetMethodSystemlogsMeta: actions and members of the audit log.
//
// For global administrators. The same as `/o?method=systemlogs_meta`.
//
// It calls GET /o/method/systemlogs_meta.
func (c *Client) GetMethodSystemlogsMeta(ctx context.Context, p GetMethodSystemlogsMetaParams) (out map[string]json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/systemlogs_meta", p, false, &out)
	return out, err
}
