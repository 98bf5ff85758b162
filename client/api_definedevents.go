// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// PostDefinedEventsCreateParams are the parameters of PostDefinedEventsCreate. Zero values are left out.
type PostDefinedEventsCreateParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Description.
	Description string `body:"description"`
	// Required. Keys of events.
	Events any `body:"events"`
	// Whether it stands in no menus.
	Hide bool `body:"hide"`
	// Id of the document.
	ID string `body:"id"`
	// Required. Name.
	Name string `body:"name"`
}

// PostDefinedEventsCreate: create a defined event.
//
// Needs the right to create `defined_events`.
//
// It calls POST /i/defined_events/create.
func (c *Client) PostDefinedEventsCreate(ctx context.Context, p PostDefinedEventsCreateParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/defined_events/create", p, false, &out)
	return out, err
}

// PostDefinedEventsDeleteParams are the parameters of PostDefinedEventsDelete. Zero values are left out.
type PostDefinedEventsDeleteParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Also where several, or what uses it, would be concerned.
	Force bool `body:"force"`
	// Required. Id of the document.
	ID string `body:"id"`
}

// PostDefinedEventsDelete: delete a defined event.
//
// Needs the right to delete `defined_events`.
//
// It calls POST /i/defined_events/delete.
func (c *Client) PostDefinedEventsDelete(ctx context.Context, p PostDefinedEventsDeleteParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/defined_events/delete", p, false, &out)
	return out, err
}

// PostDefinedEventsUpdateParams are the parameters of PostDefinedEventsUpdate. Zero values are left out.
type PostDefinedEventsUpdateParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Description.
	Description string `body:"description"`
	// Keys of events.
	Events any `body:"events"`
	// Whether it stands in no menus.
	Hide bool `body:"hide"`
	// Required. Id of the document.
	ID string `body:"id"`
	// Name.
	Name string `body:"name"`
}

// PostDefinedEventsUpdate: change a defined event.
//
// Needs the right to update `defined_events`.
//
// It calls POST /i/defined_events/update.
func (c *Client) PostDefinedEventsUpdate(ctx context.Context, p PostDefinedEventsUpdateParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/defined_events/update", p, false, &out)
	return out, err
}

// GetDefinedEventsParams are the parameters of GetDefinedEvents. Zero values are left out.
type GetDefinedEventsParams struct {
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

// GetDefinedEvents: list defined events.
//
// Needs the right to read `core`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/defined_events.
func (c *Client) GetDefinedEvents(ctx context.Context, p GetDefinedEventsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/defined_events", p, false, &out)
	return out, err
}

// GetDefinedEventsPreviewParams are the parameters of GetDefinedEventsPreview. Zero values are left out.
type GetDefinedEventsPreviewParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Keys of events.
	Events any `query:"events"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetDefinedEventsPreview: figures of a defined event before it is saved.
//
// Needs the right to read `drill`. A read that takes too long goes on as a task.
//
// It calls GET /o/defined_events/preview.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetDefinedEventsPreview(ctx context.Context, p GetDefinedEventsPreviewParams) (out QueryFigures, err error) {
	err = c.call(ctx, "GET", "/o/defined_events/preview", p, true, &out)
	return out, err
}

// GetDefinedEventsUsesParams are the parameters of GetDefinedEventsUses. Zero values are left out.
type GetDefinedEventsUsesParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
}

// GetDefinedEventsUses: what uses a defined event.
//
// Needs the right to read `core`.
//
// It calls GET /o/defined_events/uses.
func (c *Client) GetDefinedEventsUses(ctx context.Context, p GetDefinedEventsUsesParams) (out map[string]*DefinedeventsUsesOf, err error) {
	err = c.call(ctx, "GET", "/o/defined_events/uses", p, false, &out)
	return out, err
}

// DefinedeventsUse is part of answers.
type DefinedeventsUse struct {
	ID   string `json:"id"`
	Kind string `json:"kind"`
	Name string `json:"name"`
}

// DefinedeventsUsesOf is part of answers.
type DefinedeventsUsesOf struct {
	Others int64              `json:"others"`
	Uses   []DefinedeventsUse `json:"uses"`
}
