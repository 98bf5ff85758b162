package duck_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
)

// TestStream reads a large result as it is computed: to its end, with an error in its midst, left early, and cancelled; the connection, the
// only one, serves the next statement each time.
func TestStream(t *testing.T) {
	t.Parallel()
	const rows = 3_000_000
	s := open(t, duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb"), Readers: 1, MemoryLimit: 64 << 20})
	sum := func(ctx context.Context, statement string, args ...any) (n, sum int64, err error) {
		err = s.Columns(ctx, statement, args, func(c *events.Columns) error {
			for _, v := range c.List[0].Whole[:c.Len] {
				n, sum = n+1, sum+v
			}
			return nil
		})
		return n, sum, err
	}
	whole := func() {
		t.Helper()
		if n, total, err := sum(t.Context(), "SELECT range, repeat('x', 100) FROM range(CAST(? AS BIGINT))", int64(rows)); err != nil || n != rows || total != rows*(rows-1)/2 {
			t.Fatalf("%d rows, sum %d (%v), want %d, %d", n, total, err, rows, rows*(rows-1)/2) // 300 MB, of which the store may have 64 MiB
		}
	}
	whole()
	if n, _, err := sum(t.Context(), "SELECT range FROM range(0)"); err != nil || n != 0 {
		t.Errorf("no rows: %d (%v)", n, err)
	}
	n, _, err := sum(t.Context(), "SELECT CASE WHEN range = 2000000 THEN error('half of it') ELSE range END FROM range(3000000)")
	if err == nil || !strings.Contains(err.Error(), "half of it") {
		t.Errorf("an error after %d rows: %v", n, err)
	}
	whole()
	for _, statement := range []string{"SELECT nowhere FROM range(3)", "SELECT 1/", "SELECT error('at once')"} {
		if _, _, err := sum(t.Context(), statement); err == nil {
			t.Errorf("%s: no error", statement)
		}
	}
	enough := errors.New("enough")
	if err := s.Columns(t.Context(), "SELECT range FROM range(3000000)", nil, func(*events.Columns) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("left early: %v", err)
	}
	eventstest.Commit(t, s, eventstest.Batch(1, model.AppID{7}, &events.AppBatch{Rows: []events.Row{{Key: "a"}}}))
	if err := s.Checkpoint(t.Context()); err != nil {
		t.Errorf("a checkpoint beside a read that was left early: %v", err)
	}
	whole()
	func() {
		defer func() {
			if v := recover(); v != "a bug" {
				t.Errorf("recovered %v", v)
			}
		}()
		_ = s.Columns(t.Context(), "SELECT range, repeat('x', 100) FROM range(3000000)", nil, func(*events.Columns) error { panic("a bug") })
	}()
	whole()
	ctx, cancel := context.WithCancel(t.Context())
	chunks := 0
	err = s.Columns(ctx, "SELECT range FROM range(3000000)", nil, func(*events.Columns) error {
		if chunks++; chunks == 10 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || chunks > 11 {
		t.Errorf("cancelled after 10 chunks: %d (%v)", chunks, err)
	}
	whole()
	ctx, cancel = context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, _, err := sum(ctx, "SELECT count(*) FROM range(100000000000) a, range(1000) b WHERE a.range + b.range = -1"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("cancelled before the first row: %v", err)
	}
	whole()
}

// TestStreamsFail lets many streams fail in one of their threads: each says why, though DuckDB itself loses the reason of some.
func TestStreamsFail(t *testing.T) {
	t.Parallel()
	s := open(t, duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb"), Readers: 1, Threads: 2})
	for i := range 300 {
		rows := 0
		err := s.Columns(t.Context(), "SELECT CASE WHEN range = 200000 THEN error('half of it') ELSE range END FROM range(3000000)", nil, func(c *events.Columns) error {
			rows += c.Len
			return nil
		})
		if err == nil || !strings.Contains(err.Error(), "half of it") || errors.Is(err, events.ErrMemory) {
			t.Fatalf("stream %d: %v after %d rows", i, err, rows)
		}
	}
}
