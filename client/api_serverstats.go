// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// GetServerStatsDataPointsParams are the parameters of GetServerStatsDataPoints. Zero values are left out.
type GetServerStatsDataPointsParams struct {
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Id of the app; all apps without it.
	SelectedApp string `query:"selected_app"`
}

// GetServerStatsDataPoints: data points by app.
//
// For every member. Tokens that are limited to apps may be used.
//
// It calls GET /o/server-stats/data-points.
func (c *Client) GetServerStatsDataPoints(ctx context.Context, p GetServerStatsDataPointsParams) (out map[string]*ServerstatsPoints, err error) {
	err = c.call(ctx, "GET", "/o/server-stats/data-points", p, false, &out)
	return out, err
}

// GetServerStatsPunchCardParams are the parameters of GetServerStatsPunchCard. Zero values are left out.
type GetServerStatsPunchCardParams struct {
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Id of the app; all apps without it.
	SelectedApp string `query:"selected_app"`
}

// GetServerStatsPunchCard: data points by hour.
//
// For every member. Tokens that are limited to apps may be used.
//
// It calls GET /o/server-stats/punch-card.
func (c *Client) GetServerStatsPunchCard(ctx context.Context, p GetServerStatsPunchCardParams) (out ServerstatsPunchCard, err error) {
	err = c.call(ctx, "GET", "/o/server-stats/punch-card", p, false, &out)
	return out, err
}

// GetServerStatsTopParams are the parameters of GetServerStatsTop. Zero values are left out.
type GetServerStatsTopParams struct {
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Id of the app; all apps without it.
	SelectedApp string `query:"selected_app"`
}

// GetServerStatsTop: apps with the most data points.
//
// For every member. Tokens that are limited to apps may be used.
//
// It calls GET /o/server-stats/top.
func (c *Client) GetServerStatsTop(ctx context.Context, p GetServerStatsTopParams) (out []ServerstatsTopRow, err error) {
	err = c.call(ctx, "GET", "/o/server-stats/top", p, false, &out)
	return out, err
}

// ServerstatsPoints is part of answers.
type ServerstatsPoints struct {
	Aclk     int64 `json:"aclk"`
	Actions  int64 `json:"actions"`
	Apm      int64 `json:"apm"`
	Change   int64 `json:"change"`
	Crash    int64 `json:"crash"`
	Cs       int64 `json:"cs"`
	Custom   int64 `json:"custom"`
	Dp       int64 `json:"dp"`
	Events   int64 `json:"events"`
	Llm      int64 `json:"llm"`
	Nps      int64 `json:"nps"`
	Ps       int64 `json:"ps"`
	Push     int64 `json:"push"`
	Ratings  int64 `json:"ratings"`
	Sessions int64 `json:"sessions"`
	Surveys  int64 `json:"surveys"`
	Views    int64 `json:"views"`
}

// ServerstatsPunchCard is part of answers.
type ServerstatsPunchCard struct {
	Data     []json.RawMessage `json:"data"`
	DayCount int64             `json:"dayCount"`
	Labels   []string          `json:"labels"`
}

// ServerstatsTopRow is part of answers.
type ServerstatsTopRow struct {
	A string `json:"a"`
	V int64  `json:"v"`
}
