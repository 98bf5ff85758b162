package performance

import (
	"math"
	"slices"

	"quipu/internal/ingest/request"
	"quipu/internal/query"
	"quipu/internal/store/rollup"
)

// The metrics. Their dimension is the id of a measure; docs/format/rollup.md has their values.
const (
	ratingCells rollup.Metric = 100
	binCells    rollup.Metric = 101
)

// Units of measures.
const (
	unitMS     = "ms"
	unitFrames = "frames"
	unitBytes  = "bytes"
	unitCode   = "code"
	unitNone   = "" // a number without one, as that of a layout shift
)

// Groups of measures, as people find them.
const (
	groupVitals  = "vitals"
	groupPage    = "page"
	groupApp     = "app"
	groupScreens = "screens"
	groupTraces  = "traces"
	groupNetwork = "network"
)

// Names of device traces that SDKs send by themselves.
const (
	appStart     = "app_start"
	inForeground = "app_in_foreground"
	inBackground = "app_in_background"
)

// measure is something that traces measure: a metric of all traces of a kind, or of those with a name.
type measure struct {
	// id is the name in the API, and the dimension of cells: it never changes.
	id     string
	group  string
	key    string // of the rows
	metric string // as SDKs send it
	unit   string
	// only is the name of the traces, other are names of traces that are left out.
	only   string
	other  []string
	rating query.Rating
}

// frames rates counts of frames: none is good, any is poor.
func frames() query.Rating { return query.Rating{Good: 0, Poor: 0.5} }

// measures are all that there are. The limits of web vitals are those of web.dev.
func measures() []measure {
	const device, network = request.DeviceTraceKey, request.NetworkTraceKey
	own := []string{appStart, inForeground, inBackground}
	return []measure{
		{id: "lcp", group: groupVitals, key: device, metric: "largest_contentful_paint", unit: unitMS, rating: query.Rating{Good: 2500, Poor: 4000}},
		{id: "inp", group: groupVitals, key: device, metric: "interaction_to_next_paint", unit: unitMS, rating: query.Rating{Good: 200, Poor: 500}},
		{id: "cls", group: groupVitals, key: device, metric: "cumulative_layout_shift", unit: unitNone, rating: query.Rating{Good: 0.1, Poor: 0.25}},
		{id: "fcp", group: groupVitals, key: device, metric: "first_contentful_paint", unit: unitMS, rating: query.Rating{Good: 1800, Poor: 3000}},
		{id: "ttfb", group: groupVitals, key: device, metric: "time_to_first_byte", unit: unitMS, rating: query.Rating{Good: 800, Poor: 1800}},
		{id: "first_paint", group: groupPage, key: device, metric: "first_paint", unit: unitMS},
		{id: "dom_interactive", group: groupPage, key: device, metric: "dom_interactive", unit: unitMS},
		{id: "dom_content_loaded", group: groupPage, key: device, metric: "dom_content_loaded_event_end", unit: unitMS},
		{id: "load_event", group: groupPage, key: device, metric: "load_event_end", unit: unitMS},
		{id: "first_input_delay", group: groupPage, key: device, metric: "first_input_delay", unit: unitMS},
		{id: "app_start", group: groupApp, key: device, metric: "duration", unit: unitMS, only: appStart},
		{id: "foreground", group: groupApp, key: device, metric: "duration", unit: unitMS, only: inForeground},
		{id: "background", group: groupApp, key: device, metric: "duration", unit: unitMS, only: inBackground},
		{id: "slow_frames", group: groupScreens, key: device, metric: "slow_rendering_frames", unit: unitFrames, rating: frames()},
		{id: "frozen_frames", group: groupScreens, key: device, metric: "frozen_frames", unit: unitFrames, rating: frames()},
		{id: "trace_time", group: groupTraces, key: device, metric: "duration", unit: unitMS, other: own},
		{id: "response_time", group: groupNetwork, key: network, metric: "response_time", unit: unitMS},
		{id: "response_size", group: groupNetwork, key: network, metric: "response_payload_size", unit: unitBytes},
		{id: "request_size", group: groupNetwork, key: network, metric: "request_payload_size", unit: unitBytes},
		{id: "response_code", group: groupNetwork, key: network, metric: "response_code", unit: unitCode, rating: query.Rating{Codes: true}},
	}
}

// named returns the measure with an id.
func named(id string) (measure, bool) {
	for _, m := range measures() {
		if m.id == id {
			return m, true
		}
	}
	return measure{}, false
}

// has reports whether traces with a name count.
func (m *measure) has(name string) bool {
	if m.only != "" {
		return m.only == name
	}
	return !slices.Contains(m.other, name)
}

// cells are those of the measure.
func (m *measure) cells() query.SampleCells {
	return query.SampleCells{Bins: rollup.Series{Metric: binCells, Dim: m.id}, Ratings: rollup.Series{Metric: ratingCells, Dim: m.id}}
}

// samples selects its numbers in rows.
func (m *measure) samples() query.Samples {
	s := query.Samples{Event: m.key, Of: "sg." + m.metric, Rating: m.rating, Other: m.other}
	if m.only != "" {
		s.Names = []string{m.only}
	}
	return s
}

// finite reports whether a number can be counted.
func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
