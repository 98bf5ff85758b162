package cells

import (
	"maps"
	"slices"

	"quipu/internal/ingest/pipeline/session"
	"quipu/internal/period"
	"quipu/internal/store/rollup"
)

// Viewed is what an item adds to a view.
type Viewed struct {
	Visit, Start bool
	Seconds      float64
	Scrolled     float64 // per cent of the height
}

func (v Viewed) isZero() bool { return v == Viewed{} }

func (v Viewed) addTo(c *rollup.Cell, offset uint64, uid uint32) {
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

// dayView is a view on a day.
type dayView struct {
	day  period.Day
	view uint32
}

// views gathers the cells of views, of all of them or of those with a value of a segment.
type views map[dayView]*rollup.Cell

func (vs views) at(a *Accumulator, k dayView) *rollup.Cell {
	c := vs[k]
	if c == nil {
		c = a.cell()
		vs[k] = c
	}
	return c
}

// segmentValue is a value of a segment.
type segmentValue struct{ name, value string }

// View is an item of a view whose segments are still to be added.
type View struct {
	a      *Accumulator
	at     dayView
	offset uint64
	uid    uint32
	what   Viewed
}

// View counts an item of a view by a user at ts (ms).
func (a *Accumulator) View(offset uint64, ts int64, uid, view uint32, what Viewed) View {
	v := View{a: a, at: dayView{a.cal.DayBucket(ts), view}, offset: offset, uid: uid, what: what}
	if !what.isZero() {
		what.addTo(a.views.at(a, v.at), offset, uid)
	}
	return v
}

// Segment counts the item under the value of a segment.
func (v View) Segment(name, value string) {
	if v.what.isZero() {
		return
	}
	k := segmentValue{name, value}
	of := v.a.viewSegments[k]
	if of == nil {
		of = views{}
		v.a.viewSegments[k] = of
	}
	v.what.addTo(of.at(v.a, v.at), v.offset, v.uid)
}

// ViewsEnd counts what the end of a session says of views. known tells which views still exist; what the session
// counted before is taken back.
func (a *Accumulator) ViewsEnd(offset uint64, c *session.Closed, known func(view uint32) bool) {
	if c.Views == nil {
		return
	}
	a.viewsEnd(offset, c.At, c.Views, 1, known)
	if c.Views.Was != nil {
		a.viewsEnd(offset, c.ClosedAt, c.Views.Was, -1, known)
	}
}

func (a *Accumulator) viewsEnd(offset uint64, ts int64, v *session.Views, n int64, known func(view uint32) bool) {
	day := a.cal.DayBucket(ts)
	if known(v.Exit) {
		c := a.viewEnds.at(a, dayView{day, v.Exit})
		touch(c, offset)
		c.Count += n
		if v.Bounce {
			c.New += n
		}
	}
	for _, view := range v.Seen {
		if known(view) {
			c := a.viewEnds.at(a, dayView{day, view})
			touch(c, offset)
			c.Requests += n
		}
	}
}

// fold puts day cells, and the months they make up, into out.
func (vs views) fold(out rollup.Delta, s rollup.Series) {
	days := slices.SortedFunc(maps.Keys(vs), func(a, b dayView) int { return int(a.day) - int(b.day) }) // so that sums are added up in one order
	for _, at := range days {
		c := vs[at]
		k := rollup.Key{Series: s, Grain: rollup.Day, Bucket: rollup.Bucket(at.day), Value: rollup.ViewValue(at.view)}
		out[k] = c
		k.Grain, k.Bucket = rollup.Month, rollup.Bucket(at.day.Month())
		out.At(k).Merge(c)
	}
}

func (a *Accumulator) foldViews(out rollup.Delta) {
	a.views.fold(out, rollup.Series{Metric: rollup.Views})
	a.viewEnds.fold(out, rollup.Series{Metric: rollup.ViewEnds})
	for k, of := range a.viewSegments {
		of.fold(out, rollup.Series{Metric: rollup.ViewSegments, Dim: rollup.SegmentDim(k.name, k.value)})
	}
}
