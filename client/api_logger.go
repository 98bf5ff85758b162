// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// GetMethodCollectionInfoParams are the parameters of GetMethodCollectionInfo. Zero values are left out.
type GetMethodCollectionInfoParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetMethodCollectionInfo: size of the log of requests.
//
// Needs the right to read `logger`. The same as `/o?method=collection_info`.
//
// It calls GET /o/method/collection_info.
func (c *Client) GetMethodCollectionInfo(ctx context.Context, p GetMethodCollectionInfoParams) (out LoggerInfo, err error) {
	err = c.call(ctx, "GET", "/o/method/collection_info", p, false, &out)
	return out, err
}

// GetMethodLogsParams are the parameters of GetMethodLogs. Zero values are left out.
type GetMethodLogsParams struct {
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
	Filter any `query:"filter"`
}

// GetMethodLogs: requests of clients.
//
// Needs the right to read `logger`. The same as `/o?method=logs`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/method/logs.
func (c *Client) GetMethodLogs(ctx context.Context, p GetMethodLogsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/logs", p, false, &out)
	return out, err
}

// LoggerInfo is part of answers.
type LoggerInfo struct {
	Capped bool   `json:"capped"`
	Count  int64  `json:"count"`
	Max    int64  `json:"max"`
	Status string `json:"status"`
}
