package query_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// benchFiltered opens a store with a million event rows over a month, a fifth of them sessions of 100,000 users, with a request each.
func benchFiltered(b *testing.B) (*query.Funnels, model.AppID) {
	b.Helper()
	rows, _, app := benchRows(b)
	return rows, app
}

// benchRows is benchFiltered with what reads single rows of the same store.
func benchRows(b *testing.B) (*query.Funnels, *query.Tables, model.AppID) {
	b.Helper()
	s, err := duck.Open(b.Context(), duck.Options{Path: filepath.Join(b.TempDir(), "events.duckdb"), Threads: 1, MemoryLimit: 256 << 20})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	const count, users = 1_000_000, 100_000
	app, r := testApp, rand.New(rand.NewPCG(1, 2)) //nolint:gosec // not for secrets
	platforms := []string{"iOS", "Android", "Windows"}
	for off := 0; off < count; {
		ab := &events.AppBatch{}
		for off == 0 && len(ab.States) < users {
			n := uint32(len(ab.States)) + 1 //nolint:gosec // few
			ab.States = append(ab.States, events.State{Number: n, Offset: 1, UID: n, JSON: fmt.Sprintf(`{"up.av":"1:0","up.p":%q}`, platforms[n%3])})
		}
		for range min(196_608, count-off) {
			off++
			uid := 1 + r.Uint32N(users)
			row := events.Row{Offset: uint64(off), TS: int64(off)*benchMonth/count + r.Int64N(3000), Key: events.CustomKey, Name: fmt.Sprint("event-", int(r.ExpFloat64()*8)%50), UID: uid, State: uid, Count: 1, Sum: float64(off % 7)}
			if off%5 == 0 {
				zero := 0.0
				row.Key, row.Name, row.Text[0], row.Num[0], row.Num[1] = "[CLY]_session_begin", "", &platforms[uid%3], &zero, &zero
				ab.Requests = append(ab.Requests, events.RequestRow{Offset: row.Offset, TS: row.TS, UID: uid, Flags: events.RequestCounted, Dur: 1})
			}
			ab.Rows = append(ab.Rows, row)
		}
		eventstest.Commit(b, s, &events.Batch{Apps: map[model.AppID]*events.AppBatch{app: ab}, Watermark: eventstest.At(uint64(off))})
	}
	sch := &memory{}
	for i := range 50 {
		sch.events = append(sch.events, schema.Event{Key: fmt.Sprint("event-", i)})
	}
	sch.events = append(sch.events, schema.Event{Key: "[CLY]_session_begin", Segments: []schema.Segment{
		{Name: "os", Slot: schema.Slot{Kind: schema.Text, Index: 1}},
		{Name: "is_new", Slot: schema.Slot{Kind: schema.Number, Index: 1}},
		{Name: "frequency", Slot: schema.Slot{Kind: schema.Number, Index: 2}},
	}})
	third := roaring.New()
	for uid := uint32(3); uid <= users; uid += 3 {
		third.Add(uid)
	}
	cohorts := &query.Cohorts{}
	cohorts.Provide(func(context.Context, model.AppID, []string, bool) (map[string]*plan.Set, error) {
		return map[string]*plan.Set{"third": plan.NewSet(third)}, nil
	})
	tables := query.NewTables(query.Knowing(s, query.Lookups{Cohorts: cohorts}), sch)
	return query.NewFunnels(tables, 64<<20), tables, app
}

// BenchmarkFiltered reads what pages of figures show of a month, under a filter that a third of the users meet.
func BenchmarkFiltered(b *testing.B) { benchmarkFilter(b, `{"up.p":"iOS"}`) }

// BenchmarkCohort is BenchmarkFiltered of a cohort of a third of the users.
func BenchmarkCohort(b *testing.B) { benchmarkFilter(b, `{"chr":"third"}`) }

func benchmarkFilter(b *testing.B, text string) {
	b.Helper()
	rows, app := benchFiltered(b)
	f, err := filter.Parse(text)
	if err != nil {
		b.Fatal(err)
	}
	cal := period.NewCalendar(time.UTC)
	p, err := period.Parse("30days", time.UnixMilli(benchMonth), cal)
	if err != nil {
		b.Fatal(err)
	}
	for name, read := range map[string]func(q *query.Query) (int, error){
		"users": func(q *query.Query) (int, error) {
			d, err := q.UsersDocument(b.Context(), app, p, query.Whole)
			return len(d), err
		},
		"sessions": func(q *query.Query) (int, error) {
			l, err := q.SessionRows(b.Context(), app, p, period.DayStep)
			return len(l), err
		},
		"metric": func(q *query.Query) (int, error) {
			l, err := q.MetricRows(b.Context(), app, rollup.OS, p)
			return len(l), err
		},
		"events": func(q *query.Query) (int, error) { l, err := q.EventTotals(b.Context(), app, p); return len(l), err },
		"compare": func(q *query.Query) (int, error) {
			l, err := q.EventTotalsOf(b.Context(), app, query.Part{First: p.First, Last: p.Last, Until: query.WholeDay})
			return len(l), err
		},
		"summary": func(q *query.Query) (int, error) {
			s, err := q.Summary(b.Context(), app, p)
			return len(s.Top.Platforms), err
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				err := rows.Filtered(b.Context(), query.Chosen{App: app, Filter: f, Calendar: cal}, func(q *query.Query) error {
					n, err := read(q)
					if n == 0 {
						b.Fatal("nothing")
					}
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
