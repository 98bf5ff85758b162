package duck_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
)

// countdown is a context that is cancelled when it is asked for the n-th time, by any goroutine.
type countdown struct {
	context.Context
	n atomic.Int64
}

func (c *countdown) Err() error {
	if c.n.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestCancelledRead cancels a read at each of its steps. Nothing of it may remain that keeps a checkpoint from running.
func TestCancelledRead(t *testing.T) {
	t.Parallel()
	s := open(t, duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb"), Readers: 1})
	app := model.AppID{1}
	for n := range uint64(100) {
		eventstest.Commit(t, s, eventstest.Batch(2*n+1, app, &events.AppBatch{Rows: []events.Row{{Offset: 2*n + 1, Key: "k"}}}))
		ctx := &countdown{Context: t.Context()}
		ctx.n.Store(int64(n))
		err := duck.Execute(ctx, s, "SELECT count(*) FROM events")
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatalf("read cancelled at step %d: %v", n, err)
		}
		eventstest.Commit(t, s, eventstest.Batch(2*n+2, app, &events.AppBatch{Rows: []events.Row{{Offset: 2*n + 2, Key: "k"}}}))
		if err := s.Checkpoint(t.Context()); err != nil {
			t.Fatalf("checkpoint after a read that was cancelled at step %d: %v", n, err)
		}
		if err == nil {
			if n < 3 {
				t.Fatalf("a read has only %d steps", n)
			}
			return
		}
	}
	t.Fatal("a read has no end")
}

// TestReadsCancelledAtAnyTime cancels short reads before, while and after they are computed, and while their rows are passed on. The race detector
// watches that nothing of a result is looked at once it may be closed.
func TestReadsCancelledAtAnyTime(t *testing.T) {
	t.Parallel()
	s := open(t, duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb"), Readers: 1})
	eventstest.Commit(t, s, eventstest.Batch(1, model.AppID{1}, &events.AppBatch{Rows: []events.Row{{Offset: 1, Key: "k"}}}))
	var whole, cut int
	for i := range 600 {
		ctx, cancel := context.WithCancel(t.Context())
		stop := time.AfterFunc(time.Duration(i%100)*10*time.Microsecond, cancel)
		n := 0
		err := s.Ask(ctx, "SELECT range FROM range(3000)", func(events.Scanner) error { n++; return nil })
		stop.Stop()
		cancel()
		switch {
		case err == nil && n == 3000:
			whole++
		case errors.Is(err, context.Canceled):
			cut++
		default:
			t.Fatalf("%d rows, %v", n, err)
		}
	}
	if cut == 0 {
		t.Error("no read was cancelled")
	}
	if err := s.Ask(t.Context(), "SELECT range FROM range(3000)", func(events.Scanner) error { whole++; return nil }); err != nil || whole < 3000 {
		t.Errorf("a read after those: %d rows, %v", whole, err)
	}
	t.Logf("%d reads were cancelled", cut)
}

// TestCloseWhileWriting closes a store beside a transaction that another connection has open: one that nobody uses, which
// is rolled back, and one that does not end, with which the rows stay in the log.
func TestCloseWhileWriting(t *testing.T) {
	t.Parallel()
	for name, used := range map[string]bool{"left": false, "in use": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			opt := duck.Options{
				Path: filepath.Join(t.TempDir(), "events.duckdb"), Threads: 2,
				Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
			}
			s, err := duck.Open(t.Context(), opt)
			if err != nil {
				t.Fatal(err)
			}
			app := model.AppID{1}
			eventstest.Commit(t, s, eventstest.Batch(7, app, &events.AppBatch{Rows: []events.Row{{Offset: 7, Key: "k"}}}))
			conn, err := duck.Occupy(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			if !used {
				if err := conn.Close(); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.Close(); err != nil {
				t.Fatalf("close: %v", err)
			}
			if used {
				if err := conn.Close(); err != nil {
					t.Fatal(err)
				}
			}
			if said := strings.Contains(log.String(), "without a checkpoint"); said != used {
				t.Errorf("log: %s", log.String())
			}
			s = open(t, opt)
			if n, err := s.Count(t.Context(), app, events.RowFilter{}); n != 1 || err != nil {
				t.Errorf("%d rows after the close, %v", n, err)
			}
			if w, err := s.Watermark(t.Context()); w[0] != 7 || err != nil {
				t.Errorf("watermark %v, %v", w, err)
			}
		})
	}
}
