// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// GetMethodJobsParams are the parameters of GetMethodJobs. Zero values are left out.
type GetMethodJobsParams struct {
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
	// Name.
	Name string `query:"name"`
}

// GetMethodJobs: list jobs.
//
// For global administrators. The same as `/o?method=jobs`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/method/jobs.
func (c *Client) GetMethodJobs(ctx context.Context, p GetMethodJobsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/jobs", p, false, &out)
	return out, err
}
