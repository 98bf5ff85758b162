package pipeline_test

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
)

// crashing is a store that lets the world crash after some of its commits.
type crashing struct {
	*duck.Store
	left  int
	crash func()
}

func (c *crashing) Commit(ctx context.Context, b *events.Batch) error {
	if err := c.Store.Commit(ctx, b); err != nil {
		return err
	}
	if c.left--; c.left == 0 {
		c.crash()
		return errCrash
	}
	return nil
}

func openDuck(tb testing.TB) *duck.Store {
	tb.Helper()
	s, err := duck.Open(tb.Context(), duck.Options{Path: filepath.Join(tb.TempDir(), "events.duckdb"), Threads: 1})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Errorf("close event store: %v", err)
		}
	})
	return s
}

// TestDuck runs random traffic into a real event store, with a crash between
// the rows and the rest, and compares all with a run without one.
func TestDuck(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 4))
	records := slices.DeleteFunc(traffic(r, 300, true), func(rec request.Record) bool { return rec.Kind == request.RebuildCells })
	want := project(t, records, 20_000)

	store := openDuck(t)
	fs := vfs.NewCrashableMem()
	ctx, cancel := context.WithCancel(t.Context())
	disk := make(chan *vfs.MemFS, 1)
	c := &crashing{Store: store, left: 2 + r.IntN(4), crash: func() {
		disk <- crashClone(fs)
		cancel()
	}}
	w := open(t, fs, nil, func(o *pipeline.Options) { o.Events, o.Rows, o.BatchRecords = c, store, 7 })
	w.append(t, records...)
	if err := w.pipe.Run(ctx); err != nil {
		t.Fatal(err)
	}
	w.close(t)

	w = open(t, <-disk, nil, func(o *pipeline.Options) { o.Events, o.Rows, o.BatchRecords = store, store, 50 }).start(t)
	defer w.close(t)
	w.flush(t)
	for i, app := range []*model.App{&utcApp, &kolkataApp} {
		if diff := cmp.Diff(want[i].Cells, w.cells(t, app)); diff != "" {
			t.Errorf("cells (-without crash +with):\n%s", diff)
		}
		var rows []events.Row
		err := store.ScanRows(t.Context(), app.ID, events.Place{}, func(r *events.Row) error {
			rows = append(rows, deep(*r))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want[i].Rows, rows); diff != "" {
			t.Errorf("rows (-in memory +stored):\n%s", diff)
		}
		requests := map[uint64]events.RequestRow{}
		err = store.ScanRequests(t.Context(), app.ID, events.Place{}, func(r *events.RequestRow) error {
			requests[r.Offset] = *r
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want[i].Requests, requests); diff != "" {
			t.Errorf("requests (-in memory +stored):\n%s", diff)
		}
	}
}

// TestDuckRebuild rebuilds cells from stored rows.
func TestDuckRebuild(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	records := slices.DeleteFunc(traffic(rand.New(rand.NewPCG(seed, 5)), 300, true), func(rec request.Record) bool {
		// What these remove from rows stays in cells, or the other way round.
		return rec.Kind == request.DeleteUsers || rec.Kind == request.EraseUsers || rec.Kind == request.RebuildCells
	})
	store := openDuck(t)
	w := open(t, vfs.NewMem(), nil, func(o *pipeline.Options) { o.Events, o.Rows = store, store }).start(t)
	defer w.close(t)
	w.send(t, records...)
	for _, app := range []*model.App{&utcApp, &kolkataApp} {
		before := w.cells(t, app)
		w.submit(t, request.Record{Kind: request.RebuildCells, App: app.ID})
		if diff := cmp.Diff(before, w.cells(t, app)); diff != "" {
			t.Errorf("%s (-counted +rebuilt):\n%s", app.Timezone, diff)
		}
	}
}
