package query

import (
	"context"

	"quipu/internal/model"
	"quipu/internal/query/retention"
	"quipu/internal/store/events/plan"
)

// Union is the union of sets, for its test.
type Union = union

// The operations of Union.
var (
	UnionAdd         = (*union).add
	UnionCardinality = (*union).cardinality
	UnionSet         = (*union).set
	UnionReset       = (*union).reset
)

// Live returns how many entries of q's memo are kept up to date.
func Live(q *Query) int {
	m := q.cells.(*remembering).memo
	m.mu.Lock()
	defer m.mu.Unlock()
	n := 0
	for _, e := range m.lru.Values() {
		if e.live != nil && !e.live.subscription.Ended() {
			n++
		}
	}
	return n
}

// AskTwice calls twice for the sums of each entry of q's memo that is kept up to date, as two readers
// do who have found it before either is told anything. It returns how often the first was told to compute
// them again, and how often the second was.
func AskTwice(ctx context.Context, q *Query) (first, second int) {
	m := q.cells.(*remembering).memo
	m.mu.Lock()
	entries := m.lru.Values()
	m.mu.Unlock()
	for _, e := range entries {
		if e.live == nil {
			continue
		}
		for _, told := range []*int{&first, &second} {
			if _, ok := e.live.tallies(ctx); !ok {
				*told++
			}
		}
	}
	return first, second
}

// CountSets counts users of units by the starts of cohorts, nil = those of their units, all as sets of as many words; counting them one by one is taken for so much more expensive
// than it is. It changes units.
func CountSets(ctx context.Context, q *RetentionQuery, units, starts [][]uint64, limit, bias int64) (*retention.Tally, error) {
	t, err := retention.NewTally(q.Retention, false)
	if err != nil {
		return nil, err
	}
	n := &comers{RetentionQuery: q, tally: t, limit: limit, units: units, starts: starts, words: len(units[0]), bias: bias}
	if err := n.countSets(ctx); err != nil {
		return nil, err
	}
	q.over(t)
	return t, nil
}

// Binder is what finds the value at a path.
type Binder = func(path string) (plan.Typed, bool)

// The binders of paths: those of users, of events, and of trends and funnels over events.
var (
	BindUser   Binder = bindUser
	BindEvent         = func(t *Tables, app model.AppID) Binder { return t.bindEvent(app) }
	BindTrend         = func(t *Tables, app model.AppID) Binder { return t.bindTrend(app) }
	BindFunnel        = func(t *Tables, app model.AppID) Binder { return t.bindFunnel(app) }
)

// Where the answers to reads are.
var (
	SourceOfCounts    = (*Chosen).source
	SourceOfRetention = (*RetentionQuery).source
	SourceOfSpread    = (*SpreadQuery).source
)
