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

// CrashesMeasure is part of answers.
type CrashesMeasure struct {
	High  *float64 `json:"high,omitempty"`
	Low   float64  `json:"low"`
	Value float64  `json:"value"`
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

// TrackersIssueView is part of answers.
type TrackersIssueView struct {
	Created     int64  `json:"created"`
	Fault       string `json:"fault,omitempty"`
	Key         string `json:"key"`
	LastChecked int64  `json:"lastChecked"`
	Problem     string `json:"problem,omitempty"`
	State       string `json:"state"`
	Status      string `json:"status"`
	Title       string `json:"title"`
	Tracker     string `json:"tracker"`
	URL         string `json:"url"`
}

// TrackersJiraView is part of answers.
type TrackersJiraView struct {
	Address     string `json:"address"`
	Callback    string `json:"callback"`
	ConsumerKey string `json:"consumer_key"`
	LoggedIn    bool   `json:"logged_in"`
	PublicKey   string `json:"public_key"`
	Since       int64  `json:"since"`
}

// TrackersLinked is part of answers.
type TrackersLinked struct {
	Issue *TrackersIssueView `json:"issue"`
}
