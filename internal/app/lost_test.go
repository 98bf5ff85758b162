package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quipu/internal/app"
)

// TestLostStores takes one store of a folder away and expects that opening
// the rest says so.
func TestLostStores(t *testing.T) {
	for _, tt := range []struct {
		name string
		lose func(dir string) error
		want string
	}{
		{"documents", func(dir string) error { return os.Remove(filepath.Join(dir, "docs.sqlite")) }, "document store is missing"},
		{"content of documents", func(dir string) error { return os.Truncate(filepath.Join(dir, "docs.sqlite"), 0) }, "document store is missing"},
		{"event store", func(dir string) error { return os.Remove(filepath.Join(dir, "events.duckdb")) }, "event store has lost its last rows"},
		{"state", func(dir string) error { return os.RemoveAll(filepath.Join(dir, "state")) }, "state has lost its last records"},
	} {
		r := newRig(t, nil, app.Process{})
		for n := range 5 {
			if !r.send(n) {
				t.Fatalf("%s: not acknowledged", tt.name)
			}
		}
		r.expect(5)
		r.end()
		if err := tt.lose(r.cfg.Data); err != nil {
			t.Fatal(err)
		}
		a, err := app.Open(t.Context(), r.cfg, r.proc)
		if err == nil {
			err = a.Close()
			t.Errorf("%s: opened as if nothing had been lost (%v)", tt.name, err)
			continue
		}
		if !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}
