// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
)

// GetIngestOutcomesParams are the parameters of GetIngestOutcomes. Zero values are left out.
type GetIngestOutcomesParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
}

// GetIngestOutcomes: what became of received items, of an app or, for global administrators, of what came for none.
//
// Needs the right to read `core`. Global administrators may leave out `app_id`.
//
// It calls GET /o/ingest/outcomes.
func (c *Client) GetIngestOutcomes(ctx context.Context, p GetIngestOutcomesParams) (out OutcomesAnswer, err error) {
	err = c.call(ctx, "GET", "/o/ingest/outcomes", p, false, &out)
	return out, err
}

// OutcomesAnswer is part of answers.
type OutcomesAnswer struct {
	Clamped map[string]int64                       `json:"clamped"`
	Days    map[string]map[string]map[string]int64 `json:"days"`
	Period  string                                 `json:"period"`
	Totals  map[string]map[string]int64            `json:"totals"`
}
