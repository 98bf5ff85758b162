// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// PostEventGroupsCreateParams are the parameters of PostEventGroupsCreate. Zero values are left out.
type PostEventGroupsCreateParams struct {
	// Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostEventGroupsCreate: create an event group.
//
// Needs the right to create `core`. The app is the field `app_id` of `args`, or else the parameter `app_id`.
//
// It calls POST /i/event_groups/create.
func (c *Client) PostEventGroupsCreate(ctx context.Context, p PostEventGroupsCreateParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/event_groups/create", p, false, &out)
	return out, err
}

// PostEventGroupsDeleteParams are the parameters of PostEventGroupsDelete. Zero values are left out.
type PostEventGroupsDeleteParams struct {
	// Id of the app.
	AppID string `body:"app_id"`
	// Required. What is deleted, or a list of ids.
	Args any `body:"args"`
}

// PostEventGroupsDelete: delete event groups.
//
// Needs the right to delete `core`. The app is the field `app_id` of `args`, or else the parameter `app_id`.
//
// It calls POST /i/event_groups/delete.
func (c *Client) PostEventGroupsDelete(ctx context.Context, p PostEventGroupsDeleteParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/event_groups/delete", p, false, &out)
	return out, err
}

// PostEventGroupsUpdateParams are the parameters of PostEventGroupsUpdate. Zero values are left out.
type PostEventGroupsUpdateParams struct {
	// Id of the app.
	AppID string `body:"app_id"`
	// What is written, as one JSON object.
	Args any `body:"args"`
	// Keys of events in the order in which menus list them.
	EventOrder any `body:"event_order"`
	// State that is looked for.
	Status string `body:"status"`
	// Ids of groups whose state changes.
	UpdateStatus any `body:"update_status"`
}

// PostEventGroupsUpdate: change, order or switch event groups.
//
// Needs the right to update `core`. The app is the field `app_id` of `args`, or else the parameter `app_id`.
//
// It calls POST /i/event_groups/update.
func (c *Client) PostEventGroupsUpdate(ctx context.Context, p PostEventGroupsUpdateParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/event_groups/update", p, false, &out)
	return out, err
}

// GetMethodGetEventGroupParams are the parameters of GetMethodGetEventGroup. Zero values are left out.
type GetMethodGetEventGroupParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Id of the document.
	ID string `query:"_id"`
}

// GetMethodGetEventGroup: an event group.
//
// Needs the right to read `core`. The same as `/o?method=get_event_group`.
//
// It calls GET /o/method/get_event_group.
func (c *Client) GetMethodGetEventGroup(ctx context.Context, p GetMethodGetEventGroupParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/get_event_group", p, false, &out)
	return out, err
}

// GetMethodGetEventGroupsParams are the parameters of GetMethodGetEventGroups. Zero values are left out.
type GetMethodGetEventGroupsParams struct {
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

// GetMethodGetEventGroups: list event groups.
//
// Needs the right to read `core`. The same as `/o?method=get_event_groups`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/method/get_event_groups.
func (c *Client) GetMethodGetEventGroups(ctx context.Context, p GetMethodGetEventGroupsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/get_event_groups", p, false, &out)
	return out, err
}
