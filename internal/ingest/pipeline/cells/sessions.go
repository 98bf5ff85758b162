package cells

import (
	"strconv"

	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/pipeline/session"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// SessionKey is the event key of closed sessions, BeginKey that of begun ones.
const (
	SessionKey = "[CLY]_session"
	BeginKey   = schema.BeginKey
)

// DimsOf returns the values under which a session of the profile counts.
func DimsOf(p *model.Profile) model.Dims {
	d := p.Dims
	for i := range d {
		if d[i] == "" && model.Dimensions[i].Required {
			d[i] = model.Unknown
		}
		d[i] = request.Cut(d[i], rollup.MaxText)
	}
	return d
}

// Request counts a request in e, and its seconds.
func (a *Accumulator) Request(offset uint64, ts int64, seconds float64) {
	c := a.users.at(a, a.cal.HourBucket(ts))
	touch(c, offset)
	c.Requests++
	if seconds != 0 {
		c.Dur = rollup.AddSum(c.Dur, seconds)
		c.Flags |= rollup.HasDur
	}
}

// Begin counts a session that began.
func (a *Accumulator) Begin(offset uint64, ts int64, uid uint32, frequency int, isNew bool, dims *model.Dims) {
	var n int64
	if isNew {
		n = 1
	}
	c := a.users.at(a, a.cal.HourBucket(ts))
	add := func(c *rollup.Cell) {
		touch(c, offset)
		c.Count++
		c.New += n
		c.AddUser(uid)
	}
	add(c)
	day := a.cal.DayBucket(ts)
	for i := range dims {
		if dims[i] != "" {
			add(a.dims[i].at(a, day, dims[i]))
		}
	}
	f := a.day(rollup.Frequency, strconv.Itoa(frequency), ts)
	touch(f, offset)
	f.Count++
}

// Counted reports whether a session counted before under the value of a dimension, on the day of ts.
func (a *Accumulator) Counted(dim model.Dim, value string, ts int64) bool {
	return a.dims[dim].on(a.cal.DayBucket(ts))[value] != nil
}

// SessionTime counts a begun session in the hour of the week by the device's
// clock. Nothing is counted when either is unknown (negative).
func (a *Accumulator) SessionTime(offset uint64, ts int64, dow, hour int8) {
	a.time(a.eventOf(SessionKey), offset, a.cal.MonthBucket(ts), dow, hour)
}

// Close counts the length of a session that closed. When the session had been
// counted before, that count is taken back.
func (a *Accumulator) Close(offset uint64, c *session.Closed) {
	if c.Reopened {
		cell := a.day(rollup.Durations, strconv.Itoa(session.Length(c.ClosedSeconds)), c.ClosedAt)
		touch(cell, offset)
		cell.Count--
	}
	cell := a.day(rollup.Durations, strconv.Itoa(session.Length(c.Seconds)), c.At)
	touch(cell, offset)
	cell.Count++
}

// Outcome counts n items that ended for a reason at an instant, ms since 1970 UTC. The zone of the accumulator
// does not matter to it: outcomes are kept by quarters of an hour, see outcome.Place.
func (a *Accumulator) Outcome(offset uint64, at int64, item outcome.Item, reason outcome.Reason, n int64) {
	a.outcome(offset, at, OutcomeValue(item, reason), n)
}

// Clamped counts n accepted items that had a number beyond its bound. They are among those of
// Outcome, so a sum of what was received leaves them out.
func (a *Accumulator) Clamped(offset uint64, at int64, item outcome.Item, n int64) {
	a.outcome(offset, at, ClampedValue(item), n)
}

func (a *Accumulator) outcome(offset uint64, at int64, what string, n int64) {
	day, quarter := outcome.Place(at)
	c := a.at(rollup.Key{
		Series: rollup.Series{Metric: rollup.Outcomes}, Grain: rollup.Day, Bucket: rollup.Bucket(day), Value: outcome.Value(what, quarter),
	})
	touch(c, offset)
	c.Count = rollup.AddCount(c.Count, n)
}

// OutcomeValue is what the cell of an outcome counts: item, "accepted" or
// "dropped", and the reason's text (empty for accepted), joined by NUL.
func OutcomeValue(item outcome.Item, reason outcome.Reason) string {
	if reason == outcome.Accepted {
		return item.String() + "\x00accepted\x00"
	}
	return item.String() + "\x00dropped\x00" + reason.String()
}

// ClampedValue is what the cell of clamped items counts: item, "clamped" and nothing, joined by NUL.
func ClampedValue(item outcome.Item) string { return item.String() + "\x00clamped\x00" }

// DimName returns the name of the property that a metric of sessions counts by.
func DimName(m rollup.Metric) (string, bool) {
	for i := range model.Dimensions {
		if d := &model.Dimensions[i]; rollup.Metric(d.Metric) == m {
			return d.Name, true
		}
	}
	return "", false
}
