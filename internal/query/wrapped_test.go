package query_test

import (
	"context"
	"testing"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/rollup"
	pebblerollup "quipu/internal/store/rollup/pebble"
)

// scanned counts the scans of cells that nobody changes.
type scanned struct {
	*memory
	changes pebblerollup.Changes
	scans   int
}

func (s *scanned) Changes() rollup.Changes { return &s.changes }

func (s *scanned) Scan(ctx context.Context, app model.AppID, series rollup.Series, g rollup.Grain, from, to rollup.Bucket, fn func(rollup.Bucket, string, *rollup.Cell) error) error {
	s.scans++
	return s.memory.Scan(ctx, app, series, g, from, to, fn)
}

// Subscribe implements rollup.Tracker; what is added later cannot be told.
func (s *scanned) Subscribe(ctx context.Context, app model.AppID, series rollup.Series, g rollup.Grain, from, to rollup.Bucket, fn func(rollup.Bucket, string, *rollup.Cell) error) (rollup.Subscription, error) {
	return nil, s.Scan(ctx, app, series, g, from, to, fn)
}

// wrapper is what somebody may put around cells.
type wrapper struct{ query.Cells }

// TestWrapped reads twice through a wrapper of cells that remember: the second time, what was computed of days that are over comes from
// memory, as it does without the wrapper. A wrapper of cells that do not remember scans them again.
func TestWrapped(t *testing.T) {
	t.Parallel()
	first := period.DayOf(2031, 5, 10) // days, months and days again
	second := func(of func(rollup.Tracker) query.Cells) int {
		cells := &scanned{memory: &memory{cal: period.NewCalendar(nil)}}
		q := query.New(of(cells), cells)
		before := 0
		for range 2 {
			before = cells.scans
			if _, err := q.Totals(t.Context(), testApp, first, first+100); err != nil {
				t.Fatal(err)
			}
		}
		return cells.scans - before
	}
	remembered := second(func(c rollup.Tracker) query.Cells { return query.Remember(c, 1<<20) })
	plain := second(func(c rollup.Tracker) query.Cells { return wrapper{query.Plain(c)} })
	for name, of := range map[string]func(rollup.Tracker) query.Cells{
		"wrapped":          func(c rollup.Tracker) query.Cells { return wrapper{query.Remember(c, 1<<20)} },
		"wrapped as plain": func(c rollup.Tracker) query.Cells { return query.Plain(wrapper{query.Remember(c, 1<<20)}) },
	} {
		if got := second(of); got != remembered || got >= plain {
			t.Errorf("%s: the second read takes %d scans, without a wrapper %d, without a memory %d", name, got, remembered, plain)
		}
	}
}
