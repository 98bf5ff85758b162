package cohorts

import (
	"cmp"
	"maps"
	"slices"

	"quipu/internal/filter"
	"quipu/internal/period"
	"quipu/internal/query"
)

// stage is one of several things that are done one after the other.
type stage struct {
	keys   []string
	filter filter.Expr
	within int64 // ms behind the stage before at most; not looked at in the first
}

// moment is a row that some stages are met by: bit i is stage i.
type moment struct {
	query.Moment
	stages uint32
}

func compareMoments(a, b moment) int {
	return cmp.Or(cmp.Compare(a.TS, b.TS), cmp.Compare(a.Off, b.Off), cmp.Compare(a.Item, b.Item))
}

// course is what a user did, in order.
type course struct {
	moments []moment
	// reached says of each stage but the last when it was done last, behind those before it; never = it was not.
	reached []int64
	// marks are what was reached before some of the moments, so that a late row does not rescan all of them.
	marks []mark
}

const never = -1 << 63

// maxCourse is how many rows of one user are held.
const maxCourse = 50_000

// sequence is what is held of stages: the rows of users by time. More rows make the stages be met more often, never less often, so a ledger counts the days on which the last
// one was, and asks again of users to whom a row came.
type sequence struct {
	stages  []stage
	cal     *period.Calendar
	horizon int64 // ms: earlier rows are of no use
	users   map[uint32]*course
	n       int64 // moments
	// late and places are memory for add.
	late   []moment
	places []int
}

func newSequence(stages []stage, cal *period.Calendar, w window) *sequence {
	s := &sequence{stages: stages, cal: cal, users: map[uint32]*course{}}
	s.horizon = s.begins(w)
	return s
}

// begins is when rows that count in a window begin.
func (s *sequence) begins(w window) int64 {
	from := s.cal.DayStart(w.first)
	for _, st := range s.stages[1:] {
		from -= st.within
	}
	return from
}

// of returns the course of a user.
func (s *sequence) of(uid uint32) *course {
	c := s.users[uid]
	if c == nil {
		c = &course{reached: s.blank()}
		s.users[uid] = c
	}
	return c
}

func (s *sequence) blank() []int64 {
	return slices.Repeat([]int64{never}, len(s.stages)-1)
}

// gather adds a row without looking at what it makes; settle does that for all. It returns false when there are too many rows of the user.
func (s *sequence) gather(uid uint32, m moment) (fits bool) {
	if m.TS < s.horizon {
		return true
	}
	c := s.of(uid)
	c.moments = append(c.moments, m)
	s.n++
	return len(c.moments) <= maxCourse*len(s.stages) // a row may be met by several
}

// step goes on by a row, and reports whether the last stage is met.
func (s *sequence) step(reached []int64, m moment) (met bool) {
	for i := len(s.stages) - 1; i >= 0; i-- { // from the last one: a row is not behind itself
		switch {
		case m.stages>>i&1 == 0 || i > 0 && (reached[i-1] == never || m.TS-reached[i-1] > s.stages[i].within):
		case i == len(reached):
			met = true
		default:
			reached[i] = m.TS
		}
	}
	return met
}

// settle puts gathered rows in order. It returns false when there are too many rows of a user.
func (s *sequence) settle(done func(uid uint32, d period.Day)) (fits bool) {
	for uid, c := range s.users {
		if s.order(c); len(c.moments) > maxCourse {
			return false
		}
		s.walk(c, func(d period.Day) { done(uid, d) })
	}
	return true
}

// order sorts the rows of a course; one that was met by several stages is one. Callers go through all of them afterwards.
func (s *sequence) order(c *course) {
	slices.SortFunc(c.moments, compareMoments)
	s.n -= int64(len(c.moments))
	kept := c.moments[:0]
	for _, m := range c.moments {
		if n := len(kept); n > 0 && kept[n-1].Moment == m.Moment {
			kept[n-1].stages |= m.stages
		} else {
			kept = append(kept, m)
		}
	}
	c.moments = kept
	s.n += int64(len(kept))
}

// merge gives what a user did to another, and reports whether there was anything.
func (s *sequence) merge(from, to uint32) bool {
	c := s.users[from]
	if c == nil {
		return false
	}
	delete(s.users, from)
	other := s.of(to)
	other.moments = append(other.moments, c.moments...)
	s.order(other)
	return true
}

func (s *sequence) forget(uid uint32) {
	if c := s.users[uid]; c != nil {
		s.n -= int64(len(c.moments))
		delete(s.users, uid)
	}
}

// join takes over what another sequence of the same stages holds, which is of no use then.
func (s *sequence) join(o *sequence, done func(uid uint32, d period.Day)) {
	for uid, theirs := range o.users {
		c := s.of(uid)
		c.moments = append(c.moments, theirs.moments...)
		s.n += int64(len(theirs.moments))
		s.order(c)
		s.walk(c, func(d period.Day) { done(uid, d) })
	}
}

// move forgets rows that are of no use in a later window.
func (s *sequence) move(w window) {
	from := s.begins(w)
	if from <= s.horizon {
		return
	}
	s.horizon = from
	maps.DeleteFunc(s.users, func(_ uint32, c *course) bool {
		n, _ := slices.BinarySearchFunc(c.moments, from, func(m moment, ts int64) int { return cmp.Compare(m.TS, ts) })
		s.n -= int64(n)
		if n == len(c.moments) {
			return true
		}
		if n > 0 {
			c.moments = slices.Clone(c.moments[n:])
			c.drop(n)
		}
		return false
	})
}

// bytes is about how much memory the sequence takes.
func (s *sequence) bytes() int64 {
	const user, each = 184, 40
	return int64(len(s.users))*(user+8*int64(len(s.stages))) + s.n*each + s.n/markEvery*(32+8*int64(len(s.stages)))
}
