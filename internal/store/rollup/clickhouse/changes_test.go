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
		t.Error("what is old is trusted forever")
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
	rnd := rand.New(rand.NewPCG(1, 2)) // a repeatable test
	writes, memory := &randomWrites{w: w, rnd: rnd, merged: map[uint32]bool{}}, &memory{r: r}
	for range 300 {
		writes.one(t)
		if rnd.IntN(3) > 0 {
			continue
		}
		add(time.Duration(rnd.IntN(2)+1) * 1100 * time.Millisecond)
		memory.read(t)
		memory.check(t, w)
	}
	if memory.held < 100 || memory.asked < 100 {
		t.Errorf("%d days were remembered and %d read: the test says little", memory.held, memory.asked)
	}
}

const changedDays, changedUsers = 6, 40

// randomWrites changes days of an app in every way.
type randomWrites struct {
	w      *backend
	rnd    *rand.Rand
	merged map[uint32]bool
}

func (r *randomWrites) one(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	day := rollup.Bucket(r.rnd.IntN(changedDays)) // few
	var err error
	switch n := r.rnd.IntN(20); {
	case n == 0:
		err = r.w.remove(ctx, changedApp, rollup.RemoveBefore{Metric: rollup.Users, Before: map[rollup.Grain]rollup.Bucket{rollup.Day: day}})
	case n == 1:
		err = r.w.Rewrite(ctx, changedApp, func() error { return nil })
	case n < 6:
		old, to := r.rnd.Uint32N(changedUsers)+1, r.rnd.Uint32N(changedUsers)+1
		if old <= to || r.merged[old] || r.merged[to] {
			return
		}
		r.merged[old] = true
		err = r.w.Write(ctx, changedApp, []rollup.Alias{{Old: old, New: to}}, delta(rollup.Day, day, to))
	default:
		user := r.rnd.Uint32N(changedUsers) + 1
		if r.merged[user] {
			return
		}
		err = r.w.Write(ctx, changedApp, nil, delta(rollup.Day, day, user))
	}
	if err != nil {
		t.Error(err)
	}
}

// memory remembers days of an app under their generation.
type memory struct {
	r           *clickhouse.Store
	days        [changedDays]remembered
	held, asked int
}

type remembered struct {
	known              bool
	generation, moment uint64
	largest            uint32
	cells              map[rollup.Bucket]rollup.Cell
}

// read reads the days that have changed.
func (m *memory) read(t *testing.T) {
	t.Helper()
	changes := m.r.Changes()
	for i := range m.days {
		day := rollup.Bucket(i) // few
		generation := changes.Generation(changedApp, rollup.Day, day, day)
		have := m.days[i]
		if old, since := changes.MergedSince(changedApp, have.moment); have.known && have.generation == generation && (!since || old > have.largest) {
			m.held++
			continue
		}
		m.asked++
		fresh := remembered{known: true, generation: generation, moment: changes.Moment(), cells: map[rollup.Bucket]rollup.Cell{}}
		err := m.r.Scan(t.Context(), changedApp, changedSeries, rollup.Day, day, day, func(b rollup.Bucket, _ string, c *rollup.Cell) error {
			if c.Users != nil && !c.Users.IsEmpty() {
				fresh.largest = max(fresh.largest, c.Users.Maximum())
			}
			fresh.cells[b] = *c.Clone()
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		m.days[i] = fresh
	}
}

// check compares what is remembered with what a store reads of all cells, of which it remembers nothing.
func (m *memory) check(t *testing.T, all rollup.AppScanner) {
	t.Helper()
	there := map[rollup.Bucket]rollup.Cell{}
	err := all.ScanApp(t.Context(), changedApp, func(k rollup.Key, c *rollup.Cell) error {
		there[k.Bucket] = *c.Clone()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	said := func(cells map[rollup.Bucket]rollup.Cell, day rollup.Bucket) any {
		c, ok := cells[day]
		if !ok {
			return nil
		}
		var users []uint32
		if c.Users != nil {
			users = c.Users.ToArray()
		}
		return []any{c.Count, c.First, users}
	}
	for i, have := range m.days {
		day := rollup.Bucket(i) // few
		if got, want := said(have.cells, day), said(there, day); !reflect.DeepEqual(got, want) {
			t.Fatalf("day %d is remembered as %v, and is %v", day, got, want)
		}
	}
}
