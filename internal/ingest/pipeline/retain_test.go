package pipeline_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/marks"
	"quipu/internal/store/rollup"
)

// TestDropRows drops rows for their age: cells stay, also when they are
// rebuilt, in the same time zone.
func TestDropRows(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 6))
	records := slices.DeleteFunc(traffic(r, 400, true), func(rec request.Record) bool {
		switch rec.Kind {
		case request.DeleteUsers, request.EraseUsers, request.RebuildCells, request.ResetApp:
			return true
		default:
			return false
		}
	})
	store := openDuck(t)
	w := open(t, vfs.NewMem(), nil, func(o *pipeline.Options) { o.Events, o.Rows = store, store }).start(t)
	defer w.close(t)
	w.send(t, records...)
	for _, app := range []*model.App{&utcApp, &kolkataApp} {
		before := w.cells(t, app)
		// Midnight of a day in the middle of what was sent.
		day := time.UnixMilli(noon).In(app.Location()).AddDate(0, 0, -10)
		cut := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, app.Location()).UnixMilli()
		w.submit(t, pipeline.DropRowsBefore(app.ID, cut))
		if diff := cmp.Diff(before, w.cells(t, app)); diff != "" {
			t.Errorf("%s (-before +after rows were dropped):\n%s", app.Timezone, diff)
		}
		if n, err := store.Count(t.Context(), app.ID, filterTo(cut)); err != nil || n != 0 {
			t.Errorf("%s: %d old rows are left, %v", app.Timezone, n, err)
		}
		if n, err := store.Count(t.Context(), app.ID, filterTo(0)); err != nil || n == 0 {
			t.Errorf("%s: no rows are left, %v", app.Timezone, err)
		}
		m, err := w.store.Marks(app.ID)
		if want := (marks.Marks{Dropped: cut}); err != nil || m != want {
			t.Errorf("%s: marks %+v, %v, want %+v", app.Timezone, m, err, want)
		}
		w.submit(t, pipeline.DropRowsBefore(app.ID, cut-1)) // nothing is to be done
		w.submit(t, request.Record{Kind: request.RebuildCells, App: app.ID})
		if diff := cmp.Diff(before, w.cells(t, app)); diff != "" {
			t.Errorf("%s (-counted +rebuilt):\n%s", app.Timezone, diff)
		}
	}
}

// TestForget drops rows and cells of days before one: what is left is what
// would be there if nothing had been sent for those days.
func TestForget(t *testing.T) {
	t.Parallel()
	store := openDuck(t)
	w := open(t, vfs.NewMem(), nil, func(o *pipeline.Options) { o.Events, o.Rows = store, store }).start(t)
	defer w.close(t)
	const day = 86_400_000
	day0 := func(days int64) int64 { return noon - days*day }
	send := func(to *world, days ...int64) {
		for _, n := range days {
			device := "D" + strconv.FormatInt(n%3, 10)
			to.send(t,
				req(&kolkataApp, device, day0(n), "begin_session", "1", "hour", "7", "dow", "3", "metrics", `{"_os":"Android"}`, "events", `[{"key":"a","sum":1,"segmentation":{"k":"v"}},{"key":"[CLY]_view","segmentation":{"name":"home","visit":1,"platform":"web"}}]`),
				req(&kolkataApp, device, day0(n)+5, "end_session", "1", "session_duration", "9"),
			)
		}
	}
	send(w, 400, 70, 40, 20, 9, 8, 2, 0)
	cutAt := time.UnixMilli(day0(9)).In(kolkataApp.Location())
	cut := time.Date(cutAt.Year(), cutAt.Month(), cutAt.Day()+1, 0, 0, 0, 0, kolkataApp.Location()).UnixMilli() // after the ninth day back
	w.submit(t, pipeline.ForgetBefore(kolkataApp.ID, cut))
	sums := func(w *world) map[string]string {
		out := map[string]string{}
		for k, v := range w.cells(t, &kolkataApp) {
			if strings.HasPrefix(k, "48 ") { // outcomes are of the time received
				continue
			}
			out[k] = v
		}
		return out
	}
	after := sums(w)
	w.submit(t, pipeline.ForgetBefore(kolkataApp.ID, cut)) // nothing is left to do
	if diff := cmp.Diff(after, sums(w)); diff != "" {
		t.Errorf("once more (-before +after):\n%s", diff)
	}
	w.submit(t, request.Record{Kind: request.RebuildCells, App: kolkataApp.ID})
	if diff := cmp.Diff(after, sums(w)); diff != "" {
		t.Errorf("(-forgotten +rebuilt from the rows that are left):\n%s", diff)
	}
	times := map[string]string{}
	for k, v := range after {
		if strings.HasPrefix(k, fmt.Sprintf("%d %q ", rollup.TimesOfDay, "[CLY]_view")) {
			t.Errorf("items of a feature have times of day: %s", k)
		}
		if strings.HasPrefix(k, fmt.Sprintf("%d %q %d ", rollup.TimesOfDay, "a", rollup.Month)) {
			times[k] = v
		}
	}
	for k, v := range times {
		if !strings.HasPrefix(v, "c3 ") {
			t.Errorf("times of day of the month that is cut: %s = %s, want those of three days", k, v)
		}
	}
	if len(times) != 1 {
		t.Errorf("times of day of the event are left for other months: %v", times)
	}
	if got := w.day(t, &kolkataApp, rollup.Users, "", day0(9), totals)[""]; got != "" {
		t.Errorf("the day before the cut has %q", got)
	}
	if got := w.day(t, &kolkataApp, rollup.Users, "", day0(8), totals)[""]; got != "e:2 t:1 n:0 u:1 d:9" {
		t.Errorf("the first day that stays has %q", got)
	}
	if n, err := store.Count(t.Context(), kolkataApp.ID, filterTo(cut)); err != nil || n != 0 {
		t.Errorf("%d old rows are left, %v", n, err)
	}
	send(w, 1)
	if got := w.day(t, &kolkataApp, rollup.Users, "", day0(1), totals)[""]; got != "e:2 t:1 n:0 u:1 d:9" {
		t.Errorf("a day sent later has %q", got)
	}
}

// TestRewriteUsers rewrites the numbers of merged users between batches: readers
// see no difference, and no alias is left.
func TestRewriteUsers(t *testing.T) {
	t.Parallel()
	w := running(t, nil)
	for i := range 40 {
		id := "old" + string(rune('A'+i))
		w.send(t, req(&utcApp, id, noon, "begin_session", "1", "events", `[{"key":"a"}]`))
		w.send(t, req(&utcApp, "new"+string(rune('A'+i%7)), noon, "begin_session", "1", "old_device_id", id))
	}
	before := w.state(t, &utcApp)
	if len(before.Aliases) == 0 {
		t.Fatal("nobody was merged")
	}
	w.submit(t, request.Record{Kind: request.RewriteUsers, App: utcApp.ID})
	w.submit(t, request.Record{Kind: request.RewriteUsers, App: utcApp.ID}) // nothing is left to do
	after := w.state(t, &utcApp)
	if len(after.Aliases) != 0 {
		t.Errorf("aliases %v are left", after.Aliases)
	}
	before.Aliases, after.Aliases = nil, nil
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("state (-before +after):\n%s", diff)
	}
	m, err := w.store.Marks(utcApp.ID)
	if want := (marks.Marks{Merged: 40}); err != nil || m != want {
		t.Errorf("marks %+v, %v, want %+v", m, err, want)
	}
	if strings.Count(w.day(t, &utcApp, 1, "", noon, totals)[""], "u:7 ") != 1 {
		t.Errorf("users of the day: %q", w.day(t, &utcApp, 1, "", noon, totals)[""])
	}
}

// filterTo selects the rows before an instant (ms); 0 = all.
func filterTo(ms int64) events.RowFilter { return events.RowFilter{To: ms} }
