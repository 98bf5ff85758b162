package pebble_test

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
	pebbleoutbox "quipu/internal/store/outbox/pebble"
	pebbleprofile "quipu/internal/store/profile/pebble"
	"quipu/internal/store/rollup"
	pebblerollup "quipu/internal/store/rollup/pebble"
	pebbleschema "quipu/internal/store/schema/pebble"
	"quipu/internal/store/state"
	"quipu/internal/store/state/pebble"
	"quipu/internal/store/state/statetest"
)

// box is a state in memory.
type box struct {
	fs *vfs.MemFS
	db *kv.DB
	s  *pebble.Store
}

func newBox(t *testing.T) *box {
	t.Helper()
	b := &box{fs: vfs.NewMem()}
	b.open(t)
	t.Cleanup(func() {
		if err := b.db.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

func (b *box) open(t *testing.T) {
	t.Helper()
	var err error
	if b.db, err = kv.Open(t.Context(), kv.Options{Dir: "state", FS: b.fs, Merger: pebblerollup.Merger()}); err != nil {
		t.Fatal(err)
	}
	if b.s, err = pebble.New(b.db); err != nil {
		t.Fatal(err)
	}
}

func (b *box) reopen(t *testing.T) {
	t.Helper()
	if err := b.db.Close(); err != nil {
		t.Fatal(err)
	}
	b.open(t)
}

func (b *box) env(t *testing.T) *statetest.Env {
	t.Helper()
	profiles, err := pebbleprofile.Open(b.db, pebbleprofile.Options{CacheProfiles: 2})
	if err != nil {
		t.Fatal(err)
	}
	known, err := pebbleschema.Open(b.db, pebbleschema.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &statetest.Env{
		State: b.s, Outbox: pebbleoutbox.New(b.db), Profiles: profiles, Schema: known,
		Cells: func(t *testing.T, app model.AppID) map[rollup.Key]rollup.Cell {
			t.Helper()
			out := map[rollup.Key]rollup.Cell{}
			err := pebblerollup.NewStore(b.db.Reader(), profiles).ScanApp(t.Context(), app, func(k rollup.Key, c *rollup.Cell) error {
				out[k] = *c.Clone()
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			return out
		},
		Reopen: func() *statetest.Env {
			b.reopen(t)
			return b.env(t)
		},
	}
}

func TestState(t *testing.T) {
	t.Parallel()
	statetest.Run(t, func(t *testing.T) *statetest.Env {
		t.Helper()
		return newBox(t).env(t)
	})
}

func TestMarks(t *testing.T) {
	t.Parallel()
	markstest.Run(t, func(t *testing.T) *markstest.Env {
		t.Helper()
		b := newBox(t)
		return &markstest.Env{
			Reader: b.s, Commit: statetest.Commit(journal.Watermark{}, func() state.Store { return b.s }),
			Reopen: func() marks.Reader {
				b.reopen(t)
				return b.s
			},
		}
	})
}

func TestOutbox(t *testing.T) {
	t.Parallel()
	outboxtest.Run(t, func(t *testing.T) *outboxtest.Env {
		t.Helper()
		b := newBox(t)
		return &outboxtest.Env{
			Store: pebbleoutbox.New(b.db),
			Put: func(t *testing.T, rows outbox.Batch) {
				t.Helper()
				if err := b.s.Commit(t.Context(), &state.Change{Rows: rows, Watermark: journal.Watermark{rows.Partition: rows.Through}}); err != nil {
					t.Fatal(err)
				}
			},
			Reopen: func() outbox.Store {
				b.reopen(t)
				return pebbleoutbox.New(b.db)
			},
		}
	})
}
