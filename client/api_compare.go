// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// GetCompareAppsParams are the parameters of GetCompareApps. Zero values are left out.
type GetCompareAppsParams struct {
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Moment that the period is counted from, in s or ms since 1970.
	Timestamp int64 `query:"timestamp"`
	// Distance of the client from UTC, in minutes west.
	PeriodOffset int64 `query:"periodOffset"`
	// Required. Ids of apps: a JSON list, or separated by commas.
	Apps string `query:"apps"`
}

// GetCompareApps: compare apps.
//
// For every member. Tokens that are limited to apps may be used.
//
// It calls GET /o/compare/apps.
func (c *Client) GetCompareApps(ctx context.Context, p GetCompareAppsParams) (out []CompareAppRow, err error) {
	err = c.call(ctx, "GET", "/o/compare/apps", p, false, &out)
	return out, err
}

// GetCompareEventsParams are the parameters of GetCompareEvents. Zero values are left out.
type GetCompareEventsParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Moment that the period is counted from, in s or ms since 1970.
	Timestamp int64 `query:"timestamp"`
	// Distance of the client from UTC, in minutes west.
	PeriodOffset int64 `query:"periodOffset"`
	// Required. Keys of events.
	Events any `query:"events"`
}

// GetCompareEvents: compare events.
//
// Needs the right to read `compare`. Global administrators may leave out `app_id`.
//
// It calls GET /o/compare/events.
func (c *Client) GetCompareEvents(ctx context.Context, p GetCompareEventsParams) (out map[string]json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/compare/events", p, false, &out)
	return out, err
}

// GetCompareSumsParams are the parameters of GetCompareSums. Zero values are left out.
type GetCompareSumsParams struct {
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Moment that the period is counted from, in s or ms since 1970.
	Timestamp int64 `query:"timestamp"`
	// Distance of the client from UTC, in minutes west.
	PeriodOffset int64 `query:"periodOffset"`
	// Ids of apps: a JSON list, or separated by commas.
	Apps string `query:"apps"`
}

// GetCompareSums: sums over apps, with the people of all.
//
// For every member. Tokens that are limited to apps may be used.
//
// It calls GET /o/compare/sums.
func (c *Client) GetCompareSums(ctx context.Context, p GetCompareSumsParams) (out CompareSumsRes, err error) {
	err = c.call(ctx, "GET", "/o/compare/sums", p, false, &out)
	return out, err
}

// CompareAppRow is part of answers.
type CompareAppRow struct {
	Avgduration json.RawMessage      `json:"avgduration"`
	Charts      json.RawMessage      `json:"charts"`
	Duration    json.RawMessage      `json:"duration"`
	ID          string               `json:"id"`
	Name        string               `json:"name"`
	Newusers    json.RawMessage      `json:"newusers"`
	Sessions    json.RawMessage      `json:"sessions"`
	Users       QueryEstimatedFigure `json:"users"`
}

// CompareSumRow is part of answers.
type CompareSumRow struct {
	CrashFree *int64  `json:"crash_free"`
	Crashes   *int64  `json:"crashes"`
	Events    int64   `json:"events"`
	ID        string  `json:"id"`
	Name      string  `json:"name"`
	New       int64   `json:"new"`
	Seconds   float64 `json:"seconds"`
	Sessions  int64   `json:"sessions"`
	Users     int64   `json:"users"`
}

// CompareSumsRes is part of answers.
type CompareSumsRes struct {
	Apps  []CompareSumRow `json:"apps"`
	More  int64           `json:"more"`
	Total CompareTotalRow `json:"total"`
}

// CompareTotalRow is part of answers.
type CompareTotalRow struct {
	CrashFree *int64  `json:"crash_free"`
	Crashes   *int64  `json:"crashes"`
	Events    int64   `json:"events"`
	New       int64   `json:"new"`
	Seconds   float64 `json:"seconds"`
	Sessions  int64   `json:"sessions"`
	Shared    int64   `json:"shared"`
	Users     int64   `json:"users"`
}
