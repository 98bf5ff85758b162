package query

import (
	"cmp"
	"context"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/rollup"
)

// tally is the sum of cells of one value.
type tally struct {
	value string
	t, n  int64
	e     int64 // requests
	s, d  float64
	flags uint8
	first uint64
	users union
	// number is how many users there are where they were counted without their set, see numbering.
	number int64
	// head are users that were united before; it must not be changed. nil = none.
	head *roaring.Bitmap
}

// tallies sums cells by value. Entries are reused after reset.
type tallies struct {
	index map[string]int
	all   []*tally
	used  int
	held  *reading // that is charged; nil = none is
}

func newTallies() *tallies { return &tallies{index: map[string]int{}} }

// talliesOf returns tallies that are charged to the read of a context.
func talliesOf(ctx context.Context) *tallies {
	ts := newTallies()
	ts.held = readingOf(ctx)
	return ts
}

// tallyBytes is about what a tally takes with its place, and what is made of it, beside its value and its users.
const tallyBytes = 320

// of returns the tally of a value, adding it when it is new.
func (ts *tallies) of(value string) *tally {
	i, ok := ts.index[value]
	if !ok {
		i = ts.used
		if i == len(ts.all) {
			if !ts.held.take(tallyBytes + int64(len(value))) {
				return &tally{value: value, users: union{held: ts.held}} // of a read that ends
			}
			ts.all = append(ts.all, &tally{users: union{held: ts.held}})
		}
		ts.used++
		ts.index[value] = i
		ts.all[i].value = value
	}
	return ts.all[i]
}

// count adds the counters of a cell, without its users.
func (ts *tallies) count(value string, c *rollup.Cell) *tally {
	t := ts.of(value)
	t.t = rollup.AddCount(t.t, c.Count)
	t.n = rollup.AddCount(t.n, c.New)
	t.e = rollup.AddCount(t.e, c.Requests)
	t.s += c.Sum
	t.d += c.Dur
	t.flags |= c.Flags
	if c.First > 0 && (t.first == 0 || c.First < t.first) {
		t.first = c.First
	}
	return t
}

// add adds a cell with its users.
func (ts *tallies) add(value string, c *rollup.Cell) {
	t := ts.count(value, c)
	if t.head != nil && c.Users != nil && t.users.empty() {
		t.users.clone(c.Users) // most often the only one
		return
	}
	t.users.add(c)
}

// reset forgets all values.
func (ts *tallies) reset() {
	for _, t := range ts.all[:ts.used] {
		t.users.reset()
		*t = tally{users: t.users}
	}
	ts.used = 0
	clear(ts.index)
}

// byValue lists the tallies by value.
func (ts *tallies) byValue() []*tally {
	out := slices.Clone(ts.all[:ts.used])
	slices.SortFunc(out, func(a, b *tally) int { return cmp.Compare(a.value, b.value) })
	return out
}

// byCount lists the tallies by count, the largest first, then by value.
func (ts *tallies) byCount() []*tally {
	out := slices.Clone(ts.all[:ts.used])
	slices.SortFunc(out, func(a, b *tally) int { return cmp.Or(cmp.Compare(b.t, a.t), cmp.Compare(a.value, b.value)) })
	return out
}

// sessionValues returns the tallies as entries of a level, by value.
func (ts *tallies) sessionValues() []value {
	out := make([]value, 0, ts.used)
	for _, t := range ts.byValue() {
		out = append(out, value{name: t.value, shape: sessionShape, t: t.t, n: t.n, u: t.cardinality()})
	}
	return out
}

// numbering is Cells that count the users of sums faster than they find out who they are.
type numbering interface {
	// numbers is sums with tallies of which only the number of users is known.
	numbers(ctx context.Context, app model.AppID, s rollup.Series, spans []span, which only) (*tallies, error)
}

// numbers sums a series' cells by value, where only the number of users is asked for.
func (q *Query) numbers(ctx context.Context, app model.AppID, s rollup.Series, spans []span, which only) (*tallies, error) {
	if by, ok := q.cells.(numbering); ok {
		return by.numbers(ctx, app, s, spans, which)
	}
	return q.cells.sums(ctx, app, s, spans, which)
}

// uniques sums a metric's cells by value, with their users.
func (q *Query) uniques(ctx context.Context, app model.AppID, m rollup.Metric, first, last period.Day) (*tallies, error) {
	return q.cells.sums(ctx, app, rollup.Series{Metric: m}, spansOf(first, last), everyCell)
}

// counts sums a series' cells by value, without their users.
func (q *Query) counts(ctx context.Context, app model.AppID, s rollup.Series, first, last period.Day) (*tallies, error) {
	ts := talliesOf(ctx)
	err := q.eachDay(ctx, app, s, first, last, func(v string, c *rollup.Cell) { ts.count(v, c) })
	return ts, err
}
