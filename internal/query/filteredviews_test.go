package query_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"

	"quipu/internal/filter"
	"quipu/internal/ingest/pipeline"
	"quipu/internal/model"
	"quipu/internal/modules/views"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// viewNames are the details of a schema that has 50 views.
type viewNames struct{ schema.Details }

// Subjects implements schema.Details.
func (viewNames) Subjects(context.Context, model.AppID, schema.Kind) ([]schema.Subject, error) {
	var out []schema.Subject
	for i := range uint32(50) {
		out = append(out, schema.Subject{Num: i + 1, Name: fmt.Sprint("view-", i)})
	}
	return out, nil
}

// viewsStore opens a store with so many rows of views over a month by so many users: visits, their durations, scrolling, clicks, and ends of sessions, some of them
// twice. tables reads rows of it, and knows a cohort of a third of the users, "third".
func viewsStore(tb testing.TB, count, users int) (s *duck.Store, tables func(query.Rows) *query.Tables) {
	tb.Helper()
	s, err := duck.Open(tb.Context(), duck.Options{Path: filepath.Join(tb.TempDir(), "events.duckdb"), Threads: 1, MemoryLimit: 256 << 20})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = s.Close() })
	r := rand.New(rand.NewPCG(1, 2)) // not for secrets
	one, scroll, click := "1", "scroll", "click"
	platforms := []string{"iOS", "Android", "Windows"}
	ab := &events.AppBatch{}
	for n := uint32(1); n <= uint32(users); n++ { // few
		ab.States = append(ab.States, events.State{Number: n, Offset: 1, UID: n, JSON: fmt.Sprintf(`{"up.p":%q}`, platforms[n%3])})
	}
	for off := 1; off <= count; off++ {
		uid := 1 + r.Uint32N(uint32(users)) // few
		seen := 1 + r.Uint32N(50)
		row := events.Row{Offset: uint64(off), TS: int64(off)*benchMonth/int64(count) + r.Int64N(3000), Key: "[CLY]_view", Name: fmt.Sprint("view-", seen-1), UID: uid, State: uid, Count: 1}
		switch kind := off % 10; {
		case kind < 4:
			row.Text[0] = &one
			if kind == 0 {
				row.Text[1] = &one
			}
		case kind < 7:
			row.Dur = float64(off % 60)
		case kind < 9:
			y, height := float64(r.IntN(40)*50), 1000.0
			if row.Key, row.Text[0] = "[CLY]_action", &click; kind == 7 {
				row.Text[0] = &scroll
			}
			row.Num[0], row.Num[1] = &y, &height
		default:
			row.Key, row.Name = "[CLY]_session", ""
			row.Extra = fmt.Sprintf(`{"views":{"exit":%d,"bounce":true,"seen":[%d]}}`, seen, seen)
			if off%4 == 0 {
				at := float64(row.TS - 5*int64(time.Hour/time.Millisecond))
				row.Count, row.Num[0] = 0, &at
				row.Extra = fmt.Sprintf(`{"views":{"exit":%d,"seen":[%d,7],"was":{"exit":%d,"bounce":true,"seen":[%d]}}}`, seen, seen, seen, seen)
			}
		}
		ab.Rows = append(ab.Rows, row)
	}
	eventstest.Commit(tb, s, &events.Batch{Apps: map[model.AppID]*events.AppBatch{testApp: ab}, Watermark: eventstest.At(uint64(count))})
	text := func(name string, i uint8) schema.Segment {
		return schema.Segment{Name: name, Slot: schema.Slot{Kind: schema.Text, Index: i}}
	}
	number := func(name string, i uint8) schema.Segment {
		return schema.Segment{Name: name, Slot: schema.Slot{Kind: schema.Number, Index: i}}
	}
	sch := &memory{events: []schema.Event{
		{Key: "[CLY]_view", Segments: []schema.Segment{text("visit", 1), text("start", 2)}},
		{Key: "[CLY]_action", Segments: []schema.Segment{text("type", 1), number("y", 1), number("height", 2)}},
		{Key: "[CLY]_session", Segments: []schema.Segment{number("closed_at", 1)}},
	}}
	third := roaring.New()
	for uid := uint32(3); uid <= uint32(users); uid += 3 { // few
		third.Add(uid)
	}
	cohorts := &query.Cohorts{}
	cohorts.Provide(func(context.Context, model.AppID, []string, bool) (map[string]*plan.Set, error) {
		return map[string]*plan.Set{"third": plan.NewSet(third)}, nil
	})
	lookups, counted := query.Lookups{Cohorts: cohorts}, pipeline.Features{views.Module().Ingest}.Counted
	return s, func(rows query.Rows) *query.Tables {
		if r, ok := rows.(*query.Recalling); ok {
			return query.NewTables(r.Knowing(lookups), sch).Counting(counted)
		}
		return query.NewTables(query.Knowing(rows, lookups), sch).Counting(counted)
	}
}

// viewsOf returns the figures of views of a month under a filter.
func viewsOf(tb testing.TB, rows *query.Funnels, text string) []query.SubjectSum {
	tb.Helper()
	f, err := filter.Parse(text)
	if err != nil {
		tb.Fatal(err)
	}
	cal := period.NewCalendar(time.UTC)
	p, err := period.Parse("30days", time.UnixMilli(benchMonth), cal)
	if err != nil {
		tb.Fatal(err)
	}
	of := query.SubjectSeries{Of: rollup.Series{Metric: rollup.Views}, Ends: rollup.Series{Metric: rollup.ViewEnds}}
	var out []query.SubjectSum
	err = rows.Filtered(tb.Context(), query.Chosen{App: testApp, Filter: f, Calendar: cal, Known: viewNames{}}, func(q *query.Query) (err error) {
		if out, err = q.Subjects(tb.Context(), testApp, of, p); err == nil {
			err = q.NewOfSubjects(tb.Context(), testApp, of, p, out)
		}
		return err
	})
	if err != nil || len(out) == 0 {
		tb.Fatal(out, err)
	}
	return out
}

// holding returns a reader that holds rows by user, and how many statements it has run.
func holding(ctx context.Context, s *duck.Store, tables func(query.Rows) *query.Tables) (*query.Funnels, *counting) {
	reads := &counting{Reader: s}
	held := query.Recall(reads, unchanging{}, 1<<20).Holding(unchanging{}, 1<<30, func() bool { return false })
	go held.Hold(ctx, slog.New(slog.DiscardHandler))
	return query.NewFunnels(tables(held), 1<<30), reads
}

// TestHeldViews sees that views count alike under a cohort, whether rows are read or held by user, and under a filter that selects the same users.
func TestHeldViews(t *testing.T) {
	t.Parallel()
	s, tables := viewsStore(t, 3000, 90)
	read := query.NewFunnels(tables(s), 1<<30)
	held, reads := holding(t.Context(), s, tables)
	want := viewsOf(t, read, `{"up.p":"iOS"}`)
	if diff := cmp.Diff(want, viewsOf(t, read, `{"chr":"third"}`)); diff != "" {
		t.Errorf("by a cohort (-by a property +by a cohort):\n%s", diff)
	}
	for ran := int64(1); ran > 0; { // what was asked for several times is held
		before := reads.runs.Load()
		if diff := cmp.Diff(want, viewsOf(t, held, `{"chr":"third"}`)); diff != "" {
			t.Fatalf("held (-read +held):\n%s", diff)
		}
		ran = reads.runs.Load() - before
	}
	var visits, scrolled, ends float64
	for _, v := range want {
		visits, scrolled, ends = visits+float64(v.Of.Count), scrolled+v.Of.Sum, ends+float64(v.Ends.Requests)
	}
	if visits == 0 || scrolled == 0 || ends == 0 {
		t.Errorf("%v visits, %v scrolled, %v sessions: all must be there", visits, scrolled, ends)
	}
}

// BenchmarkFilteredViews reads the table of views of a month: of a third of the users by a property, by a cohort, and by a cohort whose rows are held.
func BenchmarkFilteredViews(b *testing.B) {
	s, tables := viewsStore(b, 180_000, 20_000)
	read := query.NewFunnels(tables(s), 1<<30)
	held, reads := holding(b.Context(), s, tables)
	for ran := int64(1); ran > 0; {
		before := reads.runs.Load()
		viewsOf(b, held, `{"chr":"third"}`)
		ran = reads.runs.Load() - before
	}
	for _, one := range []struct {
		name, filter string
		rows         *query.Funnels
	}{{"property", `{"up.p":"iOS"}`, read}, {"cohort", `{"chr":"third"}`, read}, {"held", `{"chr":"third"}`, held}} {
		b.Run(one.name, func(b *testing.B) {
			began, n := processorTime(b), 0
			for b.Loop() {
				viewsOf(b, one.rows, one.filter)
				n++
			}
			b.ReportMetric(float64((processorTime(b)-began).Microseconds())/float64(n)/1000, "cpu-ms/op")
		})
	}
}
