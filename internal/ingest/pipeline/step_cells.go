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
		if e.owner == nil {
			e.counts = it.shard.acc.Item(e.TS, e.Event.Key)
		}
		for j := range e.Segmentation {
			g, at := &e.Segmentation[j], &e.places[j]
			if at.Kind == schema.NoSlot || g.Kind == request.OtherValue || !countsValues(e.owner, e.Event.Key, g.Name) {
				continue
			}
			at.value = valueOf(e.owner, e.Event.Key, g.Text)
			if e.owner == nil {
				// The schema knows a value that has counted in this batch.
				if at.cell = e.counts.Value(g.Name, at.value); at.cell != nil {
					at.counts = true
					continue
				}
			}
			var err error
			if at.counts, err = sch.AddValue(valuesOf(e.owner), e.Event.Key, g.Name, at.value); err != nil {
				return fmt.Errorf("add value of segment: %w", err)
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
			e.end.Count(it.shard.counterOf(e.of, a, it.Offset), it.Closed[i].At, it.Closed[i].ClosedAt)
		}
	}
	if b := it.Began; b != nil {
		a.Begin(it.Offset, b.TS, uid, b.Frequency, b.New, it.dims)
		a.SessionTime(it.Offset, b.TS, it.Request.Dow, it.Request.Hour)
		for _, b := range it.begins {
			b.begin.Count(it.shard.counterOf(b.of, a, it.Offset), it.begun)
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
		ev := &e.counts
		ev.Count(it.Offset, uid, cells.Amount{Count: e.Count, Sum: e.Sum, Dur: e.Dur})
		hour, dow := it.clock(e)
		ev.Time(dow, hour)
		for j := range e.places {
			switch at := &e.places[j]; {
			case at.cell != nil:
				ev.Add(at.cell)
			case at.counts:
				ev.Segment(e.Segmentation[j].Name, at.value)
			}
		}
	}
	it.countRows(a)
}

// counterOf returns what counts for a feature, until the next call.
func (l *shard) counterOf(f *Feature, a *cells.Accumulator, offset uint64) *Counter {
	l.counter = Counter{Subjects: Subjects{f.Subjects, l.schema}, to: a, offset: offset}
	return &l.counter
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
			f.Count(it.shard.counterOf(f, a, row.Offset), row, textsOf(it.shard.schema, row))
		}
	}
}

// countSubject counts an item under its subject.
func (it *Item) countSubject(a *cells.Accumulator, e *Event) {
	if e.Subject == 0 {
		return
	}
	v := a.Subject(it.Offset, e.TS, it.Profile.UID, e.owner.Items.Under, e.Subject, e.adds)
	for j := range e.places {
		if at := &e.places[j]; at.counts {
			v.Segment(e.Segmentation[j].Name, at.value)
		}
	}
}
