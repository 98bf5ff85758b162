package query_test

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
)

// BenchmarkProfileList reads pages of a list of a million users.
func BenchmarkProfileList(b *testing.B) {
	s, err := duck.Open(b.Context(), duck.Options{Path: filepath.Join(b.TempDir(), "events.duckdb"), Threads: 1, MemoryLimit: 256 << 20})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	const users, batch = 1_000_000, 100_000
	r := rand.New(rand.NewPCG(1, 2)) // not for secrets
	for first := uint32(1); first <= users; first += batch {
		ab := &events.AppBatch{}
		for uid := first; uid < first+batch; uid++ {
			p := &model.Profile{
				UID: uid, DID: fmt.Sprintf("device-%08x", r.Uint32()), LastActivity: 1_900_000_000 + r.Int64N(1e7), Sessions: r.Int64N(500), TotalDuration: float64(r.IntN(1e5)),
				Custom: map[string]any{"plan": []string{"free", "pro", "team"}[r.IntN(3)]},
			}
			p.ID[0], p.ID[1], p.ID[2] = byte(uid), byte(uid>>8), byte(uid>>16)
			p.Dims[model.Country] = []string{"DE", "US", "FR", "JP", "BR"}[r.IntN(5)]
			if uid%3 == 0 {
				p.Name, p.Email = fmt.Sprint("Person ", r.IntN(1e6)), fmt.Sprintf("p%d@example.org", uid)
			}
			ab.Users = append(ab.Users, p)
		}
		eventstest.Commit(b, s, &events.Batch{Apps: map[model.AppID]*events.AppBatch{testApp: ab}, Watermark: eventstest.At(uint64(first))})
	}
	people := query.NewPeople(s)
	cond := func(m map[string]any) filter.Expr {
		f, err := filter.Parse(m)
		if err != nil {
			b.Fatal(err)
		}
		return f
	}
	for _, c := range []struct {
		name string
		page query.Page
	}{
		{"latest", query.Page{Sort: "lac", Desc: true}},
		{"page 1000", query.Page{Sort: "lac", Desc: true, Offset: 50_000}},
		{"country", query.Page{Sort: "sc", Desc: true, Filter: cond(map[string]any{"cc": "DE"})}},
		{"plan", query.Page{Sort: "lac", Desc: true, Filter: cond(map[string]any{"custom.plan": "pro"})}},
		{"plan, rare", query.Page{Sort: "lac", Desc: true, Filter: cond(map[string]any{"custom.plan": "rare"})}},
		{"plan, looked into", query.Page{Sort: "lac", Desc: true, Filter: cond(map[string]any{"custom.plan": map[string]any{"$in": []any{"pro", "<"}}})}}, // "<" is no simple text
		{"search", query.Page{Sort: "lac", Desc: true, Search: "person 12"}},
	} {
		c.page.Limit = 50
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				uids, _, err := people.List(b.Context(), testApp, c.page)
				if err != nil || len(uids) != 50 && c.name != "plan, rare" {
					b.Fatal(len(uids), err)
				}
			}
		})
	}
	first := query.NewPeople(query.Recall(s, unchanging{}, 0).Searching(unchanging{}, nil, 1<<30, func() bool { return false })) // nothing is ever read for it
	for _, text := range []string{"person 12", "p77777", "e", "nobody at all"} {
		b.Run("first search, "+text, func(b *testing.B) {
			began, n := processorTime(b), 0
			for b.Loop() {
				if _, _, err := first.List(b.Context(), testApp, query.Page{Sort: "lac", Desc: true, Search: text, Limit: 50}); err != nil {
					b.Fatal(err)
				}
				n++
			}
			b.ReportMetric(float64((processorTime(b)-began).Microseconds())/float64(n)/1000, "cpu-ms/op")
		})
	}
	held := query.Recall(s, unchanging{}, 0).Searching(unchanging{}, nil, 1<<30, func() bool { return false })
	go held.Hold(b.Context(), slog.New(slog.DiscardHandler))
	searched := query.NewPeople(held)
	for held.Bytes() < users || held.Bytes() != func() int64 { time.Sleep(300 * time.Millisecond); return held.Bytes() }() {
		if _, _, err := searched.List(b.Context(), testApp, query.Page{Search: "x", Limit: 1}); err != nil {
			b.Fatal(err)
		}
	}
	for _, text := range []string{"person 12", "p77777", "e", "nobody at all"} {
		b.Run("search in what is held, "+text, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := searched.List(b.Context(), testApp, query.Page{Sort: "lac", Desc: true, Search: text, Limit: 50}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(held.Bytes())/users, "B/user")
		})
	}
	b.Run("breakdown", func(b *testing.B) {
		for b.Loop() {
			if rows, _, _, err := people.Breakdown(b.Context(), testApp, "custom.plan", query.Page{Limit: 50}); err != nil || len(rows) != 3 {
				b.Fatal(rows, err)
			}
		}
	})
}

// BenchmarkOneUser reads what one of 100,000 users did, of a million rows.
func BenchmarkOneUser(b *testing.B) {
	_, tables, app := benchRows(b)
	for name, read := range map[string]func(uid uint32) error{
		"events": func(uid uint32) error {
			_, err := tables.EventsOfUser(b.Context(), app, query.UserEvents{UID: uid, To: 1 << 50, Limit: 50})
			return err
		},
		"sessions": func(uid uint32) error {
			_, err := tables.SessionsOfUser(b.Context(), app, uid, 0, 1<<50)
			return err
		},
		"history": func(uid uint32) error {
			_, _, err := tables.StatesOfUser(b.Context(), app, uid)
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			uid := uint32(0)
			for b.Loop() {
				uid++
				if err := read(uid); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
