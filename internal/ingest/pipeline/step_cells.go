package pipeline

import (
	"fmt"

	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/pipeline/cells"
	"quipu/internal/ingest/request"
	"quipu/internal/store/schema"
)

// count makes the values of segments known, which decides whether cells are
// kept for them. The cells themselves are counted when the request is settled.
func count(it *Item) error {
	sch := it.shard.schema
	for i := range it.Events {
		e := &it.Events[i]
		if e.Dropped != outcome.Accepted {
			continue
		}
		for j := range e.Segmentation {
			g := &e.Segmentation[j]
			if e.slots[j].Kind == schema.NoSlot || g.Kind == request.OtherValue || !countsValues(e.owner, e.Event.Key, g.Name) {
				e.slots[j].Kind = schema.NoSlot
				continue
			}
			known, err := sch.AddValue(valuesOf(e.owner), e.Event.Key, g.Name, valueOf(e.owner, e.Event.Key, g.Text))
			if err != nil {
				return fmt.Errorf("add value of segment: %w", err)
			}
			if !known {
				e.slots[j].Kind = schema.NoSlot
			}
		}
	}
	return nil
}

// countInto counts what the request did.
func (it *Item) countInto(a *cells.Accumulator) {
	uid := it.Profile.UID
	a.Request(it.Offset, it.TS, it.Seconds)
	for i := range it.Closed {
		a.Close(it.Offset, &it.Closed[i])
		for _, e := range it.endsOf(i) {
			e.end.Count(e.of.counter(a, it.shard.schema, it.Offset), &it.Closed[i])
		}
	}
	if b := it.Began; b != nil {
		a.Begin(it.Offset, b.TS, uid, b.Frequency, b.New, it.dims)
		a.SessionTime(it.Offset, b.TS, it.Request.Dow, it.Request.Hour)
		for _, b := range it.begins {
			b.begin.Count(b.of.counter(a, it.shard.schema, it.Offset), &it.begun)
		}
	}
	for i := range it.Events {
		e := &it.Events[i]
		if e.Dropped != outcome.Accepted {
			continue
		}
		if e.owner != nil {
			it.countSubject(a, e)
			continue
		}
		ev := a.Event(it.Offset, e.TS, uid, e.Event.Key, cells.Amount{Count: e.Count, Sum: e.Sum, Dur: e.Dur})
		hour, dow := it.clock(e)
		ev.Time(dow, hour)
		for j := range e.Segmentation {
			if g := &e.Segmentation[j]; e.slots[j].Kind != schema.NoSlot {
				ev.Segment(g.Name, cells.SegmentValue(g.Text))
			}
		}
	}
	it.countRows(a)
}

// countRows counts the rows of features.
func (it *Item) countRows(a *cells.Accumulator) {
	owned := it.shard.p.owners.rows
	if len(owned) == 0 {
		return
	}
	for i := range it.Rows {
		row := &it.Rows[i]
		if f := owned[row.Key]; f != nil {
			f.Count(f.counter(a, it.shard.schema, row.Offset), row, textsOf(it.shard.schema, row))
		}
	}
}

// countSubject counts an item under its subject.
func (it *Item) countSubject(a *cells.Accumulator, e *Event) {
	if e.Subject == 0 {
		return
	}
	v := a.Subject(it.Offset, e.TS, it.Profile.UID, e.owner.Items.Under, e.Subject, e.adds)
	for j := range e.Segmentation {
		if g := &e.Segmentation[j]; e.slots[j].Kind != schema.NoSlot {
			v.Segment(g.Name, e.owner.Items.Value(e.Key, g.Text))
		}
	}
}
