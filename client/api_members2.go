// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// GetUsersPermissionsParams are the parameters of GetUsersPermissions. Zero values are left out.
type GetUsersPermissionsParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
}

// GetUsersPermissions: features that rights are given on.
//
// Needs the right to read `core`. Global administrators may leave out `app_id`.
//
// It calls GET /o/users/permissions.
func (c *Client) GetUsersPermissions(ctx context.Context, p GetUsersPermissionsParams) (out MembersFeatures, err error) {
	err = c.call(ctx, "GET", "/o/users/permissions", p, false, &out)
	return out, err
}

// PostUsersResetTimebanParams are the parameters of PostUsersResetTimeban. Zero values are left out.
type PostUsersResetTimebanParams struct {
	// Required. User name of the member.
	Username string `body:"username"`
}

// PostUsersResetTimeban: let a member sign in again after failures.
//
// For global administrators.
//
// It calls POST /o/users/reset_timeban.
func (c *Client) PostUsersResetTimeban(ctx context.Context, p PostUsersResetTimebanParams) (out bool, err error) {
	err = c.call(ctx, "POST", "/o/users/reset_timeban", p, false, &out)
	return out, err
}

// GetUsersSessionsParams are the parameters of GetUsersSessions. Zero values are left out.
type GetUsersSessionsParams struct {
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

// GetUsersSessions: list sessions of the caller.
//
// For every member. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/users/sessions.
func (c *Client) GetUsersSessions(ctx context.Context, p GetUsersSessionsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/users/sessions", p, false, &out)
	return out, err
}

// MembersFeatures is part of answers.
type MembersFeatures struct {
	Features                     []string                                  `json:"features"`
	FeaturesPermissionDependency map[string]map[string]map[string][]string `json:"featuresPermissionDependency"`
}
