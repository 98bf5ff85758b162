package duck_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
	"quipu/internal/store/journal"
	"quipu/internal/store/schema"
)

// slotRows makes n rows of a batch, each with the slots or without any.
func slotRows(off uint64, n int, used events.Slots) (out []events.Row) {
	for i := range n {
		r := events.Row{Offset: off, Item: uint32(i), TS: int64(off), Received: int64(off), Key: events.CustomKey, Name: "e", UID: 1, State: 1, Count: 1, Hour: -1, Dow: -1}
		if i%3 > 0 {
			for k := range r.Text {
				if used.Text>>k&1 == 1 {
					r.Text[k] = new(fmt.Sprintf("text %d of %d", k, off))
				}
			}
			for k := range r.Num {
				if used.Num>>k&1 == 1 {
					r.Num[k] = new(float64(off) + float64(k)/16)
				}
			}
			if used.Extra {
				r.Extra = fmt.Sprintf(`{"x":%d}`, off)
			}
		}
		out = append(out, r)
	}
	return out
}

// checkTables checks that rows lie where they belong and that each table of events has columns for what they use.
func checkTables(t *testing.T, s *duck.Store, id model.AppID, rows []events.Row) {
	t.Helper()
	var ofNarrow, ofWide events.Slots
	var wide int64
	for i := range rows {
		var of events.Slots
		if of.Note(&rows[i]); of.Without(duck.Narrow) == (events.Slots{}) {
			ofNarrow = ofNarrow.Or(of)
		} else {
			ofWide, wide = ofWide.Or(of), wide+1
		}
	}
	all := ofNarrow.Or(ofWide)
	if wide == 0 {
		t.Error("no row is wide, so the test says little")
	}
	hasNarrow, hasWide, err := duck.Stored(s, id)
	if err != nil || hasNarrow != all.Without(all.Without(duck.Narrow)) || ofWide.Without(hasWide) != (events.Slots{}) || hasWide.Without(all) != (events.Slots{}) {
		t.Errorf("app %s has columns for %+v and in wide rows for %+v, used are %+v and %+v, error %v", id, hasNarrow, hasWide, ofNarrow, ofWide, err)
	}
	if n, astray, err := duck.WideRows(s, id); err != nil || n != wide || astray != 0 {
		t.Errorf("app %s has %d wide rows in their table, want %d; %d rows are in the wrong table, error %v", id, n, wide, astray, err)
	}
}

// TestSlotColumns lets apps use more and more slots, with failing commits, checkpoints, scrubs and new starts between, and compares what is
// read with what was committed, and the columns there are with the slots that were used.
func TestSlotColumns(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 1))
			opt := duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb"), OwnRows: 20}
			s := open(t, opt)
			apps := []model.AppID{{1}, {2}, {3}}
			want := map[model.AppID][]events.Row{}
			for off := uint64(1); off <= 40; off++ {
				b := &events.Batch{Watermark: journal.Watermark{0: off}, Apps: map[model.AppID]*events.AppBatch{}}
				for i, id := range apps {
					if r.IntN(3) == 0 {
						continue
					}
					var some events.Slots
					if r.IntN(3) == 0 { // most batches use what others used
						some = events.Slots{Text: 1 << r.IntN(schema.TextSlots), Num: 1 << r.IntN(schema.NumberSlots), Extra: r.IntN(4) == 0}
					}
					ab := &events.AppBatch{Rows: slotRows(off, 1+r.IntN(4+4*i), some)}
					if r.IntN(2) == 0 { // few rows use slots
						for i := range ab.Rows {
							if i%8 != 1 {
								ab.Rows[i].Text, ab.Rows[i].Num, ab.Rows[i].Extra = [schema.TextSlots]*string{}, [schema.NumberSlots]*float64{}, ""
							}
						}
					}
					want[id] = append(want[id], ab.Rows...)
					b.Apps[id] = ab
				}
				if r.IntN(4) == 0 {
					fault := errors.New("fault")
					duck.SetFault(s, func(point string) error {
						if point == "commit" {
							return fault
						}
						return nil
					})
					if err := s.Commit(t.Context(), b); !errors.Is(err, fault) {
						t.Fatalf("commit: %v, want the fault", err)
					}
					duck.SetFault(s, nil)
				}
				eventstest.Commit(t, s, b)
				id := apps[r.IntN(len(apps))]
				switch r.IntN(8) {
				case 0:
					if err := s.Checkpoint(t.Context()); err != nil {
						t.Fatal(err)
					}
				case 1:
					if err := s.Scrub(t.Context(), id); err != nil {
						t.Fatal(err)
					}
				case 2:
					if err := s.Close(); err != nil {
						t.Fatal(err)
					}
					s = open(t, opt)
				}
			}
			for _, id := range apps {
				if diff := cmp.Diff(want[id], eventstest.Dump(t, s, id).Rows); diff != "" {
					t.Errorf("app %s (-want +got):\n%s", id, diff)
				}
				if !s.Own(id) {
					t.Errorf("app %s has no tables of its own, so the test says nothing", id)
				}
				checkTables(t, s, id, want[id])
			}
			// What a table has no column for is cleared without harm, before what it has one for.
			id := apps[0]
			for k := range schema.TextSlots {
				slot := []schema.Slot{{Kind: schema.Text, Index: uint8(k + 1)}, {Kind: schema.JSON}}
				if err := s.ClearProperty(t.Context(), id, "e", slot, "x", journal.Watermark{0: 50 + uint64(k)}); err != nil {
					t.Fatal(err)
				}
			}
			for i := range want[id] {
				clear(want[id][i].Text[:])
				want[id][i].Extra = ""
			}
			if diff := cmp.Diff(want[id], eventstest.Dump(t, s, id).Rows); diff != "" {
				t.Errorf("after texts are cleared (-want +got):\n%s", diff)
			}
			for i, id := range apps {
				if err := s.DropApp(t.Context(), id, journal.Watermark{0: 100 + uint64(i)}); err != nil {
					t.Fatal(err)
				}
				if n, err := duck.Views(s); err != nil || n != len(apps)-1-i {
					t.Errorf("%d views are left of %d, error %v", n, len(apps)-1-i, err)
				}
			}
		})
	}
}

// TestPagesOfTwoTables reads rows page by page that lie in two tables: evenly mixed, then hardly any in the one, then hardly any in the other.
func TestPagesOfTwoTables(t *testing.T) {
	t.Parallel()
	s := open(t, duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb"), OwnRows: 1})
	var want []events.Row
	for off, every := range []int{9, 1_000, 0} { // one row of so many is wide; 0 = all are
		rows := slotRows(uint64(off+1), 6_000, events.Slots{Text: 1})
		for i := range rows {
			rows[i].Offset = uint64(off*6_000 + i/3 + 1)
			if every == 0 || i%every == every-1 {
				rows[i].Text[15] = new("wide")
			}
		}
		want = append(want, rows...)
		eventstest.Commit(t, s, &events.Batch{Watermark: journal.Watermark{0: uint64(off+1) * 6_000}, Apps: map[model.AppID]*events.AppBatch{app: {Rows: rows}}})
	}
	if _, astray, err := duck.WideRows(s, app); err != nil || astray != 0 {
		t.Fatalf("%d rows are in the wrong table, error %v", astray, err)
	}
	if diff := cmp.Diff(want, eventstest.Dump(t, s, app).Rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	// Each look ahead finds rows up to where it says, and of each table as many as asked for at most.
	const n = 500
	for from, seen := uint64(1), 0; seen < len(want); {
		to, found, err := s.Ahead(t.Context(), app, from, n)
		if err != nil || found == 0 || to < from {
			t.Fatalf("from %d: %d rows up to %d, error %v", from, found, to, err)
		}
		var here int
		for i := range want {
			if o := want[i].Offset; o >= from && o <= to {
				here++
			}
		}
		if here < found || here > 2*n+2*3 {
			t.Fatalf("from %d to %d there are %d rows, it found %d", from, to, here, found)
		}
		from, seen = to+1, seen+here
	}
}

// TestReadsBesideNewSlots reads all the time while batches use a slot more each. A read sees a batch whole or not at all, the values in new
// columns too.
func TestReadsBesideNewSlots(t *testing.T) {
	t.Parallel()
	s := open(t, duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb"), OwnRows: 1})
	commit := func(k int) {
		off := uint64(k + 1)
		eventstest.Commit(t, s, &events.Batch{Watermark: journal.Watermark{0: off}, Apps: map[model.AppID]*events.AppBatch{app: {Rows: slotRows(off, 9, events.Slots{Text: 1 << k})}}})
	}
	commit(0)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var reads sync.WaitGroup
	var seen [2]atomic.Int64
	for i := range seen {
		reads.Go(func() {
			for {
				var all, texts int64
				err := s.Query(ctx, app, `SELECT count(*), count(coalesce(s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15, s16)) FROM {events}`, nil, func(r events.Scanner) error {
					return r.Scan(&all, &texts)
				})
				switch {
				case ctx.Err() != nil:
					return
				case err != nil || all%9 != 0 || texts != all/9*6:
					t.Errorf("%d texts in %d rows, error %v", texts, all, err)
					stop()
					return
				}
				seen[i].Store(all)
			}
		})
	}
	for k := 1; k < schema.TextSlots; k++ {
		for ctx.Err() == nil && max(seen[0].Load(), seen[1].Load()) < int64(9*k) { // so reads go on beside each commit
			time.Sleep(time.Millisecond)
		}
		commit(k)
	}
	stop()
	reads.Wait()
}

// TestOldFormats opens files with one table of events for an app, with columns for all slots or those in use.
func TestOldFormats(t *testing.T) {
	t.Parallel()
	for _, version := range []int{3, 4} {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			t.Parallel()
			opt := duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb"), OwnRows: 1}
			s := open(t, opt)
			rows := slotRows(1, 9, events.Slots{Text: 5, Num: 2, Extra: true})
			eventstest.Commit(t, s, &events.Batch{Watermark: journal.Watermark{0: 1}, Apps: map[model.AppID]*events.AppBatch{app: {Rows: rows}}})
			id := app.String()
			statements := []string{
				"CREATE TABLE old AS SELECT * FROM rows_" + id, "DROP VIEW rows_" + id, "DROP TABLE e_" + id, "DROP TABLE w_" + id, "ALTER TABLE old RENAME TO e_" + id,
				fmt.Sprintf("UPDATE format SET version = %d", version),
			}
			if version == 4 {
				statements = append(statements, "ALTER TABLE e_"+id+" DROP COLUMN s7", "CREATE VIEW rows_"+id+" AS SELECT *, NULL::VARCHAR AS s7 FROM e_"+id)
			}
			for _, statement := range statements {
				if err := duck.Statement(s, statement); err != nil {
					t.Fatal(statement, err)
				}
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = open(t, opt)
			more := append(slotRows(2, 9, events.Slots{Text: 1 << 15}), slotRows(3, 9, events.Slots{Text: 1})...)
			eventstest.Commit(t, s, &events.Batch{Watermark: journal.Watermark{0: 3}, Apps: map[model.AppID]*events.AppBatch{app: {Rows: more}}})
			if diff := cmp.Diff(append(rows, more...), eventstest.Dump(t, s, app).Rows); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
			// What was wide before is where it was, and found there.
			slot := []schema.Slot{{Kind: schema.Text, Index: 3}, {Kind: schema.Text, Index: 16}, {Kind: schema.JSON}}
			if err := s.ClearProperty(t.Context(), app, "e", slot, "x", journal.Watermark{0: 4}); err != nil {
				t.Fatal(err)
			}
			for _, of := range [][]events.Row{rows, more} {
				for i := range of {
					of[i].Text[2], of[i].Text[15], of[i].Extra = nil, nil, ""
				}
			}
			if diff := cmp.Diff(append(rows, more...), eventstest.Dump(t, s, app).Rows); diff != "" {
				t.Errorf("cleared rows (-want +got):\n%s", diff)
			}
			var got []string
			if err := duck.Texts(s, "SELECT version::VARCHAR FROM format", &got); err != nil || !slices.Equal(got, []string{"5"}) {
				t.Errorf("version is %v, error %v", got, err)
			}
		})
	}
}
