package clickhouse_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"quipu/internal/model"
	"quipu/internal/store/ch"
	"quipu/internal/store/ch/chtest"
	"quipu/internal/store/events"
	"quipu/internal/store/events/clickhouse/chdbtest"
	"quipu/internal/store/events/eventstest"
	"quipu/internal/store/events/plan"
)

// people counts the users of an app's events, of those with a key where one is given.
func people(app model.AppID, key string) *plan.Query {
	q := &plan.Query{App: app, From: plan.Events, Select: []plan.Expr{plan.Agg{Fn: plan.Distinct, Of: plan.Ev("uid")}}}
	if key != "" {
		q.Where = plan.Do(plan.Eq, plan.Ev("e"), plan.Is(key))
	}
	return q
}

// addEvents adds events to an app, each of another user.
func addEvents(t *testing.T, c *ch.Client, app model.AppID, n int) {
	t.Helper()
	st := ch.Statement{SQL: "INSERT INTO events (app, off, item, ts, received, e, uid) SELECT ?, number, 0, number, number, 'many', number FROM numbers(?)", Args: []any{app.String(), n}}
	if err := c.Exec(t.Context(), st); err != nil {
		t.Fatal(err)
	}
}

// TestRowsRead has a trace say how many rows the server read for each statement.
func TestRowsRead(t *testing.T) {
	server := chtest.Start(t, chdbtest.Open(t))
	c := server.Client(t)
	s := open(t, c, newLedger("test"))
	eventstest.Commit(t, s, part(1, 1, 1)) // two apps with three events each, which lie together
	app, many := appOf(1, 0), 200_000
	addEvents(t, c, app, many)
	none := func(events.Scanner) error { return nil }
	stop := errors.New("stop")
	for name, tt := range map[string]struct {
		read  func(ctx context.Context) error
		least int64 // rows of the last statement
		most  int64
	}{
		"all events":     {func(ctx context.Context) error { return s.Run(ctx, people(app, ""), none) }, 200_006, 200_006},
		"those of a key": {func(ctx context.Context) error { return s.Run(ctx, people(app, events.CustomKey), none) }, 6, 20_000},
		"columns": {func(ctx context.Context) error {
			return s.RunColumns(ctx, people(app, ""), func(*events.Columns) error { return nil })
		}, 200_006, 200_006},
		"a caller who gives up": {func(ctx context.Context) error {
			return s.Run(ctx, people(app, ""), func(events.Scanner) error { return stop })
		}, 200_006, 200_006},
		"all apps": {func(ctx context.Context) error {
			return s.RunAll(ctx, []model.AppID{app, appOf(1, 1)}, people(model.AppID{}, ""), func(model.AppID, events.Scanner) error { return nil })
		}, 200_006, 200_006},
		"a count, most of which the index knows": {func(ctx context.Context) error {
			_, err := s.Count(ctx, app, events.RowFilter{Keys: []string{"many"}, From: 1})
			return err
		}, 1, 20_000},
	} {
		ctx, trace := plan.Traced(t.Context())
		err := tt.read(ctx)
		list, _ := trace.Statements()
		if err != nil && !errors.Is(err, stop) || len(list) == 0 || slices.ContainsFunc(list, func(st plan.Statement) bool { return st.Read < 0 }) {
			t.Errorf("%s: %+v, %v", name, list, err)
			continue
		}
		if n := list[len(list)-1].Read; n < tt.least || n > tt.most {
			t.Errorf("%s: read %d rows, want %d to %d", name, n, tt.least, tt.most)
		}
	}
}

// TestReadMemory has a read that needs more memory than it may take fail, while others go on.
func TestReadMemory(t *testing.T) {
	server := chtest.Start(t, chdbtest.Open(t))
	c := server.Client(t, func(o *ch.Options) { o.ReadMemory = 32 << 20 })
	if err := c.Find(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := open(t, c, newLedger("test"))
	eventstest.Commit(t, s, part(1, 1, 1))
	large, small := appOf(1, 0), appOf(1, 1)
	addEvents(t, c, large, 2_000_000)
	const each = 5
	done := make(chan error)
	for _, app := range []model.AppID{large, small} {
		go func() {
			for range each {
				var n int64
				err := s.Run(t.Context(), people(app, ""), func(row events.Scanner) error { return row.Scan(&n) })
				switch {
				case app == large && !errors.Is(err, events.ErrMemory):
					done <- fmt.Errorf("a read that needs too much: %d, %w", n, err)
				case app == small && (err != nil || n != 3):
					done <- fmt.Errorf("a read beside it: %d, %w", n, err)
				default:
					done <- nil
				}
			}
		}()
	}
	for range 2 * each {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	_, err := s.Count(t.Context(), large, events.RowFilter{})
	if err != nil {
		t.Errorf("what needs little of many rows: %v", err)
	}
}
