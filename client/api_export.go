// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// GetExportDataParams are the parameters of GetExportData. Zero values are left out.
type GetExportDataParams struct {
	// Which kind.
	Type string `query:"type"`
	// Name of the file, without extension.
	Filename string `query:"filename"`
	// Required. What is written or exported, as JSON.
	Data any `query:"data"`
	// The text is exported as it is.
	Raw bool `query:"raw"`
}

// GetExportData: export rows that are sent.
//
// For every member. Tokens that are limited to apps may be used.
//
// It calls GET /o/export/data.
func (c *Client) GetExportData(ctx context.Context, p GetExportDataParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/o/export/data", p)
}

// GetExportDbParams are the parameters of GetExportDb. Zero values are left out.
type GetExportDbParams struct {
	// Which kind.
	Type string `query:"type"`
	// Name of the file, without extension.
	Filename string `query:"filename"`
	// Required. Name of what is exported: `app_users` with the id of the app behind it, `events`, `drill_events`, or a collection of documents.
	Collection string `query:"collection"`
	// The data base of the wire that the collection is in.
	Db string `query:"db"`
	// Id of the app.
	AppID string `query:"app_id"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
	// Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these.
	Projection any `query:"projection"`
	// Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these.
	Project any `query:"project"`
	// Order: `{"name":-1}`, or the name of a column.
	Sort any `query:"sort"`
	// How many rows are left out at the start.
	Skip int64 `query:"skip"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Whether rows are numbered.
	GetIndex bool `query:"get_index"`
	// Titles of columns by field.
	ColumnNames any `query:"columnNames"`
	// How fields are written, by field.
	FormatFields any `query:"formatFields"`
}

// GetExportDb: export a collection.
//
// For every member. Tokens that are limited to apps may be used.
//
// It calls GET /o/export/db.
func (c *Client) GetExportDb(ctx context.Context, p GetExportDbParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/o/export/db", p)
}

// GetExportDownloadParams are the parameters of GetExportDownload. Zero values are left out.
type GetExportDownloadParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
}

// GetExportDownload: fault of a download without a name.
//
// Needs the right to read `core`. Global administrators may leave out `app_id`.
//
// It calls GET /o/export/download.
func (c *Client) GetExportDownload(ctx context.Context, p GetExportDownloadParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/o/export/download", p)
}

// GetExportDownloadIDParams are the parameters of GetExportDownloadID. Zero values are left out.
type GetExportDownloadIDParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
	// Required. Id of the document.
	ID string `path:"id"`
}

// GetExportDownloadID: download an export.
//
// Needs the right to read `core`. Global administrators may leave out `app_id`.
//
// It calls GET /o/export/download/{id}.
func (c *Client) GetExportDownloadID(ctx context.Context, p GetExportDownloadIDParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/o/export/download/{id}", p)
}

// GetExportRequestParams are the parameters of GetExportRequest. Zero values are left out.
type GetExportRequestParams struct {
	// Which kind.
	Type string `query:"type"`
	// Name of the file, without extension.
	Filename string `query:"filename"`
	// Required. Path of the answer that is exported, below `/o`, with or without a query.
	Path string `query:"path"`
	// Where the rows stand in the answer that is exported.
	Prop string `query:"prop"`
	// What is written or exported, as JSON.
	Data any `query:"data"`
	// Id of the app.
	AppID string `query:"app_id"`
	// Which of several requests of this path.
	Method string `query:"method"`
	// Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these.
	Projection any `query:"projection"`
	// Titles of columns by field.
	ColumnNames any `query:"columnNames"`
	// How fields are written, by field.
	Mapper any `query:"mapper"`
}

// GetExportRequest: export the answer of a read.
//
// For every member. Tokens that are limited to apps may be used.
//
// It calls GET /o/export/request.
func (c *Client) GetExportRequest(ctx context.Context, p GetExportRequestParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/o/export/request", p)
}

// PostExportRequestQueryParams are the parameters of PostExportRequestQuery. Zero values are left out.
type PostExportRequestQueryParams struct {
	// Id of the app.
	AppID string `body:"app_id"`
	// Titles of columns by field.
	ColumnNames any `body:"columnNames"`
	// What is written or exported, as JSON.
	Data any `body:"data"`
	// Name of the file, without extension.
	Filename string `body:"filename"`
	// How fields are written, by field.
	Mapper any `body:"mapper"`
	// Which of several requests of this path.
	Method string `body:"method"`
	// Required. Path of the answer that is exported, below `/o`, with or without a query.
	Path string `body:"path"`
	// Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these.
	Projection any `body:"projection"`
	// Where the rows stand in the answer that is exported.
	Prop string `body:"prop"`
	// Which kind.
	Type string `body:"type"`
	// Label of the task.
	TypeName string `body:"type_name"`
}

// PostExportRequestQuery: export the answer of a read as a task.
//
// For every member. Tokens that are limited to apps may be used.
//
// It calls POST /o/export/requestQuery.
func (c *Client) PostExportRequestQuery(ctx context.Context, p PostExportRequestQueryParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/o/export/requestQuery", p, false, &out)
	return out, err
}
