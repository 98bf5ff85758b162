package query

import (
	"context"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// PropertyValues are values of a property.
type PropertyValues struct {
	Values []string
	Counts []int64 // of each value: rows of events that have it, or users
	Total  int64   // how many values there are
}

// PropertyValues returns values of a property in the rows of events in a period, the most frequent first, then by
// value, at most limit; and how many there are. With a search, only those that hold it as a part, whatever its case. Numbers
// are as people write them, lists and objects as JSON.
func (t *Tables) PropertyValues(ctx context.Context, app model.AppID, keys []string, p period.Period, path, search string, limit int) (PropertyValues, error) {
	ctx = plan.For(ctx, plan.ValuesOperator)
	typed, ok := t.bindTrend(app)(path)
	if !ok {
		return PropertyValues{Values: []string{}, Counts: []int64{}}, nil
	}
	of, _, err := t.selection(ctx, app, keys)
	if err != nil {
		return PropertyValues{}, err
	}
	where := plan.All(of, plan.Between(plan.Ev("ts"), p.Start, p.End))
	return valuesOf(ctx, t.asked, &plan.Query{App: app, From: plan.Events, Where: where}, typed, search, limit)
}

// Values is Tables.PropertyValues for a property of users, by their number.
func (p *People) Values(ctx context.Context, app model.AppID, path, search string, limit int) (PropertyValues, error) {
	ctx = plan.For(ctx, plan.PeopleOperator)
	typed, ok := bindUser(path)
	if !ok {
		return PropertyValues{Values: []string{}, Counts: []int64{}}, nil
	}
	return valuesOf(ctx, p.rows, &plan.Query{App: app, From: plan.Users}, typed, search, limit)
}

func valuesOf(ctx context.Context, rows Rows, q *plan.Query, of plan.Typed, search string, limit int) (PropertyValues, error) {
	value, count := plan.Do(plan.Text, of), plan.Agg{Fn: plan.Count}
	conditions := []plan.Expr{q.Where, plan.Do(plan.Not, plan.Do(plan.IsNull, value))}
	if search != "" {
		conditions = append(conditions, plan.Do(plan.HasPart, plan.Do(plan.Lower, value), plan.Do(plan.Lower, plan.Is(search))))
	}
	q.Where = plan.All(conditions...)
	q.Select = []plan.Expr{value, count, plan.Agg{Fn: plan.Groups}}
	q.Order = []plan.Order{{By: count, Desc: true}, {By: value}}
	q.Limit = limit
	out := PropertyValues{Values: []string{}, Counts: []int64{}}
	err := rows.Run(ctx, q, func(row events.Scanner) error {
		var text string
		var n int64
		if err := row.Scan(&text, &n, &out.Total); err != nil {
			return err
		}
		out.Values, out.Counts = append(out.Values, text), append(out.Counts, n)
		return nil
	})
	return out, missing(err)
}
