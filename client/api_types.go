// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"encoding/json"
)

// AttributionVisitRow is part of answers.
type AttributionVisitRow struct {
	ID string `json:"_id"`
	N  int64  `json:"n"`
	T  int64  `json:"t"`
	U  int64  `json:"u"`
}

// QueryEstimatedFigure is part of answers.
type QueryEstimatedFigure struct {
	Change     string `json:"change"`
	IsEstimate bool   `json:"is_estimate"`
	Total      int64  `json:"total"`
	Trend      string `json:"trend"`
}

// QueryFigures is part of answers.
type QueryFigures struct {
	Dur float64    `json:"dur"`
	M   []*float64 `json:"m,omitempty"`
	S   float64    `json:"s"`
	T   int64      `json:"t"`
	U   int64      `json:"u"`
}

// QueryMetricRow is part of answers.
type QueryMetricRow struct {
	ID string `json:"_id"`
	N  int64  `json:"n"`
	T  int64  `json:"t"`
	U  int64  `json:"u"`
}

// QueryTopEvent is part of answers.
type QueryTopEvent struct {
	ID       string  `json:"_id"`
	Change   string  `json:"change"`
	Count    int64   `json:"count"`
	Duration float64 `json:"duration"`
	Name     string  `json:"name"`
	Sum      float64 `json:"sum"`
	Trend    string  `json:"trend"`
}

// Result is part of answers.
type Result struct {
	// The answer, or `Success`.
	Result json.RawMessage `json:"result"`
}
