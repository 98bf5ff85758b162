package sqlite_test

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"

	"quipu/internal/store/docs"
	"quipu/internal/store/docs/sqlite"
)

func BenchmarkSQLite(b *testing.B) {
	ctx := b.Context()
	db, err := sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(b.TempDir(), "docs.db"), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	col := notes().Global(db)
	if err := db.Tx(ctx, func(tx docs.Handle) error {
		for i := range 10_000 {
			n := note{ID: fmt.Sprintf("n%05d", i), Title: fmt.Sprint(i), Tags: []string{"a", "b"}}
			if err := notes().Global(tx).Create(ctx, n); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		b.Fatal(err)
	}
	b.Run("get", func(b *testing.B) {
		for b.Loop() {
			if _, err := col.Get(ctx, "n05000"); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("first by index", func(b *testing.B) {
		for b.Loop() {
			if _, err := col.First(ctx, docs.Query{Where: []docs.Cond{docs.Eq("title", "5000")}}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("update", func(b *testing.B) {
		i := 0
		for b.Loop() {
			i++
			if _, err := col.Update(ctx, "n05000", func(n *note) error { n.Tags = []string{fmt.Sprint(i)}; return nil }); err != nil {
				b.Fatal(err)
			}
		}
	})
}
