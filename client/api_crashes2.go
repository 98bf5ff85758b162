// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// PostCrashesShareParams are the parameters of PostCrashesShare. Zero values are left out.
type PostCrashesShareParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostCrashesShare: publish the page of a crash group.
//
// Needs the right to update `crashes`.
//
// It calls POST /i/crashes/share.
func (c *Client) PostCrashesShare(ctx context.Context, p PostCrashesShareParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/crashes/share", p, false, &out)
	return out, err
}

// PostCrashesShowParams are the parameters of PostCrashesShow. Zero values are left out.
type PostCrashesShowParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostCrashesShow: show hidden crash groups.
//
// Needs the right to update `crashes`.
//
// It calls POST /i/crashes/show.
func (c *Client) PostCrashesShow(ctx context.Context, p PostCrashesShowParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/crashes/show", p, false, &out)
	return out, err
}

// PostCrashesSplitParams are the parameters of PostCrashesSplit. Zero values are left out.
type PostCrashesSplitParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostCrashesSplit: split variants off a crash group.
//
// Needs the right to update `crashes`.
//
// It calls POST /i/crashes/split.
func (c *Client) PostCrashesSplit(ctx context.Context, p PostCrashesSplitParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/crashes/split", p, false, &out)
	return out, err
}

// PostCrashesUnresolveParams are the parameters of PostCrashesUnresolve. Zero values are left out.
type PostCrashesUnresolveParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostCrashesUnresolve: mark crash groups as unresolved.
//
// Needs the right to update `crashes`.
//
// It calls POST /i/crashes/unresolve.
func (c *Client) PostCrashesUnresolve(ctx context.Context, p PostCrashesUnresolveParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/crashes/unresolve", p, false, &out)
	return out, err
}

// PostCrashesUnshareParams are the parameters of PostCrashesUnshare. Zero values are left out.
type PostCrashesUnshareParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostCrashesUnshare: withdraw the public page of a crash group.
//
// Needs the right to update `crashes`.
//
// It calls POST /i/crashes/unshare.
func (c *Client) PostCrashesUnshare(ctx context.Context, p PostCrashesUnshareParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/crashes/unshare", p, false, &out)
	return out, err
}

// PostCrashesViewParams are the parameters of PostCrashesView. Zero values are left out.
type PostCrashesViewParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostCrashesView: mark crash groups as seen.
//
// Needs the right to update `crashes`.
//
// It calls POST /i/crashes/view.
func (c *Client) PostCrashesView(ctx context.Context, p PostCrashesViewParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/crashes/view", p, false, &out)
	return out, err
}

// GetCrashesDownloadBinaryParams are the parameters of GetCrashesDownloadBinary. Zero values are left out.
type GetCrashesDownloadBinaryParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Id of the crash report.
	CrashID string `query:"crash_id"`
}

// GetCrashesDownloadBinary: download the dump of a crash.
//
// Needs the right to read `crashes`.
//
// It calls GET /o/crashes/download_binary.
func (c *Client) GetCrashesDownloadBinary(ctx context.Context, p GetCrashesDownloadBinaryParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/o/crashes/download_binary", p)
}

// GetCrashesDownloadStacktraceParams are the parameters of GetCrashesDownloadStacktrace. Zero values are left out.
type GetCrashesDownloadStacktraceParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Id of the crash report.
	CrashID string `query:"crash_id"`
}

// GetCrashesDownloadStacktrace: download the stack of a crash.
//
// Needs the right to read `crashes`.
//
// It calls GET /o/crashes/download_stacktrace.
func (c *Client) GetCrashesDownloadStacktrace(ctx context.Context, p GetCrashesDownloadStacktraceParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/o/crashes/download_stacktrace", p)
}

// GetCrashesPreviewRulesParams are the parameters of GetCrashesPreviewRules. Zero values are left out.
type GetCrashesPreviewRulesParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Rules for crash groups: `algorithm`, `stack` and `fingerprints`; see docs/reference/crashes.md.
	Rules any `query:"rules"`
	// Version of the rules for crash groups that were changed.
	Version int64 `query:"version"`
}

// GetCrashesPreviewRules: what rules for crash groups would change.
//
// Needs the right to read `crashes`.
//
// It calls GET /o/crashes/preview_rules.
func (c *Client) GetCrashesPreviewRules(ctx context.Context, p GetCrashesPreviewRulesParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/crashes/preview_rules", p, false, &out)
	return out, err
}

// GetMethodCrashCostParams are the parameters of GetMethodCrashCost. Zero values are left out.
type GetMethodCrashCostParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. A group: of a list, those within it; of crashes, the id of the crash group.
	Group string `query:"group"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Moment that the period is counted from, in s or ms since 1970.
	Timestamp int64 `query:"timestamp"`
	// Distance of the client from UTC, in minutes west.
	PeriodOffset int64 `query:"periodOffset"`
	// Key of an event that is compared as well.
	Event string `query:"event"`
	// Name of the view, where the event is `[CLY]_view`.
	Name string `query:"name"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetMethodCrashCost: what a crash group cost in return and conversion.
//
// Needs the right to read `crashes`. The same as `/o?method=crash_cost`. A read that takes too long goes on as a task.
//
// It calls GET /o/method/crash_cost.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetMethodCrashCost(ctx context.Context, p GetMethodCrashCostParams) (out CrashesCostRes, err error) {
	err = c.call(ctx, "GET", "/o/method/crash_cost", p, true, &out)
	return out, err
}

// GetMethodCrashMembersParams are the parameters of GetMethodCrashMembers. Zero values are left out.
type GetMethodCrashMembersParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetMethodCrashMembers: members to whom crash groups may be assigned.
//
// Needs the right to read `crashes`. The same as `/o?method=crash_members`.
//
// It calls GET /o/method/crash_members.
func (c *Client) GetMethodCrashMembers(ctx context.Context, p GetMethodCrashMembersParams) (out []CrashesAssignee, err error) {
	err = c.call(ctx, "GET", "/o/method/crash_members", p, false, &out)
	return out, err
}

// GetMethodCrashPathsParams are the parameters of GetMethodCrashPaths. Zero values are left out.
type GetMethodCrashPathsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. A group: of a list, those within it; of crashes, the id of the crash group.
	Group string `query:"group"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Moment that the period is counted from, in s or ms since 1970.
	Timestamp int64 `query:"timestamp"`
	// Distance of the client from UTC, in minutes west.
	PeriodOffset int64 `query:"periodOffset"`
	// How many steps before the crash are shown, at most 10.
	Steps *int64 `query:"steps"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetMethodCrashPaths: what users did before a crash.
//
// Needs the right to read `crashes`. The same as `/o?method=crash_paths`. A read that takes too long goes on as a task.
//
// It calls GET /o/method/crash_paths.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetMethodCrashPaths(ctx context.Context, p GetMethodCrashPathsParams) (out CrashesPathsRes, err error) {
	err = c.call(ctx, "GET", "/o/method/crash_paths", p, true, &out)
	return out, err
}

// CrashesAssignee is part of answers.
type CrashesAssignee struct {
	ID       string `json:"_id"`
	FullName string `json:"full_name"`
}

// CrashesCostOutcome is part of answers.
type CrashesCostOutcome struct {
	Days       int64           `json:"days"`
	Difference *CrashesMeasure `json:"difference,omitempty"`
	Few        bool            `json:"few"`
	Followed   int64           `json:"followed"`
	Hit        *CrashesMeasure `json:"hit,omitempty"`
	Kind       string          `json:"kind"`
	Matched    int64           `json:"matched"`
	Moments    int64           `json:"moments"`
	Other      *CrashesMeasure `json:"other,omitempty"`
	Ratio      *CrashesMeasure `json:"ratio,omitempty"`
	Unhit      int64           `json:"unhit"`
}

// CrashesCostRes is part of answers.
type CrashesCostRes struct {
	Event    string               `json:"event,omitempty"`
	Name     string               `json:"name,omitempty"`
	Outcomes []CrashesCostOutcome `json:"outcomes"`
	Sample   int64                `json:"sample,omitempty"`
	Users    int64                `json:"users"`
}

// CrashesLeading is part of answers.
type CrashesLeading struct {
	Event    string  `json:"event"`
	Hit      int64   `json:"hit"`
	Lift     float64 `json:"lift"`
	Name     string  `json:"name,omitempty"`
	Percent  float64 `json:"percent"`
	Sessions int64   `json:"sessions"`
}

// CrashesPathLevel is part of answers.
type CrashesPathLevel struct {
	Level int64             `json:"level"`
	Links []CrashesPathLink `json:"links"`
	Nodes []CrashesPathNode `json:"nodes"`
}

// CrashesPathLink is part of answers.
type CrashesPathLink struct {
	From  int64 `json:"from"`
	Paths int64 `json:"paths"`
	To    int64 `json:"to"`
	Users int64 `json:"users"`
}

// CrashesPathNode is part of answers.
type CrashesPathNode struct {
	Ended int64  `json:"ended"`
	Event string `json:"event,omitempty"`
	Name  string `json:"name,omitempty"`
	Other bool   `json:"other,omitempty"`
	Paths int64  `json:"paths"`
	Users int64  `json:"users"`
}

// CrashesPathsRes is part of answers.
type CrashesPathsRes struct {
	Few      bool               `json:"few"`
	Hit      int64              `json:"hit"`
	Levels   []CrashesPathLevel `json:"levels"`
	Paths    int64              `json:"paths"`
	Sessions int64              `json:"sessions"`
	Steps    []CrashesLeading   `json:"steps"`
	Users    int64              `json:"users"`
}
