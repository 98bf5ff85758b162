package duck_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
	"quipu/internal/store/schema"
)

// known is the schema of one app.
type known []schema.Event

// Events implements schema.Reader.
func (k known) Events(model.AppID) []schema.Event { return k }

// Event implements schema.Reader.
func (k known) Event(_ model.AppID, key string) (schema.Event, bool) {
	for _, e := range k {
		if e.Key == key {
			return e, true
		}
	}
	return schema.Event{}, false
}

// BenchmarkTrend asks a million rows of 30 days and 200,000 users, once as reads do and once by statements that a person
// would write for these tables, on the same connections.
func BenchmarkTrend(b *testing.B) {
	const rows, batch, values, days = 1_000_000, 50_000, 10_000, 30
	ctx := context.Background()
	s := open(b, duck.Options{Path: filepath.Join(b.TempDir(), "events.duckdb")})
	r := rand.New(rand.NewPCG(1, 2))
	cal := period.NewCalendar(nil)
	p, err := period.Parse("30days", time.Date(2031, 5, 14, 23, 0, 0, 0, time.UTC), cal)
	if err != nil {
		b.Fatal(err)
	}
	for off := 0; off < rows; off += batch {
		ab := &events.AppBatch{}
		for i := range batch {
			what, plan := fmt.Sprint("value-", r.IntN(values)), fmt.Sprint("plan-", r.IntN(3))
			row := events.Row{
				Offset: uint64(off + i + 1), TS: p.Start + int64(off+i)*(p.End-p.Start)/rows, Key: events.CustomKey, Name: fmt.Sprint("event-", r.IntN(4)), UID: 1 + r.Uint32N(200_000), Count: 1,
				Hour: -1, Dow: -1, Sum: float64(r.IntN(100)), Dur: float64(r.IntN(10)),
			}
			row.Text[0], row.Text[1] = &what, &plan
			ab.Rows = append(ab.Rows, row)
		}
		eventstest.Commit(b, s, &events.Batch{Apps: map[model.AppID]*events.AppBatch{app: ab}, Watermark: eventstest.At(uint64(off + batch))})
	}
	var sch known
	for i := range 4 {
		sch = append(sch, schema.Event{Key: fmt.Sprint("event-", i), Seq: uint32(i + 1), Segments: []schema.Segment{
			{Name: "what", Slot: schema.Slot{Kind: schema.Text, Index: 1}}, {Name: "plan", Slot: schema.Slot{Kind: schema.Text, Index: 2}},
		}})
	}
	tables := query.NewTables(s, sch)
	pro, err := filter.Parse(`{"sg.plan":"plan-1"}`)
	if err != nil {
		b.Fatal(err)
	}
	trend := query.Trend{Events: []string{"event-1"}, Period: p}
	filtered, by := trend, trend
	filtered.Filter, by.By = pro, []string{"sg.what"}
	byDay := func(q query.Trend) func() (int, error) {
		return func() (n int, err error) {
			return n, tables.TrendBuckets(ctx, app, q, period.DayStep, func(period.Bucket, query.Figures) error { n++; return nil })
		}
	}
	where := fmt.Sprintf(" FROM {events} WHERE e = '[CLY]_custom' AND n = 'event-1' AND ts BETWEEN %d AND %d", p.Start, p.End)
	const figures = "count(DISTINCT uid), sum(c), sum(s), sum(dur)"
	sql := func(statement string) func() (int, error) {
		return func() (n int, err error) {
			return n, s.Query(ctx, app, statement, nil, func(events.Scanner) error { n++; return nil })
		}
	}
	for _, q := range []struct {
		name string
		run  func() (int, error)
		want int
	}{
		{"by day with a filter", byDay(filtered), days},
		{"by day with a filter, by hand", sql("SELECT ts // 86400000, " + figures + where + " AND s2 = 'plan-1' GROUP BY 1 ORDER BY 1"), days},
		{"uniques by day", byDay(trend), days},
		{"uniques by day, by hand", sql("SELECT ts // 86400000, " + figures + where + " GROUP BY 1 ORDER BY 1"), days},
		{"ten of 10,000 values", func() (int, error) {
			groups, _, err := tables.TrendGroups(ctx, app, by, query.TrendOrder{By: "t", Desc: true}, 0, 10)
			return len(groups), err
		}, 10},
		{"ten of 10,000 values, by hand", sql("SELECT s1, " + figures + ", count(*) OVER ()" + where + " GROUP BY 1 ORDER BY 3 DESC, 1 LIMIT 10"), 10},
	} {
		b.Run(q.name, func(b *testing.B) {
			if _, err := q.run(); err != nil { // the first read of a column brings it into memory
				b.Fatal(err)
			}
			for b.Loop() {
				if n, err := q.run(); err != nil || n != q.want {
					b.Fatalf("%d rows, want %d: %v", n, q.want, err)
				}
			}
		})
	}
}
