// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
)

// GetMethodKeywordsParams are the parameters of GetMethodKeywords. Zero values are left out.
type GetMethodKeywordsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Moment that the period is counted from, in s or ms since 1970.
	Timestamp int64 `query:"timestamp"`
	// Distance of the client from UTC, in minutes west.
	PeriodOffset int64 `query:"periodOffset"`
}

// GetMethodKeywords: what people searched for.
//
// Needs the right to read `sources`. The same as `/o?method=keywords`.
//
// It calls GET /o/method/keywords.
func (c *Client) GetMethodKeywords(ctx context.Context, p GetMethodKeywordsParams) (out []AttributionVisitRow, err error) {
	err = c.call(ctx, "GET", "/o/method/keywords", p, false, &out)
	return out, err
}

// GetSources: names of stores.
//
// Needs no credentials of a member.
//
// It calls GET /o/sources.
func (c *Client) GetSources(ctx context.Context) (out map[string]string, err error) {
	err = c.call(ctx, "GET", "/o/sources", nil, false, &out)
	return out, err
}

// GetStores: names of stores.
//
// Needs no credentials of a member.
//
// It calls GET /o/stores.
func (c *Client) GetStores(ctx context.Context) (out map[string]string, err error) {
	err = c.call(ctx, "GET", "/o/stores", nil, false, &out)
	return out, err
}
