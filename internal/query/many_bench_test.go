package query_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/kv"
	"quipu/internal/store/rollup"
	pebblerollup "quipu/internal/store/rollup/pebble"
)

// BenchmarkManyValues reads metrics of an app with as many app versions as the limit allows, and with
// as many as older versions kept: each of one user on each of three days of two months.
func BenchmarkManyValues(b *testing.B) {
	for _, versions := range []int{1000, 100_000} {
		b.Run(fmt.Sprint(versions), func(b *testing.B) { benchManyValues(b, versions) })
	}
}

func benchManyValues(b *testing.B, versions int) {
	b.Helper()
	changes := &pebblerollup.Changes{}
	db, err := kv.Open(b.Context(), kv.Options{Dir: b.TempDir(), Merger: pebblerollup.Merger(), Watch: changes.Watch})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := db.Close(); err != nil {
			b.Error(err)
		}
	})
	for _, day := range []period.Day{period.DayOf(2031, 4, 3), period.DayOf(2031, 5, 1), period.DayOf(2031, 5, 14)} {
		delta := rollup.Delta{}
		for i := range versions {
			for metric, value := range map[rollup.Metric]string{rollup.AppVersions: fmt.Sprintf("1:0:%d", i), rollup.OSVersions: fmt.Sprintf("1:0:%d", i%50)} {
				c := rollup.Cell{First: uint64(i + 1), Count: 1, New: 1}
				c.AddUser(uint32(i + 1))
				series := rollup.Series{Metric: metric}
				delta.At(rollup.Key{Series: series, Grain: rollup.Day, Bucket: rollup.Bucket(day), Value: value}).Merge(&c)
				delta.At(rollup.Key{Series: series, Grain: rollup.Month, Bucket: rollup.Bucket(day.Month()), Value: value}).Merge(&c)
			}
		}
		write(b, db, delta)
	}
	store := pebblerollup.NewStore(db.Reader(), rollup.NoAliases{})
	cal := period.NewCalendar(nil)
	p, err := period.Parse("30days", time.UnixMilli(cal.DayStart(period.DayOf(2031, 5, 14))+1000), cal)
	if err != nil {
		b.Fatal(err)
	}
	for name, q := range map[string]*query.Query{
		"plain": query.New(query.Plain(store), &memory{cal: cal}), "remembering": query.New(query.Remember(store.Watched(changes), 64<<20), &memory{cal: cal}),
	} {
		for what, read := range map[string]func() (any, error){
			"document": func() (any, error) { return q.MetricDocument(b.Context(), testApp, "device_details", p, query.Whole) },
			"rows":     func() (any, error) { return q.MetricRows(b.Context(), testApp, rollup.AppVersions, p) },
			"top":      func() (any, error) { return q.Top(b.Context(), testApp, rollup.AppVersions, p, 3) },
		} {
			b.Run(name+"/"+what, func(b *testing.B) {
				var answer any
				for b.Loop() {
					if answer, err = read(); err != nil {
						b.Fatal(err)
					}
				}
				text, err := json.Marshal(answer)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(len(text)), "bytes")
			})
		}
	}
}
