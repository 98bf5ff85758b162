package query_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/query/retention"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

var sessions = []query.FunnelEvent{{Key: "[CLY]_session"}}

// retentionOf asks for the sessions of the days from one to another.
func retentionOf(tb testing.TB, cal *period.Calendar, first, last period.Day, step period.Step, end int64) *query.RetentionQuery {
	tb.Helper()
	p, err := period.Parse(fmt.Sprintf("[%d,%d]", cal.DayStart(first), cal.DayStart(last)), time.UnixMilli(end), cal)
	if err != nil {
		tb.Fatal(err)
	}
	q := &query.RetentionQuery{Start: sessions, Return: sessions, Step: step}
	q.End = end
	q.Last = cal.DayBucket(end - 1)
	q.Units, q.Days, q.Cohorts = query.Units(p, step, end)
	return q
}

// TestRetentionFromCells compares what cells answer with what package retention counts of the same sessions, on random sessions.
func TestRetentionFromCells(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	returned := int64(0)
	for n := range 300 {
		cells := newMemory(t, "Europe/Berlin")
		cal := cells.cal
		byUser := map[uint32][]retention.Row{}
		at := time.Date(2031, 3, 1, 0, 0, 0, 0, cal.Location())
		for range 20 + r.IntN(150) {
			at = at.Add(time.Duration(r.IntN(20*60)) * time.Minute)
			uid := uint32(1 + r.IntN(9)*20_000)
			cells.begin(at, uid, 1, nil)
			byUser[uid] = append(byUser[uid], retention.Row{TS: at.UnixMilli(), Match: retention.Start | retention.Chosen | retention.Return})
		}
		first := period.DayOf(2031, 3, 1) + period.Day(r.IntN(40)-10)
		step := []period.Step{period.DayStep, period.WeekStep, period.MonthStep}[r.IntN(3)]
		end := cal.DayStart(cal.DayBucket(at.UnixMilli()) + period.Day(r.IntN(20)-10))
		q := retentionOf(t, cal, first, first+period.Day(r.IntN(60)), step, end)
		q.First, q.Mode = r.IntN(2) == 0, retention.Mode(r.IntN(4))
		for age := 1 + r.IntN(2); len(q.Brackets) == 0 || r.IntN(5) > 0; age += 1 + r.IntN(2)*r.IntN(2) {
			b := retention.Bracket{From: age, To: age + r.IntN(2)*r.IntN(3)}
			age = b.To
			q.Brackets = append(q.Brackets, b)
		}
		want, err := retention.NewTally(q.Retention, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, rows := range byUser {
			known := rows[:0:0]
			for _, row := range rows {
				if row.TS < end {
					known = append(known, row)
				}
			}
			want.Add(known)
		}
		reads := query.NewRetentions(query.New(query.Plain(cells), cells), query.NewFunnels(query.NewTables(noRows{}, cells), 10<<20))
		got, err := reads.Read(t.Context(), testApp, q)
		if err != nil || !got.FromCells {
			t.Fatal(err, got.FromCells)
		}
		for _, c := range got.Cells {
			for _, cell := range c {
				returned += cell.Users
			}
		}
		if diff := cmp.Diff(want.Cells, got.Cells); diff != "" || !cmp.Equal(want.Sizes, got.Sizes) || want.Users != got.Users {
			t.Fatalf("case %d: %+v\nsizes %v, want %v; users %d, want %d\n%s", n, q, got.Sizes, want.Sizes, got.Users, want.Users, diff)
		}
		c, b := r.IntN(q.Cohorts), r.IntN(len(q.Brackets)+1)-1
		people, err := reads.People(t.Context(), testApp, q, c, b)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(people, peopleIn(t, q, byUser, c, b), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("case %d: %+v\ncohort %d, bracket %d (-got +want):\n%s", n, q, c, b, diff)
		}
	}
	if returned < 2000 {
		t.Errorf("only %d returns", returned)
	}
}

// TestVolumeRetentionOfMany does the same with many users, of whom some are among many that come on the same days and most are far apart.
func TestVolumeRetentionOfMany(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	cells := newMemory(t, "UTC")
	cal := cells.cal
	first := period.DayOf(2031, 3, 1)
	byUser := map[uint32][]retention.Row{}
	for day := range period.Day(150) {
		for i := range 60 + r.IntN(400) {
			at, uid := time.UnixMilli(cal.DayStart(first+day)).Add(time.Hour), uint32(1+int(day)*10+r.IntN(2500))
			if i%5 == 0 {
				uid = 1 + r.Uint32N(50)*2000
			}
			cells.begin(at, uid, 1, nil)
			byUser[uid] = append(byUser[uid], retention.Row{TS: at.UnixMilli(), Match: retention.Start | retention.Chosen | retention.Return})
		}
	}
	reads := query.NewRetentions(query.New(query.Plain(cells), cells), query.NewFunnels(query.NewTables(noRows{}, cells), 64<<20))
	for mode := range retention.Mode(4) {
		for _, ages := range []int{1, 30, 149} {
			q := retentionOf(t, cal, first, first+149, period.DayStep, cal.DayStart(first+150))
			q.Mode = mode
			for age := 1; age <= ages; age++ {
				q.Brackets = append(q.Brackets, retention.Bracket{From: age, To: age})
			}
			want, err := retention.NewTally(q.Retention, false)
			if err != nil {
				t.Fatal(err)
			}
			for _, rows := range byUser {
				want.Add(rows)
			}
			got, err := reads.Read(t.Context(), testApp, q)
			if err != nil || !got.FromCells || got.Users == 0 {
				t.Fatal(err, got.FromCells, got.Users)
			}
			if diff := cmp.Diff(want.Cells, got.Cells); diff != "" || !cmp.Equal(want.Sizes, got.Sizes) || want.Users != got.Users {
				t.Fatalf("mode %d, %d ages: sizes %v, want %v; users %d, want %d\n%s", mode, ages, got.Sizes, want.Sizes, got.Users, want.Users, diff)
			}
		}
	}
}

// TestVolumeRetentionSets counts random sets word by word, user by user and by what is cheaper in each block, and compares that with what package retention counts of the same users.
func TestVolumeRetentionSets(t *testing.T) {
	t.Parallel()
	const seed = 8
	r := rand.New(rand.NewPCG(7, seed))
	cal := period.NewCalendar(nil)
	first := period.DayOf(2031, 3, 1)
	returned := int64(0)
	for n := range 36 {
		people, days := 1+r.IntN(12_000), 1+r.IntN([]int{12, 220}[r.IntN(2)])
		q := retentionOf(t, cal, first, first+period.Day(r.IntN(days+10)), period.DayStep, cal.DayStart(first+period.Day(days)))
		q.Mode = retention.Mode(n % 4)
		single := r.IntN(3) > 0
		for age := 1 + r.IntN(3)*r.IntN(9); len(q.Brackets) == 0 || age < days+5 && r.IntN(100) > 0; age += 1 + r.IntN(9)/8 {
			b := retention.Bracket{From: age, To: age}
			if !single {
				b.To += r.IntN(2) * r.IntN(20)
			}
			age = b.To
			q.Brackets = append(q.Brackets, b)
		}
		sets := func(units int) [][]uint64 {
			out := make([][]uint64, units)
			for unit := range out {
				out[unit] = make([]uint64, people/64+1)
				most := 8 * people / (8 + days) // so that there are not too many of many days
				if days < 13 {
					most = 2 * people
				}
				for range r.IntN(1 + []int{3, most / 16, most}[r.IntN(3)]) {
					user := r.IntN(people)
					if r.IntN(2) > 0 { // most who come are new
						user = min(people-1, unit*people/days+r.IntN(people/8+1))
					}
					out[unit][user/64] |= 1 << (user % 64)
				}
			}
			return out
		}
		units, starts := sets(days), [][]uint64(nil)
		began := units
		if r.IntN(3) == 0 {
			starts = sets(min(q.Cohorts, days))
			began = starts
		}
		want := modelOf(t, q, people, units, began)
		for _, way := range []struct {
			name        string
			limit, bias int64
		}{{"words", 0, 0}, {"dear", 64 << 20, 1 << 50}, {"users", 64 << 20, -1 << 50}, {"some users", 64 << 20, -1000}, {"cheaper", 64 << 20, 0}} {
			given := make([][]uint64, len(units))
			for i := range units {
				given[i] = slices.Clone(units[i])
			}
			got, err := query.CountSets(t.Context(), q, given, starts, way.limit, way.bias)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want.Cells, got.Cells); diff != "" || !cmp.Equal(want.Sizes, got.Sizes) || want.Users != got.Users {
				t.Fatalf("seed %d, case %d, %s: mode %d, %d people, %d days, brackets %v, starts %v: sizes %v, want %v; users %d, want %d\n%s",
					seed, n, way.name, q.Mode, people, days, q.Brackets, starts != nil, got.Sizes, want.Sizes, got.Users, want.Users, diff)
			}
		}
		for _, cells := range want.Cells {
			for _, cell := range cells {
				returned += cell.Users
			}
		}
	}
	if returned < 100_000 {
		t.Errorf("only %d returns", returned)
	}
}

// modelOf counts the users of units, who began in some, one by one.
func modelOf(t *testing.T, q *query.RetentionQuery, people int, units, began [][]uint64) *retention.Tally {
	t.Helper()
	tally, err := retention.NewTally(q.Retention, false)
	if err != nil {
		t.Fatal(err)
	}
	in := func(sets [][]uint64, unit, user int) bool {
		return unit < len(sets) && sets[unit][user/64]&(1<<(user%64)) != 0
	}
	for user := range people {
		var rows []retention.Row
		for unit := range units {
			row := retention.Row{TS: q.Units[unit] + 1}
			if in(units, unit, user) {
				row.Match |= retention.Return
			}
			if in(began, unit, user) {
				row.Match |= retention.Start | retention.Chosen
			}
			if row.Match != 0 {
				rows = append(rows, row)
			}
		}
		tally.Add(rows)
	}
	return tally
}

// peopleIn are the users who count in a bracket of a cohort, -1 in the cohort, each looked at alone.
func peopleIn(t *testing.T, q *query.RetentionQuery, byUser map[uint32][]retention.Row, cohort, bracket int) (out []uint32) {
	t.Helper()
	for _, uid := range slices.Sorted(maps.Keys(byUser)) {
		tally, err := retention.NewTally(q.Retention, false)
		if err != nil {
			t.Fatal(err)
		}
		known := []retention.Row{}
		for _, row := range byUser[uid] {
			if row.TS < q.End {
				known = append(known, row)
			}
		}
		if tally.Add(known); bracket < 0 && tally.Sizes[cohort] > 0 || bracket >= 0 && tally.Cells[cohort][bracket].Users > 0 {
			out = append(out, uid)
		}
	}
	return out
}

// noRows is a store without rows.
type noRows struct{ query.Rows }

// RunColumns implements query.Rows.
func (noRows) RunColumns(context.Context, *plan.Query, func(*events.Columns) error) error { return nil }

// TestRetentionMemory reads rows where cells hold too many users.
func TestRetentionMemory(t *testing.T) {
	t.Parallel()
	cells := newMemory(t, "UTC")
	at := time.Date(2031, 5, 1, 9, 0, 0, 0, time.UTC)
	cells.begin(at, 1_000_000, 0, nil)
	day := cells.cal.DayBucket(at.UnixMilli())
	for _, first := range []bool{false, true} {
		q := retentionOf(t, cells.cal, day, day, period.DayStep, at.Add(96*time.Hour).UnixMilli())
		q.Brackets, q.First = []retention.Bracket{{From: 1, To: 1}}, first
		for limit, want := range map[int64]bool{100_000: false, 100 << 20: true} {
			got, err := query.NewRetentions(query.New(query.Plain(cells), cells), query.NewFunnels(query.NewTables(noRows{}, cells), limit)).Read(t.Context(), testApp, q)
			if err != nil || got.FromCells != want || want != (got.Users == 1) {
				t.Errorf("first %v, limit %d: %+v %v", first, limit, got, err)
			}
		}
	}
}
