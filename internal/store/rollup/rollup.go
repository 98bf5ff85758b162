// Package rollup keeps cells: for an app, a metric, a dimension value and a
// bucket of local time, a few counters and the bitmap of the users seen.
// Dashboards read nothing else.
//
// Cells form a commutative monoid: Merge adds counters, takes the smaller
// First and unites bitmaps, so deltas may be merged in any grouping. The
// embedded engine is package pebble below this one: a merge operator of Pebble.
package rollup

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/model"
)

// Metric numbers a family of cells. Numbers are part of the key layout
// (docs/format/rollup.md): never reuse one.
type Metric uint8

// The metrics of the core. Dim is empty unless said otherwise.
const (
	Users     Metric = 1 // value "" (the app's total); counts sessions, new users, requests, seconds
	Frequency Metric = 2 // value = bucket index of wire.md 4.1; Count = sessions
	Durations Metric = 3 // value = bucket index of wire.md 4.2; Count = closed sessions
	// From here to 31 are the metrics of dimensions (model.Dimensions); those that code names are named here.
	Countries      Metric = 4 // value = ISO code or "Unknown"
	Cities         Metric = 5 // value = name or "Unknown"
	Devices        Metric = 6 // from here on the value is as the wire shows it
	Carriers       Metric = 7
	OS             Metric = 8
	OSVersions     Metric = 9
	Resolutions    Metric = 10
	AppVersions    Metric = 11
	Browsers       Metric = 12
	BrowserVersion Metric = 13
	Languages      Metric = 15
	Sources        Metric = 16
	SDKs           Metric = 17
	DeviceTypes    Metric = 18
	Manufacturers  Metric = 19
	Events         Metric = 32 // value = event key; Count, Sum, Dur; Users per day and month
	Segments       Metric = 33 // dim = SegmentDim(event, segment), value = segment value; Count, Sum, Dur; no Users
	Outcomes       Metric = 48 // value = kind, outcome, reason, quarter of an hour joined by NUL (outcome.Value); Count; cells of UTC days only
	TimesOfDay     Metric = 49 // dim = event key, value = "dow:hour" by the device's clock; Count; month cells only
	// Views are named by SubjectValue. Count = visits, New = starts, Dur = seconds, Sum = per cent of scrolling, Users = who visited.
	Views        Metric = 50
	ViewSegments Metric = 51 // dim = SegmentDim(segment, segment value); as Views
	ViewEnds     Metric = 52 // Count = exits, New = bounces, Requests = sessions that saw the view; no Users
	// Features number theirs from 64 in their own files.
)

// Series is one metric of one dimension.
type Series struct {
	Metric Metric
	Dim    string // at most 1,024 bytes
}

// SegmentDim is the dimension of a segment of an event.
func SegmentDim(event, segment string) string { return event + "\x00" + segment }

// Grain is the width of a bucket, in the app's local calendar.
type Grain uint8

// The grains with the meaning of Bucket. Hour cells exist for Users and Events only.
const (
	Hour  Grain = 1 // day*24 + wall-clock hour; an hour that DST repeats is one bucket
	Day   Grain = 2 // days since 1970-01-01 of the local civil date
	Month Grain = 3 // year*12 + month-1
)

// Bucket numbers a span of local time at some grain.
type Bucket uint32

// Key names a cell of one app.
type Key struct {
	Series Series
	Grain  Grain
	Bucket Bucket
	Value  string // at most 1,024 bytes
}

// Flags of a cell; Merge ORs them.
const (
	HasSum uint8 = 1 << iota // a sum was sent
	HasDur                   // a duration was sent
)

// Cell is a bucket's counters and users. The zero value is the empty cell,
// the identity of Merge.
type Cell struct {
	// First is the smallest place in the journal (journal.Position.Place) that touched the cell, 0 = none; it
	// orders values by first appearance.
	First    uint64
	Count    int64   // t of sessions, c of events
	New      int64   // n
	Requests int64   // e
	Sum      float64 // s
	Dur      float64 // d, dur: seconds
	Flags    uint8
	// Users holds profile numbers; nil is the empty set. Owned by the cell.
	Users *roaring.Bitmap
}

// Delta is a batch's change of one app, each touched cell once.
type Delta map[Key]*Cell

// Alias says that the user numbered Old was merged into New.
type Alias struct{ Old, New uint32 }

// Reader reads cells. Bitmaps are corrected for merged users: where a cell
// holds a merged user's number, the reader sees the number it was merged
// into instead (chains are followed).
type Reader interface {
	// Scan calls fn for every cell of a series at a grain with
	// from <= bucket <= to, ordered by bucket, then by value. c and its bitmap
	// are valid only during the call. fn's error ends the scan and is returned.
	Scan(ctx context.Context, app model.AppID, s Series, g Grain, from, to Bucket, fn func(b Bucket, value string, c *Cell) error) error
}
