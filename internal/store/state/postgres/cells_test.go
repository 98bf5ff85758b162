package postgres_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"quipu/internal/model"
	"quipu/internal/store/journal"
	"quipu/internal/store/pgtest"
	"quipu/internal/store/rollup"
	"quipu/internal/store/state"
	"quipu/internal/store/state/postgres"
)

var errAway = errors.New("the store of cells is away")

// TestCellsTravelOnce lets the store of cells fail before it takes a sending and after it did, and workers lose their partition between any
// two steps, with movers that go on: every block is in the cells once.
func TestCellsTravelOnce(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	dsn := pgtest.Shared(t).Database(t)
	b := newBox(t, dsn)
	ctx := t.Context()
	app := model.AppID{}
	for i := range byte(255) {
		if app = (model.AppID{11: i}); b.d.Partition(app) == 1 {
			break
		}
	}
	want, at, faults, overtaken, old := int64(0), uint64(0), 0, 0, []*postgres.CellMover{}
	mover, within := b.w.MoveCells(b.cells), false
	next := func() { // the partition goes to another worker, and the mover of before stays
		old = append(old, mover)
		b.w = again(t, b.d, b.w, postgres.WorkerOptions{})
		mover = b.w.MoveCells(b.cells)
	}
	drain := func(m *postgres.CellMover) {
		t.Helper()
		if err := m.Drain(ctx); err != nil && !errors.Is(err, state.ErrLost) && !errors.Is(err, errAway) {
			t.Fatal(err)
		}
	}
	b.cells.Fault = func(point string) error {
		if point == "before" && !within && r.IntN(6) == 0 { // another worker sends what this one is about to send, and more
			within = true
			next()
			drain(mover)
			within = false
			overtaken++
		}
		if r.IntN(3) == 0 {
			faults++
			return fmt.Errorf("%w: %s", errAway, point)
		}
		return nil
	}
	for range 200 {
		switch r.IntN(8) {
		case 0, 1, 2, 3:
			n := r.Int64N(9) + 1
			at++
			c := &state.Change{Watermark: journal.Watermark{1: at}, Apps: []state.App{{ID: app, Cells: rollup.Delta{{Series: rollup.Series{Metric: rollup.Users}, Grain: rollup.Day, Bucket: rollup.Bucket(r.IntN(3))}: {Count: n}}}}} // few
			if r.IntN(15) == 0 {
				c.Apps[0].Remove, want = []rollup.Removal{rollup.RemoveApp{}}, 0
			}
			if err := b.w.Commit(ctx, c); err != nil {
				t.Fatal(err)
			}
			want += n
		case 4:
			next()
		case 5:
			if len(old) > 0 {
				drain(old[r.IntN(len(old))])
			}
		default:
			drain(mover)
		}
	}
	b.cells.Fault = nil
	got := int64(0)
	for _, c := range b.count(t, app) {
		got += c.Count
	}
	if got != want || faults < 10 || overtaken == 0 {
		t.Errorf("the cells have %d, want %d, after %d faults and %d times that a mover was overtaken", got, want, faults, overtaken)
	}
	behind(t, dsn, "DO $$ BEGIN IF EXISTS (SELECT 1 FROM cells) OR EXISTS (SELECT 1 FROM sendings) THEN RAISE 'something is left'; END IF; END $$")
}
