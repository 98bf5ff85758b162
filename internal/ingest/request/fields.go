package request

import (
	"slices"

	"quipu/internal/ingest/outcome"
)

// The keys of rows that are made of fields, beside those of traces.
const (
	CrashKey   = ReservedPrefix + "crash"
	ConsentKey = ReservedPrefix + "consent"
	// CallKey is the key of calls of features, see RecordedCall. The name of the row is the method.
	CallKey = ReservedPrefix + "sdk_call"
)

// FeatureField is what belongs to a feature of the parameters of requests: one, or several that mean something together. The parser reads it and the pipeline makes its rows,
// whatever the feature is up to, so that nothing is lost.
type FeatureField struct {
	// Names are those of the parameters.
	Names []string
	// Keys are those of its rows, which count as no events; none = it has no rows.
	Keys []string
	// Item is what each row is an accepted one of; 0 = it is not counted.
	Item outcome.Item
	// Verbatim says that a row may hold what was sent as it is, in place of properties that the schema knows.
	Verbatim bool
}

var fields = []FeatureField{
	{Names: []string{"consent"}, Keys: []string{ConsentKey}},
	{Names: []string{"crash"}, Keys: []string{CrashKey}, Item: outcome.Crash, Verbatim: true},
	{Names: []string{"apm"}, Keys: []string{DeviceTraceKey, NetworkTraceKey}, Item: outcome.Trace},
	{Names: []string{"method", "key", "variant", "keys"}, Keys: []string{CallKey}},
	{Names: []string{"campaign_id", "campaign_user", "attribution_data", "aid"}},
}

// Fields returns the fields of features. They are not to be changed.
func Fields() []FeatureField { return fields }

// FieldOf returns the field that rows of a key are made of; nil when it is none.
func FieldOf(key string) *FeatureField {
	for i := range fields {
		if slices.Contains(fields[i].Keys, key) {
			return &fields[i]
		}
	}
	return nil
}
