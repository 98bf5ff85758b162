package clickhouse_test

import (
	"fmt"
	"testing"
	"time"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/events/clickhouse/chdbtest"
	"quipu/internal/store/schema"
)

// views is the schema of one app that has views only.
type views struct{ event schema.Event }

// Events implements schema.Reader.
func (v views) Events(model.AppID) []schema.Event { return []schema.Event{v.event} }

// Event implements schema.Reader.
func (v views) Event(_ model.AppID, key string) (schema.Event, bool) {
	return v.event, key == v.event.Key
}

// BenchmarkBreakdown asks a million views of 30 days, 50,000 users and 150,000 states by three properties of users, with what is left, by day.
func BenchmarkBreakdown(b *testing.B) {
	const rows, users, states, days = 1_000_000, 50_000, 150_000, 30
	app := model.AppID{1}
	e := chdbtest.Open(b)
	s := chdbtest.NewStore(b, e)
	p, err := period.Parse("30days", time.Date(2031, 5, 14, 23, 0, 0, 0, time.UTC), period.NewCalendar(nil))
	if err != nil {
		b.Fatal(err)
	}
	for _, statement := range []string{
		fmt.Sprintf("INSERT INTO states (app, state, off, uid, props) SELECT '%s', number + 1, number + 1, number %% %d + 1, concat('{\"av\":\"', toString(number %% 7), ':1\",\"cc\":\"', char(65 + number %% 5, 65 + number %% 9), '\",\"cty\":\"Unknown\",\"d\":\"Phone ', toString(number %% 40), '\",\"la\":\"de\",\"p\":\"', ['iOS', 'Android', 'Web'][number %% 3 + 1], '\",\"r\":\"1080x1920\"}') FROM numbers(%d)", app, users, states),
		fmt.Sprintf("INSERT INTO events (app, off, item, ts, received, e, uid, session, state, c, s, dur, hour, dow, n1) SELECT '%s', number + 1, 0, %d + intDiv(number * %d, %d), 0, '[CLY]_view', number * 7919 %% %d %% %d + 1, number, number * 7919 %% %d + 1, 1, 0, number %% 60, -1, -1, number %% 3 FROM numbers(%d)",
			app, p.Start, p.End-p.Start, rows, states, users, states, rows),
	} {
		if _, err := e.Query(statement); err != nil {
			b.Fatal(err)
		}
	}
	tables := query.NewTables(s, views{schema.Event{Key: "[CLY]_view", Seq: 1, Segments: []schema.Segment{{Name: "visit", Slot: schema.Slot{Kind: schema.Number, Index: 1}}}}})
	day := period.DayStep
	for _, by := range [][]string{{"up.cc"}, {"up.cc", "up.p", "up.av"}} {
		b.Run(fmt.Sprint(len(by), " properties"), func(b *testing.B) {
			before := spent(b)
			for b.Loop() {
				seen := 0
				out, ok, err := tables.TrendTable(b.Context(), app, query.Trend{Events: []string{"[CLY]_view"}, Period: p, By: by}, query.TrendPage{Order: query.TrendOrder{By: "t", Desc: true}, Limit: 100, Step: &day, Rest: true},
					func(period.Bucket, int, query.Figures) error { seen++; return nil })
				if err != nil || !ok || out.All.Users != users || seen < len(out.Groups)*days {
					b.Fatalf("%d groups, %d buckets, %+v: %v", len(out.Groups), seen, out.All, err)
				}
			}
			b.ReportMetric((spent(b)-before)/float64(b.N), "cpu-s/op")
		})
	}
}
