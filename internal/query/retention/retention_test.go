package retention_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/query/retention"
)

// naive counts one user by the definition, looking at all rows for each bracket.
func naive(r retention.Retention, rows []retention.Row) (sizes []int64, cells [][]retention.Cell, groups map[uint32]int64) {
	sizes, cells, groups = make([]int64, r.Cohorts), make([][]retention.Cell, r.Cohorts), map[uint32]int64{}
	unit := func(ts int64) int {
		for i, at := range slices.Backward(r.Units) {
			if ts >= at {
				return i
			}
		}
		return -1
	}
	firstStart := slices.IndexFunc(rows, func(x retention.Row) bool { return x.Match&retention.Start != 0 })
	for c := range r.Cohorts {
		cells[c] = make([]retention.Cell, len(r.Brackets))
		at := -1
		for i, x := range rows {
			if x.Match&retention.Chosen != 0 && unit(x.TS) == c && (!r.First || i == firstStart) {
				at = i
				break
			}
		}
		if at < 0 {
			continue
		}
		sizes[c]++
		groups[rows[at].Group]++
		var ages []int
		var values []float64
		for _, x := range rows[at+1:] {
			if x.Match&retention.Return == 0 || x.TS >= r.End {
				continue
			}
			if r.Rolling > 0 {
				ages = append(ages, int((x.TS-rows[at].TS)/r.Rolling))
			} else {
				ages = append(ages, unit(x.TS)-c)
			}
			values = append(values, x.Value)
		}
		streak := true
		for b, bracket := range r.Brackets {
			low, high := bracket.From, bracket.To
			switch r.Mode {
			case retention.On, retention.Streak:
			case retention.OnOrAfter:
				high = 1 << 40
			case retention.OnOrBefore:
				low = r.Brackets[0].From
			}
			cell := &cells[c][b]
			known := r.Rolling > 0 && rows[at].TS+int64(bracket.To+1)*r.Rolling <= r.End || r.Rolling == 0 && c+bracket.To+1 < len(r.Units) && r.Units[c+bracket.To+1] <= r.End
			if known {
				cell.Over = 1
			}
			begun := r.Rolling > 0 && rows[at].TS+int64(bracket.From)*r.Rolling < r.End || r.Rolling == 0 && c+bracket.From < len(r.Units) && r.Units[c+bracket.From] < r.End
			hit, sum := false, 0.0
			for i, age := range ages {
				if age >= low && age <= high {
					hit = true
					sum += values[i]
				}
			}
			streak = streak && hit && begun
			if hit && begun && (r.Mode != retention.Streak || streak) {
				cell.Users, cell.Kept = 1, cell.Over
				if r.Valued {
					cell.Value = sum
				}
			}
		}
	}
	return sizes, cells, groups
}

// TestRandom compares tallies with the naive model, on random rows of random users.
func TestRandom(t *testing.T) {
	t.Parallel()
	seed := uint64(7)
	r := rand.New(rand.NewPCG(seed, 1))
	counted := int64(0)
	for n := range 12_000 {
		q := retention.Retention{Mode: retention.Mode(r.IntN(4)), First: r.IntN(2) == 0, Cohorts: 1 + r.IntN(4), Valued: r.IntN(2) == 0}
		at := int64(r.IntN(10))
		for i := 0; i <= q.Cohorts || r.IntN(4) > 0; i++ {
			q.Units = append(q.Units, at)
			at += 1 + r.Int64N(12)
		}
		q.End = q.Units[len(q.Units)-1] - r.Int64N(3)
		if r.IntN(2) == 0 {
			q.Rolling = 1 + r.Int64N(12)
		}
		for age := r.IntN(3); len(q.Brackets) == 0 || r.IntN(3) > 0; age += 1 + r.IntN(2) {
			b := retention.Bracket{From: age, To: age + r.IntN(3)}
			age = b.To
			q.Brackets = append(q.Brackets, b)
		}
		tally, err := retention.NewTally(q, true)
		if err != nil {
			t.Fatal(err)
		}
		sizes, cells, groups := make([]int64, q.Cohorts), make([][]retention.Cell, q.Cohorts), map[uint32]int64{}
		for range 1 + r.IntN(3) {
			rows := make([]retention.Row, r.IntN(12))
			for i := range rows {
				rows[i] = retention.Row{TS: r.Int64N(at + 5), Match: r.Uint32N(8), Group: r.Uint32N(3), Value: float64(r.IntN(9))}
				if rows[i].Match&retention.Start == 0 {
					rows[i].Match &^= retention.Chosen
				}
			}
			slices.SortStableFunc(rows, func(a, b retention.Row) int { return int(a.TS - b.TS) })
			tally.Add(rows)
			s, c, g := naive(q, rows)
			for i := range s {
				sizes[i] += s[i]
				if cells[i] == nil {
					cells[i] = make([]retention.Cell, len(q.Brackets))
				}
				for b := range c[i] {
					cells[i][b].Users += c[i][b].Users
					cells[i][b].Value += c[i][b].Value
					cells[i][b].Over += c[i][b].Over
					cells[i][b].Kept += c[i][b].Kept
					counted += c[i][b].Users
				}
			}
			for id, size := range g {
				groups[id] += size
			}
		}
		found := map[uint32]int64{}
		sums := make([]retention.Cell, len(q.Brackets))
		for id, g := range tally.Groups {
			found[id] = g.Size
			for b := range sums {
				sums[b].Users += g.Cells[b].Users
			}
		}
		for b := range sums {
			for c := range cells {
				sums[b].Users -= cells[c][b].Users
			}
		}
		if diff := cmp.Diff(cells, tally.Cells); diff != "" || !slices.Equal(sizes, tally.Sizes) || !cmp.Equal(groups, found) || slices.ContainsFunc(sums, func(c retention.Cell) bool { return c.Users != 0 }) {
			t.Fatalf("seed %d case %d: %+v\nsizes %v, want %v\ngroups %v, want %v\n%s", seed, n, q, tally.Sizes, sizes, found, groups, diff)
		}
	}
	if counted < 3000 {
		t.Errorf("only %d returns", counted)
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	units := make([]int64, 500)
	one := []retention.Bracket{{From: 1, To: 1}}
	many := make([]retention.Bracket, 300)
	for i := range many {
		many[i] = retention.Bracket{From: i, To: i}
	}
	for name, r := range map[string]retention.Retention{
		"no cohort":    {Units: units, Brackets: one},
		"no end":       {Units: units, Cohorts: 500, Brackets: one},
		"no bracket":   {Units: units, Cohorts: 1},
		"too many":     {Units: make([]int64, 1000), Cohorts: 600, Brackets: many},
		"backwards":    {Units: units, Cohorts: 1, Brackets: []retention.Bracket{{From: 2, To: 1}}},
		"overlapping":  {Units: units, Cohorts: 1, Brackets: []retention.Bracket{{From: 1, To: 2}, {From: 2, To: 3}}},
		"negative":     {Units: units, Cohorts: 1, Brackets: []retention.Bracket{{From: -1, To: 2}}},
		"too old":      {Units: units, Cohorts: 1, Brackets: []retention.Bracket{{From: 1, To: 5000}}},
		"rolling back": {Units: units, Cohorts: 1, Brackets: one, Rolling: -1},
	} {
		if _, err := retention.NewTally(r, false); !errors.Is(err, retention.ErrRetention) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
