package duck_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/filter"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/schema"
)

// TestRunColumns reads more rows than a vector holds, with texts of all lengths and absent values, as Run reads them.
func TestRunColumns(t *testing.T) {
	t.Parallel()
	s := open(t, duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb")})
	b := newLoad().next(5000, app)
	for i := range b.Apps[app].Rows {
		r := &b.Apps[app].Rows[i]
		r.Text[0], r.Text[4] = new(strings.Repeat("é", i%20)), nil
		if i%3 == 0 {
			r.Text[4] = new(fmt.Sprint(strings.Repeat("x", 300), i))
		}
	}
	eventstest.Commit(t, s, b)
	text := func(i uint8) plan.Expr { return plan.Slot{Slot: schema.Slot{Kind: schema.Text, Index: i}} }
	q := &plan.Query{App: app, From: plan.Events, Order: []plan.Order{{By: plan.Ev("off")}, {By: plan.Ev("item")}}, Select: []plan.Expr{
		plan.Ev("off"), plan.Ev("item"), plan.Ev("ts"), plan.Ev("uid"), plan.Ev("hour"), text(1), text(5), plan.Do(plan.Gt, plan.Ev("c"), plan.Ev("hour")),
		plan.Do(plan.Add, plan.Do(plan.If, plan.Do(plan.Eq, plan.Ev("n"), plan.Is("event-1")), plan.Is(1), plan.Is(0)), plan.Is(0)), plan.Do(plan.NullIf, plan.Ev("hour"), plan.Is(3)),
	}}
	rows := func(run func(func(*events.Columns) error) error) (out [][]any) {
		err := run(func(c *events.Columns) error {
			for i := range c.Len {
				row := make([]any, len(c.List))
				for j, col := range c.List {
					switch {
					case col.Null != nil && col.Null[i]:
					case j == 5 || j == 6:
						row[j] = col.Text[i]
					default:
						row[j] = col.Whole[i]
					}
				}
				out = append(out, row)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	got := rows(func(fn func(*events.Columns) error) error { return s.RunColumns(t.Context(), q, fn) })
	want := rows(func(fn func(*events.Columns) error) error { return eventstest.RunColumns(t.Context(), s, q, fn) })
	if len(got) != 5000 || !cmp.Equal(got, want) {
		t.Errorf("%d rows, want %d: %.2000s", len(got), len(want), cmp.Diff(want, got))
	}
	stop := errors.New("stop")
	calls := 0
	err := s.RunColumns(t.Context(), q, func(*events.Columns) error { calls++; return stop })
	if !errors.Is(err, stop) || calls != 1 {
		t.Errorf("%v after %d calls", err, calls)
	}
	q.Select = []plan.Expr{plan.Typed{Expr: plan.Ev("dur"), Type: filter.Number}}
	if err := s.RunColumns(t.Context(), q, func(*events.Columns) error { calls++; return nil }); err != nil || calls < 2 {
		t.Errorf("a column of fractions: %v after %d calls", err, calls)
	}
	none := func(*events.Columns) error { t.Error("rows"); return nil }
	q.App[3]++
	if err := s.RunColumns(t.Context(), q, none); !errors.Is(err, events.ErrNoApp) {
		t.Errorf("an app without rows: %v", err)
	}
	ctx, trace := plan.Traced(t.Context())
	q.App[3]--
	q.Select = []plan.Expr{plan.Ev("ts")}
	if err := s.RunColumns(ctx, q, func(*events.Columns) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if list, _ := trace.Statements(); len(list) != 1 || list[0].Returned != 5000 || list[0].Read < 5000 || list[0].Plan == "" {
		t.Errorf("traced %+v", list)
	}
}
