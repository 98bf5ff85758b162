// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// PostExploreViewsDeleteParams are the parameters of PostExploreViewsDelete. Zero values are left out.
type PostExploreViewsDeleteParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the view.
	ViewID string `body:"view_id"`
}

// PostExploreViewsDelete: delete a saved view.
//
// Needs the right to read `core`.
//
// It calls POST /i/explore/views/delete.
func (c *Client) PostExploreViewsDelete(ctx context.Context, p PostExploreViewsDeleteParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/explore/views/delete", p, false, &out)
	return out, err
}

// PostExploreViewsSaveParams are the parameters of PostExploreViewsSave. Zero values are left out.
type PostExploreViewsSaveParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Name.
	Name string `body:"name"`
	// The page that the view is of.
	Page string `body:"page"`
	// Whether all members of the app see it.
	Shared bool `body:"shared"`
	// Required. State of the page, as the dashboard writes it.
	State string `body:"state"`
	// Id of the view.
	ViewID string `body:"view_id"`
}

// PostExploreViewsSave: save a view.
//
// Needs the right to read `core`.
//
// It calls POST /i/explore/views/save.
func (c *Client) PostExploreViewsSave(ctx context.Context, p PostExploreViewsSaveParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/explore/views/save", p, false, &out)
	return out, err
}

// GetExploreCountParams are the parameters of GetExploreCount. Zero values are left out.
type GetExploreCountParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Keys of events.
	Events any `query:"events"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
	// Start, in milliseconds since 1970; 0 for no bound.
	From int64 `query:"from"`
	// End, in milliseconds since 1970; 0 for no bound.
	To int64 `query:"to"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetExploreCount: count users and events.
//
// Needs the right to read `events`. A read that takes too long goes on as a task.
//
// It calls GET /o/explore/count.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetExploreCount(ctx context.Context, p GetExploreCountParams) (out ExploreCountRes, err error) {
	err = c.call(ctx, "GET", "/o/explore/count", p, true, &out)
	return out, err
}

// GetExplorePropertiesParams are the parameters of GetExploreProperties. Zero values are left out.
type GetExplorePropertiesParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetExploreProperties: properties of an app.
//
// Needs the right to read `core`.
//
// It calls GET /o/explore/properties.
func (c *Client) GetExploreProperties(ctx context.Context, p GetExplorePropertiesParams) (out ExplorePropertiesRes, err error) {
	err = c.call(ctx, "GET", "/o/explore/properties", p, false, &out)
	return out, err
}

// GetExploreViewsParams are the parameters of GetExploreViews. Zero values are left out.
type GetExploreViewsParams struct {
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
	// Description.
	Desc bool `query:"desc"`
}

// GetExploreViews: list saved views.
//
// Needs the right to read `core`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/explore/views.
func (c *Client) GetExploreViews(ctx context.Context, p GetExploreViewsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/explore/views", p, false, &out)
	return out, err
}

// ExploreCountRes is part of answers.
type ExploreCountRes struct {
	Count int64 `json:"count"`
	Total int64 `json:"total"`
}

// ExploreEventProperties is part of answers.
type ExploreEventProperties struct {
	Key        string            `json:"key"`
	Properties []ExploreProperty `json:"properties"`
}

// ExplorePropertiesRes is part of answers.
type ExplorePropertiesRes struct {
	Custom []ExploreProperty        `json:"custom"`
	Events []ExploreEventProperties `json:"events"`
}

// ExploreProperty is part of answers.
type ExploreProperty struct {
	Description string `json:"description,omitempty"`
	Hidden      bool   `json:"hidden,omitempty"`
	Kind        string `json:"kind"`
	Label       string `json:"label,omitempty"`
	Name        string `json:"name"`
}
