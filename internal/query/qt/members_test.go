package qt_test

import (
	"context"
	"math"

	"quipu/internal/filter"
	"quipu/internal/query"
)

// evalMembers lists the users for whom a membership holds.
func evalMembers(ctx context.Context, r reader, a *arguments) (*result, error) {
	f, err := a.selected()
	if err != nil {
		return nil, err
	}
	var steps []struct {
		Events         []string
		Query          filter.Expr
		Not, First, Or bool
		Least, Most    int64
		Since, Until   int64
		Before         []query.Before
	}
	a.json("steps", &steps)
	q := query.Membership{Filter: f}
	for _, s := range steps {
		if s.Until == 0 {
			s.Until = math.MaxInt64 / 2
		}
		q.Steps = append(q.Steps, query.MemberStep{
			Did:   query.Did{Not: s.Not, Events: s.Events, Filter: s.Query, From: s.Since, To: s.Until, Least: s.Least, Most: s.Most},
			First: s.First, Or: s.Or, Before: s.Before,
		})
	}
	done := int64(0)
	users, err := query.NewFunnels(r.tables, 1<<20).Select(ctx, a.app, q, func(n, _ int64) { done = n })
	if err != nil {
		return nil, err
	}
	out := &result{columns: []string{"uid", "parts"}}
	for _, uid := range users.ToArray() {
		out.add(int64(uid), done)
	}
	return out, nil
}
