package sqlite_test

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"

	"quipu/internal/filter"
	"quipu/internal/store/docs"
	"quipu/internal/store/docs/sqlite"
)

// entry is a document of a list that grows long, such as the log of changes.
type entry struct {
	ID     string `json:"_id"`
	TS     int64  `json:"ts"`
	Action string `json:"action"`
	User   string `json:"user"`
	Text   string `json:"text"`
}

func (e entry) Key() string     { return e.ID }
func (e entry) Validate() error { return nil }

func entries() docs.Spec[entry] {
	return docs.Spec[entry]{Name: "bench.entries", Version: 1, Search: []docs.Field{".user", ".text"}, Indexes: []docs.Index[entry]{
		{Name: "ts", Path: ".ts", Order: true}, {Name: "action", Path: ".action", Order: true}, {Name: "user", Path: ".user"},
	}}
}

// BenchmarkPage reads pages of 50 of a list of 100,000 documents, with its totals.
func BenchmarkPage(b *testing.B) {
	ctx := b.Context()
	db, err := sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(b.TempDir(), "docs.db"), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if err := db.Tx(ctx, func(tx docs.Handle) error {
		for i := range 100_000 {
			e := entry{
				ID: fmt.Sprintf("e%06d", i*7919%100_000), TS: int64(i), Action: fmt.Sprintf("action %d", i%20), User: fmt.Sprintf("user %d", i%1000),
				Text: fmt.Sprintf("the text of entry %d, which says something about what was changed", i),
			}
			if err := entries().Global(tx).Create(ctx, e); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		b.Fatal(err)
	}
	f, err := filter.Parse(`{"action":{"$regex":"^action 1"}}`)
	if err != nil {
		b.Fatal(err)
	}
	for _, bench := range []struct {
		name string
		q    docs.Query
	}{
		{"newest", docs.Query{Sort: "ts", Desc: true}},
		{"by key", docs.Query{}},
		{"in the middle", docs.Query{Sort: "ts", Offset: 50_000}},
		{"of one user", docs.Query{Sort: "ts", Desc: true, Where: []docs.Cond{docs.Eq("user", "user 7")}}},
		{"of one action", docs.Query{Sort: "ts", Desc: true, Where: []docs.Cond{docs.Eq("action", "action 7")}}},
		{"by action, ties by key", docs.Query{Sort: "action"}},
		{"search, many", docs.Query{Sort: "ts", Desc: true, Search: "ENTRY"}},
		{"search, one", docs.Query{Sort: "ts", Desc: true, Search: "entry 77777"}},
		{"filter", docs.Query{Sort: "ts", Desc: true, Filter: f}},
		{"by a path without index", docs.Query{Sort: ".text"}},
	} {
		bench.q.Limit = 50
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				if p, err := entries().Global(db).Page(ctx, bench.q); err != nil || len(p.Docs) == 0 {
					b.Fatal(len(p.Docs), err)
				}
			}
		})
	}
	b.Run("without totals", func(b *testing.B) {
		for b.Loop() {
			if list, err := entries().Global(db).All(ctx, docs.Query{Sort: "ts", Desc: true, Limit: 50}); err != nil || len(list) != 50 {
				b.Fatal(len(list), err)
			}
		}
	})
	b.Run("tally", func(b *testing.B) {
		for b.Loop() {
			if list, err := entries().Global(db).Tally(ctx, "action", docs.Query{}); err != nil || len(list) != 20 {
				b.Fatal(len(list), err)
			}
		}
	})
}
