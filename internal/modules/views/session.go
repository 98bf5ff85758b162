package views

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/ingest/pipeline"
	"quipu/internal/model"
	"quipu/internal/store/rollup"
)

// maxSeen is how many different views of a session are kept.
const maxSeen = 200

// visit records the visit of a view at ts (ms, device clock). Outside of sessions it
// only becomes the last one.
func visit(p *model.Profile, view uint32, name string, ts int64) {
	if sec := ts / 1000; sec >= p.LastViewAt {
		if p.LastView != name {
			p.LastView = strings.Clone(name)
		}
		p.LastViewAt = sec
	}
	o := &p.Open
	if o.ID == 0 {
		return
	}
	o.Visits++
	o.View = view
	p.Views = o.Visits
	if len(o.Viewed) < maxSeen && !slices.Contains(o.Viewed, view) {
		o.Viewed = append(slices.Clip(o.Viewed), view)
	}
}

// merge settles what profiles keep of views: the one visited last is that of the later visit, and visits are counted in the
// session that is open, or else was the last.
func merge(p, was, old *model.Profile) {
	switch {
	case was.Open.ID != 0:
		p.Views = was.Open.Visits
	case old.Open.ID != 0:
		p.Views = old.Open.Visits
	case old.LastSession > was.LastSession:
		p.Views = old.Views
	}
	if old.LastViewAt > was.LastViewAt {
		p.LastView, p.LastViewAt = old.LastView, old.LastViewAt
	}
}

// sessions is the part of views in sessions.
func sessions() pipeline.Sessions {
	return pipeline.Sessions{
		Begin: func(p *model.Profile) { p.Views = 0 },
		End: func(ended *model.SessionState) pipeline.SessionEnd {
			if v := endOf(ended); v != nil {
				return v
			}
			return nil
		},
		Read: func(kept []byte) pipeline.SessionEnd {
			v := &sessionEnd{}
			if json.Unmarshal(kept, v) != nil || v.Exit == 0 {
				return nil
			}
			return v
		},
	}
}

// sessionEnd is what a session that ended counts of views, by their numbers.
type sessionEnd struct {
	Exit   uint32   `json:"exit"`             // the view that was left
	Bounce bool     `json:"bounce,omitempty"` // its visit was the only one
	Seen   []uint32 `json:"seen"`             // all that were visited, each once
	// Was is what the session counted when it had ended before; nil when it had not. Its Seen are
	// the first of Seen.
	Was *sessionEnd `json:"was,omitempty"`
}

// endOf returns what the end of a session counts of views, and takes down in the session that it does; nil when it counts nothing.
func endOf(o *model.SessionState) *sessionEnd {
	if o.Visits == 0 {
		return nil
	}
	v := &sessionEnd{Exit: o.View, Bounce: o.Visits == 1, Seen: o.Viewed}
	if was := o.Counted; was.Exit != 0 {
		v.Was = &sessionEnd{Exit: was.Exit, Bounce: was.Bounce, Seen: o.Viewed[:min(was.Seen, len(o.Viewed))]}
	}
	o.Counted = model.CountedViews{Exit: v.Exit, Bounce: v.Bounce, Seen: len(v.Seen)}
	return v
}

// Kept implements pipeline.SessionEnd.
func (v *sessionEnd) Kept() string { return string(v.append(make([]byte, 0, 128))) }

// append appends the JSON of v, which encoding/json writes alike; with it, it took longer than all else that views do at the end of a session.
func (v *sessionEnd) append(b []byte) []byte {
	b = strconv.AppendUint(append(b, `{"exit":`...), uint64(v.Exit), 10)
	if v.Bounce {
		b = append(b, `,"bounce":true`...)
	}
	b = append(b, `,"seen":[`...)
	for i, view := range v.Seen {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendUint(b, uint64(view), 10)
	}
	b = append(b, ']')
	if v.Was != nil {
		b = v.Was.append(append(b, `,"was":`...))
	}
	return append(b, '}')
}

// Count implements pipeline.SessionEnd. What the session counted before is taken back.
func (v *sessionEnd) Count(c *pipeline.Counter, at, before int64) {
	v.add(c, at, 1)
	if v.Was != nil {
		v.Was.add(c, before, -1)
	}
}

// add counts n ends at ts (ms), of views that still exist.
func (v *sessionEnd) add(c *pipeline.Counter, ts, n int64) {
	if c.Subjects.Has(v.Exit) {
		cell := c.Subject(ts, rollup.ViewEnds, v.Exit)
		cell.Count += n
		if v.Bounce {
			cell.New += n
		}
	}
	for _, view := range v.Seen {
		if c.Subjects.Has(view) {
			c.Subject(ts, rollup.ViewEnds, view).Requests += n
		}
	}
}
