package retention_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"quipu/internal/query/retention"
)

// TestActivity compares phases, units and intervals with what a look at each unit by itself gives, on random users.
func TestActivity(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	for n := range 3000 {
		units := []int64{50}
		for range 1 + r.IntN(6) {
			units = append(units, units[len(units)-1]+1+r.Int64N(20))
		}
		before := 50 - 1 - r.Int64N(30)
		count := len(units) - 1
		got, err := retention.NewActivity(before, units)
		if err != nil {
			t.Fatal(err)
		}
		want := make([][4]int64, count)
		sticky, intervals, users := make([]int64, count+1), make([]int64, count+1), int64(0)
		for range 1 + r.IntN(3) {
			rows := make([]retention.Row, r.IntN(8))
			for i := range rows {
				rows[i] = retention.Row{TS: r.Int64N(units[count] + 5), Match: r.Uint32N(2) * retention.Return}
			}
			slices.SortStableFunc(rows, func(a, b retention.Row) int { return int(a.TS - b.TS) })
			got.Add(rows)
			in := func(from, to int64) bool {
				return slices.ContainsFunc(rows, func(x retention.Row) bool { return x.Match != 0 && x.TS >= from && x.TS < to })
			}
			var active []int
			for u := range count {
				last := before
				if u > 0 {
					last = units[u-1]
				}
				now, was, ever := in(units[u], units[u+1]), in(last, units[u]), in(0, units[u])
				switch {
				case now && was:
					want[u][retention.Returning]++
				case now && ever:
					want[u][retention.Resurrected]++
				case now:
					want[u][retention.New]++
				case was:
					want[u][retention.Dormant]++
				}
				if now {
					active = append(active, u)
				}
			}
			if len(active) == 0 {
				continue
			}
			users++
			sticky[len(active)]++
			var gaps []int
			for i := range active[1:] {
				gaps = append(gaps, active[i+1]-active[i])
			}
			slices.Sort(gaps)
			if len(gaps) > 0 {
				intervals[gaps[(len(gaps)-1)/2]]++
			}
		}
		if fmt.Sprint(got.Phases) != fmt.Sprint(want) || !slices.Equal(got.Sticky, sticky) || !slices.Equal(got.Intervals, intervals) || got.Users != users {
			t.Fatalf("case %d: %+v, want %v %v %v %d", n, got, want, sticky, intervals, users)
		}
	}
	a, err := retention.NewActivity(0, []int64{10, 20, 30, 40, 50})
	if err != nil || a.Interval(50) != 0 {
		t.Fatal(err)
	}
	for _, ts := range [][]int64{{10, 20}, {10, 30}, {10, 40}, {10}} {
		var rows []retention.Row
		for _, at := range ts {
			rows = append(rows, retention.Row{TS: at, Match: retention.Return})
		}
		a.Add(rows)
	}
	if a.Interval(50) != 2 || a.Interval(80) != 3 || a.Interval(1) != 1 {
		t.Errorf("intervals %v", a.Intervals)
	}
	if _, err := retention.NewActivity(10, []int64{10, 20}); !errors.Is(err, retention.ErrRetention) {
		t.Error(err)
	}
}
