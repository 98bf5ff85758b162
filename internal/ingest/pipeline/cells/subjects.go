package cells

import (
	"maps"
	"slices"

	"quipu/internal/period"
	"quipu/internal/query/counting"
	"quipu/internal/store/rollup"
)

// addTo adds what an item adds to its subject.
func addTo(c *rollup.Cell, v counting.Added, offset uint64, uid uint32) {
	touch(c, offset)
	if v.Visit {
		c.Count++
		c.AddUser(uid)
	}
	if v.Start {
		c.New++
	}
	c.Dur = rollup.AddSum(c.Dur, v.Seconds)
	c.Sum = rollup.AddSum(c.Sum, v.Scrolled)
}

// Under names the metrics that subjects of a feature count under: their own, and that by values of segments; 0 = not by
// segments.
type Under struct{ Own, BySegment rollup.Metric }

// daySubject is a subject on a day.
type daySubject struct {
	metric  rollup.Metric
	day     period.Day
	subject uint32
}

// subjects gathers the cells of subjects, of all of them or of those with a value of a segment.
type subjects map[daySubject]*rollup.Cell

func (ss subjects) at(a *Accumulator, k daySubject) *rollup.Cell {
	c := ss[k]
	if c == nil {
		c = a.cell()
		ss[k] = c
	}
	return c
}

// Subject is an item of a subject whose segments are still to be added.
type Subject struct {
	a      *Accumulator
	at     daySubject
	by     rollup.Metric
	offset uint64
	uid    uint32
	what   counting.Added
}

// Subject counts an item of a subject by a user at ts (ms).
func (a *Accumulator) Subject(offset uint64, ts int64, uid uint32, under Under, subject uint32, what counting.Added) Subject {
	s := Subject{a: a, at: daySubject{under.Own, a.cal.DayBucket(ts), subject}, by: under.BySegment, offset: offset, uid: uid, what: what}
	if !what.IsZero() {
		addTo(a.subjects.at(a, s.at), what, offset, uid)
	}
	return s
}

// SubjectDay returns the cell of a subject on the day of ts (ms), to be added to.
func (a *Accumulator) SubjectDay(offset uint64, ts int64, m rollup.Metric, subject uint32) *rollup.Cell {
	c := a.subjects.at(a, daySubject{m, a.cal.DayBucket(ts), subject})
	touch(c, offset)
	return c
}

// Segment counts the item under the value of a segment.
func (s Subject) Segment(name, value string) {
	if s.by == 0 || s.what.IsZero() {
		return
	}
	values := s.a.bySegment[name]
	if values == nil {
		values = map[string]subjects{}
		s.a.bySegment[name] = values
	}
	of := values[value]
	if of == nil {
		of = subjects{}
		values[value] = of
	}
	at := s.at
	at.metric = s.by
	addTo(of.at(s.a, at), s.what, s.offset, s.uid)
}

// fold puts day cells, and the months they make up, into out.
func (ss subjects) fold(a *Accumulator, out rollup.Delta, dim string) {
	days := slices.SortedFunc(maps.Keys(ss), func(a, b daySubject) int { return int(a.day) - int(b.day) }) // so that sums are added up in one order
	for _, at := range days {
		c := ss[at]
		k := rollup.Key{
			Series: rollup.Series{Metric: at.metric, Dim: dim}, Grain: rollup.Day, Bucket: rollup.Bucket(at.day), Value: rollup.SubjectValue(at.subject),
		}
		out[k] = c
		k.Grain, k.Bucket = rollup.Month, rollup.Bucket(at.day.Month())
		a.merge(out, k, c)
	}
}

func (a *Accumulator) foldSubjects(out rollup.Delta) {
	a.subjects.fold(a, out, "")
	for name, values := range a.bySegment {
		for value, of := range values {
			of.fold(a, out, rollup.SegmentDim(name, value))
		}
	}
}
