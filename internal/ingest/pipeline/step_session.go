package pipeline

import (
	"fmt"

	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/pipeline/cells"
	"quipu/internal/ingest/pipeline/session"
	"quipu/internal/ingest/rawjson"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// moveSession applies begin, duration, items of features and end, in this order.
func moveSession(it *Item) error {
	r, p := it.Request, it.Profile
	if r.Begin {
		b := session.Begin{Offset: it.Offset, TS: it.TS, Received: it.Received, Cooldown: it.Settings.Cooldown.Milliseconds()}
		if r.IgnoreCooldown {
			b.Cooldown = 0
		}
		res := session.Start(p, b)
		it.Began, it.Continued = res.Began, res.Continued
		if res.Closed != nil {
			it.Closed = append(it.Closed, *res.Closed)
		}
		if res.Began != nil {
			it.beginSession()
		}
	}
	if r.HasDuration {
		it.Seconds = min(r.Duration, it.Settings.MaxDuration.Seconds())
		session.Add(p, it.Seconds)
	}
	it.Session = p.Open.ID
	for i := range it.Events {
		if e := &it.Events[i]; e.owner != nil && e.Dropped == outcome.Accepted {
			e.owner.Items.Arrive(it, e)
		}
	}
	if r.End {
		if c := session.End(p, it.TS); c != nil {
			it.Closed = append(it.Closed, *c)
			it.ends = it.shard.p.sessionEnds(it.ends, &p.Ended)
		}
	}
	return nil
}

// beginSession lets features prepare the profile.
func (it *Item) beginSession() {
	for _, f := range it.shard.p.o.Features {
		if f.Sessions.Begin != nil {
			f.Sessions.Begin(it.Profile)
		}
	}
}

// endsOf returns what features count at the end of a session of it.Closed: the request ends the last one only.
func (it *Item) endsOf(i int) []sessionEnd {
	if i != len(it.Closed)-1 {
		return nil
	}
	return it.ends
}

// requestRow records the request.
func (it *Item) requestRow() events.RequestRow {
	row := events.RequestRow{
		Offset: it.Offset, TS: it.TS, Received: it.Received, UID: it.Profile.UID,
		Flags: events.RequestCounted, Dur: it.Seconds,
	}
	if it.Began != nil {
		row.Flags |= events.RequestBegin
	}
	if it.Request.End {
		row.Flags |= events.RequestEnd
	}
	if it.Request.HasDuration {
		row.Flags |= events.RequestDuration
	}
	return row
}

// sessionRows makes the rows of the sessions that closed and began. A row holds what its session
// counts under, so that counting it again needs no more than the row.
func (it *Item) sessionRows() error {
	for i := range it.Closed {
		it.closedRow(&it.Closed[i], it.endsOf(i))
	}
	if it.Began == nil {
		return nil
	}
	it.shard.schema.AddEvent(cells.BeginKey)
	it.shard.dims = cells.DimsOf(it.Profile)
	it.dims = &it.shard.dims
	row := it.AddRow(cells.BeginKey, it.TS)
	row.Session, row.Hour, row.Dow = it.Began.ID, it.Request.Hour, it.Request.Dow
	w := slotWriter{shard: it.shard, row: row, event: cells.BeginKey}
	for i := range it.dims {
		name := model.Dimensions[i].Name
		slot := w.slot(name, schema.Text)
		if it.dims[i] == "" {
			continue
		}
		// The schema knows a value that has counted in this batch, unless it is the one that stands for what is too much.
		if !it.shard.acc.Counted(model.Dim(i), it.dims[i], it.TS) || it.dims[i] == rollup.Other {
			known, err := it.shard.schema.AddValue(schema.OfSessions, cells.BeginKey, name, it.dims[i])
			if err != nil {
				return fmt.Errorf("add value of metric: %w", err)
			}
			if !known {
				it.dims[i] = rollup.Other
			}
		}
		w.putText(name, slot, &it.dims[i])
	}
	isNew := 0.0
	if it.Began.New {
		isNew = 1
	}
	w.number("frequency", float64(it.Began.Frequency))
	w.number("is_new", isNew)
	it.begins = it.begins[:0]
	for _, f := range it.shard.p.o.Features {
		if f.Sessions.Began == nil {
			continue
		}
		b, err := f.Sessions.Began(it, it.dims)
		if err != nil {
			return fmt.Errorf("feature %s: %w", f.Name, err)
		}
		if b != nil {
			it.begins = append(it.begins, sessionBegin{f, b})
			w.json(f.Name, b.Kept())
		}
	}
	w.end()
	it.begun = &it.shard.begun
	*it.begun = *row
	return nil
}

// closedRow makes the row of a session that closed. A session that had closed
// before and was taken up again counts 0 in its second row, with the seconds
// that came on top, so that rows add up to sessions and seconds.
func (it *Item) closedRow(c *session.Closed, ends []sessionEnd) {
	it.shard.schema.AddEvent(cells.SessionKey)
	row := it.AddRow(cells.SessionKey, c.At)
	row.Session, row.Dur = c.ID, c.Seconds
	w := slotWriter{shard: it.shard, row: row, event: cells.SessionKey}
	w.number("seconds", c.Seconds)
	if c.Reopened {
		row.Count, row.Dur = 0, c.Seconds-c.ClosedSeconds
		w.number("closed_seconds", c.ClosedSeconds)
		w.number("closed_at", float64(c.ClosedAt))
	}
	for _, e := range ends {
		w.json(e.of.Name, e.end.Kept())
	}
	w.end()
}

// eachBegin calls fn with what the row of a begun session says of features.
func (fs Features) eachBegin(row *events.Row, fn func(f *Feature, begin SessionBegin)) {
	fs.eachKept(row, func(f *Feature, kept []byte) {
		if f.Sessions.ReadBegin == nil {
			return
		}
		if begin := f.Sessions.ReadBegin(kept); begin != nil {
			fn(f, begin)
		}
	})
}

// eachEnd calls fn with what the row of a closed session says of features.
func (fs Features) eachEnd(row *events.Row, fn func(f *Feature, end SessionEnd)) {
	fs.eachKept(row, func(f *Feature, kept []byte) {
		if f.Sessions.Read == nil {
			return
		}
		if end := f.Sessions.Read(kept); end != nil {
			fn(f, end)
		}
	})
}

// eachKept calls fn with what stands in a row under the names of features.
func (fs Features) eachKept(row *events.Row, fn func(f *Feature, kept []byte)) {
	if row.Extra == "" {
		return
	}
	_ = rawjson.Members([]byte(row.Extra), func(key, value []byte) bool { // Extra was written by this package
		for _, f := range fs {
			if f.Name == string(key) {
				fn(f, value)
			}
		}
		return true
	})
}
