// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// PostFlowsCalculateParams are the parameters of PostFlowsCalculate. Zero values are left out.
type PostFlowsCalculateParams struct {
	// Required. Id of the document.
	ID string `body:"_id"`
	// Required. Id of the app.
	AppID string `body:"app_id"`
}

// PostFlowsCalculate: calculate a flow.
//
// Needs the right to create `flows`.
//
// It calls POST /i/flows/calculate.
func (c *Client) PostFlowsCalculate(ctx context.Context, p PostFlowsCalculateParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/flows/calculate", p, false, &out)
	return out, err
}

// PostFlowsCreateParams are the parameters of PostFlowsCreate. Zero values are left out.
type PostFlowsCreateParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Whether the flow is not calculated.
	Disabled bool `body:"disabled"`
	// The event that paths end at; a text is a key.
	End any `body:"end"`
	// Events that paths leave out.
	Exclude any `body:"exclude"`
	// Required. Name.
	Name string `body:"name"`
	// Options of the calculation.
	Options any `body:"options"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `body:"period"`
	// The event that starts it; a text is a key.
	Start any `body:"start"`
	// Which kind.
	Type string `body:"type"`
	// Filter of users.
	UserSegmentation any `body:"user_segmentation"`
}

// PostFlowsCreate: create a flow.
//
// Needs the right to create `flows`.
//
// It calls POST /i/flows/create.
func (c *Client) PostFlowsCreate(ctx context.Context, p PostFlowsCreateParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/flows/create", p, false, &out)
	return out, err
}

// PostFlowsDeleteParams are the parameters of PostFlowsDelete. Zero values are left out.
type PostFlowsDeleteParams struct {
	// Required. Id of the document.
	ID string `body:"_id"`
	// Required. Id of the app.
	AppID string `body:"app_id"`
}

// PostFlowsDelete: delete a flow.
//
// Needs the right to create `flows`.
//
// It calls POST /i/flows/delete.
func (c *Client) PostFlowsDelete(ctx context.Context, p PostFlowsDeleteParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/flows/delete", p, false, &out)
	return out, err
}

// PostFlowsEditParams are the parameters of PostFlowsEdit. Zero values are left out.
type PostFlowsEditParams struct {
	// Required. Id of the document.
	ID string `body:"_id"`
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Whether the flow is not calculated.
	Disabled bool `body:"disabled"`
	// The event that paths end at; a text is a key.
	End any `body:"end"`
	// Events that paths leave out.
	Exclude any `body:"exclude"`
	// Name.
	Name string `body:"name"`
	// Options of the calculation.
	Options any `body:"options"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `body:"period"`
	// The event that starts it; a text is a key.
	Start any `body:"start"`
	// Which kind.
	Type string `body:"type"`
	// Filter of users.
	UserSegmentation any `body:"user_segmentation"`
}

// PostFlowsEdit: change a flow.
//
// Needs the right to create `flows`.
//
// It calls POST /i/flows/edit.
func (c *Client) PostFlowsEdit(ctx context.Context, p PostFlowsEditParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/flows/edit", p, false, &out)
	return out, err
}

// PostFlowsUpdateDisabledParams are the parameters of PostFlowsUpdateDisabled. Zero values are left out.
type PostFlowsUpdateDisabledParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written or exported, as JSON.
	Data any `body:"data"`
}

// PostFlowsUpdateDisabled: switch flows on or off.
//
// Needs the right to create `flows`.
//
// It calls POST /i/flows/updateDisabled.
func (c *Client) PostFlowsUpdateDisabled(ctx context.Context, p PostFlowsUpdateDisabledParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/flows/updateDisabled", p, false, &out)
	return out, err
}

// GetFlowsParams are the parameters of GetFlows. Zero values are left out.
type GetFlowsParams struct {
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
	// Which of several requests of this path.
	Method string `query:"method"`
	// Id of the document.
	ID string `query:"_id"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
}

// GetFlows: list flows, or the result of one.
//
// Needs the right to read `flows`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/flows.
func (c *Client) GetFlows(ctx context.Context, p GetFlowsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/flows", p, false, &out)
	return out, err
}

// GetFlowsPathsParams are the parameters of GetFlowsPaths. Zero values are left out.
type GetFlowsPathsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Name.
	Name string `query:"name"`
	// Which kind.
	Type string `query:"type"`
	// Required. The event that starts it; a text is a key.
	Start any `query:"start"`
	// The event that paths end at; a text is a key.
	End any `query:"end"`
	// Events that paths leave out.
	Exclude any `query:"exclude"`
	// Filter of users.
	UserSegmentation any `query:"user_segmentation"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Whether the flow is not calculated.
	Disabled bool `query:"disabled"`
	// Options of the calculation.
	Options any `query:"options"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetFlowsPaths: paths of a flow that is not saved.
//
// Needs the right to read `flows`. A read that takes too long goes on as a task.
//
// It calls GET /o/flows/paths.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetFlowsPaths(ctx context.Context, p GetFlowsPathsParams) (out FlowsData, err error) {
	err = c.call(ctx, "GET", "/o/flows/paths", p, true, &out)
	return out, err
}

// FlowsData is part of answers.
type FlowsData struct {
	ID         string       `json:"_id,omitempty"`
	Calculated int64        `json:"calculated"`
	Flow       string       `json:"flow,omitempty"`
	From       int64        `json:"from"`
	Levels     []FlowsLevel `json:"levels"`
	Paths      int64        `json:"paths"`
	Period     string       `json:"period"`
	To         int64        `json:"to"`
	Users      int64        `json:"users"`
}

// FlowsLevel is part of answers.
type FlowsLevel struct {
	Level int64       `json:"level"`
	Links []FlowsLink `json:"links"`
	Nodes []FlowsNode `json:"nodes"`
}

// FlowsLink is part of answers.
type FlowsLink struct {
	From  int64 `json:"from"`
	Paths int64 `json:"paths"`
	To    int64 `json:"to"`
	Users int64 `json:"users"`
}

// FlowsNode is part of answers.
type FlowsNode struct {
	Ended int64  `json:"ended"`
	Event string `json:"event,omitempty"`
	Name  string `json:"name,omitempty"`
	Other bool   `json:"other,omitempty"`
	Paths int64  `json:"paths"`
	Users int64  `json:"users"`
	Value string `json:"value,omitempty"`
}
