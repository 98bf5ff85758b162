package sqlite_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quipu/internal/store/docs"
	"quipu/internal/store/docs/sqlite"
)

// TestRest writes until the log is large, and looks what is left of it.
func TestRest(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "docs.sqlite")
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	logged := func() int64 {
		t.Helper()
		st, err := os.Stat(path + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		return st.Size()
	}
	col := docs.Spec[scrubbed]{Name: "scrubbed", Version: 1}.Global(db)
	for i := range 20 {
		if err := col.Put(t.Context(), scrubbed{ID: fmt.Sprint(i), Text: strings.Repeat("x", 100_000)}); err != nil {
			t.Fatal(err)
		}
	}
	if n := logged(); n < 1<<20 {
		t.Fatalf("the log has %d bytes before, so the test can tell nothing", n)
	}
	// While someone reads what the log holds it stays, and that is no error.
	n := 0
	for _, err := range col.List(t.Context(), docs.Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 1 {
			if err := db.Rest(t.Context()); err != nil {
				t.Errorf("rest beside a read: %v", err)
			}
		}
	}
	if n != 20 {
		t.Errorf("%d documents were read beside a rest, want 20", n)
	}
	if err := db.Rest(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := logged(); n != 0 {
		t.Errorf("the log has %d bytes at rest, want 0", n)
	}
	if n, err := col.Count(t.Context(), docs.Query{}); n != 20 || err != nil {
		t.Errorf("%d documents (%v), want 20", n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := db.Rest(ctx); err == nil {
		t.Error("a rest whose context is done says that it rested")
	}
}
