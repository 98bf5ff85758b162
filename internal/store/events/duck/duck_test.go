package duck_test

import (
	"context"
	"path/filepath"
	"testing"

	"quipu/internal/query/rewrite"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
)

// open opens a store that is closed with the test.
func open(tb testing.TB, opt duck.Options) *duck.Store {
	tb.Helper()
	if opt.Threads == 0 {
		opt.Threads = 2
	}
	s, err := duck.Open(context.Background(), opt)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Errorf("close: %v", err)
		}
	})
	return s
}

// TestRewrittenPlans runs random plans as package query has them rewritten.
func TestRewrittenPlans(t *testing.T) {
	t.Parallel()
	eventstest.Rewritten(t, 250, func(t *testing.T) (eventstest.Store, func() eventstest.Store) {
		t.Helper()
		return open(t, duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb"), OwnRows: 8}), nil
	}, rewrite.Query, rewrite.ManyApps)
}

// TestConformance runs the suite with shared tables, with tables of each app's own, and with apps that move from the
// ones to the others and back.
func TestConformance(t *testing.T) {
	t.Parallel()
	for name, rows := range map[string]int64{"shared": 0, "own": 1, "growing": 8} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eventstest.Run(t, func(t *testing.T) (eventstest.Store, func() eventstest.Store) {
				t.Helper()
				opt := duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb"), OwnRows: rows}
				s := open(t, opt)
				return s, func() eventstest.Store {
					if err := s.Close(); err != nil {
						t.Fatalf("close: %v", err)
					}
					s = open(t, opt)
					return s
				}
			})
		})
	}
}
