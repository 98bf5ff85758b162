// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// PostCmsClearParams are the parameters of PostCmsClear. Zero values are left out.
type PostCmsClearParams struct {
	// Id of the document.
	ID string `body:"_id"`
	// Required. Id of the app.
	AppID string `body:"app_id"`
}

// PostCmsClear: delete entries of content.
//
// Needs the right to delete `core`.
//
// It calls POST /i/cms/clear.
func (c *Client) PostCmsClear(ctx context.Context, p PostCmsClearParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/cms/clear", p, false, &out)
	return out, err
}

// PostCmsSaveEntriesParams are the parameters of PostCmsSaveEntries. Zero values are left out.
type PostCmsSaveEntriesParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Entries of content.
	Entries any `body:"entries"`
}

// PostCmsSaveEntries: store entries of content.
//
// Needs the right to create `core`.
//
// It calls POST /i/cms/save_entries.
func (c *Client) PostCmsSaveEntries(ctx context.Context, p PostCmsSaveEntriesParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/cms/save_entries", p, false, &out)
	return out, err
}

// GetCmsEntriesParams are the parameters of GetCmsEntries. Zero values are left out.
type GetCmsEntriesParams struct {
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
	// Required. Id of the document.
	ID string `query:"_id"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
}

// GetCmsEntries: entries of content.
//
// For every member. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/cms/entries.
func (c *Client) GetCmsEntries(ctx context.Context, p GetCmsEntriesParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/cms/entries", p, false, &out)
	return out, err
}
