package cells

import (
	"strconv"

	"quipu/internal/ingest/request"
	"quipu/internal/period"
	"quipu/internal/store/rollup"
)

// event gathers the cells of one event key.
type event struct {
	hours    hours
	users    map[period.Day]*rollup.Cell // users only
	lastDay  period.Day
	last     *rollup.Cell
	lastUser uint32 // was put into last
	segments map[string]*segment
	times    map[slotOfWeek]*rollup.Cell
	// lastTime is the cell of lastSlot, which was used last; nil = none was.
	lastTime *rollup.Cell
	lastSlot slotOfWeek
}

// segment gathers the cells of one segment of an event.
type segment struct {
	byDay
	dim string
}

// slotOfWeek is an hour of a weekday in a month.
type slotOfWeek struct {
	month     period.Month
	dow, hour int8
}

// Amount is what one event item adds.
type Amount struct {
	Count    int64
	Sum, Dur float64
}

func (m Amount) addTo(c *rollup.Cell, offset uint64) {
	touch(c, offset)
	c.Count = rollup.AddCount(c.Count, m.Count)
	if m.Sum != 0 {
		c.Sum = rollup.AddSum(c.Sum, m.Sum)
		c.Flags |= rollup.HasSum
	}
	if m.Dur != 0 {
		c.Dur = rollup.AddSum(c.Dur, m.Dur)
		c.Flags |= rollup.HasDur
	}
}

// Event is an event item that counts, or is about to.
type Event struct {
	a      *Accumulator
	e      *event
	key    string
	hour   period.Hour
	day    period.Day
	offset uint64
	amount Amount
}

// Event counts an event item of a user at ts (ms), whose segments are still to be added. A sum or duration of 0
// counts as not sent.
func (a *Accumulator) Event(offset uint64, ts int64, uid uint32, key string, amount Amount) Event {
	ev := a.Item(ts, key)
	ev.Count(offset, uid, amount)
	return ev
}

// Item returns an event item at ts (ms) that Count is still to count.
func (a *Accumulator) Item(ts int64, key string) Event {
	hour := a.cal.HourBucket(ts)
	day, _ := hour.Split()
	return Event{a: a, e: a.eventOf(key), key: key, hour: hour, day: day}
}

// Value returns the cell of a value of a segment on the day of the item; nil when none was counted before.
func (ev *Event) Value(name, value string) *rollup.Cell {
	if s := ev.e.segments[name]; s != nil {
		return s.on(ev.day)[value]
	}
	return nil
}

// Count counts the item. Its segments are still to be added.
func (ev *Event) Count(offset uint64, uid uint32, amount Amount) {
	ev.offset, ev.amount = offset, amount
	e, day := ev.e, ev.day
	amount.addTo(e.hours.at(ev.a, ev.hour), offset)
	if e.last == nil || e.lastDay != day {
		c := e.users[day]
		if c == nil {
			c = ev.a.cell()
			e.users[day] = c
		}
		e.last, e.lastDay, e.lastUser = c, day, ^uid
	}
	touch(e.last, offset)
	if e.lastUser != uid { // requests often repeat an event
		e.last.AddUser(uid)
		e.lastUser = uid
	}
}

func (a *Accumulator) eventOf(key string) *event {
	e := a.event[key]
	if e == nil {
		e = &event{users: map[period.Day]*rollup.Cell{}, segments: map[string]*segment{}}
		a.event[key] = e
	}
	return e
}

// Segment counts the item under the value of a segment.
func (ev *Event) Segment(name, value string) {
	s := ev.e.segments[name]
	if s == nil {
		s = &segment{dim: rollup.SegmentDim(ev.key, name)}
		ev.e.segments[name] = s
	}
	ev.Add(s.at(ev.a, ev.day, value))
}

// Add counts the item in a cell that Value returned.
func (ev *Event) Add(c *rollup.Cell) { ev.amount.addTo(c, ev.offset) }

// Time counts the item in the hour of the week by the device's clock. Nothing
// is counted when either is unknown (negative).
func (ev *Event) Time(dow, hour int8) { ev.a.time(ev.e, ev.offset, ev.a.month(ev.day), dow, hour) }

func (a *Accumulator) time(e *event, offset uint64, month period.Month, dow, hour int8) {
	if dow < 0 || hour < 0 {
		return
	}
	if k := (slotOfWeek{month: month, dow: dow, hour: hour}); e.lastTime == nil || e.lastSlot != k {
		c := e.times[k]
		if c == nil {
			if e.times == nil {
				e.times = map[slotOfWeek]*rollup.Cell{}
			}
			c = a.cell()
			e.times[k] = c
		}
		e.lastTime, e.lastSlot = c, k
	}
	touch(e.lastTime, offset)
	e.lastTime.Count++
}

// SegmentValue is the form in which a value stands in cells: dots become
// colons, and it is cut to what a key may hold.
func SegmentValue(text string) string {
	for i := range len(text) {
		if text[i] == '.' {
			b := []byte(text)
			for ; i < len(b); i++ {
				if b[i] == '.' {
					b[i] = ':'
				}
			}
			text = string(b)
			break
		}
	}
	return request.Cut(text, rollup.MaxText)
}

func (a *Accumulator) foldEvent(out rollup.Delta, key string, e *event) {
	a.foldHours(out, rollup.Events, key, &e.hours)
	k := rollup.Key{Series: rollup.Series{Metric: rollup.Events}, Value: key}
	for day, c := range e.users {
		k.Grain, k.Bucket = rollup.Day, rollup.Bucket(day)
		a.merge(out, k, c)
		k.Grain, k.Bucket = rollup.Month, rollup.Bucket(day.Month())
		a.merge(out, k, c)
	}
	for _, s := range e.segments {
		s.fold(a, out, rollup.Series{Metric: rollup.Segments, Dim: s.dim})
	}
	for s, c := range e.times {
		out[rollup.Key{
			Series: rollup.Series{Metric: rollup.TimesOfDay, Dim: key},
			Grain:  rollup.Month, Bucket: rollup.Bucket(s.month),
			Value: strconv.Itoa(int(s.dow)) + ":" + strconv.Itoa(int(s.hour)),
		}] = c
	}
}
