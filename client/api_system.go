// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// GetLivez: whether the process runs.
//
// For probes of monitoring.
//
// It calls GET /livez.
func (c *Client) GetLivez(ctx context.Context) ([]byte, error) {
	return c.raw(ctx, "GET", "/livez", nil)
}

// GetBatchParams are the parameters of GetBatch. Zero values are left out.
type GetBatchParams struct {
	// Required. Addresses of the reads, below `/o`, at most 16.
	Requests any `query:"requests"`
}

// GetBatch: make several reads.
//
// For every member. Tokens that are limited to apps may be used.
//
// It calls GET /o/batch.
func (c *Client) GetBatch(ctx context.Context, p GetBatchParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/batch", p, false, &out)
	return out, err
}

// GetCountlyVersion: versions of the program.
//
// For every member.
//
// It calls GET /o/countly_version.
func (c *Client) GetCountlyVersion(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "GET", "/o/countly_version", nil, false, &out)
	return out, err
}

// GetExplainParams are the parameters of GetExplain. Zero values are left out.
type GetExplainParams struct {
	// Required. Address of the read, below `/o`.
	Read string `query:"read"`
}

// GetExplain: make a read, and say what was done for it.
//
// For global administrators.
//
// It calls GET /o/explain.
func (c *Client) GetExplain(ctx context.Context, p GetExplainParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/explain", p, false, &out)
	return out, err
}

// GetPing: whether the server accepts data.
//
// Needs no credentials of a member.
//
// It calls GET /o/ping.
func (c *Client) GetPing(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "GET", "/o/ping", nil, false, &out)
	return out, err
}

// GetSystemAggregator: how far projection is.
//
// For every member.
//
// It calls GET /o/system/aggregator.
func (c *Client) GetSystemAggregator(ctx context.Context) (out []SystemAggregatorRow, err error) {
	err = c.call(ctx, "GET", "/o/system/aggregator", nil, false, &out)
	return out, err
}

// GetSystemKafka: state of the journal.
//
// For every member.
//
// It calls GET /o/system/kafka.
func (c *Client) GetSystemKafka(ctx context.Context) (out SystemKafkaState, err error) {
	err = c.call(ctx, "GET", "/o/system/kafka", nil, false, &out)
	return out, err
}

// GetSystemKafkaEventsParams are the parameters of GetSystemKafkaEvents. Zero values are left out.
type GetSystemKafkaEventsParams struct {
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
}

// GetSystemKafkaEvents: events of the journal.
//
// For every member. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/system/kafka/events.
func (c *Client) GetSystemKafkaEvents(ctx context.Context, p GetSystemKafkaEventsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/system/kafka/events", p, false, &out)
	return out, err
}

// GetSystemKafkaEventsMeta: what events of the journal can be filtered by.
//
// For every member.
//
// It calls GET /o/system/kafka/events/meta.
func (c *Client) GetSystemKafkaEventsMeta(ctx context.Context) (out SystemKafkaMeta, err error) {
	err = c.call(ctx, "GET", "/o/system/kafka/events/meta", nil, false, &out)
	return out, err
}

// GetSystemObservability: parts of the server and their state.
//
// For every member.
//
// It calls GET /o/system/observability.
func (c *Client) GetSystemObservability(ctx context.Context) (out []SystemServiceRow, err error) {
	err = c.call(ctx, "GET", "/o/system/observability", nil, false, &out)
	return out, err
}

// GetSystemPlugins: features that are there.
//
// For every member.
//
// It calls GET /o/system/plugins.
func (c *Client) GetSystemPlugins(ctx context.Context) (out []string, err error) {
	err = c.call(ctx, "GET", "/o/system/plugins", nil, false, &out)
	return out, err
}

// GetSystemVersion: version of the program.
//
// For every member.
//
// It calls GET /o/system/version.
func (c *Client) GetSystemVersion(ctx context.Context) (out SystemVersion, err error) {
	err = c.call(ctx, "GET", "/o/system/version", nil, false, &out)
	return out, err
}

// SystemAggregatorRow is part of answers.
type SystemAggregatorRow struct {
	Diff      int64   `json:"diff"`
	DiffDrill int64   `json:"diffDrill"`
	Drill     string  `json:"drill"`
	LastCd    *string `json:"last_cd"`
	LastID    string  `json:"last_id"`
	Name      string  `json:"name"`
}

// SystemKafkaMeta is part of answers.
type SystemKafkaMeta struct {
	ClusterIDs []string `json:"clusterIds"`
	EventTypes []string `json:"eventTypes"`
	GroupIDs   []string `json:"groupIds"`
	Topics     []string `json:"topics"`
}

// SystemKafkaState is part of answers.
type SystemKafkaState struct {
	ConnectStatus json.RawMessage `json:"connectStatus"`
	Consumers     []string        `json:"consumers"`
	LagHistory    []string        `json:"lagHistory"`
	Partitions    []string        `json:"partitions"`
	Summary       json.RawMessage `json:"summary"`
}

// SystemServiceRow is part of answers.
type SystemServiceRow struct {
	Lag     int64  `json:"lag"`
	Service string `json:"service"`
	Status  string `json:"status"`
}

// SystemVersion is part of answers.
type SystemVersion struct {
	Version string `json:"version"`
}
