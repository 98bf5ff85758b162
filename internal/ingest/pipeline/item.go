package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/pipeline/cells"
	"quipu/internal/ingest/pipeline/session"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/query/counting"
	"quipu/internal/store/events"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// Step is one named step of the pipeline. Apply works on one request; it may
// change the item and its profile, and drop the request or single events. It
// must follow from the item alone: no clock, no randomness, no I/O. Maps and
// lists of the profile are shared with earlier versions of it: replace them,
// never change them in place. An error stops the whole batch, which is then done again.
type Step struct {
	Name  string
	Apply func(it *Item) error
}

// The names of the steps that are always there, in their order.
const (
	StepDedup   = "dedup"
	StepFilter  = "filter"
	StepProfile = "profile"
	StepSession = "session"
	StepEnrich  = "enrich"
	StepExpand  = "expand"
	StepCells   = "cells"
)

// Item is one request on its way through the steps. It is valid during the
// step only.
type Item struct {
	App      *model.App
	Settings *Settings
	Request  *request.Request
	Offset   uint64 // of the journal record: journal.Position.Place
	TS       int64  // ms, the time under which the request counts
	Received int64  // ms, server clock

	// Profile is the user, from the step profile on; Created says that this request
	// made it.
	Profile *model.Profile
	Created bool

	// Session is the id of the session the request's events fall into, from the
	// step session on; 0 = none.
	Session   uint64
	Began     *session.Began
	Closed    []session.Closed
	Continued bool    // a begin took up the session that had just ended
	Seconds   float64 // session_duration after the cap

	// Events are the items of Request.Events.
	Events []Event

	// Rows are the rows the request makes, from the step expand on. What a step
	// adds gets its place and common fields by AddRow.
	Rows []events.Row

	shard  *shard
	tech   *model.Dims
	finger fingerprint
	drop   outcome.Reason // of the request; Accepted = none
	drops  []request.Drop // of its parts
	merged []merged
	ends   []sessionEnd // of the session that the request ended
	begins []sessionBegin
	begun  *events.Row    // of the session that the request began
	saved  *model.Profile // as Profile was before the request
	dims   *model.Dims
	state  *events.State
	// changed says that custom properties or attribution are different now.
	changed bool
}

// Event is one event item of a request.
type Event struct {
	*request.Event
	TS   int64  // ms, the time under which it counts
	Key  string // e of the row
	Name string // n of the row
	// Dropped is the reason why it is not recorded; the zero value is Accepted.
	Dropped outcome.Reason
	// clamped says that a number was beyond its bound.
	clamped bool
	// places has what was found out about each segment.
	places []place
	// Subject is the number of the subject of its feature that it counts under, 0 = none, with its name.
	Subject     uint32
	SubjectName string
	// owner is the feature it belongs to; nil = it counts as an event.
	owner *Feature
	adds  counting.Added
	// counts is the item of an event that counts as such.
	counts cells.Event
}

// place says where a segment is stored, NoSlot = it is not recorded, and under what it counts.
type place struct {
	schema.Slot
	// counts says that cells are kept for the value.
	counts bool
	value  string       // as cells have it
	cell   *rollup.Cell // that an item of this batch counted in; nil = this is the first
}

// merged is a profile that went into the item's.
type merged struct {
	id  model.ProfileID
	uid uint32
}

// Drop ends the request for a reason: nothing of it is recorded, and each of
// its parts counts as dropped for the same reason.
func (it *Item) Drop(reason outcome.Reason) { it.drop = reason }

// Dropped reports whether the request was dropped, and why.
func (it *Item) Dropped() (outcome.Reason, bool) { return it.drop, it.drop != outcome.Accepted }

// Subjects returns what numbers the subjects of a kind in the item's app.
func (it *Item) Subjects(kind schema.Kind) Subjects { return Subjects{kind, it.shard.schema} }

// PropertiesChanged is to be called by a step that changed custom properties, or the feature's part of the user state,
// before the step expand.
func (it *Item) PropertiesChanged() { it.changed = true }

// AddRow appends a row of the key at ts and returns it for the caller to fill
// in. The pointer is valid until the next call.
func (it *Item) AddRow(key string, ts int64) *events.Row {
	it.Rows = append(it.Rows, events.Row{
		Offset: it.Offset, Item: uint32(len(it.Rows)), TS: ts, Received: it.Received, // a request has few rows
		Key: key, UID: it.Profile.UID, Session: it.Session, State: it.Profile.State, Count: 1, Hour: -1, Dow: -1,
	})
	return &it.Rows[len(it.Rows)-1]
}

// Record adds a row with properties, from the step expand on, and returns it. The segments are stored as they are and must outlive
// the request; those that the app omits or has too many of are left out.
func (it *Item) Record(key string, ts int64, name string, segments []request.Segment) *events.Row {
	it.shard.schema.AddEvent(key)
	row := it.AddRow(key, ts)
	row.Name = name
	w := slotWriter{shard: it.shard, row: row, event: key}
	for i := range segments {
		g := &segments[i]
		w.segment(g, w.slot(g.Name, slotKind(g)))
	}
	w.end()
	return row
}

// Extend adds properties to a row of the request, which Record or the step expand made, as Record does.
func (it *Item) Extend(row *events.Row, segments []request.Segment) {
	w := slotWriter{shard: it.shard, row: row, event: row.Key}
	if row.Extra != "" {
		w.extra = []byte(strings.TrimSuffix(row.Extra, "}"))
	}
	for i := range segments {
		g := &segments[i]
		w.segment(g, w.slot(g.Name, slotKind(g)))
	}
	w.end()
}

// Counts makes sure that the value of a property is known, and reports whether cells may be kept for it: a property has a
// maximum of values.
func (it *Item) Counts(event, segment, value string) (bool, error) {
	sch := it.shard.schema
	sch.AddEvent(event)
	if _, ok := sch.Segment(event, segment, schema.Text); !ok {
		return false, nil
	}
	ok, err := sch.AddValue(schema.OfSessions, event, segment, value)
	if err != nil {
		return false, fmt.Errorf("add value of property: %w", err)
	}
	return ok, nil
}

// reset makes the item ready for a request.
func (it *Item) reset(l *shard, d *decoded) {
	rows, evs, closed, merges, ends, begins := it.Rows[:0], it.Events[:0], it.Closed[:0], it.merged[:0], it.ends[:0], it.begins[:0]
	drops := append(it.drops[:0], d.req.Drops...)
	l.numbers = l.numbers[:0] // the rows of the request before are packed
	*it = Item{
		App: l.app, Settings: &l.settings, Request: d.req, Offset: d.place(), Received: d.req.Received,
		TS:    l.settings.instant(d.req.Timestamp, d.req.Received, d.req.Received),
		shard: l, tech: &d.tech, finger: d.finger,
		Rows: rows, Events: evs, Closed: closed, drops: drops, merged: merges, ends: ends, begins: begins,
	}
	n := len(d.req.Events)
	it.Events = slices.Grow(it.Events, n)[:n]
	clear(it.Events)
	for i := range it.Events {
		e, of := &it.Events[i], &d.req.Events[i]
		e.Event, e.clamped, e.TS, e.owner = of, of.Clamped, l.settings.instant(of.Timestamp, it.TS, it.Received), l.p.owner(of.Key)
	}
}
