package funnel_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/query/funnel"
)

// TestSpread compares percentiles with those of the sorted times.
func TestSpread(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for _, most := range []int64{1, 2000, 60_000, 400 * 86400_000} {
		var s funnel.Spread
		list := make([]int64, 2000)
		for i := range list {
			list[i] = r.Int64N(most)
			s.Add(list[i])
		}
		slices.Sort(list)
		for _, p := range []float64{0, 1, 25, 50, 90, 99.9, 100} {
			rank := max(1, int(p*20+0.999999))
			got, want := s.Percentile(p), list[rank-1]
			if diff := max(got-want, want-got); most <= 2000 && diff != 0 || diff*1000 > want {
				t.Errorf("below %d: percentile %v is %d, want %d", most, p, got, want)
			}
		}
		at := 0
		for i, bound := range append(funnel.Bounds(), 1<<60) {
			from := at
			for at < len(list) && list[at] <= bound {
				at++
			}
			if int64(at-from) != s.Within[i] {
				t.Errorf("below %d: %d times up to %d, want %d", most, s.Within[i], bound, at-from)
			}
		}
		if s.Min != list[0] || s.Max != list[len(list)-1] || s.Count != int64(len(list)) {
			t.Errorf("%d to %d of %d", s.Min, s.Max, s.Count)
		}
	}
	var none funnel.Spread
	if none.Percentile(50) != 0 || none.Mean() != 0 {
		t.Error("a spread of nothing has times")
	}
}

// TestTally counts three users by hand.
func TestTally(t *testing.T) {
	t.Parallel()
	m, err := funnel.New(funnel.Funnel{Optional: []bool{false, true, false}, Repeat: true})
	if err != nil {
		t.Fatal(err)
	}
	tally := funnel.NewTally(3, funnel.At(2))
	tally.Over(func(ts int64) int { return int(ts / 7) })
	a, b, c := funnel.StepBit(0), funnel.StepBit(1), funnel.StepBit(2)
	for _, rows := range [][]funnel.Row{
		{{TS: 0, Match: a}, {TS: 10, Match: b}, {TS: 30, Match: c, Group: 7}, {TS: 40, Match: a}, {TS: 45, Match: c, Group: 8}, {TS: 50, Match: a}},
		{{TS: 8, Match: a}, {TS: 9, Match: a}},
		{{TS: 0, Match: c}},
	} {
		tally.Add(m, rows)
	}
	for name, got := range map[string][2][]int64{
		"users":    {tally.Users, {2, 1, 1}},
		"attempts": {tally.Attempts, {4, 1, 2}},
		"rows":     {tally.Rows, {5, 1, 2}},
		"group 7":  {tally.Groups[7], {1, 1, 1}},
		"no group": {tally.Groups[0], {1, 0, 0}},
		"early":    {tally.Course[0], {1, 1, 1}},
		"later":    {tally.Course[1], {1, 0, 0}},
		"took":     {{tally.Took[1].Sum, tally.Took[2].Sum, tally.Took[2].Count, tally.Whole.Sum, tally.Whole.Count}, {10, 25, 2, 35, 2}},
	} {
		if !slices.Equal(got[0], got[1]) {
			t.Errorf("%s: %v, want %v", name, got[0], got[1])
		}
	}
	if len(tally.Groups) != 2 {
		t.Errorf("groups %v", tally.Groups)
	}
}

// TestMerge counts random users in one tally, and shared among several.
func TestMerge(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	const steps, parts = 3, 4
	fresh := func() *funnel.Tally {
		tally := funnel.NewTally(steps, funnel.First)
		tally.Over(func(ts int64) int { return int(ts / 20_000) })
		return tally
	}
	m, err := funnel.New(funnel.Funnel{Optional: []bool{false, true, false}, Repeat: true})
	if err != nil {
		t.Fatal(err)
	}
	whole, shared := fresh(), make([]*funnel.Tally, parts)
	for i := range shared {
		shared[i] = fresh()
	}
	for range 500 {
		rows := make([]funnel.Row, r.IntN(12))
		ts := r.Int64N(100_000)
		for i := range rows {
			ts += r.Int64N(5000)
			rows[i] = funnel.Row{TS: ts, Match: funnel.StepBit(r.IntN(steps)), Group: r.Uint32N(5)}
		}
		whole.Add(m, rows)
		shared[r.IntN(parts-1)].Add(m, rows) // the last one has nobody
	}
	for _, other := range shared[1:] {
		shared[0].Merge(other)
	}
	got := shared[0]
	if diff := cmp.Diff([]any{whole.Users, whole.Attempts, whole.Rows, whole.Groups, whole.Course}, []any{got.Users, got.Attempts, got.Rows, got.Groups, got.Course}); diff != "" {
		t.Error(diff)
	}
	for i, s := range append(whole.Took, whole.Whole) {
		g := append(got.Took, got.Whole)[i]
		if s.Count != g.Count || s.Sum != g.Sum || s.Within != g.Within || s.Count > 0 && (s.Min != g.Min || s.Max != g.Max) {
			t.Errorf("times %d: %+v, want %+v", i, g, s)
		}
		for p := range 101 {
			if a, b := g.Percentile(float64(p)), s.Percentile(float64(p)); a != b {
				t.Errorf("times %d: percentile %d is %d, want %d", i, p, a, b)
			}
		}
	}
}
