package query

import (
	"context"
	"slices"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// PropertyFacts are where a property was met.
type PropertyFacts struct {
	Rows int64 // events that have it; of a property of users, users
	// First and Last are ms; 0 = unknown. Of a property of users only Last is known: when one of those who have it was active last.
	First, Last int64
}

// factsAtOnce is how many properties one statement looks at.
const factsAtOnce = 16

// PropertyFacts returns where properties of an event were met, in the order of their names, in all rows that are kept.
func (t *Tables) PropertyFacts(ctx context.Context, app model.AppID, key string, names []string) ([]PropertyFacts, error) {
	ctx = plan.For(ctx, plan.ValuesOperator)
	of, _, err := t.selection(ctx, app, []string{key})
	if err != nil {
		return nil, err
	}
	values := make([]plan.Expr, len(names))
	for i, name := range names {
		values[i] = t.segmentOfKey(app, key, name)
	}
	ts := plan.Ev("ts")
	return factsOf(ctx, t.asked, &plan.Query{App: app, From: plan.Events, Where: of}, values, ts, ts)
}

// PropertyFacts is Tables.PropertyFacts for properties of users, by their paths.
func (p *People) PropertyFacts(ctx context.Context, app model.AppID, paths []string) ([]PropertyFacts, error) {
	ctx = plan.For(ctx, plan.PeopleOperator)
	values := make([]plan.Expr, len(paths))
	for i, path := range paths {
		values[i] = plan.Is(nil)
		if typed, ok := bindUser(path); ok {
			values[i] = typed
		}
	}
	return factsOf(ctx, p.rows, &plan.Query{App: app, From: plan.Users}, values, nil, plan.Do(plan.Mul, plan.Us("lac"), plan.Is(1000)))
}

// factsOf runs q for some values at a time: how many rows have each, and the first and last moment of these; first nil = it is not known.
func factsOf(ctx context.Context, rows Rows, q *plan.Query, values []plan.Expr, first, last plan.Expr) ([]PropertyFacts, error) {
	out := []PropertyFacts{}
	for part := range slices.Chunk(values, factsAtOnce) {
		q.Select = nil
		for _, v := range part {
			has := plan.Do(plan.Not, plan.Do(plan.IsNull, v))
			q.Select = append(q.Select, plan.Agg{Fn: plan.Count, When: has}, plan.Agg{Fn: plan.Max, Of: last, When: has})
			if first != nil {
				q.Select = append(q.Select, plan.Agg{Fn: plan.Min, Of: first, When: has})
			}
		}
		facts := make([]PropertyFacts, len(part))
		err := rows.Run(ctx, q, func(row events.Scanner) error {
			moments := make([]any, 2*len(part)) // nil = no row has it
			var into []any
			for i := range facts {
				into = append(into, &facts[i].Rows, &moments[2*i])
				if first != nil {
					into = append(into, &moments[2*i+1])
				}
			}
			if err := row.Scan(into...); err != nil {
				return err
			}
			for i := range facts {
				facts[i].Last, facts[i].First = momentIn(moments[2*i]), momentIn(moments[2*i+1])
			}
			return nil
		})
		if err = missing(err); err != nil {
			return nil, err
		}
		out = append(out, facts...)
	}
	return out, nil
}

// momentIn is a moment of a result; 0 for what is absent.
func momentIn(v any) int64 {
	if n := numberIn(v); n != nil {
		return int64(*n)
	}
	return 0
}
