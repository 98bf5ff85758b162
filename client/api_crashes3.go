// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// GetMethodCrashPropertiesParams are the parameters of GetMethodCrashProperties. Zero values are left out.
type GetMethodCrashPropertiesParams struct {
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
	// How many values at most, up to 500.
	Limit *int64 `query:"limit"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetMethodCrashProperties: properties that users hit by a crash group have more often.
//
// Needs the right to read `crashes`. The same as `/o?method=crash_properties`. A read that takes too long goes on as a task.
//
// It calls GET /o/method/crash_properties.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetMethodCrashProperties(ctx context.Context, p GetMethodCrashPropertiesParams) (out CrashesPropertiesRes, err error) {
	err = c.call(ctx, "GET", "/o/method/crash_properties", p, true, &out)
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

// GetMethodCrashSimilarParams are the parameters of GetMethodCrashSimilar. Zero values are left out.
type GetMethodCrashSimilarParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. A group: of a list, those within it; of crashes, the id of the crash group.
	Group string `query:"group"`
}

// GetMethodCrashSimilar: crash groups whose stacks resemble that of a group.
//
// Needs the right to read `crashes`. The same as `/o?method=crash_similar`.
//
// It calls GET /o/method/crash_similar.
func (c *Client) GetMethodCrashSimilar(ctx context.Context, p GetMethodCrashSimilarParams) (out []CrashesSimilarTo, err error) {
	err = c.call(ctx, "GET", "/o/method/crash_similar", p, false, &out)
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

// GetMethodCrashesParams are the parameters of GetMethodCrashes. Zero values are left out.
type GetMethodCrashesParams struct {
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
	// A group: of a list, those within it; of crashes, the id of the crash group.
	Group string `query:"group"`
	// Answers with the users who had the crash.
	Userlist bool `query:"userlist"`
	// Answers with a list.
	List bool `query:"list"`
	// Answers with the figures of crashes by day.
	Graph bool `query:"graph"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Operating system.
	Os string `query:"os"`
	// Version of the app.
	AppVersion string `query:"app_version"`
}

// GetMethodCrashes: list crash groups, show one, or figures of crashes.
//
// Needs the right to read `crashes`. The same as `/o?method=crashes`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/method/crashes.
func (c *Client) GetMethodCrashes(ctx context.Context, p GetMethodCrashesParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/crashes", p, false, &out)
	return out, err
}

// GetMethodReportsParams are the parameters of GetMethodReports. Zero values are left out.
type GetMethodReportsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Ids of crash reports.
	ReportIDs any `query:"report_ids"`
	// Id of the crash report.
	ReportID string `query:"report_id"`
}

// GetMethodReports: crash reports.
//
// Needs the right to read `crashes`. The same as `/o?method=reports`.
//
// It calls GET /o/method/reports.
func (c *Client) GetMethodReports(ctx context.Context, p GetMethodReportsParams) (out map[string]map[string]json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/reports", p, false, &out)
	return out, err
}

// GetMethodUserCrashesParams are the parameters of GetMethodUserCrashes. Zero values are left out.
type GetMethodUserCrashesParams struct {
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
	// Required. Number of the user.
	UID string `query:"uid"`
	// Whether the groups are described.
	Names bool `query:"names"`
}

// GetMethodUserCrashes: crashes of a user.
//
// Needs the right to read `crashes`. The same as `/o?method=user_crashes`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/method/user_crashes.
func (c *Client) GetMethodUserCrashes(ctx context.Context, p GetMethodUserCrashesParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/user_crashes", p, false, &out)
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

// CrashesOverRep is part of answers.
type CrashesOverRep struct {
	Adjusted     float64         `json:"adjusted"`
	Exact        bool            `json:"exact"`
	Hit          int64           `json:"hit"`
	HitPercent   float64         `json:"hitPercent"`
	Kind         string          `json:"kind"`
	Odds         CrashesMeasure  `json:"odds"`
	Other        int64           `json:"other"`
	OtherPercent float64         `json:"otherPercent"`
	P            float64         `json:"p"`
	Path         string          `json:"path"`
	Value        json.RawMessage `json:"value"`
}

// CrashesPopulation is part of answers.
type CrashesPopulation struct {
	Few   bool  `json:"few"`
	Hit   int64 `json:"hit"`
	Other int64 `json:"other"`
}

// CrashesPropertiesRes is part of answers.
type CrashesPropertiesRes struct {
	Properties []CrashesOverRep  `json:"properties"`
	Reports    CrashesPopulation `json:"reports"`
	Tested     int64             `json:"tested"`
	Users      CrashesPopulation `json:"users"`
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

// CrashesSimilarTo is part of answers.
type CrashesSimilarTo struct {
	ID         string  `json:"_id"`
	IsResolved bool    `json:"is_resolved"`
	LastTs     int64   `json:"lastTs"`
	Name       string  `json:"name"`
	Os         string  `json:"os"`
	Reports    int64   `json:"reports"`
	Similarity float64 `json:"similarity"`
	Users      int64   `json:"users"`
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
