package query_test

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
	"quipu/internal/store/schema"
)

// TestClickParts compares heat maps of clicks that fit into memory with those of clicks of which some do not, or, with the visits, hardly any.
func TestClickParts(t *testing.T) {
	s, err := duck.Open(t.Context(), duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb"), Threads: 1, MemoryLimit: 256 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1)) // not for secrets
	kinds, view, yes, height := []string{"click", "click", "scroll"}, "/", "1", 3000.0
	ab, clicks, visits := &events.AppBatch{}, int64(0), int64(0)
	for off := uint64(1); off <= 4000; off++ {
		row := events.Row{Offset: off, TS: int64(off)*700 + r.Int64N(3000), UID: 1 + r.Uint32N(60), Count: 1}
		switch r.IntN(8) {
		case 0:
			row.Key, row.Name, row.Text[0] = "[CLY]_view", view, &yes
			visits++
		case 1:
			row.Key, row.Name = events.CustomKey, "buy"
		default:
			kind, x, y, width := kinds[r.IntN(3)], float64(r.IntN(60)), float64(r.IntN(3000)), float64(320+r.IntN(1000))
			row.Key, row.Name, row.Text[0], row.Text[1] = "[CLY]_action", view, &kind, &view
			row.Num[0], row.Num[1], row.Num[2], row.Num[3] = &x, &y, &width, &height
			if kind == "click" {
				clicks++
			}
		}
		ab.Rows = append(ab.Rows, row)
	}
	eventstest.Commit(t, s, &events.Batch{Apps: map[model.AppID]*events.AppBatch{testApp: ab}, Watermark: eventstest.At(4000)})
	tables := query.NewTables(s, clickSchema{})
	var whole *query.Clicks
	for _, limit := range []int64{1 << 30, 200_000, 100_000, 20_000, 5000} {
		got, err := query.NewFunnels(tables, limit).ClickMap(t.Context(), testApp, &query.ClickQuery{Subject: schema.Subject{Name: view, Alias: view}, To: 1 << 50})
		if err != nil {
			t.Fatal(err)
		}
		if whole == nil {
			whole = got
		}
		if got.Clicks != clicks || got.Visits != visits || got.Dead == 0 || got.Dead == got.Clicks || got.Clicked == 0 {
			t.Errorf("in %d bytes: %d clicks (%d dead) and %d visits, want %d and %d", limit, got.Clicks, got.Dead, got.Visits, clicks, visits)
		}
		if diff := cmp.Diff(whole, got); diff != "" {
			t.Errorf("in %d bytes (-whole +parts):\n%s", limit, diff)
		}
	}
}
