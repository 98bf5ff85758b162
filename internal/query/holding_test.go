package query_test

import (
	"context"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/outbox"
	"quipu/internal/testkit/logged"
)

// background marks the context of Hold.
type background struct{}

// panicking panics where Hold reads, as long as it is to.
type panicking struct {
	events.Reader
	on     atomic.Bool
	panics atomic.Int64
}

func (p *panicking) check(ctx context.Context) {
	if p.on.Load() && ctx.Value(background{}) != nil {
		p.panics.Add(1)
		panic("a fault of the store")
	}
}

// Run implements events.Reader.
func (p *panicking) Run(ctx context.Context, q *plan.Query, fn func(events.Scanner) error) error {
	return p.Reader.Run(ctx, q, func(row events.Scanner) error {
		p.check(ctx) // in the middle of an answer
		return fn(row)
	})
}

// RunColumns implements events.Reader.
func (p *panicking) RunColumns(ctx context.Context, q *plan.Query, fn func(*events.Columns) error) error {
	return p.Reader.RunColumns(ctx, q, func(c *events.Columns) error {
		p.check(ctx)
		return fn(c)
	})
}

// TestHoldPanics has reads in the background panic: that is logged, answers are those of rows meanwhile, and what is read later is held.
func TestHoldPanics(t *testing.T) {
	t.Parallel()
	s := newQueued(t, 1<<20)
	app, cal := testApp, period.NewCalendar(nil)
	id := model.ProfileID{7}
	s.people[id] = &model.Profile{ID: id, UID: 7, DID: "d7", Name: "Ann", LastActivity: 1}
	s.off++
	s.put(t, app, &outbox.Part{Users: []model.ProfileID{id}, Rows: outbox.Pack(events.Row{Offset: s.off, TS: 86400_000, Received: 1, Key: events.CustomKey, Name: "buy", UID: 7, Count: 2, Hour: -1, Dow: -1})})
	rows := &panicking{Reader: s.plain}
	counted := &counting{Reader: rows}
	cohorts := &query.Cohorts{}
	sets := map[string]*plan.Set{"a": plan.NewSet(roaring.BitmapOf(7))}
	cohorts.Provide(func(context.Context, model.AppID, []string, bool) (map[string]*plan.Set, error) { return sets, nil })
	held := query.Recall(counted, s.outbox, 1<<20).Holding(s.outbox, 1<<20, func() bool { return false }).Searching(s.outbox, s, 1<<20, func() bool { return false }).
		Knowing(query.Lookups{Cohorts: cohorts})
	var log logged.Buffer
	go held.Hold(context.WithValue(t.Context(), background{}, true), slog.New(slog.NewTextHandler(&log, nil)))
	figures := query.NewFunnels(query.NewTables(held, &memory{cal: cal, events: recallEvents}), 1<<20)
	f, err := filter.Parse(`{"chr":"a"}`)
	if err != nil {
		t.Fatal(err)
	}
	ask := func() {
		err := figures.Filtered(t.Context(), query.Chosen{App: app, Filter: f, Calendar: cal}, func(q *query.Query) error {
			list, err := q.EventTotalsOf(t.Context(), app, query.Part{First: 0, Last: 2, Until: query.WholeDay})
			if got := list["buy"]; err == nil && (got.Count != 2 || *got.Users != 1) {
				t.Fatalf("got %+v", got)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	people := query.NewPeople(held)
	search := func() {
		uids, _, err := people.List(t.Context(), app, query.Page{Search: "ann", Limit: 5})
		if err != nil || len(uids) != 1 || uids[0] != 7 {
			t.Fatal(uids, err)
		}
	}
	until := func(what string, done func() bool) {
		for late := time.Now().Add(20 * time.Second); !done(); time.Sleep(time.Millisecond) {
			if time.Now().After(late) {
				t.Fatal(what, log.String())
			}
		}
	}
	rows.on.Store(true)
	until("the reading of rows does not panic", func() bool { ask(); return rows.panics.Load() == 1 })
	until("the reading of texts does not panic", func() bool { search(); return rows.panics.Load() == 2 })
	until("the panics are not logged", func() bool { return strings.Count(log.String(), "a fault of the store") == 2 })
	if !strings.Contains(log.String(), "holding.go") {
		t.Errorf("the stack is not logged: %s", log.String())
	}
	ask()
	search()
	if n := rows.panics.Load(); n != 2 {
		t.Errorf("%d panics", n)
	}
	rows.on.Store(false)
	until("rows are not held", func() bool { n := counted.runs.Load(); ask(); return counted.runs.Load() == n })
	if held.Bytes() <= 0 || held.Bytes() > 2<<20 {
		t.Errorf("%d bytes", held.Bytes())
	}
}
