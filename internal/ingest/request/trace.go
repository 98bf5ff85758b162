package request

import (
	"strings"

	"quipu/internal/ingest/rawjson"
)

// Trace is one sample of performance, of the device or of a call over the network.
type Trace struct {
	Network bool
	Name    string // never empty: the part of the app, or the address called
	// Metrics are the numbers measured; names are unique.
	Metrics []Segment
	// Start and End are by the device's clock (ms), 0 when not sent.
	Start, End int64
}

// The keys of the rows of traces.
const (
	DeviceTraceKey  = ReservedPrefix + "apm_device"
	NetworkTraceKey = ReservedPrefix + "apm_network"
)

// Key is the event key of the trace's row.
func (t *Trace) Key() string {
	if t.Network {
		return NetworkTraceKey
	}
	return DeviceTraceKey
}

// trace reads the apm parameter; nil when it has no known type or no name.
func (p *Parser) trace(v []byte) *Trace {
	t := &Trace{}
	kind := ""
	err := rawjson.Members(v, func(key, v []byte) bool {
		switch string(key) {
		case "type":
			kind, _ = p.scalar(v, MaxMetricName)
		case "name":
			t.Name, _ = p.scalar(v, MaxTraceName)
		case "apm_metrics":
			t.Metrics = p.traceMetrics(v)
		case "stz":
			t.Start = timestampValue(v)
		case "etz":
			t.End = timestampValue(v)
		}
		return true
	})
	t.Network = kind == "network"
	t.Name = strings.TrimLeft(t.Name, "$")
	if err != nil || t.Name == "" || !t.Network && kind != "device" {
		return nil
	}
	return t
}

// traceMetrics keeps the numbers among the metrics of a trace, under names as SDKs may send them.
func (p *Parser) traceMetrics(v []byte) []Segment {
	p.segments = room(p.segments, 4, blockSize)
	start := len(p.segments)
	c := rawjson.NewCursor(v)
	p.segmentation(&c)
	var out []Segment
	for _, s := range p.segments[start:] {
		s.Name = Cut(strings.ReplaceAll(strings.TrimLeft(s.Name, "$"), ".", ""), MaxTraceMetric)
		if s.Kind == TextValue {
			if f, ok := numberText([]byte(s.Text)); ok {
				s.Kind, s.Number = NumberValue, p.within(f, -MaxNumber, MaxNumber)
			}
		}
		if s.Kind != NumberValue || s.Name == "" {
			continue
		}
		again := false
		for i := range out {
			again = again || out[i].Name == s.Name
		}
		if !again {
			out = append(out, s)
		}
	}
	return out
}
