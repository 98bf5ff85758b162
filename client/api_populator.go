// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// PostPopulatorEnvironmentSaveParams are the parameters of PostPopulatorEnvironmentSave. Zero values are left out.
type PostPopulatorEnvironmentSaveParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Whether the environment itself is stored, too.
	SetEnviromentInformationOnce bool `body:"setEnviromentInformationOnce"`
	// Required. The users, as objects.
	Users any `body:"users"`
}

// PostPopulatorEnvironmentSave: store users of an environment.
//
// Needs the right to create `populator`.
//
// It calls POST /i/populator/environment/save.
func (c *Client) PostPopulatorEnvironmentSave(ctx context.Context, p PostPopulatorEnvironmentSaveParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/populator/environment/save", p, false, &out)
	return out, err
}

// PostPopulatorLoadParams are the parameters of PostPopulatorLoad. Zero values are left out.
type PostPopulatorLoadParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Over how many days, up to today.
	Days *int64 `body:"days"`
	// Name of the environment.
	EnvironmentName string `body:"environment_name"`
	// Required. Id of the template.
	TemplateID string `body:"template_id"`
	// How many users.
	Users int64 `body:"users"`
}

// PostPopulatorLoad: load demo data into an app.
//
// Needs the right to create `populator`.
//
// It calls POST /i/populator/load.
func (c *Client) PostPopulatorLoad(ctx context.Context, p PostPopulatorLoadParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/populator/load", p, false, &out)
	return out, err
}

// PostPopulatorTemplatesCreateParams are the parameters of PostPopulatorTemplatesCreate. Zero values are left out.
type PostPopulatorTemplatesCreateParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// How users of the template behave: times between runs and sequences.
	Behavior any `body:"behavior"`
	// Keys of events.
	Events any `body:"events"`
	// Whether the template is offered first.
	IsDefault bool `body:"isDefault"`
	// Name of the member who edits.
	LastEditedBy string `body:"lastEditedBy"`
	// Required. Name.
	Name string `body:"name"`
	// Required. Platforms of the users of the template.
	PlatformType any `body:"platformType"`
	// Sequences of events that users go through.
	Sequences any `body:"sequences"`
	// Required. How many users the template makes.
	UniqueUserCount int64 `body:"uniqueUserCount"`
	// Properties of users with the values that they can have.
	Users any `body:"users"`
	// Views that users see.
	Views any `body:"views"`
}

// PostPopulatorTemplatesCreate: create a template of demo data.
//
// Needs the right to create `populator`.
//
// It calls POST /i/populator/templates/create.
func (c *Client) PostPopulatorTemplatesCreate(ctx context.Context, p PostPopulatorTemplatesCreateParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/populator/templates/create", p, false, &out)
	return out, err
}

// PostPopulatorTemplatesEditParams are the parameters of PostPopulatorTemplatesEdit. Zero values are left out.
type PostPopulatorTemplatesEditParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// How users of the template behave: times between runs and sequences.
	Behavior any `body:"behavior"`
	// Keys of events.
	Events any `body:"events"`
	// When the template was made, ms.
	GeneratedOn int64 `body:"generated_on"`
	// Whether the template is offered first.
	IsDefault bool `body:"isDefault"`
	// Required. Name.
	Name string `body:"name"`
	// Required. Platforms of the users of the template.
	PlatformType any `body:"platformType"`
	// Sequences of events that users go through.
	Sequences any `body:"sequences"`
	// Required. Id of the template.
	TemplateID string `body:"template_id"`
	// Required. How many users the template makes.
	UniqueUserCount int64 `body:"uniqueUserCount"`
	// Properties of users with the values that they can have.
	Users any `body:"users"`
	// Views that users see.
	Views any `body:"views"`
}

// PostPopulatorTemplatesEdit: change a template of demo data.
//
// Needs the right to update `populator`.
//
// It calls POST /i/populator/templates/edit.
func (c *Client) PostPopulatorTemplatesEdit(ctx context.Context, p PostPopulatorTemplatesEditParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/populator/templates/edit", p, false, &out)
	return out, err
}

// PostPopulatorTemplatesRemoveParams are the parameters of PostPopulatorTemplatesRemove. Zero values are left out.
type PostPopulatorTemplatesRemoveParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the template.
	TemplateID string `body:"template_id"`
}

// PostPopulatorTemplatesRemove: delete a template of demo data.
//
// Needs the right to delete `populator`.
//
// It calls POST /i/populator/templates/remove.
func (c *Client) PostPopulatorTemplatesRemove(ctx context.Context, p PostPopulatorTemplatesRemoveParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/populator/templates/remove", p, false, &out)
	return out, err
}

// GetPopulatorEnvironmentCheckParams are the parameters of GetPopulatorEnvironmentCheck. Zero values are left out.
type GetPopulatorEnvironmentCheckParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Name of the environment.
	EnvironmentName string `query:"environment_name"`
}

// GetPopulatorEnvironmentCheck: whether the name of an environment is free.
//
// Needs the right to read `populator`.
//
// It calls GET /o/populator/environment/check.
func (c *Client) GetPopulatorEnvironmentCheck(ctx context.Context, p GetPopulatorEnvironmentCheckParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/populator/environment/check", p, false, &out)
	return out, err
}

// GetPopulatorEnvironmentGetParams are the parameters of GetPopulatorEnvironmentGet. Zero values are left out.
type GetPopulatorEnvironmentGetParams struct {
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
	// Required. Id of the template.
	TemplateID string `query:"template_id"`
	// Required. Id of the environment.
	EnvironmentID string `query:"environment_id"`
}

// GetPopulatorEnvironmentGet: users of an environment.
//
// Needs the right to read `populator`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/populator/environment/get.
func (c *Client) GetPopulatorEnvironmentGet(ctx context.Context, p GetPopulatorEnvironmentGetParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/populator/environment/get", p, false, &out)
	return out, err
}

// GetPopulatorEnvironmentListParams are the parameters of GetPopulatorEnvironmentList. Zero values are left out.
type GetPopulatorEnvironmentListParams struct {
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

// GetPopulatorEnvironmentList: list environments.
//
// Needs the right to read `populator`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/populator/environment/list.
func (c *Client) GetPopulatorEnvironmentList(ctx context.Context, p GetPopulatorEnvironmentListParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/populator/environment/list", p, false, &out)
	return out, err
}

// PostPopulatorEnvironmentRemoveParams are the parameters of PostPopulatorEnvironmentRemove. Zero values are left out.
type PostPopulatorEnvironmentRemoveParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the environment.
	EnvironmentID string `body:"environment_id"`
	// Required. Id of the template.
	TemplateID string `body:"template_id"`
}

// PostPopulatorEnvironmentRemove: delete an environment.
//
// Needs the right to delete `populator`.
//
// It calls POST /o/populator/environment/remove.
func (c *Client) PostPopulatorEnvironmentRemove(ctx context.Context, p PostPopulatorEnvironmentRemoveParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/o/populator/environment/remove", p, false, &out)
	return out, err
}

// GetPopulatorTemplatesParams are the parameters of GetPopulatorTemplates. Zero values are left out.
type GetPopulatorTemplatesParams struct {
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
	// Id of the template.
	TemplateID string `query:"template_id"`
	// Platform of templates.
	PlatformType string `query:"platform_type"`
}

// GetPopulatorTemplates: list templates of demo data.
//
// Needs the right to read `populator`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/populator/templates.
func (c *Client) GetPopulatorTemplates(ctx context.Context, p GetPopulatorTemplatesParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/populator/templates", p, false, &out)
	return out, err
}
