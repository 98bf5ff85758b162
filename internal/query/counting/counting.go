// Package counting is how rows of features count: a feature declares it once, the pipeline counts by it what it records, and query what a filter selects.
package counting

import (
	"context"
	"math"
	"strconv"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// Texts are the segments of an item that are recorded.
type Texts interface {
	// Text returns the value of a segment, or "" when none is recorded.
	Text(segment string) string
}

// Adds says what an item of an event adds to its subject. It is data, not a function, so that a store can add up the rows of many items.
type Adds struct {
	// Only says which items add anything; zero = all.
	Only Value
	// Visit and Start say whether the item is a visit, which counts its user too, and whether it is a start.
	Visit, Start Flag
	// Seconds says that the item's duration is added.
	Seconds bool
	// Scrolled is added up as per cent; zero = nothing is.
	Scrolled Share
}

// Value is a segment and the text that it has.
type Value struct{ Segment, Text string }

// Flag is a segment that is set by any text but those of Unset; "" = never.
type Flag string

// Always is a flag that every item has set.
const Always Flag = "\x00"

// Unset are the texts by which a flag is not set.
func Unset() []string { return []string{"", "0", "0.0", "false", "null"} }

// IsSet reports whether a flag is set by a text.
func IsSet(text string) bool {
	switch text {
	case "", "0", "0.0", "false", "null":
		return false
	}
	return true
}

// set reports whether an item has the flag set.
func (f Flag) set(recorded Texts) bool {
	return f == Always || f != "" && IsSet(recorded.Text(string(f)))
}

// Share is the number of one segment in per cent of that of another.
type Share struct {
	Part, Whole string
	Most        float64 // per cent
}

// Of returns how many per cent a part is of a whole; 0 unless both are above 0.
func (s *Share) Of(part, whole float64) float64 {
	if percent := part * 100 / whole; whole > 0 && part > 0 && !math.IsNaN(percent) {
		return min(percent, s.Most)
	}
	return 0
}

// Added is what an item adds to its subject.
type Added struct {
	Visit, Start bool
	Seconds      float64
	Scrolled     float64 // per cent
}

// IsZero reports whether nothing is added.
func (v Added) IsZero() bool { return v == Added{} }

// Of returns what an item adds that took so many seconds.
func (a *Adds) Of(seconds float64, recorded Texts) Added {
	if a.Only.Segment != "" && recorded.Text(a.Only.Segment) != a.Only.Text {
		return Added{}
	}
	v := Added{Visit: a.Visit.set(recorded), Start: a.Start.set(recorded)}
	if a.Seconds {
		v.Seconds = seconds
	}
	if a.Scrolled.Part != "" {
		v.Scrolled = a.Scrolled.Of(number(recorded.Text(a.Scrolled.Part)), number(recorded.Text(a.Scrolled.Whole)))
	}
	return v
}

// number returns the number that a text is; 0 if it is none.
func number(text string) float64 {
	f, _ := strconv.ParseFloat(text, 64)
	return f
}

// Item is an event and what its items add.
type Item struct {
	Key  string
	Adds Adds
}

// Metric says how rows count under a metric of a feature.
type Metric struct {
	// Kind is that of the subjects by whose numbers values are named; 0 = there are none.
	Kind schema.Kind
	// Items are the events whose items count under the subject that names their row. Where there are any, nothing else counts.
	Items []Item
	// Rows are the keys of rows that Counter.Row counts.
	Rows []string
	// Begins and Ends are the names under which rows of sessions that begin and end keep what Counter counts of them; "" = it counts nothing.
	Begins, Ends string
	// Open returns what counts rows and sessions for one read of an app, into sink.
	Open func(ctx context.Context, app model.AppID, known schema.Details, sink Sink) Counter
}

// Counter counts stored rows one by one, by the functions that counted them when they were recorded. Of a row it gets what all rows have but session and state. Its methods
// return false where something would count under a subject that is not known.
type Counter interface {
	// Row counts a row of Metric.Rows.
	Row(row *events.Row, recorded Texts) (known bool)
	// Begin counts what the row of a session that began kept.
	Begin(kept []byte, row *events.Row) (known bool)
	// End counts what the row of a session kept that ended at a time (ms), and had ended at another before; 0 = it had not.
	End(kept []byte, at, before int64) (known bool)
	// Err returns what went wrong.
	Err() error
}

// Sink takes what rows count, in cells that are added to during the call of a Counter.
type Sink interface {
	// Day returns the cell of a value on the local day of ts (ms), for a row at a place of the journal.
	Day(place uint64, ts int64, s rollup.Series, value string) *rollup.Cell
	// SubjectDay is Day of the number of a subject.
	SubjectDay(place uint64, ts int64, m rollup.Metric, subject uint32) *rollup.Cell
}

// Find returns how rows count under a metric; nil where no feature has it.
type Find func(m rollup.Metric) *Metric
