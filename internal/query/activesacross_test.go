package query_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/query/active"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
	"quipu/internal/store/rollup"
)

// dayCells are the users of apps by day.
type dayCells map[model.AppID]map[period.Day]*roaring.Bitmap

// Scan implements rollup.Reader.
func (c dayCells) Scan(_ context.Context, app model.AppID, s rollup.Series, g rollup.Grain, from, to rollup.Bucket, fn func(rollup.Bucket, string, *rollup.Cell) error) error {
	for b := from; b <= to && s.Metric == rollup.Users; b++ {
		first, last := period.Day(b), period.Day(b) // few
		if g == rollup.Month {
			first, last = period.Month(b).First(), period.Month(b).Last() // few
		}
		cell := &rollup.Cell{Users: roaring.New()}
		for day := first; day <= last; day++ {
			if users := c[app][day]; users != nil {
				cell.Count++
				cell.Users.Or(users)
			}
		}
		if cell.Count > 0 {
			if err := fn(b, "", cell); err != nil {
				return err
			}
		}
	}
	return nil
}

// TestActivesAcross compares the people of several apps with a model that looks at everyone, with room for all device ids and for hardly any.
func TestActivesAcross(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 9)) // not for secrets
	s, err := duck.Open(t.Context(), duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb"), Threads: 1, MemoryLimit: 128 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	apps := []model.AppID{{1}, {2}, {3}}
	const start = period.Day(20_000)
	cells, batch := dayCells{}, &events.Batch{Apps: map[model.AppID]*events.AppBatch{}, Watermark: eventstest.At(1)}
	came := map[string]map[period.Day][]int{} // by device, the apps by day
	for i, app := range apps {
		cells[app] = map[period.Day]*roaring.Bitmap{}
		ab := &events.AppBatch{}
		for uid := uint32(1); uid <= 60; uid++ {
			did := fmt.Sprint("device-", r.IntN(100), "-", i*r.IntN(2)) // some of another app, too, and some twice in one, as imports may leave them
			ab.Users = append(ab.Users, &model.Profile{UID: uid, ID: model.ProfileID{byte(i), byte(uid)}, DID: did})
			for range r.IntN(6) {
				day := start + period.Day(r.IntN(120)) // few
				if cells[app][day] == nil {
					cells[app][day] = roaring.New()
				}
				cells[app][day].Add(uid)
				if came[did] == nil {
					came[did] = map[period.Day][]int{}
				}
				came[did][day] = append(came[did][day], i)
			}
		}
		batch.Apps[app] = ab
	}
	eventstest.Commit(t, s, batch)
	for _, some := range [][]int{{0}, {0, 1}, {2, 0, 1}} {
		var chosen []model.AppID
		wanted := map[int]bool{}
		for _, i := range some {
			chosen, wanted[i] = append(chosen, apps[i]), true
		}
		for range 6 {
			q := active.Question{First: start + period.Day(30+r.IntN(40)), Known: start + period.Day(60+r.IntN(60))} // few
			q.Last = q.First + period.Day(r.IntN(50))                                                                // few
			want := active.New(q, false)
			for _, days := range came {
				var rows []active.Row
				for day := q.From(); day <= q.To(); day++ {
					for _, app := range days[day] {
						if n := len(rows); wanted[app] && (n == 0 || rows[n-1].Day != day) {
							rows = append(rows, active.Row{Day: day})
						}
					}
				}
				want.AddUser(rows)
			}
			want.Finish()
			for _, limit := range []int64{1 << 20, 700} {
				rows := query.NewFunnels(query.NewTables(s, &memory{}), limit)
				got, err := query.NewActives(query.New(query.Plain(cells), &memory{}), rows).Across(t.Context(), chosen, q)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff([]any{want.Days, want.Weeks, want.Months, want.Users}, []any{got.Days, got.Weeks, got.Months, got.Users}); diff != "" {
					t.Fatalf("apps %v, %+v, limit %d (-want +got):\n%s", some, q, limit, diff)
				}
			}
		}
	}
}
