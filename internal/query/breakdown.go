package query

import (
	"context"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/query/explain"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// UserValue is how many users have a value of a property; a nil value stands for those who have none.
type UserValue struct {
	Value *string `json:"_id"`
	Users int64   `json:"sum"`
}

// Breakdown counts users by a property: a page of its values, the most frequent first, then by value, and how many values there are. ok
// is false where nothing is grouped by the path. The page is not sorted otherwise.
func (p *People) Breakdown(ctx context.Context, app model.AppID, path string, page Page) (rows []UserValue, total int64, ok bool, err error) {
	asks(ctx, func() explain.Question {
		out := page.question(app)
		out.By = paths(path)
		return out
	})
	ctx = plan.For(ctx, plan.PeopleOperator)
	rows = []UserValue{}
	typed, ok := bindUser(path)
	if !ok || typed.Type == filter.List || CohortPath(path) {
		return rows, 0, false, nil
	}
	value, count := plan.Do(plan.Text, typed), plan.Agg{Fn: plan.Count}
	q := &plan.Query{
		App: app, From: plan.Users, Where: page.where(), Select: []plan.Expr{value, count, plan.Agg{Fn: plan.Groups}},
		Order: []plan.Order{{By: count, Desc: true}, {By: value}}, Offset: page.Offset, Limit: page.Limit,
	}
	err = p.rows.Run(ctx, q, func(row events.Scanner) error {
		var v UserValue
		if err := row.Scan(&v.Value, &v.Users, &total); err != nil {
			return err
		}
		rows = append(rows, v)
		return nil
	})
	return rows, total, true, missing(err)
}

// where selects the users of a list.
func (page Page) where() plan.Expr {
	where := plan.Matching(page.Filter, bindUser)
	if page.Search == "" {
		return where
	}
	parts := hasPart(page.Search, searchColumns...)
	parts = append(parts, plan.Do(plan.Eq, plan.Do(plan.Text, plan.Us("uid")), plan.Is(page.Search)))
	return plan.All(where, plan.Any(parts...))
}
