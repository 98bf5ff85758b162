// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

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

// GetMethodCrashReleasesParams are the parameters of GetMethodCrashReleases. Zero values are left out.
type GetMethodCrashReleasesParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetMethodCrashReleases: crashes by version of the app.
//
// Needs the right to read `crashes`. The same as `/o?method=crash_releases`.
//
// It calls GET /o/method/crash_releases.
func (c *Client) GetMethodCrashReleases(ctx context.Context, p GetMethodCrashReleasesParams) (out CrashesReleasesRes, err error) {
	err = c.call(ctx, "GET", "/o/method/crash_releases", p, false, &out)
	return out, err
}

// GetMethodCrashRulesParams are the parameters of GetMethodCrashRules. Zero values are left out.
type GetMethodCrashRulesParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetMethodCrashRules: rules for crash groups.
//
// Needs the right to read `crashes`. The same as `/o?method=crash_rules`.
//
// It calls GET /o/method/crash_rules.
func (c *Client) GetMethodCrashRules(ctx context.Context, p GetMethodCrashRulesParams) (out CrashesRulesRes, err error) {
	err = c.call(ctx, "GET", "/o/method/crash_rules", p, false, &out)
	return out, err
}

// GetMethodCrashVariantsParams are the parameters of GetMethodCrashVariants. Zero values are left out.
type GetMethodCrashVariantsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. A group: of a list, those within it; of crashes, the id of the crash group.
	Group string `query:"group"`
}

// GetMethodCrashVariants: variants of a crash group.
//
// Needs the right to read `crashes`. The same as `/o?method=crash_variants`.
//
// It calls GET /o/method/crash_variants.
func (c *Client) GetMethodCrashVariants(ctx context.Context, p GetMethodCrashVariantsParams) (out CrashesVariantsRes, err error) {
	err = c.call(ctx, "GET", "/o/method/crash_variants", p, false, &out)
	return out, err
}

// GetMethodCrashVelocityParams are the parameters of GetMethodCrashVelocity. Zero values are left out.
type GetMethodCrashVelocityParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetMethodCrashVelocity: crash groups that spread.
//
// Needs the right to read `crashes`. The same as `/o?method=crash_velocity`.
//
// It calls GET /o/method/crash_velocity.
func (c *Client) GetMethodCrashVelocity(ctx context.Context, p GetMethodCrashVelocityParams) (out CrashesVelocity, err error) {
	err = c.call(ctx, "GET", "/o/method/crash_velocity", p, false, &out)
	return out, err
}

// CrashesChanged is part of answers.
type CrashesChanged struct {
	ID       string  `json:"_id"`
	Before   int64   `json:"before"`
	Name     string  `json:"name"`
	Nonfatal bool    `json:"nonfatal"`
	Ratio    float64 `json:"ratio"`
	Reports  int64   `json:"reports"`
}

// CrashesCondition is part of answers.
type CrashesCondition struct {
	Not     bool   `json:"not,omitempty"`
	Pattern string `json:"pattern"`
	What    string `json:"what"`
}

// CrashesFingerprintRule is part of answers.
type CrashesFingerprintRule struct {
	Match []CrashesCondition `json:"match"`
	Parts []string           `json:"parts"`
}

// CrashesGrouped is part of answers.
type CrashesGrouped struct {
	Algorithm    int64                    `json:"algorithm"`
	Fingerprints []CrashesFingerprintRule `json:"fingerprints"`
	Stack        []CrashesStackRule       `json:"stack"`
}

// CrashesReleaseChange is part of answers.
type CrashesReleaseChange struct {
	Before   string           `json:"before"`
	Counts   json.RawMessage  `json:"counts"`
	Fatal    int64            `json:"fatal"`
	Frequent []CrashesChanged `json:"frequent"`
	New      []CrashesChanged `json:"new"`
	Nonfatal int64            `json:"nonfatal"`
	Returned []CrashesChanged `json:"returned"`
	Sessions int64            `json:"sessions"`
	Version  string           `json:"version"`
}

// CrashesReleasesRes is part of answers.
type CrashesReleasesRes struct {
	Releases []CrashesReleaseChange `json:"releases"`
}

// CrashesRulesRes is part of answers.
type CrashesRulesRes struct {
	At      int64          `json:"at"`
	By      string         `json:"by"`
	Merged  int64          `json:"merged"`
	Pins    int64          `json:"pins"`
	Rules   CrashesGrouped `json:"rules"`
	Task    string         `json:"task"`
	Version int64          `json:"version"`
}

// CrashesSpreading is part of answers.
type CrashesSpreading struct {
	ID       string  `json:"_id"`
	First    int64   `json:"first"`
	Name     string  `json:"name"`
	Nonfatal bool    `json:"nonfatal"`
	Sessions int64   `json:"sessions"`
	Share    float64 `json:"share"`
	Users    int64   `json:"users"`
}

// CrashesStackRule is part of answers.
type CrashesStackRule struct {
	Do    string             `json:"do"`
	Match []CrashesCondition `json:"match"`
}

// CrashesVariantRes is part of answers.
type CrashesVariantRes struct {
	ID      string `json:"_id"`
	Error   string `json:"error"`
	LastTs  int64  `json:"lastTs"`
	Name    string `json:"name"`
	Pinned  bool   `json:"pinned"`
	Reports int64  `json:"reports"`
	StartTs int64  `json:"startTs"`
	Users   int64  `json:"users"`
}

// CrashesVariantsRes is part of answers.
type CrashesVariantsRes struct {
	Total    int64               `json:"total"`
	Variants []CrashesVariantRes `json:"variants"`
}

// CrashesVelocity is part of answers.
type CrashesVelocity struct {
	Groups   []CrashesSpreading `json:"groups"`
	Least    int64              `json:"least"`
	Minutes  int64              `json:"minutes"`
	Percent  float64            `json:"percent"`
	Sessions int64              `json:"sessions"`
}
