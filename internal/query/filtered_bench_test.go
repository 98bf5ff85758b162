package query_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"syscall"
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
	s, tables := benchStore(b, 1_000_000, 100_000)
	t := tables(s)
	return query.NewFunnels(t, 64<<20), t, testApp
}

// benchStore opens a store with so many event rows over a month, a fifth of them sessions of so many users, with a request each. tables reads rows of it, and
// knows a cohort of a third of the users, "third", and one of a hundredth, "few".
func benchStore(b *testing.B, count, users int) (s *duck.Store, tables func(query.Rows) *query.Tables) {
	b.Helper()
	s, err := duck.Open(b.Context(), duck.Options{Path: filepath.Join(b.TempDir(), "events.duckdb"), Threads: 1, MemoryLimit: 256 << 20})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	app, r := testApp, rand.New(rand.NewPCG(1, 2)) // not for secrets
	platforms := []string{"iOS", "Android", "Windows"}
	countries := make([]string, 60)
	for i := range countries {
		countries[i] = string([]byte{'A' + byte(i/26), 'A' + byte(i%26)})
	}
	for off := 0; off < count; {
		ab := &events.AppBatch{}
		for off == 0 && len(ab.States) < min(users, 100_000) {
			n := uint32(len(ab.States)) + 1 // few
			ab.States = append(ab.States, events.State{Number: n, Offset: 1, UID: n, JSON: fmt.Sprintf(`{"up.av":"1:0","up.p":%q}`, platforms[n%3])})
		}
		for range min(196_608, count-off) {
			off++
			uid := 1 + r.Uint32N(uint32(users)) // few
			row := events.Row{Offset: uint64(off), TS: int64(off)*benchMonth/int64(count) + r.Int64N(3000), Key: events.CustomKey, Name: fmt.Sprint("event-", int(r.ExpFloat64()*8)%50), UID: uid, State: 1 + (uid-1)%100_000, Count: 1, Sum: float64(off % 7)}
			if off%5 == 0 {
				zero := 0.0
				row.Key, row.Name, row.Text[0], row.Num[0], row.Num[1] = "[CLY]_session_begin", "", &platforms[uid%3], &zero, &zero
				row.Text[1] = &countries[uid%(1+uid%60)]
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
		{Name: "country", Slot: schema.Slot{Kind: schema.Text, Index: 2}},
		{Name: "is_new", Slot: schema.Slot{Kind: schema.Number, Index: 1}},
		{Name: "frequency", Slot: schema.Slot{Kind: schema.Number, Index: 2}},
	}})
	third, few := roaring.New(), roaring.New()
	for uid := uint32(3); uid <= uint32(users); uid += 3 { // few
		third.Add(uid)
	}
	for uid := uint32(50); uid <= uint32(users); uid += 100 { // few
		few.Add(uid)
	}
	sets := map[string]*plan.Set{"third": plan.NewSet(third), "few": plan.NewSet(few)}
	cohorts := &query.Cohorts{}
	cohorts.Provide(func(context.Context, model.AppID, []string, bool) (map[string]*plan.Set, error) { return sets, nil })
	lookups := query.Lookups{Cohorts: cohorts}
	return s, func(rows query.Rows) *query.Tables {
		if r, ok := rows.(*query.Recalling); ok {
			return query.NewTables(r.Knowing(lookups), sch)
		}
		return query.NewTables(query.Knowing(rows, lookups), sch)
	}
}

// BenchmarkFiltered reads what pages of figures show of a month, under a filter that a third of the users meet.
func BenchmarkFiltered(b *testing.B) { benchmarkFilter(b, `{"up.p":"iOS"}`) }

// BenchmarkCohort is BenchmarkFiltered of a cohort of a third of the users.
func BenchmarkCohort(b *testing.B) { benchmarkFilter(b, `{"chr":"third"}`) }

func benchmarkFilter(b *testing.B, text string) {
	b.Helper()
	rows, app := benchFiltered(b)
	for name, read := range figureReads(b, app) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				read(b, rows, text)
			}
		})
	}
}

// unchanging are the versions of rows that do not change.
type unchanging struct{}

// Version implements query.Versions.
func (unchanging) Version(model.AppID) uint64 { return 1 }

// Rewrites implements query.Rewriting.
func (unchanging) Rewrites(model.AppID, uint64) ([]map[uint32]uint32, uint64, bool) {
	return nil, 1, true
}

// Subscribe implements query.Subscriptions.
func (unchanging) Subscribe(model.AppID) uint64 { return 1 }

// Unsubscribe implements query.Subscriptions.
func (unchanging) Unsubscribe(model.AppID, uint64) {}

// Written implements query.Subscriptions.
func (unchanging) Written(model.AppID, uint64) ([]model.ProfileID, []uint32, bool) {
	return nil, nil, true
}

// BenchmarkCohortLarge reads what pages of figures show of a month, of cohorts of a third and of a hundredth of a million users with 10 million event rows: by
// reading the rows each time, and with rows that are held by user. "hold" reads rows that are then held.
func BenchmarkCohortLarge(b *testing.B) {
	if testing.Short() {
		b.Skip("10 million rows")
	}
	s, tables := benchStore(b, largeEvents, largeUsers)
	read := query.NewFunnels(tables(s), 1<<30)
	reads := &counting{Reader: s}
	held := query.Recall(reads, unchanging{}, 1<<20).Holding(unchanging{}, 1<<30, func() bool { return false })
	go held.Hold(b.Context(), slog.New(slog.DiscardHandler))
	by := query.NewFunnels(tables(held), 1<<30)
	for name, ask := range figureReads(b, testApp) {
		for _, cohort := range []string{"third", "few"} {
			text := `{"chr":"` + cohort + `"}`
			b.Run(name+"/"+cohort+"/read", func(b *testing.B) {
				for b.Loop() {
					ask(b, read, text)
				}
			})
			b.Run(name+"/"+cohort+"/held", func(b *testing.B) {
				for ran := int64(1); ran > 0; { // what was asked for several times is held
					before := reads.runs.Load()
					ask(b, by, text)
					ran = reads.runs.Load() - before
				}
				began, n := processorTime(b), 0
				for b.Loop() {
					ask(b, by, text)
					n++
				}
				b.ReportMetric(float64((processorTime(b)-began).Microseconds())/float64(n)/1000, "cpu-ms/op")
			})
		}
	}
}

// processorTime is what the process has used of the processors: on a machine that others use, too, it says more than the clock does.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// The rows of BenchmarkCohortLarge.
const (
	largeEvents = 10_000_000
	largeUsers  = 1_000_000
)

// figureReads are the reads of pages, each under a filter.
func figureReads(b *testing.B, app model.AppID) map[string]func(b *testing.B, rows *query.Funnels, filter string) {
	b.Helper()
	cal := period.NewCalendar(time.UTC)
	p, err := period.Parse("30days", time.UnixMilli(benchMonth), cal)
	if err != nil {
		b.Fatal(err)
	}
	out := map[string]func(b *testing.B, rows *query.Funnels, filter string){}
	for name, read := range map[string]func(ctx context.Context, q *query.Query) (int, error){
		"users": func(ctx context.Context, q *query.Query) (int, error) {
			d, err := q.UsersDocument(ctx, app, p, query.Whole)
			return len(d), err
		},
		"sessions": func(ctx context.Context, q *query.Query) (int, error) {
			l, err := q.SessionRows(ctx, app, p, period.DayStep)
			return len(l), err
		},
		"metric": func(ctx context.Context, q *query.Query) (int, error) {
			l, err := q.MetricRows(ctx, app, rollup.OS, p)
			return len(l), err
		},
		"events": func(ctx context.Context, q *query.Query) (int, error) {
			l, err := q.EventTotals(ctx, app, p)
			return len(l), err
		},
		"compare": func(ctx context.Context, q *query.Query) (int, error) {
			l, err := q.EventTotalsOf(ctx, app, query.Part{First: p.First, Last: p.Last, Until: query.WholeDay})
			return len(l), err
		},
		"summary": func(ctx context.Context, q *query.Query) (int, error) {
			s, err := q.Summary(ctx, app, p)
			return len(s.Top.Platforms), err
		},
	} {
		out[name] = func(b *testing.B, rows *query.Funnels, text string) {
			b.Helper()
			f, err := filter.Parse(text)
			if err != nil {
				b.Fatal(err)
			}
			err = rows.Filtered(b.Context(), query.Chosen{App: app, Filter: f, Calendar: cal}, func(q *query.Query) error {
				n, err := read(b.Context(), q)
				if n == 0 {
					b.Fatal("nothing")
				}
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	return out
}
