package query_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
	"quipu/internal/store/schema"
)

// clickSchema says where rows of BenchmarkClickMap have their properties.
type clickSchema struct{ schema.Reader }

var clickEvents = []schema.Event{
	{Key: "[CLY]_action", Segments: []schema.Segment{
		{Name: "type", Slot: schema.Slot{Kind: schema.Text, Index: 1}},
		{Name: "view", Slot: schema.Slot{Kind: schema.Text, Index: 2}},
		{Name: "x", Slot: schema.Slot{Kind: schema.Number, Index: 1}},
		{Name: "y", Slot: schema.Slot{Kind: schema.Number, Index: 2}},
		{Name: "width", Slot: schema.Slot{Kind: schema.Number, Index: 3}},
		{Name: "height", Slot: schema.Slot{Kind: schema.Number, Index: 4}},
	}},
	{Key: "[CLY]_view", Segments: []schema.Segment{{Name: "visit", Slot: schema.Slot{Kind: schema.Text, Index: 1}}}},
}

func (clickSchema) Events(model.AppID) []schema.Event { return clickEvents }

func (clickSchema) Event(_ model.AppID, key string) (schema.Event, bool) {
	for _, e := range clickEvents {
		if e.Key == key {
			return e, true
		}
	}
	return schema.Event{}, false
}

// BenchmarkClickMap reads heat maps of ten million actions on ten views by 200,000 users, one of which has half of them.
func BenchmarkClickMap(b *testing.B) {
	s, err := duck.Open(b.Context(), duck.Options{Path: filepath.Join(b.TempDir(), "events.duckdb"), Threads: 2, MemoryLimit: 512 << 20})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	const actions, batch, users = 10_000_000, 200_000, 200_000
	r := rand.New(rand.NewPCG(1, 2)) // not for secrets
	click, scroll, yes := "click", "scroll", "1"
	names := make([]string, 10)
	for i := range names {
		names[i] = fmt.Sprint("/page/", i)
	}
	off := uint64(0)
	for n := 0; n < actions; n += batch {
		ab := &events.AppBatch{}
		for range batch {
			off++
			v := max(0, r.IntN(20)-10)
			x, y, width, height := float64(r.IntN(1280)), float64(r.IntN(3000)), 1280.0, 3000.0
			row := events.Row{Offset: off, TS: int64(off) * 100, Key: "[CLY]_action", Name: names[v], UID: uint32(r.IntN(users)) + 1, Count: 1} // small
			kind := &click
			if r.IntN(5) == 0 {
				kind = &scroll
			}
			row.Text[0], row.Text[1] = kind, &names[v]
			row.Num[0], row.Num[1], row.Num[2], row.Num[3] = &x, &y, &width, &height
			ab.Rows = append(ab.Rows, row)
			if r.IntN(4) == 0 {
				off++
				visit := events.Row{Offset: off, TS: int64(off) * 100, Key: "[CLY]_view", Name: names[v], UID: row.UID, Count: 1} // small
				visit.Text[0] = &yes
				ab.Rows = append(ab.Rows, visit)
			}
		}
		eventstest.Commit(b, s, &events.Batch{Apps: map[model.AppID]*events.AppBatch{testApp: ab}, Watermark: eventstest.At(off)})
	}
	tables := query.NewTables(s, clickSchema{})
	for _, limit := range []int64{64 << 20, 512 << 20} {
		f := query.NewFunnels(tables, limit)
		for _, v := range []string{names[0], names[9]} {
			b.Run(fmt.Sprintf("%s of %d MiB", v, limit>>20), func(b *testing.B) {
				for b.Loop() {
					m, err := f.ClickMap(b.Context(), testApp, &query.ClickQuery{Subject: schema.Subject{Name: v, Alias: v}, To: 1 << 50})
					if err != nil || m.Clicks == 0 {
						b.Fatal(m, err)
					}
					b.ReportMetric(float64(m.Clicks), "clicks")
				}
			})
		}
	}
	b.Run("places", func(b *testing.B) {
		for b.Loop() {
			if _, err := tables.Actions(b.Context(), testApp, "click", &query.ClickQuery{Subject: schema.Subject{Name: names[9], Alias: names[9]}, To: 1 << 50}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
