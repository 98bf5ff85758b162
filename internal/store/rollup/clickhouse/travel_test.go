package clickhouse_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"

	"quipu/internal/model"
	"quipu/internal/store/ch"
	"quipu/internal/store/ch/chtest"
	"quipu/internal/store/events/clickhouse/chdbtest"
	"quipu/internal/store/kv"
	"quipu/internal/store/rollup"
	"quipu/internal/store/rollup/block"
	"quipu/internal/store/rollup/block/blocktest"
	"quipu/internal/store/rollup/clickhouse"
	pebblerollup "quipu/internal/store/rollup/pebble"
)

// world makes random blocks of two partitions, of users who are merged now and then.
type world struct {
	r       *rand.Rand
	live    map[model.AppID][]uint32
	last    map[model.AppID]uint32
	aliases map[model.AppID]map[uint32]uint32
	offset  uint64
}

var (
	worldApps   = []model.AppID{{1}, {0: 1, 11: 1}, {2}, {0xff}}
	worldSeries = []rollup.Series{
		{Metric: rollup.Users},
		{Metric: rollup.Events},
		{Metric: rollup.Devices},
		{Metric: rollup.Segments, Dim: rollup.SegmentDim("buy", "size")},
		{Metric: rollup.Segments, Dim: rollup.SegmentDim("buyer", "\xff'\\")},
	}
	worldValues = []string{"", "a", "b\x00", "it's", "\xff\\", "é"}
)

const worldDay, worldDays = rollup.Bucket(19700), 70

func (w *world) user(app model.AppID) uint32 {
	if len(w.live[app]) < 3 || w.r.IntN(5) == 0 {
		w.last[app] += 1 + uint32(w.r.IntN(3)/2*w.r.IntN(50000)) // few
		w.live[app] = append(w.live[app], w.last[app])
	}
	return w.live[app][w.r.IntN(len(w.live[app]))]
}

// take takes a user out of those that live.
func (w *world) take(app model.AppID) (uid uint32, ok bool) {
	live := w.live[app]
	if len(live) < 3 {
		return 0, false
	}
	i := w.r.IntN(len(live))
	uid = live[i]
	w.live[app] = append(live[:i:i], live[i+1:]...)
	return uid, true
}

func (w *world) delta(app model.AppID) rollup.Delta {
	d := rollup.Delta{}
	for range w.r.IntN(8) {
		w.offset++
		day := worldDay + rollup.Bucket(w.r.IntN(worldDays)) // few
		s := worldSeries[w.r.IntN(len(worldSeries))]
		value := worldValues[w.r.IntN(len(worldValues))]
		eighths := float64(w.r.IntN(1000)-500) / 8
		user := w.user(app)
		for _, k := range []rollup.Key{
			{Series: s, Grain: rollup.Day, Bucket: day, Value: value}, {Series: s, Grain: rollup.Month, Bucket: rollup.MonthOfDay(day), Value: value},
		} {
			c := d.At(k)
			c.Merge(&rollup.Cell{First: w.offset, Count: int64(w.r.IntN(3)), New: int64(w.r.IntN(3)) - 1, Requests: int64(w.r.IntN(2)), Sum: eighths, Dur: -2 * eighths, Flags: uint8(w.r.IntN(4))}) // few
			if s.Metric != rollup.Segments {
				for range 1 + 40*(w.r.IntN(20)/19) { // now and then more than ClickHouse keeps one by one
					c.AddUser(user)
					user = w.user(app)
				}
			}
		}
	}
	return d
}

func (w *world) removal(app model.AppID) rollup.Removal {
	s, value := worldSeries[w.r.IntN(len(worldSeries))], worldValues[w.r.IntN(len(worldValues))]
	day := worldDay + rollup.Bucket(w.r.IntN(worldDays)) // few
	from := map[rollup.Grain]rollup.Bucket{rollup.Day: day, rollup.Month: rollup.MonthOfDay(day)}
	switch w.r.IntN(12) {
	case 0:
		return rollup.RemoveApp{}
	case 1:
		return rollup.RemoveSeries{Series: s}
	case 2:
		return rollup.RemoveDims{Metric: rollup.Segments, Prefix: rollup.SegmentDim("buy", "")}
	case 3:
		return rollup.RemoveValue{Series: s, Value: value}
	case 4:
		return rollup.RemoveValues{Metric: s.Metric, Values: []string{value, "none"}}
	case 5:
		return rollup.RemoveFrom{Metric: s.Metric, From: from}
	case 6:
		return rollup.RemoveBefore{Metric: s.Metric, Before: from}
	}
	e := rollup.EraseUsers{}
	for range 1 + w.r.IntN(4) {
		if uid, ok := w.take(app); ok {
			e.UIDs = append(e.UIDs, uid)
			for old, to := range w.aliases[app] {
				if to == uid {
					e.UIDs = append(e.UIDs, old)
				}
			}
		}
	}
	return e
}

// block makes one for the apps of a partition. Of an app, what is removed comes before what is added, as in a change of the state.
func (w *world) block(apps []model.AppID) (b block.Block) {
	for _, i := range w.r.Perm(len(apps)) {
		app := apps[i]
		if w.r.IntN(3) == 0 {
			continue
		}
		if w.aliases[app] == nil {
			w.aliases[app] = map[uint32]uint32{}
		}
		known := w.aliases[app]
		merged := map[uint32]uint32{}
		switch n := w.r.IntN(30); {
		case n < 4:
			if old, ok := w.take(app); ok {
				merged[old] = w.user(app)
				known[old] = merged[old]
			}
		case n < 7 && len(known) > 0: // they are replaced, and forgotten
			b = append(b, block.App{ID: app, Replace: known})
			for old := range known {
				merged[old] = 0
			}
			w.aliases[app] = map[uint32]uint32{}
		case n == 8: // the app starts over, with the same numbers
			w.live[app], w.last[app], w.aliases[app] = nil, 0, map[uint32]uint32{}
			b = append(b, block.App{ID: app, Unmerge: true, Remove: []rollup.Removal{rollup.RemoveApp{}}})
			continue
		}
		a := block.App{ID: app, Cells: w.delta(app)}
		for w.r.IntN(8) == 0 {
			a.Remove = append(a.Remove, w.removal(app))
		}
		b = append(b, block.App{ID: app, Merged: merged}, a)
	}
	return b
}

// Aliases implements rollup.AliasSource for the embedded store, whose state knows who was merged.
func (w *world) Aliases(_ context.Context, app model.AppID) (map[uint32]uint32, error) {
	return w.aliases[app], nil
}

// set lists users; nil has none.
func set(users *roaring.Bitmap) []uint32 {
	if users == nil {
		return nil
	}
	return users.ToArray()
}

// dump reads all cells of an app, in every way that there is.
func dump(t *testing.T, s rollup.Reader, app model.AppID) (out []string) {
	t.Helper()
	text := func(what string, b rollup.Bucket, value string, c *rollup.Cell, users any) string {
		return fmt.Sprint(what, " ", b, fmt.Sprintf(" %q ", value), c.First, c.Count, c.New, c.Requests, c.Sum, c.Dur, c.Flags, users)
	}
	const all = rollup.Bucket(1<<32 - 1)
	for _, series := range worldSeries {
		for _, g := range []rollup.Grain{rollup.Day, rollup.Month} {
			what := fmt.Sprintf("%v %d", series, g)
			err := errors.Join(
				s.Scan(t.Context(), app, series, g, 0, all, func(b rollup.Bucket, value string, c *rollup.Cell) error {
					out = append(out, text(what, b, value, c, set(c.Users)))
					return nil
				}),
				rollup.ScanCounts(t.Context(), s, app, series, g, worldDay+20, all, func(b rollup.Bucket, value string, c *rollup.Cell, users rollup.UserCount) error {
					out = append(out, text("count "+what, b, value, c, users))
					return nil
				}),
				rollup.ScanValue(t.Context(), s, app, series, g, 0, all, worldValues[2], func(b rollup.Bucket, c *rollup.Cell) error {
					out = append(out, text("value "+what, b, "", c, ""))
					return nil
				}),
			)
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	scanner, ok := s.(rollup.AppScanner)
	if !ok {
		t.Fatalf("%T", s)
	}
	n := 0
	if err := scanner.ScanApp(t.Context(), app, func(k rollup.Key, c *rollup.Cell) error {
		n++
		if c.Users != nil {
			n += int(c.Users.GetCardinality()) // few
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return append(out, fmt.Sprintf("%d cells and users in all", n))
}

// embedded is a store of cells in Pebble that blocks reach.
func embedded(t *testing.T, w *world) (*blocktest.Cells, func(model.AppID) []string) {
	t.Helper()
	db, err := kv.Open(t.Context(), kv.Options{Dir: t.TempDir(), Logger: slog.New(slog.DiscardHandler), Merger: pebblerollup.Merger()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	cells, err := blocktest.New(db)
	if err != nil {
		t.Fatal(err)
	}
	reader := pebblerollup.NewStore(db.Reader(), w)
	return cells, func(app model.AppID) []string { return dump(t, reader, app) }
}

// TestSameAsPebble brings random blocks to ClickHouse while requests are cut and answers are lost, with stores of earlier holders that go on all the same, and
// the same blocks to Pebble: every answer is the same.
func TestSameAsPebble(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0)) // not for secrets
	w := &world{r: r, live: map[model.AppID][]uint32{}, last: map[model.AppID]uint32{}, aliases: map[model.AppID]map[uint32]uint32{}}
	server := chtest.Start(t, chdbtest.Open(t))
	c := server.Client(t)
	s := open(t, c)
	want, read := embedded(t, w)
	type sent struct {
		of     block.Sending
		blocks []block.Block
	}
	var sendings []sent
	var old []*clickhouse.Store
	last := map[uint16]uint64{}
	faults, late := 0, 0
	for round := range 60 {
		partition := uint16(r.IntN(2)) // few
		of := block.Sending{Partition: partition, First: last[partition] + 1}
		var blocks []block.Block
		for range 1 + r.IntN(3) {
			blocks = append(blocks, w.block(worldApps[2*partition:2*partition+2]))
		}
		of.Last = last[partition] + uint64(len(blocks))
		last[partition] = of.Last
		sendings = append(sendings, sent{of, blocks})
		if err := want.Put(t.Context(), of, blocks); err != nil {
			t.Fatal(err)
		}
		for done := false; !done; {
			if cut := r.IntN(8); r.IntN(3) == 0 {
				kind := []chtest.Fault{chtest.Cut, chtest.Lost, chtest.Overload}[r.IntN(3)]
				server.Faults(func(q chtest.Request) chtest.Fault {
					if q.Number > cut {
						return kind
					}
					return chtest.None
				})
			}
			err := s.Put(t.Context(), of, blocks)
			server.Faults(nil)
			if done = err == nil; !done {
				faults++
			}
			if r.IntN(3) == 0 { // another holder
				old = append(old, s)
				s = open(t, c)
			}
		}
		if len(old) > 0 && r.IntN(2) == 0 { // an earlier holder sends what was sent long ago
			back := sendings[len(sendings)-1-r.IntN(min(len(sendings), 4))]
			if err := old[r.IntN(len(old))].Put(t.Context(), back.of, back.blocks); err != nil {
				t.Fatal(err)
			}
			late++
		}
		if round%10 == 4 { // parts are merged
			if err := c.Exec(t.Context(), ch.Statement{SQL: "OPTIMIZE TABLE cells FINAL"}); err != nil {
				t.Fatal(err)
			}
		}
		if round%10 != 9 {
			continue
		}
		for _, app := range worldApps {
			if diff := cmp.Diff(read(app), dump(t, s, app)); diff != "" {
				t.Fatalf("seed %d, round %d, app %s (-Pebble +ClickHouse):\n%s", seed, round, app, diff)
			}
		}
	}
	if faults < 2 || late < 2 { // chance gives some fifteen, and thirty
		t.Errorf("%d faults, %d late sendings", faults, late)
	}
}

// TestCutAtEachStep ends a sending before and after each of its requests, as a process does that dies there. Another store goes on: everything is done once.
func TestCutAtEachStep(t *testing.T) {
	server := chtest.Start(t, chdbtest.Open(t))
	kinds := map[string]int{}
	const app0 = 0
	blocks := func(app model.AppID) (before, then []block.Block) {
		cell := func(value string, n int64, users ...uint32) rollup.Delta {
			c := &rollup.Cell{First: 7, Count: n}
			for _, u := range users {
				c.AddUser(u)
			}
			return rollup.Delta{{Series: worldSeries[app0], Grain: rollup.Day, Bucket: worldDay, Value: value}: c}
		}
		before = []block.Block{{{ID: app, Merged: map[uint32]uint32{4: 5}}, {ID: app, Cells: cell("a", 1, 1, 2)}, {ID: app, Cells: cell("mine", 1, 9)}, {ID: app, Cells: cell("b", 1, 4, 9)}}}
		then = []block.Block{
			{{ID: app, Merged: map[uint32]uint32{1: 3}}, {ID: app, Cells: cell("a", 10, 3)}},
			{{ID: app, Remove: []rollup.Removal{rollup.RemoveValue{Series: worldSeries[app0], Value: "a"}, rollup.EraseUsers{UIDs: []uint32{9}}}, Cells: cell("a", 100, 1)}},
			{{ID: app, Replace: map[uint32]uint32{1: 3}}, {ID: app, Unmerge: true, Merged: map[uint32]uint32{6: 7}}, {ID: app, Cells: cell("c", 1000, 6)}},
		}
		return before, then
	}
	const want = `[{"a" 100 [3]} {"b" 1 [4]} {"c" 1000 [7]}]`
	for _, kind := range []chtest.Fault{chtest.Cut, chtest.Lost} {
		for step, ended := 1, false; !ended; step++ {
			c := server.Client(t)
			app, partition := model.AppID{1}, uint16(7)
			first, then := blocks(app)
			if err := open(t, c).Put(t.Context(), block.Sending{Partition: partition, First: 1, Last: 1}, first); err != nil {
				t.Fatal(err)
			}
			n, dying := 0, open(t, c)
			server.Faults(func(r chtest.Request) chtest.Fault {
				if n++; n != step {
					return chtest.None
				}
				words := strings.Fields(r.Text)
				kinds[strings.Join(words[:min(4, len(words))], " ")]++
				return kind
			})
			err := dying.Put(t.Context(), block.Sending{Partition: partition, First: 2, Last: 4}, then)
			server.Faults(nil)
			if ended = n < step; ended != (err == nil) {
				t.Fatalf("step %d: %v after %d requests", step, err, n)
			}
			s := open(t, c)
			for _, again := range []*clickhouse.Store{s, dying} {
				if err := again.Put(t.Context(), block.Sending{Partition: partition, First: 2, Last: 4}, then); err != nil {
					t.Fatal(err)
				}
			}
			var got []string
			err = s.Scan(t.Context(), app, worldSeries[app0], rollup.Day, 0, 1<<32-1, func(_ rollup.Bucket, value string, c *rollup.Cell) error {
				got = append(got, fmt.Sprintf("{%q %d %v}", value, c.Count, set(c.Users)))
				return nil
			})
			if text := fmt.Sprint(got); err != nil || text != want {
				t.Errorf("step %d, fault %d: %s, %v, want %s (%v)", step, kind, text, err, want, kinds)
			}
		}
	}
	for _, want := range []string{"INSERT INTO cells (`app`,", "INSERT INTO cell_eras (`app`,", "INSERT INTO cell_merged (`app`,", "ALTER TABLE cells DELETE", "ALTER TABLE cells UPDATE", "ALTER TABLE cell_merged DELETE"} {
		if kinds[want] < 2 {
			t.Errorf("%s was not cut: %v", want, kinds)
		}
	}
}
