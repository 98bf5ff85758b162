package funnel_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"quipu/internal/query/funnel"
)

// random makes a funnel and the rows of a user.
func random(r *rand.Rand) (funnel.Funnel, []funnel.Row) {
	n := 2 + r.IntN(4)
	f := funnel.Funnel{Optional: make([]bool, n), Order: funnel.Order(r.IntN(4)), Keyed: r.IntN(3) == 0, Repeat: r.IntN(3) == 0}
	for i := 1; i < n-1; i++ {
		f.Optional[i] = r.IntN(3) == 0 && f.Order != funnel.Anchored
	}
	if f.Order == funnel.Anchored {
		f.Anchors = r.Perm(n)[:1+r.IntN(n)]
	}
	if r.IntN(2) == 0 {
		f.Window = int64(1 + r.IntN(12))
	}
	for range r.IntN(3) {
		x := funnel.Exclusion{To: n - 1}
		if f.Order == funnel.Anchored {
			if len(f.Anchors) < 2 {
				break
			}
			x.From, x.To = min(f.Anchors[0], f.Anchors[1]), max(f.Anchors[0], f.Anchors[1])
		} else if f.Order != funnel.AnyOrder {
			x.From = r.IntN(n - 1)
			x.To = x.From + 1 + r.IntN(n-1-x.From)
		}
		f.Exclusions = append(f.Exclusions, x)
	}
	rows := make([]funnel.Row, r.IntN(11))
	ts := int64(1000)
	for i := range rows {
		ts += int64(r.IntN(4))
		rows[i] = funnel.Row{TS: ts, Key: uint32(r.IntN(3))}
		for range r.IntN(3) {
			rows[i].Match |= funnel.StepBit(r.IntN(n))
		}
		for x := range f.Exclusions {
			if r.IntN(5) == 0 {
				rows[i].Match |= funnel.ExclusionBit(x)
			}
		}
	}
	return f, rows
}

// TestRandom compares the machine with a model that tries all choices of rows.
func TestRandom(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	reported := 0
	for i := range 20_000 {
		f, rows := random(r)
		m, err := funnel.New(f)
		if err != nil {
			t.Fatal(err)
		}
		want := naive(f, rows)
		var got []found
		for range 2 { // a machine is used again
			got = nil
			m.User(rows, func(a *funnel.Attempt) {
				first, last := a.Span()
				one := found{depth: a.Depth, first: int(first), last: int(last)}
				for step := range a.Depth {
					if one.rows = append(one.rows, int(a.Rows[step])); a.Done(step) {
						one.done++
					}
				}
				got = append(got, one)
			})
		}
		reported += len(got)
		if !slices.EqualFunc(got, want, func(a, b found) bool {
			return better(a, b) == 0 && len(a.rows) == len(b.rows) && (f.Order != funnel.AnyOrder || slices.Equal(a.rows, b.rows))
		}) {
			t.Fatalf("case %d: %+v\nrows %+v\ngot  %+v\nwant %+v", i, f, rows, got, want)
		}
		for _, a := range got { // rows may differ where several attempts are as good
			if f.Order == funnel.AnyOrder {
				continue
			}
			places := []int{}
			for p, row := range rows {
				if !f.Keyed || row.Key == rows[a.first].Key {
					places = append(places, p)
				}
			}
			chosen := make([]int, len(a.rows))
			for step, row := range a.rows {
				if chosen[step] = slices.Index(places, row); row >= 0 && rows[row].Match&funnel.StepBit(step) == 0 {
					t.Fatalf("case %d: row %d is not of step %d", i, row, step)
				}
			}
			if f.Order == funnel.Anchored {
				if !validAnchored(f, rows, places, a.rows, true) {
					t.Fatalf("case %d: %+v\nrows %+v\ngot %+v, which is no attempt", i, f, rows, a)
				}
				continue
			}
			if !valid(f, rows, places, chosen) {
				t.Fatalf("case %d: %+v\nrows %+v\ngot %+v, which is no attempt", i, f, rows, a)
			}
		}
	}
	if reported < 5000 {
		t.Errorf("only %d attempts", reported)
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]funnel.Funnel{
		"one step":          {Optional: make([]bool, 1)},
		"21 steps":          {Optional: make([]bool, 21)},
		"first is optional": {Optional: []bool{true, false}},
		"last is optional":  {Optional: []bool{false, true}},
		"window":            {Optional: make([]bool, 2), Window: -1},
		"exclusion back":    {Optional: make([]bool, 3), Exclusions: []funnel.Exclusion{{From: 1, To: 1}}},
		"exclusion beyond":  {Optional: make([]bool, 3), Exclusions: []funnel.Exclusion{{From: 1, To: 3}}},
		"exclusion inside":  {Optional: make([]bool, 3), Order: funnel.AnyOrder, Exclusions: []funnel.Exclusion{{From: 1, To: 2}}},
		"no anchor":         {Optional: make([]bool, 3), Order: funnel.Anchored},
		"anchor beyond":     {Optional: make([]bool, 3), Order: funnel.Anchored, Anchors: []int{3}},
		"anchors, optional": {Optional: []bool{false, true, false}, Order: funnel.Anchored, Anchors: []int{0}},
		"no two anchors":    {Optional: make([]bool, 3), Order: funnel.Anchored, Anchors: []int{0}, Exclusions: []funnel.Exclusion{{From: 0, To: 2}}},
		"exclusions":        {Optional: make([]bool, 3), Exclusions: make([]funnel.Exclusion, 13)},
	} {
		if _, err := funnel.New(f); !errors.Is(err, funnel.ErrFunnel) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// BenchmarkUser has users of some rows, in five steps.
func BenchmarkUser(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	rows := make([]funnel.Row, 1_000_000)
	for i := range rows {
		rows[i] = funnel.Row{TS: int64(i) * 1000, Match: funnel.StepBit(r.IntN(5))}
	}
	for _, size := range []int{5, 1_000_000} {
		b.Run(fmt.Sprint("rows=", size), func(b *testing.B) {
			m, err := funnel.New(funnel.Funnel{Optional: make([]bool, 5), Window: 3600_000})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				for at := 0; at < len(rows); at += size {
					m.User(rows[at:at+size], func(*funnel.Attempt) {})
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(rows)), "ns/row")
		})
	}
}
