package postgres_test

import (
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"quipu/internal/model"
	"quipu/internal/store/journal"
	"quipu/internal/store/kv"
	"quipu/internal/store/marks"
	"quipu/internal/store/marks/markstest"
	"quipu/internal/store/outbox"
	"quipu/internal/store/outbox/outboxtest"
	"quipu/internal/store/pgtest"
	"quipu/internal/store/rollup"
	"quipu/internal/store/rollup/block/blocktest"
	pebblerollup "quipu/internal/store/rollup/pebble"
	"quipu/internal/store/state"
	"quipu/internal/store/state/postgres"
	"quipu/internal/store/state/statetest"
)

// box is a state with a store of cells beside it.
type box struct {
	d     *postgres.DB
	w     *postgres.Worker
	db    *kv.DB
	cells *blocktest.Cells
}

func newBox(t *testing.T, dsn string) *box {
	t.Helper()
	b := &box{d: openWith(t, postgres.Options{DSN: dsn, Partitions: statetest.Partitions})}
	b.w = worker(t, b.d, postgres.WorkerOptions{CacheProfiles: 2})
	var err error
	if b.db, err = kv.Open(t.Context(), kv.Options{Dir: "cells", FS: vfs.NewMem(), Merger: pebblerollup.Merger()}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.db.Close(); err != nil {
			t.Error(err)
		}
	})
	if b.cells, err = blocktest.New(b.db); err != nil {
		t.Fatal(err)
	}
	return b
}

// count reads the cells of an app, after those that wait were brought to them.
func (b *box) count(t *testing.T, app model.AppID) map[rollup.Key]rollup.Cell {
	t.Helper()
	if err := b.w.MoveCells(b.cells).Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	out := map[rollup.Key]rollup.Cell{}
	err := pebblerollup.NewStore(b.db.Reader(), b.w.Profiles()).ScanApp(t.Context(), app, func(k rollup.Key, c *rollup.Cell) error {
		out[k] = *c.Clone()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (b *box) env(t *testing.T) *statetest.Env {
	t.Helper()
	return &statetest.Env{
		State: b.w, Outbox: b.w, Profiles: b.w.Profiles(), Schema: b.w.Schema(), Cells: b.count,
		Reopen: func() *statetest.Env {
			b.w = again(t, b.d, b.w, postgres.WorkerOptions{CacheProfiles: 2})
			return b.env(t)
		},
	}
}

func TestState(t *testing.T) {
	server := pgtest.Shared(t)
	statetest.Run(t, func(t *testing.T) *statetest.Env {
		t.Helper()
		return newBox(t, server.Database(t)).env(t)
	})
}

func TestMarks(t *testing.T) {
	server := pgtest.Shared(t)
	markstest.Run(t, func(t *testing.T) *markstest.Env {
		t.Helper()
		b := newBox(t, server.Database(t))
		return &markstest.Env{
			Reader: b.w, Commit: statetest.Commit(journal.Watermark{}, func() state.Store { return b.w }),
			Reopen: func() marks.Reader {
				b.w = again(t, b.d, b.w, postgres.WorkerOptions{})
				return b.d // any process reads them
			},
		}
	})
}

func TestOutbox(t *testing.T) {
	server := pgtest.Shared(t)
	outboxtest.Run(t, func(t *testing.T) *outboxtest.Env {
		t.Helper()
		b := newBox(t, server.Database(t))
		return &outboxtest.Env{
			Store: b.w,
			Put: func(t *testing.T, rows outbox.Batch) {
				t.Helper()
				if err := b.w.Commit(t.Context(), &state.Change{Rows: rows, Watermark: journal.Watermark{rows.Partition: rows.Through}}); err != nil {
					t.Fatal(err)
				}
			},
			Reopen: func() outbox.Store {
				b.w = again(t, b.d, b.w, postgres.WorkerOptions{})
				return b.w
			},
		}
	})
}
