package duck_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"quipu/internal/model"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
)

// TestHold copies a store while batches are committed: the copy is what the store
// held when the hold began, and checkpoints wait until it ends.
func TestHold(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "events.duckdb")
	s := open(t, duck.Options{Path: path})
	app := model.AppID{1}
	for off := uint64(1); off <= 20; off++ {
		eventstest.Commit(t, s, batch(off, 5, app))
		if off == 7 { // some in the file, some in the log
			if err := s.Checkpoint(ctx); err != nil {
				t.Fatal(err)
			}
		}
	}
	log, release, err := s.Hold(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Checkpoint(ctx); err == nil {
		t.Error("a checkpoint was written during the copy")
	}
	for off := uint64(21); off <= 30; off++ {
		eventstest.Commit(t, s, batch(off, 5, app))
	}
	to := filepath.Join(t.TempDir(), "copy.duckdb")
	copyTo(t, path, to, 1<<40)
	copyTo(t, path+".wal", to+".wal", log)
	for range 2 { // the second does nothing
		if err := release(); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Checkpoint(ctx); err != nil {
		t.Errorf("checkpoint after the copy: %v", err)
	}
	c := open(t, duck.Options{Path: to})
	exactly(t, c, app, 20, 5)
}

func copyTo(t *testing.T, from, to string, most int64) {
	t.Helper()
	src, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(io.LimitReader(src, most))
	if err != nil {
		t.Fatal(err)
	}
	if err := src.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, b, 0o600); err != nil {
		t.Fatal(err)
	}
}
