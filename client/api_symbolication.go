// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// PostCrashSymbolsAddSymbolParams are the parameters of PostCrashSymbolsAddSymbol. Zero values are left out.
type PostCrashSymbolsAddSymbolParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Version or build that the files are of.
	Build string `body:"build"`
	// A note about the files.
	Note string `body:"note"`
	// Required. Platform: `android`, `ios`, `javascript` and so on.
	Platform string `body:"platform"`
	// Version of the tool that made the files.
	SymToolVer string `body:"sym_tool_ver"`
	// A file.
	Symbols File `body:"symbols"`
}

// PostCrashSymbolsAddSymbol: upload symbol files of a build.
//
// Needs the right to create `crashes`. Files stand in a form beside the parameters.
//
// It calls POST /i/crash_symbols/add_symbol.
func (c *Client) PostCrashSymbolsAddSymbol(ctx context.Context, p PostCrashSymbolsAddSymbolParams) (out SymbolicationAdded, err error) {
	err = c.call(ctx, "POST", "/i/crash_symbols/add_symbol", p, false, &out)
	return out, err
}

// PostCrashSymbolsEditSymbolParams are the parameters of PostCrashSymbolsEditSymbol. Zero values are left out.
type PostCrashSymbolsEditSymbolParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Version or build that the files are of.
	Build string `body:"build"`
	// Ids of files that stay.
	KeepSymbols any `body:"keepSymbols"`
	// A note about the files.
	Note string `body:"note"`
	// Platform: `android`, `ios`, `javascript` and so on.
	Platform string `body:"platform"`
	// Version of the tool that made the files.
	SymToolVer string `body:"sym_tool_ver"`
	// Required. Id of the build's files.
	SymbolID string `body:"symbol_id"`
	// A file.
	Symbols File `body:"symbols"`
}

// PostCrashSymbolsEditSymbol: change or replace symbol files of a build.
//
// Needs the right to update `crashes`. Files stand in a form beside the parameters.
//
// It calls POST /i/crash_symbols/edit_symbol.
func (c *Client) PostCrashSymbolsEditSymbol(ctx context.Context, p PostCrashSymbolsEditSymbolParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/crash_symbols/edit_symbol", p, false, &out)
	return out, err
}

// PostCrashSymbolsRemoveSymbolParams are the parameters of PostCrashSymbolsRemoveSymbol. Zero values are left out.
type PostCrashSymbolsRemoveSymbolParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the document.
	ID string `body:"id"`
}

// PostCrashSymbolsRemoveSymbol: delete symbol files of a build.
//
// Needs the right to delete `crashes`.
//
// It calls POST /i/crash_symbols/remove_symbol.
func (c *Client) PostCrashSymbolsRemoveSymbol(ctx context.Context, p PostCrashSymbolsRemoveSymbolParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/crash_symbols/remove_symbol", p, false, &out)
	return out, err
}

// PostCrashSymbolsSymbolicatationResultParams are the parameters of PostCrashSymbolsSymbolicatationResult. Zero values are left out.
type PostCrashSymbolsSymbolicatationResultParams struct {
	// Required. Id of the job.
	JobID string `body:"jobId"`
	// Required. The result.
	SymbRes string `body:"symbRes"`
	// Marks a test.
	SymbolicationTest string `body:"symbolication_test"`
}

// PostCrashSymbolsSymbolicatationResult: take the result of a symbolication server.
//
// Needs no credentials of a member.
//
// It calls POST /i/crash_symbols/symbolicatation_result.
func (c *Client) PostCrashSymbolsSymbolicatationResult(ctx context.Context, p PostCrashSymbolsSymbolicatationResultParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/crash_symbols/symbolicatation_result", p, false, &out)
	return out, err
}

// PostCrashSymbolsSymbolicateParams are the parameters of PostCrashSymbolsSymbolicate. Zero values are left out.
type PostCrashSymbolsSymbolicateParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the crash group.
	CrashgroupID string `body:"crashgroup_id"`
	// Where the result is sent.
	ReturnURL string `body:"return_url"`
	// Id of the build's files.
	SymbolID string `body:"symbol_id"`
}

// PostCrashSymbolsSymbolicate: symbolicate a crash group.
//
// Needs the right to update `crashes`.
//
// It calls POST /i/crash_symbols/symbolicate.
func (c *Client) PostCrashSymbolsSymbolicate(ctx context.Context, p PostCrashSymbolsSymbolicateParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/crash_symbols/symbolicate", p, false, &out)
	return out, err
}

// PostCrashSymbolsUploadSymbolParams are the parameters of PostCrashSymbolsUploadSymbol. Zero values are left out.
type PostCrashSymbolsUploadSymbolParams struct {
	// Required. Key of the app, as clients send it.
	AppKey string `body:"app_key"`
	// Required. Version or build that the files are of.
	Build string `body:"build"`
	// A note about the files.
	Note string `body:"note"`
	// Required. Platform: `android`, `ios`, `javascript` and so on.
	Platform string `body:"platform"`
	// Version of the tool that made the files.
	SymToolVer string `body:"sym_tool_ver"`
	// A file.
	Symbols File `body:"symbols"`
}

// PostCrashSymbolsUploadSymbol: upload symbol files by the key of the app.
//
// Needs no credentials of a member. Files stand in a form beside the parameters.
//
// It calls POST /i/crash_symbols/upload_symbol.
func (c *Client) PostCrashSymbolsUploadSymbol(ctx context.Context, p PostCrashSymbolsUploadSymbolParams) (out SymbolicationAdded, err error) {
	err = c.call(ctx, "POST", "/i/crash_symbols/upload_symbol", p, false, &out)
	return out, err
}

// GetMethodCrashJobsParams are the parameters of GetMethodCrashJobs. Zero values are left out.
type GetMethodCrashJobsParams struct {
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
	// Platform: `android`, `ios`, `javascript` and so on.
	Platform string `query:"platform"`
	// State that is looked for.
	Status string `query:"status"`
	// Which form of the list.
	OutputFormat string `query:"outputFormat"`
}

// GetMethodCrashJobs: list symbolications.
//
// Needs the right to read `crashes`. The same as `/o?method=crash_jobs`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/method/crash_jobs.
func (c *Client) GetMethodCrashJobs(ctx context.Context, p GetMethodCrashJobsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/crash_jobs", p, false, &out)
	return out, err
}

// GetMethodCrashReportParams are the parameters of GetMethodCrashReport. Zero values are left out.
type GetMethodCrashReportParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Id of the crash report.
	ReportID string `query:"report_id"`
}

// GetMethodCrashReport: A crash report.
//
// Needs the right to read `crashes`. The same as `/o?method=crash_report`.
//
// It calls GET /o/method/crash_report.
func (c *Client) GetMethodCrashReport(ctx context.Context, p GetMethodCrashReportParams) (out map[string]json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/crash_report", p, false, &out)
	return out, err
}

// GetMethodCrashSymbolsParams are the parameters of GetMethodCrashSymbols. Zero values are left out.
type GetMethodCrashSymbolsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetMethodCrashSymbols: list symbol files.
//
// Needs the right to read `crashes`. The same as `/o?method=crash_symbols`.
//
// It calls GET /o/method/crash_symbols.
func (c *Client) GetMethodCrashSymbols(ctx context.Context, p GetMethodCrashSymbolsParams) (out []SymbolicationListed, err error) {
	err = c.call(ctx, "GET", "/o/method/crash_symbols", p, false, &out)
	return out, err
}

// GetMethodCrashSymbolsOverviewParams are the parameters of GetMethodCrashSymbolsOverview. Zero values are left out.
type GetMethodCrashSymbolsOverviewParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetMethodCrashSymbolsOverview: symbols of an app, and the builds that lack some.
//
// Needs the right to read `crashes`. The same as `/o?method=crash_symbols_overview`.
//
// It calls GET /o/method/crash_symbols_overview.
func (c *Client) GetMethodCrashSymbolsOverview(ctx context.Context, p GetMethodCrashSymbolsOverviewParams) (out SymbolicationOverview, err error) {
	err = c.call(ctx, "GET", "/o/method/crash_symbols_overview", p, false, &out)
	return out, err
}

// GetMethodDownloadSymbolParams are the parameters of GetMethodDownloadSymbol. Zero values are left out.
type GetMethodDownloadSymbolParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Id of the build's files.
	SymbolID string `query:"symbol_id"`
	// Id of one file of several.
	FileID string `query:"file_id"`
}

// GetMethodDownloadSymbol: download a symbol file.
//
// Needs the right to read `crashes`. The same as `/o?method=download_symbol`.
//
// It calls GET /o/method/download_symbol.
func (c *Client) GetMethodDownloadSymbol(ctx context.Context, p GetMethodDownloadSymbolParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/o/method/download_symbol", p)
}

// GetSymbolicationTestSymbolicationConnectionParams are the parameters of GetSymbolicationTestSymbolicationConnection. Zero values are left out.
type GetSymbolicationTestSymbolicationConnectionParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
}

// GetSymbolicationTestSymbolicationConnection: whether symbolication works.
//
// Needs the right to read `crashes`. Global administrators may leave out `app_id`.
//
// It calls GET /o/symbolication/test_symbolication_connection.
func (c *Client) GetSymbolicationTestSymbolicationConnection(ctx context.Context, p GetSymbolicationTestSymbolicationConnectionParams) (out bool, err error) {
	err = c.call(ctx, "GET", "/o/symbolication/test_symbolication_connection", p, false, &out)
	return out, err
}

// SymbolicationAdded is part of answers.
type SymbolicationAdded struct {
	ID      string `json:"_id"`
	Message string `json:"message"`
	Problem string `json:"problem,omitempty"`
}

// SymbolicationEntry is part of answers.
type SymbolicationEntry struct {
	ID         string                `json:"_id"`
	Builds     []string              `json:"builds"`
	Files      []SymbolicationUpload `json:"files"`
	Note       string                `json:"note"`
	Platform   string                `json:"platform"`
	Problem    string                `json:"problem"`
	Several    bool                  `json:"several"`
	Size       int64                 `json:"size"`
	SymToolVer string                `json:"sym_tool_ver"`
	Ts         int64                 `json:"ts"`
}

// SymbolicationLack is part of answers.
type SymbolicationLack struct {
	Build   string `json:"build"`
	Last    int64  `json:"last"`
	Os      string `json:"os"`
	Reports int64  `json:"reports"`
	Uuid    string `json:"uuid"`
	Version string `json:"version"`
}

// SymbolicationListed is part of answers.
type SymbolicationListed struct {
	ID         string                `json:"_id"`
	Build      json.RawMessage       `json:"build"`
	Filename   string                `json:"filename,omitempty"`
	Filenames  []SymbolicationUpload `json:"filenames,omitempty"`
	Note       string                `json:"note"`
	Parts      *int64                `json:"parts,omitempty"`
	Platform   string                `json:"platform"`
	Problem    string                `json:"problem,omitempty"`
	Several    *int64                `json:"several,omitempty"`
	SymToolVer string                `json:"sym_tool_ver,omitempty"`
	Ts         int64                 `json:"ts"`
	Uploads    *int64                `json:"uploads,omitempty"`
}

// SymbolicationOverview is part of answers.
type SymbolicationOverview struct {
	ByKey      bool                 `json:"by_key"`
	Days       int64                `json:"days"`
	MaxFiles   int64                `json:"max_files"`
	MaxSymbols int64                `json:"max_symbols"`
	Missing    []SymbolicationLack  `json:"missing"`
	Most       int64                `json:"most"`
	Symbols    []SymbolicationEntry `json:"symbols"`
	Used       int64                `json:"used"`
}

// SymbolicationUpload is part of answers.
type SymbolicationUpload struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Size int64  `json:"size"`
}
