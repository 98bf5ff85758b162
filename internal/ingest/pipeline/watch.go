package pipeline

import (
	"strings"
	"unicode/utf8"

	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
)

// Watcher sees samples of what was recorded, once it is readable.
type Watcher interface {
	// Wants reports whether the watcher follows an app. Several goroutines call it, for every
	// app of every batch, so it must be quick.
	Wants(app model.AppID) bool
	// Saw is notified of an app's part of a committed batch, which the watcher may
	// keep. One goroutine at a time calls it, and it must return at once.
	Saw(r Recorded)
}

// Watchers are the watchers of a server. They are added while the server is
// wired.
type Watchers struct{ list []Watcher }

// Add adds a watcher.
func (w *Watchers) Add(one Watcher) { w.list = append(w.list, one) }

func (w *Watchers) wanted(app model.AppID) bool {
	if w == nil {
		return false
	}
	for _, one := range w.list {
		if one.Wants(app) {
			return true
		}
	}
	return false
}

func (w *Watchers) saw(r Recorded) {
	for _, one := range w.list {
		if one.Wants(r.App) {
			one.Saw(r)
		}
	}
}

// Recorded is what a batch recorded in one app: the number of requests, and the first few of them.
type Recorded struct {
	App      model.AppID
	Requests int
	// Arrivals are the first of the requests, in their order.
	Arrivals []Arrival
}

// Bounds of what watchers see of a batch of one app.
const (
	maxArrivals  = 25  // requests
	maxArrived   = 10  // events of a request
	maxSegments  = 6   // segments of an event
	maxSeenBytes = 120 // of a text
)

// Arrival is a recorded request in brief. Long texts are cut. Device and place are
// what is known of the user after the request; "" is unknown.
type Arrival struct {
	Offset   uint64
	Received int64 // ms, server clock
	TS       int64 // ms, the time under which it counts
	UID      uint32
	New      bool // the request made its user
	Began    bool // a session
	Ended    bool
	Seconds  float64 // session duration that it reported
	Crash    bool
	Consent  bool
	Person   bool // the request had details of its user
	// Events are the first of the recorded ones; More counts the others.
	Events []ArrivedEvent
	More   int

	Country, City, Device, OS, OSVersion, Browser, AppVersion string
}

// ArrivedEvent is a recorded event item.
type ArrivedEvent struct {
	Key      string
	Count    int64
	Sum, Dur float64
	// Segments are the first of the recorded ones; More counts the others.
	Segments []ArrivedSegment
	More     int
}

// ArrivedSegment is a property of an event with its value as text.
type ArrivedSegment struct{ Name, Value string }

// watch keeps the request for the watchers.
func (l *shard) watch(it *Item) {
	l.seen.Requests++
	if len(l.seen.Arrivals) >= maxArrivals {
		return
	}
	p, r := it.Profile, it.Request
	a := Arrival{
		Offset: it.Offset, Received: it.Received, TS: it.TS, UID: p.UID, New: it.Created, Began: it.Began != nil, Ended: r.End,
		Seconds: it.Seconds, Crash: r.Crash != nil, Consent: r.Consent != nil, Person: r.User != nil,
		Country: p.Dims[model.Country], City: p.Dims[model.City], Device: p.Dims[model.Device], OS: p.Dims[model.OS],
		OSVersion: p.Dims[model.OSVersion], Browser: p.Dims[model.Browser], AppVersion: p.Dims[model.AppVersion],
	}
	for i := range it.Events {
		e := &it.Events[i]
		switch {
		case e.Dropped != outcome.Accepted:
		case len(a.Events) == maxArrived:
			a.More++
		default:
			a.Events = append(a.Events, arrived(e))
		}
	}
	if r.Trace != nil {
		a.Add(arrivedTrace(r.Trace))
	}
	l.seen.Arrivals = append(l.seen.Arrivals, a)
}

// arrivedTrace shows a sample of performance as the row that it makes.
func arrivedTrace(t *request.Trace) ArrivedEvent {
	out := ArrivedEvent{Key: t.Key(), Count: 1}
	for i := range t.Metrics {
		out.Segments = append(out.Segments, ArrivedSegment{t.Metrics[i].Name, t.Metrics[i].Text})
	}
	return out
}

func arrived(e *Event) ArrivedEvent {
	out := ArrivedEvent{Key: brief(e.Event.Key), Count: e.Count, Sum: e.Sum, Dur: e.Dur}
	for i := range e.Segmentation {
		g := &e.Segmentation[i]
		if len(out.Segments) == maxSegments {
			out.More++
			continue
		}
		value := g.Text
		if g.Kind == request.OtherValue {
			value = g.JSON
		}
		out.Segments = append(out.Segments, ArrivedSegment{brief(g.Name), brief(value)})
	}
	return out
}

// Add adds an event with all of its segments, and keeps as much of it as watchers see.
func (a *Arrival) Add(e ArrivedEvent) {
	if len(a.Events) == maxArrived {
		a.More++
		return
	}
	out := ArrivedEvent{Key: brief(e.Key), Count: e.Count, Sum: e.Sum, Dur: e.Dur, More: max(0, len(e.Segments)-maxSegments)}
	for _, s := range e.Segments[:len(e.Segments)-out.More] {
		out.Segments = append(out.Segments, ArrivedSegment{brief(s.Name), brief(s.Value)})
	}
	a.Events = append(a.Events, out)
}

// brief copies a text, and cuts off what is too long. The request that it comes from
// may hold it in a larger block.
func brief(s string) string {
	if len(s) <= maxSeenBytes {
		return strings.Clone(s)
	}
	n := maxSeenBytes
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
