// Package flow decides which paths users take around an event. It is pure: rows of one user go in, paths come out; where rows
// come from is the caller's business.
//
// # Definition
//
// The rows of a user stand in the order of time, by millisecond, and those of one millisecond in the order in which they arrived.
// Rows with the same group, which stands for what happened, in an unbroken sequence are one step of a path, at the time of the
// first of them, unless Repeats keeps each. A step matches what one of its rows matches.
//
// A path is a step that matches the anchor, with up to Before steps in front of it and up to After steps behind it, all in the
// Window around the anchor's time (equal counts as within). With Until, the first step behind the anchor that matches the end is
// the last one of the path, and where there is none there is no path.
//
// With Keyed, rows with different keys have nothing to do with each other, and a row without a key (0) takes no part. A key stands
// for a session, for properties held constant, or for both. Of the rows of a key there is one path: that of the first anchor. With a
// Window there are several; the next anchor is looked for behind the last step of the path before, and that step is the
// farthest back to which the next path reaches.
package flow

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"quipu/internal/query/funnel"
)

// MaxSteps bounds the steps on either side of an anchor.
const MaxSteps = 20

// AnchorBit and EndBit are the bits of funnel.Row.Match for a row that matches the anchor, and the end.
const (
	AnchorBit = 1 << 0
	EndBit    = 1 << 1
)

// Flow is what is asked of the rows of a user.
type Flow struct {
	Before, After int // steps, at most MaxSteps each; not both 0
	Until         bool
	Window        int64 // ms; 0 = none
	Keyed         bool
	Repeats       bool
}

// ErrFlow marks flows that have no meaning.
var ErrFlow = errors.New("flow")

// Validate returns what is wrong with the flow. Errors: ErrFlow.
func (f *Flow) Validate() error {
	switch {
	case min(f.Before, f.After) < 0 || max(f.Before, f.After) > MaxSteps:
		return fmt.Errorf("%w: there are 0 to %d steps on either side", ErrFlow, MaxSteps)
	case f.Before+f.After == 0:
		return fmt.Errorf("%w: there are no steps", ErrFlow)
	case f.Until && f.After == 0:
		return fmt.Errorf("%w: an end needs steps after the start", ErrFlow)
	case f.Window < 0:
		return fmt.Errorf("%w: the window is negative", ErrFlow)
	}
	return nil
}

// Path is a path of a user. It is valid until the function that is given it returns.
type Path struct {
	Groups []uint32 // of the steps
	Anchor int      // place of the anchor among them
	// Begins and Ends report that nothing stands before the first or behind the last step, in the window; a path that stops
	// since it is long enough goes on.
	Begins, Ends bool
}

// Walker finds the paths of users. It is not safe for concurrent use.
type Walker struct {
	f      Flow
	keyed  []funnel.Row
	steps  []funnel.Row
	groups []uint32
}

// New returns a walker. Errors: ErrFlow.
func New(f Flow) (*Walker, error) {
	return &Walker{f: f}, f.Validate()
}

// User calls fn with the paths of a user, whose rows stand in their order.
func (w *Walker) User(rows []funnel.Row, fn func(Path)) {
	if !w.f.Keyed {
		w.class(rows, fn)
		return
	}
	w.keyed = w.keyed[:0]
	for i := range rows {
		if rows[i].Key != 0 {
			w.keyed = append(w.keyed, rows[i])
		}
	}
	slices.SortStableFunc(w.keyed, func(a, b funnel.Row) int { return cmp.Compare(a.Key, b.Key) })
	for rest := w.keyed; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Key == rest[0].Key {
			n++
		}
		w.class(rest[:n], fn)
		rest = rest[n:]
	}
}

// class calls fn with the paths of rows that have to do with each other.
func (w *Walker) class(rows []funnel.Row, fn func(Path)) {
	w.steps = w.steps[:0]
	for i := range rows {
		if n := len(w.steps); n > 0 && !w.f.Repeats && w.steps[n-1].Group == rows[i].Group {
			w.steps[n-1].Match |= rows[i].Match
			continue
		}
		w.steps = append(w.steps, rows[i])
	}
	for low, at := 0, 0; at < len(w.steps); {
		if w.steps[at].Match&AnchorBit == 0 {
			at++
			continue
		}
		last, ok := w.path(low, at, fn)
		switch {
		case !ok:
			at++
		case w.f.Window == 0:
			return
		default:
			low, at = last, last+1
		}
	}
}

// path calls fn with the path of an anchor, and returns the place of its last step. It returns false when there is none.
func (w *Walker) path(low, at int, fn func(Path)) (last int, ok bool) {
	within := func(i int) bool {
		d := w.steps[at].TS - w.steps[i].TS
		return w.f.Window == 0 || max(d, -d) <= w.f.Window
	}
	first := at
	for first > low && at-first < w.f.Before && within(first-1) {
		first--
	}
	last = at
	for last+1 < len(w.steps) && last-at < w.f.After && within(last+1) {
		last++
		if ok = w.f.Until && w.steps[last].Match&EndBit != 0; ok {
			break
		}
	}
	if w.f.Until && !ok {
		return 0, false
	}
	w.groups = w.groups[:0]
	for _, s := range w.steps[first : last+1] {
		w.groups = append(w.groups, s.Group)
	}
	fn(Path{
		Groups: w.groups, Anchor: at - first,
		Begins: first == low || !within(first-1), Ends: last+1 == len(w.steps) || !within(last+1),
	})
	return last, true
}
