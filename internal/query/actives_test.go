package query_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/query/active"
)

// TestActivesFromCells compares what cells answer with what package active counts of the same sessions, on random sessions.
func TestActivesFromCells(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 2))
	var counted int64
	for n := range 200 {
		cells := newMemory(t, "Europe/Berlin")
		cal := cells.cal
		byUser := map[uint32][]active.Row{}
		at := time.Date(2031, 3, 1, 0, 0, 0, 0, cal.Location())
		for range 20 + r.IntN(150) {
			at = at.Add(time.Duration(r.IntN(20*60)) * time.Minute)
			uid := uint32(1 + r.IntN(9)*20_000)
			cells.begin(at, uid, 1, nil)
			byUser[uid] = append(byUser[uid], active.Row{Day: cal.DayBucket(at.UnixMilli())})
		}
		q := &query.ActiveQuery{Calendar: cal, AppDays: true, Of: sessions}
		q.First = period.DayOf(2031, 3, 1) + period.Day(r.IntN(60)-10)
		q.Last = q.First + period.Day(r.IntN(60))
		q.Known = q.First + period.Day(r.IntN(90)-5)
		want := active.New(q.Question, false)
		for _, uid := range slices.Sorted(maps.Keys(byUser)) {
			want.AddUser(byUser[uid])
		}
		want.Finish()
		got, err := query.NewActives(query.New(query.Plain(cells), cells), query.NewFunnels(query.NewTables(noRows{}, cells), 10<<20)).Read(t.Context(), testApp, q)
		if err != nil || !got.FromCells {
			t.Fatal(err, got.FromCells)
		}
		counted += got.Users
		if diff := cmp.Diff(want, got.Tally, cmpopts.IgnoreUnexported(active.Tally{}), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("seed %d, case %d: %+v\n%s", seed, n, q.Question, diff)
		}
	}
	if counted < 500 {
		t.Errorf("only %d users", counted)
	}
}

// TestActivesMemory reads rows where cells hold too many users.
func TestActivesMemory(t *testing.T) {
	t.Parallel()
	cells := newMemory(t, "UTC")
	at := time.Date(2031, 5, 1, 9, 0, 0, 0, time.UTC)
	cells.begin(at, 1_000_000, 0, nil)
	day := cells.cal.DayBucket(at.UnixMilli())
	q := &query.ActiveQuery{Calendar: cells.cal, AppDays: true, Of: sessions, Question: active.Question{First: day, Last: day, Known: day}}
	for limit, want := range map[int64]bool{100_000: false, 100 << 20: true} {
		got, err := query.NewActives(query.New(query.Plain(cells), cells), query.NewFunnels(query.NewTables(noRows{}, cells), limit)).Read(t.Context(), testApp, q)
		if err != nil || got.FromCells != want || want != (got.Users == 1) {
			t.Errorf("limit %d: %+v %v", limit, got, err)
		}
	}
}
