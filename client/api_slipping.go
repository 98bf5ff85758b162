// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
)

// GetSlippingParams are the parameters of GetSlipping. Zero values are left out.
type GetSlippingParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
}

// GetSlipping: users who were not active for long.
//
// Needs the right to read `slipping_away_users`.
//
// It calls GET /o/slipping.
func (c *Client) GetSlipping(ctx context.Context, p GetSlippingParams) (out []SlippingRow, err error) {
	err = c.call(ctx, "GET", "/o/slipping", p, false, &out)
	return out, err
}

// SlippingRow is part of answers.
type SlippingRow struct {
	Count      int64  `json:"count"`
	Percentage string `json:"percentage"`
	Period     int64  `json:"period"`
	TimeStamp  int64  `json:"timeStamp"`
}
