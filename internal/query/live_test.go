package query_test

import (
	"sync"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/kv"
	"quipu/internal/store/rollup"
	pebblerollup "quipu/internal/store/rollup/pebble"
)

// watchedCells are cells, a Query that remembers and one that does not.
type watchedCells struct {
	t                  *testing.T
	db                 *kv.DB
	remembering, plain *query.Query
}

func openWatched(t *testing.T) *watchedCells {
	t.Helper()
	changes := &pebblerollup.Changes{}
	db, err := kv.Open(t.Context(), kv.Options{Dir: "state", FS: vfs.NewMem(), Merger: pebblerollup.Merger(), Watch: changes.Watch})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	cells := pebblerollup.NewStore(db.Reader(), rollup.NoAliases{})
	sch := &memory{cal: period.NewCalendar(nil)}
	return &watchedCells{t, db, query.New(query.Remember(cells.Watched(changes), 64<<20), sch).Within(ample()), query.New(query.Plain(cells), sch)}
}

// add adds to the cells of a day and of its month.
func (w *watchedCells) add(day period.Day, m rollup.Metric, value string, count int64, users ...uint32) {
	w.t.Helper()
	d := rollup.Delta{}
	for _, k := range []rollup.Key{{Grain: rollup.Day, Bucket: rollup.Bucket(day)}, {Grain: rollup.Month, Bucket: rollup.Bucket(day.Month())}} {
		k.Series, k.Value = rollup.Series{Metric: m}, value
		d.At(k).Merge(&rollup.Cell{First: 1, Count: count, Requests: 1, Users: roaring.BitmapOf(users...)})
	}
	b := w.db.NewBatch()
	if err := pebblerollup.Write(b.Pebble(), testApp, d); err != nil {
		w.t.Fatal(err)
	}
	if err := w.db.Commit(b); err != nil {
		w.t.Fatal(err)
	}
}

// TestFirstDays reads the first day, month and week there are, before which nothing is.
func TestFirstDays(t *testing.T) {
	t.Parallel()
	now := time.UnixMilli(period.NewCalendar(nil).DayStart(period.DayOf(1970, 1, 2)) + 1000)
	w := openWatched(t)
	w.add(period.DayOf(1980, 5, 5), rollup.Users, "", 7, 1, 2, 3)
	w.add(period.DayOf(1980, 5, 5), rollup.Devices, "D", 7, 1, 2, 3)
	for range 3 {
		for _, m := range []rollup.Metric{rollup.Users, rollup.Countries, rollup.Devices} {
			w.add(0, m, map[rollup.Metric]string{rollup.Countries: "DE", rollup.Devices: "D"}[m], 1, 9)
		}
		for _, text := range []string{"[1,2]", "0days", "month", "today"} {
			p, err := period.Parse(text, now, period.NewCalendar(nil))
			if err != nil {
				t.Fatal(err)
			}
			for name, read := range allReads(t.Context(), testApp, p) {
				got, err := read(w.remembering)
				want, werr := read(w.plain)
				if err != nil || werr != nil {
					t.Fatalf("%s: %v, %v", name, err, werr)
				}
				if diff := cmp.Diff(asJSON(t, want), asJSON(t, got)); diff != "" {
					t.Errorf("%s over %s (-plain +remembering):\n%s", name, text, diff)
				}
			}
		}
	}
}

// TestWrongForAll lets a cell lose all that it counts, which sums that are kept up to date cannot
// follow: every reader of them is to be told so, not only the one who finds out.
func TestWrongForAll(t *testing.T) {
	t.Parallel()
	today := period.DayOf(2031, 2, 14)
	cal := period.NewCalendar(nil)
	p, err := period.Parse("month", time.UnixMilli(cal.DayStart(today)+1000), cal)
	if err != nil {
		t.Fatal(err)
	}
	w := openWatched(t)
	read := func() {
		t.Helper()
		if _, err := w.remembering.UsersDocument(t.Context(), testApp, p, query.Whole); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		w.add(today, rollup.Users, "", 1, 1)
		w.add(today, rollup.Countries, "DE", 1, 1)
		read()
	}
	if n := query.Live(w.remembering); n == 0 {
		t.Fatal("nothing is kept up to date")
	}
	w.add(today, rollup.Countries, "DE", -3, 1)
	first, second := query.AskTwice(t.Context(), w.remembering)
	if first == 0 || second != first {
		t.Errorf("%d sums are wrong for the first reader, %d for the second", first, second)
	}
}

// TestReadersAtOnce reads from several goroutines while cells are written; in the end all read what is stored.
func TestReadersAtOnce(t *testing.T) {
	t.Parallel()
	today := period.DayOf(2031, 2, 14)
	cal := period.NewCalendar(nil)
	p, err := period.Parse("30days", time.UnixMilli(cal.DayStart(today)+1000), cal)
	if err != nil {
		t.Fatal(err)
	}
	w := openWatched(t)
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for {
				for name, read := range allReads(t.Context(), testApp, p) {
					if _, err := read(w.remembering); err != nil {
						t.Errorf("%s: %v", name, err)
						return
					}
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for n := range uint32(300) {
		day := today - period.Day(n%4/3)
		w.add(day, rollup.Users, "", 1, n<<12, n)
		w.add(day, rollup.Countries, []string{"DE", "FR"}[n%2], int64(n%3)-1, n<<12, n)
		w.add(day, rollup.Devices, "D", 1, n<<12, n)
	}
	close(done)
	readers.Wait()
	for name, read := range allReads(t.Context(), testApp, p) {
		got, err := read(w.remembering)
		want, werr := read(w.plain)
		if err != nil || werr != nil {
			t.Fatalf("%s: %v, %v", name, err, werr)
		}
		if diff := cmp.Diff(asJSON(t, want), asJSON(t, got)); diff != "" {
			t.Errorf("%s (-plain +remembering):\n%s", name, diff)
		}
	}
}
