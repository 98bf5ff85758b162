package query_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/query/funnel"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
	"quipu/internal/store/schema"
)

// TestManyMatches reads rows that match steps in more ways than a row in one word can say, in one pass and in several.
func TestManyMatches(t *testing.T) {
	t.Parallel()
	const steps, users, from = 11, 3, 1_000_000
	s, err := duck.Open(t.Context(), duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	app, ab := testApp, &events.AppBatch{}
	for i := range 1 << steps {
		row := events.Row{Offset: uint64(i + 1), TS: from + int64(i), Key: events.CustomKey, Name: "x", UID: 1 + uint32(i%users), Count: 1}
		n := float64(i)
		row.Num[0] = &n
		ab.Rows = append(ab.Rows, row)
	}
	eventstest.Commit(t, s, &events.Batch{Apps: map[model.AppID]*events.AppBatch{app: ab}, Watermark: eventstest.At(1 << steps)})
	sch := &memory{events: []schema.Event{{Key: "x", Seq: 1, Segments: []schema.Segment{{Name: "n", Slot: schema.Slot{Kind: schema.Number, Index: 1}}}}}}
	q := &query.FunnelQuery{From: from, To: from + 1<<steps}
	for step := range steps {
		var with []string
		for i := range 1 << steps {
			if i>>step&1 == 1 {
				with = append(with, fmt.Sprint(i))
			}
		}
		f, err := filter.Parse(`{"sg.n":{"$in":[` + strings.Join(with, ",") + `]}}`)
		if err != nil {
			t.Fatal(err)
		}
		q.Steps = append(q.Steps, []query.FunnelEvent{{Key: "x", Filter: f}})
	}
	for _, limit := range []int64{1 << 20, 30 << 10} {
		found := 0
		_, err := query.NewFunnels(query.NewTables(s, sch), limit).Each(t.Context(), app, q, func(uid uint32, rows []funnel.Row) {
			for _, r := range rows {
				found++
				if i := r.TS - from; int64(r.Match) != i || 1+i%users != int64(uid) {
					t.Errorf("user %d: row %d matches %b", uid, i, r.Match)
				}
			}
		})
		if err != nil || found != 1<<steps-1 { // that of number 0 matches nothing
			t.Errorf("%d rows within %d bytes: %v", found, limit, err)
		}
	}
}

// TestGroupsTakeNoMoreMemory has more text in the values of a property than groups may take: the later ones are among the others.
func TestGroupsTakeNoMoreMemory(t *testing.T) {
	t.Parallel()
	s, err := duck.Open(t.Context(), duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb"), Threads: 1, MemoryLimit: 256 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	app := model.AppID{1}
	ab := &events.AppBatch{}
	for i := range 400 {
		ab.Rows = append(ab.Rows, events.Row{Offset: uint64(i + 1), TS: int64(i), Key: events.CustomKey, Name: fmt.Sprintf("%d-%s", i, strings.Repeat("x", 1000)), UID: uint32(i + 1), Count: 1})
	}
	eventstest.Commit(t, s, &events.Batch{Apps: map[model.AppID]*events.AppBatch{app: ab}, Watermark: eventstest.At(400)})
	f := query.NewFunnels(query.NewTables(s, &memory{}), 400_000) // 100 kB of groups
	q := &query.FunnelQuery{Steps: [][]query.FunnelEvent{{{Key: "none"}}}, Kinds: []string{events.CustomKey}, To: 1000}
	others := 0
	names, err := f.Each(t.Context(), app, q, func(_ uint32, rows []funnel.Row) {
		if rows[0].Group == query.OtherGroup {
			others++
		}
	})
	if err != nil || len(names) < 80 || len(names) > 100 || others != 401-len(names) {
		t.Errorf("%d groups, %d others: %v", len(names), others, err)
	}
}
