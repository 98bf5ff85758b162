package cohorts

import (
	"slices"

	"quipu/internal/period"
)

// mark is what a course had reached before one of its moments.
type mark struct {
	at      int // the moment
	reached []int64
}

// markEvery is how many moments lie between two marks, about: at least half as many, and at most twice as many.
const markEvery = 128

// add adds rows of a user, in their order, and calls done with each day on which the last stage was met, if it may be new. It returns false when there are too many rows of the user.
func (s *sequence) add(uid uint32, list []passing, done func(period.Day)) (fits bool) {
	c, late, i := s.of(uid), s.late[:0], 0
	before := len(c.moments)
	for ; i < len(list); i++ {
		m := list[i].moment
		if m.TS < s.horizon {
			continue
		}
		if before == 0 || compareMoments(c.moments[before-1], m) < 0 {
			break // it and those behind it are not late
		}
		if n := len(late); n > 0 && late[n-1].Moment == m.Moment { // met by several stages
			late[n-1].stages |= m.stages
		} else {
			late = append(late, m)
		}
	}
	if s.late = late[:0]; len(late) > 0 {
		s.insert(c, late, done)
	}
	for i < len(list) {
		m := list[i].moment
		for i++; i < len(list) && list[i].Moment == m.Moment; i++ {
			m.stages |= list[i].stages
		}
		c.mark(len(c.moments), c.reached)
		c.moments = append(c.moments, m)
		if s.step(c.reached, m) {
			done(s.cal.DayBucket(m.TS))
		}
	}
	s.n += int64(len(c.moments) - before)
	return len(c.moments) <= maxCourse
}

// mark notes what is reached before a moment, if none of the last moments has a mark.
func (c *course) mark(at int, reached []int64) {
	last := 0
	if n := len(c.marks); n > 0 {
		last = c.marks[n-1].at
	}
	if at-last >= markEvery {
		c.marks = append(c.marks, mark{at, slices.Clone(reached)})
	}
}

// drop forgets the marks of the first moments, which are no more.
func (c *course) drop(n int) {
	kept := c.marks[:0]
	for _, m := range c.marks {
		if m.at -= n; m.at > 0 {
			kept = append(kept, m)
		}
	}
	c.marks = kept
}

// insert puts rows in their order between those that are there, and goes through what is behind the first of them, as far as they make a difference.
func (s *sequence) insert(c *course, late []moment, done func(period.Day)) {
	first, changed := -1, 0
	fresh, places := late[:0], s.places[:0] // what is not there yet, and where it goes
	for _, m := range late {
		at, found := slices.BinarySearchFunc(c.moments, m, compareMoments)
		if first < 0 {
			first = at
		}
		if changed = at + len(fresh); found {
			c.moments[at].stages |= m.stages
			continue
		}
		fresh, places = append(fresh, m), append(places, at)
	}
	s.places = places[:0]
	end := len(c.moments)
	c.moments = append(c.moments, fresh...)
	for i, at := range slices.Backward(places) { // what is behind each goes on, from the last one
		copy(c.moments[at+i+1:], c.moments[at:end])
		c.moments[at+i], end = fresh[i], at
	}
	all := c.moments
	n := 0 // marks that are as they were: the rows that come behind them are not before the moment that they are of
	for n < len(c.marks) && c.marks[n].at < first {
		n++
	}
	ahead := slices.Clone(c.marks[n:])
	for i := range ahead {
		put := 0
		for put < len(places) && places[put] <= ahead[i].at {
			put++
		}
		ahead[i].at += put
	}
	c.marks = c.marks[:n]
	from, reached := 0, c.reached
	if len(ahead) > 0 {
		reached = s.blank() // c.reached stays where what is ahead is reached alike
	}
	if n > 0 {
		from = c.marks[n-1].at
		copy(reached, c.marks[n-1].reached)
	} else {
		for i := range reached {
			reached[i] = never
		}
	}
	for i := from; i < len(all); i++ {
		for len(ahead) > 0 && ahead[0].at <= i {
			if ahead[0].at == i && i > changed && s.same(reached, ahead[0].reached, all[i].TS) {
				c.marks = append(c.marks, ahead...)
				return
			}
			ahead = ahead[1:]
		}
		c.mark(i, reached)
		if s.step(reached, all[i]) {
			done(s.cal.DayBucket(all[i].TS))
		}
	}
	c.reached = reached
}

// same reports whether two courses go on alike from a time on: a stage that was reached too long ago for the next one is as if it never was.
func (s *sequence) same(a, b []int64, ts int64) bool {
	for i := range a {
		gone := func(at int64) bool { return at == never || ts-at > s.stages[i+1].within }
		if a[i] != b[i] && (!gone(a[i]) || !gone(b[i])) {
			return false
		}
	}
	return true
}

// walk goes through all of a course.
func (s *sequence) walk(c *course, done func(period.Day)) {
	c.marks = nil
	for i := range c.reached {
		c.reached[i] = never
	}
	for i, m := range c.moments {
		c.mark(i, c.reached)
		if s.step(c.reached, m) {
			done(s.cal.DayBucket(m.TS))
		}
	}
}
