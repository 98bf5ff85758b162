package clickhouse_test

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/model"
	"quipu/internal/store/ch"
	"quipu/internal/store/ch/chtest"
	"quipu/internal/store/events/clickhouse/chdbtest"
	"quipu/internal/store/rollup"
	"quipu/internal/store/rollup/block"
	"quipu/internal/store/rollup/clickhouse"
)

var (
	changedApp    = model.AppID{1}
	changedSeries = rollup.Series{Metric: rollup.Users}
)

// writerAndReader opens two stores of the same cells, as two nodes do, the second with a clock that add moves.
func writerAndReader(t *testing.T) (w *backend, r *clickhouse.Store, add func(time.Duration)) {
	t.Helper()
	c := chtest.Start(t, chdbtest.Open(t)).Client(t)
	w = &backend{Store: open(t, c), c: c, aliases: map[model.AppID]map[uint32]uint32{}}
	now := time.Now()
	r = open(t, c, func(o *clickhouse.Options) {
		o.State, o.Now = nil, func() time.Time { return now }
	})
	return w, r, func(d time.Duration) { now = now.Add(d) }
}

func delta(g rollup.Grain, b rollup.Bucket, users ...uint32) rollup.Delta {
	return rollup.Delta{rollup.Key{Series: changedSeries, Grain: g, Bucket: b}: {Count: 1, Users: roaring.BitmapOf(users...)}}
}

// TestChangesOfOthers has one store notice what another changes: the buckets, and no others.
func TestChangesOfOthers(t *testing.T) {
	w, r, add := writerAndReader(t)
	ctx := t.Context()
	put := func(apps ...block.App) {
		t.Helper()
		if err := w.put(ctx, apps...); err != nil {
			t.Fatal(err)
		}
	}
	changes := r.Changes()
	day := func(from, to rollup.Bucket) uint64 { return changes.Generation(changedApp, rollup.Day, from, to) }
	put(block.App{ID: changedApp, Cells: delta(rollup.Day, 100, 1)}, block.App{ID: changedApp, Cells: delta(rollup.Day, 101, 1)})
	past, today, later := day(0, 100), day(101, 101), day(102, 200)

	put(block.App{ID: changedApp, Cells: delta(rollup.Day, 101, 2)}, block.App{ID: changedApp, Cells: delta(rollup.Hour, 101*24+5, 2)})
	if day(101, 101) != today {
		t.Error("asked again within a moment")
	}
	add(2 * time.Second)
	if day(101, 101) == today || day(0, 200) == past {
		t.Error("a change was not noticed")
	}
	if day(0, 100) != past || day(102, 200) != later {
		t.Error("a change of one day is taken for one of others")
	}
	hours := changes.Generation(changedApp, rollup.Hour, 101*24, 101*24+23)
	before := changes.Generation(changedApp, rollup.Hour, 100*24, 100*24+23)
	if hours == before {
		t.Error("a change of an hour was not noticed")
	}
	other := changes.Generation(model.AppID{2}, rollup.Day, 101, 101)

	moment := changes.Moment()
	put(block.App{ID: changedApp, Merged: map[uint32]uint32{7: 3, 9: 3}})
	add(2 * time.Second)
	if old, ok := changes.MergedSince(changedApp, moment); !ok || old != 7 {
		t.Errorf("merged since: %d, %t, want 7", old, ok)
	}
	if _, ok := changes.MergedSince(changedApp, changes.Moment()); ok {
		t.Error("users are taken for merged again")
	}
	if day(0, 100) != past {
		t.Error("a merge changes days")
	}

	for what, a := range map[string]block.App{
		"removal":     {Remove: []rollup.Removal{rollup.RemoveSeries{Series: rollup.Series{Metric: rollup.Events}}}},
		"replacement": {Replace: map[uint32]uint32{7: 3}},
		"unmerging":   {Unmerge: true},
	} {
		had := day(0, 100)
		a.ID = changedApp
		put(a)
		add(2 * time.Second)
		if day(0, 100) == had {
			t.Errorf("a %s was not noticed", what)
		}
	}
	if got := changes.Generation(model.AppID{2}, rollup.Day, 101, 101); got != other {
		t.Error("an app changed with another")
	}
	had := day(0, 100)
	add(time.Hour)
	if day(0, 100) == had {
		t.Error("what is old is trusted for ever")
	}
}

// TestChangesWithoutAnswers takes everything for changed while ClickHouse does not answer.
func TestChangesWithoutAnswers(t *testing.T) {
	server := chtest.Start(t, chdbtest.Open(t))
	c := server.Client(t)
	now := time.Now()
	s := open(t, c, func(o *clickhouse.Options) { o.Now = func() time.Time { return now } })
	had := s.Changes().Generation(changedApp, rollup.Day, 1, 1)
	if err := c.Exec(t.Context(), ch.Statement{SQL: "RENAME TABLE cells TO cells_away"}); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		now = now.Add(2 * time.Second)
		got := s.Changes().Generation(changedApp, rollup.Day, 1, 1)
		if got == had {
			t.Fatal("cells are taken for unchanged although nobody knows")
		}
		had = got
	}
}

// TestChangesHold remembers cells under their generation, as the dashboard's memory does, while another store writes at random: what is remembered and taken for
// unchanged must be what is there.
func TestChangesHold(t *testing.T) {
	w, r, add := writerAndReader(t)
	ctx := t.Context()
	rnd := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a repeatable test
	const days, users = 6, 40
	type kept struct {
		generation, moment uint64
		largest            uint32
		cells              map[rollup.Bucket]rollup.Cell
	}
	there := func(day rollup.Bucket) map[rollup.Bucket]rollup.Cell { // as the writer reads all cells of the app, of which it remembers nothing
		cells := map[rollup.Bucket]rollup.Cell{}
		err := w.ScanApp(ctx, changedApp, func(k rollup.Key, c *rollup.Cell) error {
			if k.Bucket == day {
				cells[day] = *c.Clone()
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return cells
	}
	scan := func(day rollup.Bucket) (cells map[rollup.Bucket]rollup.Cell, largest uint32) {
		cells = map[rollup.Bucket]rollup.Cell{}
		err := r.Scan(ctx, changedApp, changedSeries, rollup.Day, day, day, func(b rollup.Bucket, _ string, c *rollup.Cell) error {
			cell := *c.Clone()
			if cell.Users != nil && !cell.Users.IsEmpty() {
				largest = max(largest, cell.Users.Maximum())
			}
			cells[b] = cell
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return cells, largest
	}
	equal := func(a, b map[rollup.Bucket]rollup.Cell) bool {
		plain := func(cells map[rollup.Bucket]rollup.Cell) map[rollup.Bucket]any {
			out := map[rollup.Bucket]any{}
			for bucket, c := range cells {
				var list []uint32
				if c.Users != nil {
					list = c.Users.ToArray()
				}
				out[bucket] = []any{c.Count, c.First, list}
			}
			return out
		}
		return reflect.DeepEqual(plain(a), plain(b))
	}
	merged := map[uint32]bool{}
	memory := map[rollup.Bucket]kept{}
	var held, read int
	for step := range 300 {
		day := rollup.Bucket(rnd.IntN(days)) //nolint:gosec // few
		var err error
		switch n := rnd.IntN(20); {
		case n == 0:
			err = w.remove(ctx, changedApp, rollup.RemoveBefore{Metric: rollup.Users, Before: map[rollup.Grain]rollup.Bucket{rollup.Day: day}})
		case n == 1:
			err = w.Rewrite(ctx, changedApp, func() error { return nil })
		case n < 6:
			old, to := rnd.Uint32N(users)+1, rnd.Uint32N(users)+1
			if old <= to || merged[old] || merged[to] {
				continue
			}
			merged[old] = true
			err = w.Write(ctx, changedApp, []rollup.Alias{{Old: old, New: to}}, delta(rollup.Day, day, to))
		default:
			user := rnd.Uint32N(users) + 1
			if merged[user] {
				continue
			}
			err = w.Write(ctx, changedApp, nil, delta(rollup.Day, day, user))
		}
		if err != nil {
			t.Fatal(err)
		}
		if rnd.IntN(3) > 0 {
			continue
		}
		add(time.Duration(rnd.IntN(2)+1) * 1100 * time.Millisecond)
		for day := range rollup.Bucket(days) {
			generation := r.Changes().Generation(changedApp, rollup.Day, day, day)
			have, ok := memory[day]
			if old, since := r.Changes().MergedSince(changedApp, have.moment); ok && have.generation == generation && (!since || old > have.largest) {
				held++
				if now := there(day); !equal(now, have.cells) {
					t.Fatalf("step %d: day %d is taken for unchanged and is\n%v, not\n%v", step, day, now, have.cells)
				}
				continue
			}
			read++
			fresh := kept{generation: generation, moment: r.Changes().Moment()}
			fresh.cells, fresh.largest = scan(day)
			if now := there(day); !equal(now, fresh.cells) {
				t.Fatalf("step %d: day %d is read as\n%v, not\n%v", step, day, fresh.cells, now)
			}
			memory[day] = fresh
		}
	}
	if held < 100 || read < 100 {
		t.Errorf("%d days were remembered and %d read: the test says little", held, read)
	}
}
