package query_test

import (
	"context"
	"strings"
	"testing"

	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// seenRows keeps the plans that it is given, and has no rows.
type seenRows struct {
	noRows

	plans []string
}

func (r *seenRows) Run(_ context.Context, q *plan.Query, _ func(events.Scanner) error) error {
	r.plans = append(r.plans, q.String())
	return nil
}

func (r *seenRows) RunColumns(_ context.Context, q *plan.Query, _ func(*events.Columns) error) error {
	r.plans = append(r.plans, q.String())
	return nil
}

func (r *seenRows) RunAll(_ context.Context, _ []model.AppID, q *plan.Query, _ func(model.AppID, events.Scanner) error) error {
	r.plans = append(r.plans, q.String())
	return nil
}

// TestRewriting runs a plan that can be folded, each way in which plans are run: the event store has it folded.
func TestRewriting(t *testing.T) {
	t.Parallel()
	q := &plan.Query{
		App: testApp, From: plan.Events, Select: []plan.Expr{plan.Ev("c")},
		Where: plan.All(plan.Do(plan.Eq, plan.Ev("c"), plan.Is(1)), plan.Do(plan.IsNull, plan.Is(nil))),
	}
	tables := func(rows query.Rows) *query.Tables { return query.NewTables(rows, &memory{events: segmentsOf}) }
	for name, c := range map[string]struct {
		run  func(query.Rows) error
		want string
	}{
		"Run":        {func(r query.Rows) error { return tables(r).Each(t.Context(), q, nil) }, "from events where (events.c = 1) select events.c"},
		"RunColumns": {func(r query.Rows) error { return tables(r).EachColumns(t.Context(), q, nil) }, "from events where (events.c = 1) select events.c"},
		// Of views of the app nothing says which begin a visit, so that none counts.
		"RunAll": {
			func(r query.Rows) error {
				return tables(r).DataPoints(t.Context(), []model.AppID{testApp}, 5, 9, false, nil)
			},
			`from events where ((events.ts >= 5) and (events.ts <= 9) and (events.c != 0) and (events.e != "[CLY]_view")) select events.e, 0, count(*)`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &seenRows{}
			if err := c.run(r); err != nil || strings.Join(r.plans, "\n") != c.want {
				t.Errorf("the store was given\n%s (%v), want\n%s", strings.Join(r.plans, "\n"), err, c.want)
			}
		})
	}
}
