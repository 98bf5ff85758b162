package period

import (
	"math"
	"sync"
	"time"
	_ "time/tzdata" // one binary: zones must not depend on the machine's files
)

// The table of a Calendar covers the first 2^32 seconds from 1970, to 2106,
// in slices of 2^22 seconds (48.5 days).
const (
	tableSeconds = int64(1) << 32
	sliceShift   = 22
	daySeconds   = 86400
	// maxSeconds is late on 9999-12-30 UTC; later instants count as this one, so
	// that no zone is beyond MaxDay.
	maxSeconds = int64(MaxDay)*daySeconds - 15*3600
)

// span is a stretch of time with one offset from UTC, in seconds; start is
// inclusive, end exclusive.
type span struct {
	start, end, offset int64
}

// Calendar converts between instants and civil time of one zone. It is
// immutable and safe for concurrent use; making one costs some tens of
// microseconds, a conversion a few nanoseconds, so keep it (see [Zones]).
type Calendar struct {
	loc   *time.Location
	spans []span // cover [0, tableSeconds) without gap
	// index[i] is the span in force at second i<<sliceShift.
	index [tableSeconds >> sliceShift]uint16
}

// NewCalendar returns the calendar of a zone; nil means UTC.
func NewCalendar(loc *time.Location) *Calendar {
	if loc == nil {
		loc = time.UTC
	}
	c := &Calendar{loc: loc}
	for sec := int64(0); sec < tableSeconds; {
		s := zoneSpan(loc, sec)
		if n := len(c.spans); n > 0 && c.spans[n-1].offset == s.offset {
			c.spans[n-1].end = s.end
		} else {
			c.spans = append(c.spans, s)
		}
		sec = s.end
	}
	at := 0
	for i := range c.index {
		for c.spans[at].end <= int64(i)<<sliceShift {
			at++
		}
		c.index[i] = uint16(at) // a zone has a few hundred spans
	}
	return c
}

// zoneSpan asks package time for the span around an instant.
func zoneSpan(loc *time.Location, sec int64) span {
	t := time.Unix(sec, 0).In(loc)
	_, offset := t.Zone()
	s := span{start: math.MinInt64, end: math.MaxInt64, offset: int64(offset)}
	start, end := t.ZoneBounds()
	if !start.IsZero() {
		s.start = start.Unix()
	}
	if !end.IsZero() {
		s.end = end.Unix()
	}
	if s.end <= sec {
		// Package time ends the last span of a leap year a day early, and says so
		// of an instant in that day too. No rule changes clocks on December 31.
		s.end = sec + daySeconds
	}
	return s
}

// Location returns the zone.
func (c *Calendar) Location() *time.Location { return c.loc }

// span returns the span around an instant.
func (c *Calendar) span(sec int64) span {
	if sec < 0 || sec >= tableSeconds {
		return zoneSpan(c.loc, sec)
	}
	i := c.index[sec>>sliceShift]
	for c.spans[i].end <= sec {
		i++
	}
	return c.spans[i]
}

// local returns seconds since 1970 of the local clock, at least 0.
func (c *Calendar) local(ms int64) int64 {
	sec := ms / 1000
	if ms%1000 < 0 {
		sec-- // -1 ms is in the second before
	}
	sec = min(max(sec, -daySeconds), maxSeconds)
	if uint64(sec) < uint64(tableSeconds) { // a negative second is meant to become large
		i := c.index[sec>>sliceShift]
		for c.spans[i].end <= sec {
			i++
		}
		return max(sec+c.spans[i].offset, 0)
	}
	return max(sec+zoneSpan(c.loc, sec).offset, 0)
}

// Ahead is how far the local clock is ahead of UTC from a moment on. Both are ms.
type Ahead struct{ From, By int64 }

// Aheads lists how far the local clock is ahead of UTC from first to last (ms, both included), in order of time. The
// first entry holds from first on, any other from where it differs from the one before.
func (c *Calendar) Aheads(first, last int64) []Ahead {
	var out []Ahead
	for sec := floorDiv64(first, 1000); ; {
		s := c.span(sec)
		if n := len(out); n == 0 {
			out = append(out, Ahead{first, s.offset * 1000})
		} else if by := s.offset * 1000; out[n-1].By != by {
			out = append(out, Ahead{sec * 1000, by})
		}
		if s.end > floorDiv64(last, 1000) {
			return out
		}
		sec = s.end
	}
}

func floorDiv64(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// HourBucket returns the local hour of an instant in ms since 1970 UTC.
// Instants before the local 1970-01-01 count as its first hour.
func (c *Calendar) HourBucket(ms int64) Hour {
	return Hour(c.local(ms) / 3600) // bounded by MaxDay*24
}

// DayBucket returns the local day of an instant in ms since 1970 UTC.
func (c *Calendar) DayBucket(ms int64) Day {
	return Day(c.local(ms) / daySeconds) // bounded by MaxDay
}

// MonthBucket returns the local month of an instant in ms since 1970 UTC.
func (c *Calendar) MonthBucket(ms int64) Month { return c.DayBucket(ms).Month() }

// DayStart returns the first instant, in ms since 1970 UTC, at which the
// local date is d or a later one. That is midnight, unless the clocks skip
// midnight (then the first instant after the gap) or the whole day (then the
// start of the next).
func (c *Calendar) DayStart(d Day) int64 {
	midnight := int64(d) * daySeconds
	const reach = 26 * 3600 // more than any zone is from UTC
	for at := midnight - reach; ; {
		s := c.span(at)
		if t := max(s.start, midnight-s.offset, midnight-reach); t < s.end {
			return t * 1000
		}
		at = s.end
	}
}

// DayEnd returns the last ms before the start of the day after d.
func (c *Calendar) DayEnd(d Day) int64 { return c.DayStart(d+1) - 1 }

// Zones keeps the calendars of the zones in use, by IANA name. The zero value
// is ready; it is safe for concurrent use. It holds at most one calendar for
// each zone there is.
type Zones struct {
	calendars sync.Map // string → *Calendar
}

// Get returns the calendar of a zone and whether the name is known. An
// unknown name gives UTC.
func (z *Zones) Get(name string) (*Calendar, bool) {
	if c, ok := z.calendars.Load(name); ok {
		return c.(*Calendar), true
	}
	loc, err := time.LoadLocation(name)
	if name == "" || name == "Local" || err != nil {
		c, _ := z.Get("UTC")
		return c, false
	}
	c, _ := z.calendars.LoadOrStore(name, NewCalendar(loc))
	return c.(*Calendar), true
}

// Read returns the calendar of a zone as clients name it: an IANA name, or the distance from UTC as +02:00. It is false for anything else, which gives UTC.
func (z *Zones) Read(text string) (*Calendar, bool) {
	c, known := z.Get(text)
	if loc, ok := offsetOf(text); !known && ok {
		return NewCalendar(loc), true
	}
	return c, known
}
