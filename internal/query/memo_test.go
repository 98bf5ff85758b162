package query_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/kv"
	pebbleprofile "quipu/internal/store/profile/pebble"
	"quipu/internal/store/rollup"
	pebblerollup "quipu/internal/store/rollup/pebble"
	"quipu/internal/store/schema"
)

// TestWalkRemembering lets cells change at random, by new data, late data, merged
// users and removals, and after every change compares all reads of a Query
// that remembers with those of one that does not.
func TestWalkRemembering(t *testing.T) {
	t.Parallel()
	for name, merges := range map[string]bool{"with merged users": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if live := remember(t, merges); live < 10 {
				t.Errorf("%d sums and buckets were kept up to date, want more", live)
			}
		})
	}
}

// remember returns how many sums and buckets are kept up to date at the end.
func remember(t *testing.T, merges bool) (live int) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	ctx := t.Context()
	changes := &pebblerollup.Changes{}
	db, err := kv.Open(ctx, kv.Options{Dir: "state", FS: vfs.NewMem(), Merger: pebblerollup.Merger(), Watch: changes.Watch})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	profiles, err := pebbleprofile.Open(db, pebbleprofile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cells := pebblerollup.NewStore(db.Reader(), profiles)
	cal := period.NewCalendar(nil)
	sch := &memory{cal: cal, events: []schema.Event{{Key: "buy", Seq: 1}, {Key: "see", Seq: 2}}}
	remembering, plain := query.New(query.Remember(cells.Watched(changes), 64<<20), sch).Within(ample()), query.New(query.Plain(cells), sch)

	first, today := period.DayOf(2030, 11, 20), period.DayOf(2031, 2, 14)
	flushed := func(b *kv.Batch) error {
		c, end, err := profiles.Flush()
		if err != nil {
			return err
		}
		b.OnEnd(end)
		return pebbleprofile.NewWriter(db).Write(b, &c)
	}
	commit := func(fill func(b *kv.Batch) error) {
		t.Helper()
		b := db.NewBatch()
		if err := fill(b); err != nil {
			t.Fatal(err)
		}
		if err := db.Commit(b); err != nil {
			t.Fatal(err)
		}
	}
	gone := map[uint32]bool{} // whose numbers no cell has any more
	someone := func() uint32 {
		for {
			if user := uint32(1 + r.IntN(80)); !gone[user] {
				return user
			}
		}
	}
	write := func(day period.Day) {
		d := rollup.Delta{}
		for range 1 + r.IntN(4) {
			put := func(m rollup.Metric, value string) {
				users := roaring.New()
				for range r.IntN(5) {
					users.Add(someone())
				}
				if r.IntN(8) == 0 { // containers of other kinds
					start := 100 + r.Uint64N(4)*50_000
					users.AddRange(start, start+r.Uint64N(9000))
				}
				c := rollup.Cell{First: 1 + r.Uint64N(1000), Count: int64(r.IntN(4) - 1), New: int64(r.IntN(2)), Requests: 1, Dur: float64(r.IntN(9)), Flags: rollup.HasDur, Users: users}
				for _, k := range []rollup.Key{
					{Grain: rollup.Day, Bucket: rollup.Bucket(day)},
					{Grain: rollup.Month, Bucket: rollup.Bucket(day.Month())},
					{Grain: rollup.Hour, Bucket: rollup.Bucket(day.Hour(r.IntN(24)))},
				} {
					if k.Grain == rollup.Hour && m != rollup.Users && m != rollup.Events {
						continue
					}
					k.Series, k.Value = rollup.Series{Metric: m}, value
					d.At(k).Merge(&c)
				}
			}
			put(rollup.Users, "")
			put(rollup.Countries, fmt.Sprint("C", r.IntN(4)))
			put(rollup.Devices, fmt.Sprint("D", r.IntN(4)))
			put(rollup.OS, fmt.Sprint("v", r.IntN(3)))
			if r.IntN(3) == 0 {
				put(rollup.OSVersions, fmt.Sprint("v", r.IntN(4))) // also names of systems: entries are united
			}
			put(rollup.Frequency, fmt.Sprint(r.IntN(5)))
			put(rollup.Durations, fmt.Sprint(r.IntN(5)))
			put(rollup.Events, []string{"buy", "see"}[r.IntN(2)])
		}
		commit(func(b *kv.Batch) error { return pebblerollup.Write(b.Pebble(), testApp, d) })
	}
	merge := func() {
		old, to := someone(), someone()
		at, err := profiles.Resolve(testApp, to)
		own, oerr := profiles.Resolve(testApp, old)
		if err != nil || oerr != nil || old == at || own != old {
			return // a user is merged once, and not into itself
		}
		if err := profiles.PutAlias(testApp, old, to); err != nil {
			t.Fatal(err)
		}
		commit(flushed)
	}
	// settle gives cells the numbers that users were merged into.
	settle := func() {
		aliases, err := profiles.Aliases(ctx, testApp)
		if err != nil {
			t.Fatal(err)
		}
		commit(func(b *kv.Batch) error {
			_, err := pebblerollup.Rewrite(ctx, db.Reader(), b.Pebble(), testApp, aliases, nil, 1<<20)
			return err
		})
		for old := range aliases {
			gone[old] = true
			if err := profiles.RemoveAliases(testApp, old); err != nil {
				t.Fatal(err)
			}
		}
		commit(flushed)
	}
	for step := range 60 {
		switch n := r.IntN(20); {
		case n < 11:
			write(today)
		case n < 16: // late
			write(first + period.Day(r.IntN(int(today-first)+1)))
		case n < 18:
			if !merges {
				write(today)
				continue
			}
			for range 1 + r.IntN(2) {
				merge()
			}
		case n < 19 && r.IntN(2) == 0:
			settle()
		case n < 19:
			commit(func(b *kv.Batch) error { return pebblerollup.DeleteApp(b.Pebble(), testApp) })
		default:
			write(today + 1)
			today++
		}
		now := time.UnixMilli(cal.DayStart(today) + 1000)
		for _, text := range []string{"30days", "60days", "month", "today"} {
			p, err := period.Parse(text, now, cal)
			if err != nil {
				t.Fatal(err)
			}
			for name, read := range allReads(ctx, testApp, p) {
				got, err := read(remembering)
				want, werr := read(plain)
				if err != nil || werr != nil {
					t.Fatalf("%s: %v, %v", name, err, werr)
				}
				if diff := cmp.Diff(asJSON(t, want), asJSON(t, got)); diff != "" {
					t.Fatalf("step %d: %s over %s (-plain +remembering):\n%s", step, name, text, diff)
				}
			}
		}
		live = max(live, query.Live(remembering))
	}
	return live
}

func asJSON(t *testing.T, v any) any {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(b, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// allReads lists the reads of an app and a period.
func allReads(ctx context.Context, app model.AppID, p period.Period) map[string]func(*query.Query) (any, error) {
	return map[string]func(*query.Query) (any, error){
		"summary":  func(q *query.Query) (any, error) { return q.Summary(ctx, app, p) },
		"total":    func(q *query.Query) (any, error) { return q.TotalUsers(ctx, app, p) },
		"sessions": func(q *query.Query) (any, error) { return q.SessionRows(ctx, app, p, period.AutoStep) },
		"weeks":    func(q *query.Query) (any, error) { return q.SessionRows(ctx, app, p, period.WeekStep) },
		"metric":   func(q *query.Query) (any, error) { return q.MetricRows(ctx, app, rollup.Devices, p) },
		"by value": func(q *query.Query) (any, error) { return q.UsersByValue(ctx, app, rollup.Countries, p) },
		"ranges":   func(q *query.Query) (any, error) { return q.Ranges(ctx, app, rollup.Frequency, p) },
		"users":    func(q *query.Query) (any, error) { return q.UsersDocument(ctx, app, p, query.Whole) },
		"refresh":  func(q *query.Query) (any, error) { return q.UsersDocument(ctx, app, p, query.Refresh) },
		"devices":  func(q *query.Query) (any, error) { return q.MetricDocument(ctx, app, "devices", p, query.Whole) },
		"details":  func(q *query.Query) (any, error) { return q.MetricDocument(ctx, app, "device_details", p, query.Whole) },
		"events": func(q *query.Query) (any, error) {
			return q.EventDocument(ctx, app, []string{"buy", "see"}, "", p, query.Whole)
		},
		"totals": func(q *query.Query) (any, error) { return q.EventTotals(ctx, app, p) },
		"rows":   func(q *query.Query) (any, error) { return q.EventRows(ctx, app, single("buy"), p, period.AutoStep) },
	}
}
