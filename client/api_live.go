// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
)

// GetLiveFeedParams are the parameters of GetLiveFeed. Zero values are left out.
type GetLiveFeedParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetLiveFeed: stream of events as they arrive.
//
// Needs the right to read `events`.
//
// It calls GET /o/live/feed.
func (c *Client) GetLiveFeed(ctx context.Context, p GetLiveFeedParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/o/live/feed", p)
}

// GetLiveNowParams are the parameters of GetLiveNow. Zero values are left out.
type GetLiveNowParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetLiveNow: figures of the moment.
//
// Needs the right to read `core`.
//
// It calls GET /o/live/now.
func (c *Client) GetLiveNow(ctx context.Context, p GetLiveNowParams) (out LiveTiles, err error) {
	err = c.call(ctx, "GET", "/o/live/now", p, false, &out)
	return out, err
}

// GetLiveTilesParams are the parameters of GetLiveTiles. Zero values are left out.
type GetLiveTilesParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetLiveTiles: stream of figures of the moment.
//
// Needs the right to read `core`.
//
// It calls GET /o/live/tiles.
func (c *Client) GetLiveTiles(ctx context.Context, p GetLiveTilesParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/o/live/tiles", p)
}

// LiveTiles is part of answers.
type LiveTiles struct {
	At      int64         `json:"at"`
	Minutes []QueryMinute `json:"minutes"`
	Online  int64         `json:"online"`
	Users   int64         `json:"users"`
}

// QueryMinute is part of answers.
type QueryMinute struct {
	Events   int64 `json:"events"`
	NewUsers int64 `json:"new_users"`
	Sessions int64 `json:"sessions"`
}
