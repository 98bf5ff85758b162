// Package cells turns what happened in one app during a batch into a delta of
// rollup cells. The pipeline feeds it while it applies requests, and the
// rebuild of an app's cells feeds it from stored rows: both give the same
// cells for the same facts.
//
// Facts are gathered in the finest bucket and folded into days and months
// once, when the delta is taken. Texts given must outlive the delta.
package cells

import (
	"maps"
	"slices"

	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/rollup"
)

// Accumulator gathers the cells of one app. It belongs to one goroutine.
type Accumulator struct {
	cal   *period.Calendar
	users hours             // sessions, requests, seconds and users by hour
	cells rollup.Delta      // everything that is kept by day
	event map[string]*event // by event key
	dims  [len(model.Dims{})]byDay
	slab  []rollup.Cell
	// subjects and bySegment are the cells of subjects of features, the latter by name and value of a segment.
	subjects  subjects
	bySegment map[string]map[string]subjects
	// lastMonth is the month of lastDay.
	lastDay   period.Day
	lastMonth period.Month
}

// New returns an empty Accumulator for an app with the calendar.
func New(cal *period.Calendar) *Accumulator {
	return &Accumulator{
		cal: cal, cells: rollup.Delta{}, event: map[string]*event{},
		subjects: subjects{}, bySegment: map[string]map[string]subjects{}, lastMonth: period.Day(0).Month(),
	}
}

// SetCalendar changes the calendar for what is counted from now on.
func (a *Accumulator) SetCalendar(cal *period.Calendar) { a.cal = cal }

// Calendar returns the calendar of the app.
func (a *Accumulator) Calendar() *period.Calendar { return a.cal }

// hours holds cells by hour and remembers the last one used.
type hours struct {
	last   *rollup.Cell
	lastAt period.Hour
	all    map[period.Hour]*rollup.Cell
}

func (h *hours) at(a *Accumulator, hour period.Hour) *rollup.Cell {
	if h.last != nil && h.lastAt == hour {
		return h.last
	}
	c := h.all[hour]
	if c == nil {
		if h.all == nil {
			h.all = map[period.Hour]*rollup.Cell{}
		}
		c = a.cell()
		h.all[hour] = c
	}
	h.last, h.lastAt = c, hour
	return c
}

// values are the cells of a day by value.
type values map[string]*rollup.Cell

// byDay holds cells by day and value, and remembers the day used last.
type byDay struct {
	days   map[period.Day]values
	lastAt period.Day
	last   values
}

// on returns the cells of a day; nil when there are none.
func (b *byDay) on(day period.Day) values {
	if b.last == nil || b.lastAt != day {
		b.last, b.lastAt = b.days[day], day
	}
	return b.last
}

// at returns the cell of a value on a day.
func (b *byDay) at(a *Accumulator, day period.Day, value string) *rollup.Cell {
	of := b.on(day)
	if of == nil {
		if b.days == nil {
			b.days = map[period.Day]values{}
		}
		of = values{}
		b.days[day], b.last = of, of
	}
	c := of[value]
	if c == nil {
		c = a.cell()
		of[value] = c
	}
	return c
}

// size counts the cells.
func (b *byDay) size() (n int) {
	for _, day := range b.days {
		n += len(day)
	}
	return n
}

// fold puts the cells of a series, and the months they make up, into out.
func (b *byDay) fold(a *Accumulator, out rollup.Delta, s rollup.Series) {
	k := rollup.Key{Series: s}
	for _, day := range slices.Sorted(maps.Keys(b.days)) { // so that sums of a month are added up in one order
		month := rollup.Bucket(day.Month())
		for value, c := range b.days[day] {
			k.Grain, k.Bucket, k.Value = rollup.Day, rollup.Bucket(day), value
			out[k] = c
			k.Grain, k.Bucket = rollup.Month, month
			a.merge(out, k, c)
		}
	}
}

// month returns that of a day, which is mostly the same.
func (a *Accumulator) month(day period.Day) period.Month {
	if day != a.lastDay {
		a.lastDay, a.lastMonth = day, day.Month()
	}
	return a.lastMonth
}

// cell returns an empty cell.
func (a *Accumulator) cell() *rollup.Cell {
	if len(a.slab) == 0 {
		a.slab = make([]rollup.Cell, 64)
	}
	c := &a.slab[0]
	a.slab = a.slab[1:]
	return c
}

// day returns the cell of a metric's value on the day of ts.
func (a *Accumulator) day(m rollup.Metric, value string, ts int64) *rollup.Cell {
	return a.at(rollup.Key{
		Series: rollup.Series{Metric: m}, Grain: rollup.Day,
		Bucket: rollup.Bucket(a.cal.DayBucket(ts)), Value: value,
	})
}

func (a *Accumulator) at(k rollup.Key) *rollup.Cell {
	c := a.cells[k]
	if c == nil {
		c = a.cell()
		a.cells[k] = c
	}
	return c
}

// touch records the offset of a fact.
func touch(c *rollup.Cell, offset uint64) {
	if c.First == 0 || offset < c.First {
		c.First = offset
	}
}

// Day returns the cell of a feature on the day of ts (ms), to be added to. A dimension or value that is too long is cut.
func (a *Accumulator) Day(offset uint64, ts int64, s rollup.Series, value string) *rollup.Cell {
	s.Dim = request.Cut(s.Dim, rollup.MaxText)
	c := a.at(rollup.Key{Series: s, Grain: rollup.Day, Bucket: rollup.Bucket(a.cal.DayBucket(ts)), Value: request.Cut(value, rollup.MaxText)})
	touch(c, offset)
	return c
}

// Delta returns all that was gathered, with day and month cells folded from
// the finer ones. The Accumulator must not be used afterwards.
func (a *Accumulator) Delta() rollup.Delta {
	out := make(rollup.Delta, a.size())
	a.foldHours(out, rollup.Users, "", &a.users)
	for key, e := range a.event {
		a.foldEvent(out, key, e)
	}
	for i := range a.dims {
		a.dims[i].fold(a, out, rollup.Series{Metric: rollup.Metric(model.Dimensions[i].Metric)})
	}
	a.foldSubjects(out)
	for k, c := range a.cells {
		out[k] = c
		if k.Series.Metric != rollup.Outcomes && k.Grain == rollup.Day {
			k.Grain = rollup.Month
			k.Bucket = rollup.Bucket(period.Day(k.Bucket).Month())
			a.merge(out, k, c)
		}
	}
	return out
}

// merge adds a cell to that under a key.
func (a *Accumulator) merge(out rollup.Delta, k rollup.Key, c *rollup.Cell) {
	to := out[k]
	if to == nil {
		to = a.cell()
		out[k] = to
	}
	to.Merge(c)
}

// size is about how many cells Delta returns: growing a map of so large keys step by step costs as much as filling it.
func (a *Accumulator) size() int {
	n := 2*len(a.cells) + 2*len(a.subjects) + len(a.users.all) + 16
	for _, values := range a.bySegment {
		for _, of := range values {
			n += 2 * len(of)
		}
	}
	for i := range a.dims {
		n += 2 * a.dims[i].size()
	}
	for _, e := range a.event {
		n += len(e.hours.all) + 2*len(e.users) + len(e.times)
		for _, s := range e.segments {
			n += 2 * s.size()
		}
	}
	return n
}

// foldHours puts hour cells, and the days and months they make up, into out.
func (a *Accumulator) foldHours(out rollup.Delta, m rollup.Metric, value string, h *hours) {
	k := rollup.Key{Series: rollup.Series{Metric: m}, Value: value}
	for _, hour := range slices.Sorted(maps.Keys(h.all)) { // so that sums are added up in one order
		c := h.all[hour]
		k.Grain, k.Bucket = rollup.Hour, rollup.Bucket(hour)
		out[k] = c
		d, _ := hour.Split()
		k.Grain, k.Bucket = rollup.Day, rollup.Bucket(d)
		a.merge(out, k, c)
		k.Grain, k.Bucket = rollup.Month, rollup.Bucket(d.Month())
		a.merge(out, k, c)
	}
}
