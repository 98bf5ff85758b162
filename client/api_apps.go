// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// GetAppimagesFileParams are the parameters of GetAppimagesFile. Zero values are left out.
type GetAppimagesFileParams struct {
	// Required.
	File string `path:"file"`
}

// GetAppimagesFile: icon of an app.
//
// Needs no credentials of a member.
//
// It calls GET /appimages/{file}.
func (c *Client) GetAppimagesFile(ctx context.Context, p GetAppimagesFileParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/appimages/{file}", p)
}

// PostAppsCreateParams are the parameters of PostAppsCreate. Zero values are left out.
type PostAppsCreateParams struct {
	// A file.
	AppImage File `body:"app_image"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostAppsCreate: create an app.
//
// For global administrators. Files stand in a form beside the parameters.
//
// It calls POST /i/apps/create.
func (c *Client) PostAppsCreate(ctx context.Context, p PostAppsCreateParams) (out AppsCreated, err error) {
	err = c.call(ctx, "POST", "/i/apps/create", p, false, &out)
	return out, err
}

// PostAppsDeleteParams are the parameters of PostAppsDelete. Zero values are left out.
type PostAppsDeleteParams struct {
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostAppsDelete: delete an app with its data.
//
// For global administrators.
//
// It calls POST /i/apps/delete.
func (c *Client) PostAppsDelete(ctx context.Context, p PostAppsDeleteParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/apps/delete", p, false, &out)
	return out, err
}

// PostAppsResetParams are the parameters of PostAppsReset. Zero values are left out.
type PostAppsResetParams struct {
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostAppsReset: delete data of an app.
//
// For global administrators.
//
// It calls POST /i/apps/reset.
func (c *Client) PostAppsReset(ctx context.Context, p PostAppsResetParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/apps/reset", p, false, &out)
	return out, err
}

// PostAppsUpdateParams are the parameters of PostAppsUpdate. Zero values are left out.
type PostAppsUpdateParams struct {
	// Id of the app.
	AppID string `body:"app_id"`
	// A file.
	AppImage File `body:"app_image"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostAppsUpdate: change an app.
//
// For administrators of the app. The app is the field `app_id` of `args`, or else the parameter `app_id`. Files stand in a form beside the parameters.
//
// It calls POST /i/apps/update.
func (c *Client) PostAppsUpdate(ctx context.Context, p PostAppsUpdateParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/apps/update", p, false, &out)
	return out, err
}

// PostAppsUpdatePluginsParams are the parameters of PostAppsUpdatePlugins. Zero values are left out.
type PostAppsUpdatePluginsParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// What is written, as one JSON object.
	Args any `body:"args"`
}

// PostAppsUpdatePlugins: change settings of an app.
//
// For administrators of the app.
//
// It calls POST /i/apps/update/plugins.
func (c *Client) PostAppsUpdatePlugins(ctx context.Context, p PostAppsUpdatePluginsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/apps/update/plugins", p, false, &out)
	return out, err
}

// GetAppsAllParams are the parameters of GetAppsAll. Zero values are left out.
type GetAppsAllParams struct {
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

// GetAppsAll: list all apps.
//
// For global administrators. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/apps/all.
func (c *Client) GetAppsAll(ctx context.Context, p GetAppsAllParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/apps/all", p, false, &out)
	return out, err
}

// GetAppsDetailsParams are the parameters of GetAppsDetails. Zero values are left out.
type GetAppsDetailsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetAppsDetails: an app with its members.
//
// For administrators of the app.
//
// It calls GET /o/apps/details.
func (c *Client) GetAppsDetails(ctx context.Context, p GetAppsDetailsParams) (out AppsDetails, err error) {
	err = c.call(ctx, "GET", "/o/apps/details", p, false, &out)
	return out, err
}

// GetAppsMineParams are the parameters of GetAppsMine. Zero values are left out.
type GetAppsMineParams struct {
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

// GetAppsMine: list apps of the caller.
//
// For every member. The answer is a list, which pages, sorts and searches. Tokens that are limited to apps may be used.
//
// It calls GET /o/apps/mine.
func (c *Client) GetAppsMine(ctx context.Context, p GetAppsMineParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/apps/mine", p, false, &out)
	return out, err
}

// GetAppsPluginsParams are the parameters of GetAppsPlugins. Zero values are left out.
type GetAppsPluginsParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
	// Name.
	Name string `query:"name"`
}

// GetAppsPlugins: settings of an app.
//
// For global administrators.
//
// It calls GET /o/apps/plugins.
func (c *Client) GetAppsPlugins(ctx context.Context, p GetAppsPluginsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/apps/plugins", p, false, &out)
	return out, err
}

// GetMethodAllAppsParams are the parameters of GetMethodAllApps. Zero values are left out.
type GetMethodAllAppsParams struct {
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

// GetMethodAllApps: figures of all apps.
//
// For global administrators. The same as `/o?method=all_apps`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/method/all_apps.
func (c *Client) GetMethodAllApps(ctx context.Context, p GetMethodAllAppsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/all_apps", p, false, &out)
	return out, err
}

// AppsCreated is part of answers.
type AppsCreated struct {
	ID        string                     `json:"_id"`
	AppID     string                     `json:"app_id"`
	Category  string                     `json:"category"`
	Country   string                     `json:"country"`
	CreatedAt int64                      `json:"created_at"`
	EditedAt  int64                      `json:"edited_at"`
	HasImage  bool                       `json:"has_image"`
	IDKey     string                     `json:"id_key"`
	Image     string                     `json:"image,omitempty"`
	Key       string                     `json:"key"`
	Locked    bool                       `json:"locked,omitempty"`
	Name      string                     `json:"name"`
	Owner     string                     `json:"owner"`
	Paused    bool                       `json:"paused,omitempty"`
	Plugins   map[string]json.RawMessage `json:"plugins,omitempty"`
	Salt      string                     `json:"salt,omitempty"`
	Seq       int64                      `json:"seq"`
	Timezone  string                     `json:"timezone"`
	Type      string                     `json:"type"`
}

// AppsDetails is part of answers.
type AppsDetails struct {
	Admin       []AppsPerson    `json:"admin"`
	App         json.RawMessage `json:"app"`
	GlobalAdmin []AppsPerson    `json:"global_admin"`
	User        []AppsPerson    `json:"user"`
}

// AppsPerson is part of answers.
type AppsPerson struct {
	ID       string `json:"_id"`
	FullName string `json:"full_name"`
	Username string `json:"username"`
}
