package cells

import (
	"quipu/internal/ingest/pipeline/session"
	"quipu/internal/store/rollup"
)

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
		c := a.subjects.at(a, daySubject{rollup.ViewEnds, day, v.Exit})
		touch(c, offset)
		c.Count += n
		if v.Bounce {
			c.New += n
		}
	}
	for _, view := range v.Seen {
		if known(view) {
			c := a.subjects.at(a, daySubject{rollup.ViewEnds, day, view})
			touch(c, offset)
			c.Requests += n
		}
	}
}
