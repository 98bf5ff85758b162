// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// PostDatePresetsCreateParams are the parameters of PostDatePresetsCreate. Zero values are left out.
type PostDatePresetsCreateParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Whether today does not count.
	ExcludeCurrentDay bool `body:"exclude_current_day"`
	// Whether the preset is a favourite.
	Fav bool `body:"fav"`
	// Required. Name.
	Name string `body:"name"`
	// Id of the date preset.
	PresetID string `body:"preset_id"`
	// Required. A range of days: a period, or a list of two.
	Range any `body:"range"`
	// Required. Who sees the preset.
	ShareWith string `body:"share_with"`
	// E-mail addresses of members who may change it.
	SharedEmailEdit any `body:"shared_email_edit"`
	// E-mail addresses of members who may see it.
	SharedEmailView any `body:"shared_email_view"`
	// Groups whose members may change it.
	SharedUserGroupsEdit any `body:"shared_user_groups_edit"`
	// Groups whose members may see it.
	SharedUserGroupsView any `body:"shared_user_groups_view"`
	// Place in the list.
	SortOrder int64 `body:"sort_order"`
}

// PostDatePresetsCreate: create a date preset.
//
// Needs the right to create `core`.
//
// It calls POST /i/date_presets/create.
func (c *Client) PostDatePresetsCreate(ctx context.Context, p PostDatePresetsCreateParams) (out map[string]json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/date_presets/create", p, false, &out)
	return out, err
}

// PostDatePresetsDeleteParams are the parameters of PostDatePresetsDelete. Zero values are left out.
type PostDatePresetsDeleteParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Whether today does not count.
	ExcludeCurrentDay bool `body:"exclude_current_day"`
	// Whether the preset is a favourite.
	Fav bool `body:"fav"`
	// Name.
	Name string `body:"name"`
	// Required. Id of the date preset.
	PresetID string `body:"preset_id"`
	// A range of days: a period, or a list of two.
	Range any `body:"range"`
	// Who sees the preset.
	ShareWith string `body:"share_with"`
	// E-mail addresses of members who may change it.
	SharedEmailEdit any `body:"shared_email_edit"`
	// E-mail addresses of members who may see it.
	SharedEmailView any `body:"shared_email_view"`
	// Groups whose members may change it.
	SharedUserGroupsEdit any `body:"shared_user_groups_edit"`
	// Groups whose members may see it.
	SharedUserGroupsView any `body:"shared_user_groups_view"`
	// Place in the list.
	SortOrder int64 `body:"sort_order"`
}

// PostDatePresetsDelete: delete a date preset.
//
// Needs the right to delete `core`.
//
// It calls POST /i/date_presets/delete.
func (c *Client) PostDatePresetsDelete(ctx context.Context, p PostDatePresetsDeleteParams) (out DatepresetsDeleted, err error) {
	err = c.call(ctx, "POST", "/i/date_presets/delete", p, false, &out)
	return out, err
}

// PostDatePresetsUpdateParams are the parameters of PostDatePresetsUpdate. Zero values are left out.
type PostDatePresetsUpdateParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Whether today does not count.
	ExcludeCurrentDay bool `body:"exclude_current_day"`
	// Whether the preset is a favourite.
	Fav bool `body:"fav"`
	// Name.
	Name string `body:"name"`
	// Required. Id of the date preset.
	PresetID string `body:"preset_id"`
	// A range of days: a period, or a list of two.
	Range any `body:"range"`
	// Who sees the preset.
	ShareWith string `body:"share_with"`
	// E-mail addresses of members who may change it.
	SharedEmailEdit any `body:"shared_email_edit"`
	// E-mail addresses of members who may see it.
	SharedEmailView any `body:"shared_email_view"`
	// Groups whose members may change it.
	SharedUserGroupsEdit any `body:"shared_user_groups_edit"`
	// Groups whose members may see it.
	SharedUserGroupsView any `body:"shared_user_groups_view"`
	// Place in the list.
	SortOrder int64 `body:"sort_order"`
}

// PostDatePresetsUpdate: change a date preset.
//
// Needs the right to update `core`.
//
// It calls POST /i/date_presets/update.
func (c *Client) PostDatePresetsUpdate(ctx context.Context, p PostDatePresetsUpdateParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/date_presets/update", p, false, &out)
	return out, err
}

// GetDatePresetsGetAllParams are the parameters of GetDatePresetsGetAll. Zero values are left out.
type GetDatePresetsGetAllParams struct {
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

// GetDatePresetsGetAll: list date presets.
//
// For every member. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/date_presets/getAll.
func (c *Client) GetDatePresetsGetAll(ctx context.Context, p GetDatePresetsGetAllParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/date_presets/getAll", p, false, &out)
	return out, err
}

// GetDatePresetsGetByIDParams are the parameters of GetDatePresetsGetByID. Zero values are left out.
type GetDatePresetsGetByIDParams struct {
	// Required. Id of the date preset.
	PresetID string `query:"preset_id"`
	// Name.
	Name string `query:"name"`
	// A range of days: a period, or a list of two.
	Range any `query:"range"`
	// Who sees the preset.
	ShareWith string `query:"share_with"`
	// E-mail addresses of members who may change it.
	SharedEmailEdit any `query:"shared_email_edit"`
	// E-mail addresses of members who may see it.
	SharedEmailView any `query:"shared_email_view"`
	// Groups whose members may change it.
	SharedUserGroupsEdit any `query:"shared_user_groups_edit"`
	// Groups whose members may see it.
	SharedUserGroupsView any `query:"shared_user_groups_view"`
	// Whether today does not count.
	ExcludeCurrentDay bool `query:"exclude_current_day"`
	// Whether the preset is a favourite.
	Fav bool `query:"fav"`
	// Place in the list.
	SortOrder int64 `query:"sort_order"`
}

// GetDatePresetsGetByID: A date preset.
//
// For every member.
//
// It calls GET /o/date_presets/getById.
func (c *Client) GetDatePresetsGetByID(ctx context.Context, p GetDatePresetsGetByIDParams) (out map[string]json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/date_presets/getById", p, false, &out)
	return out, err
}

// DatepresetsDeleted is part of answers.
type DatepresetsDeleted struct {
	Acknowledged bool  `json:"acknowledged"`
	DeletedCount int64 `json:"deletedCount"`
}
