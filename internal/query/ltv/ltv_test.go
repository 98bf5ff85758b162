package ltv_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/query/ltv"
)

// naive answers one cell by the definition: of a cohort's users, and of those with a group unless it is negative.
func naive(l ltv.LTV, users [][]ltv.Row, cohort, age, group int) (size int64, cell ltv.Cell) {
	unit := func(ts int64) int {
		for i, at := range slices.Backward(l.Units) {
			if ts >= at {
				return i
			}
		}
		return -1
	}
	for _, rows := range users {
		first := slices.IndexFunc(rows, func(x ltv.Row) bool { return x.Match&ltv.Seen != 0 })
		if first < 0 || rows[first].Match&ltv.Chosen == 0 || rows[first].TS >= l.End || unit(rows[first].TS) != cohort || group >= 0 && rows[first].Group != uint32(group) {
			continue
		}
		size++
		paid := math.MaxInt // the age of the first payment
		for _, x := range rows[first:] {
			if x.Match&ltv.Paid == 0 || x.TS >= l.End {
				continue
			}
			at := unit(x.TS) - cohort
			if at == age {
				cell.Revenue += x.Value
			}
			if x.Value > 0 {
				paid = min(paid, at)
			}
		}
		if paid == age {
			cell.Payers++
		}
	}
	return size, cell
}

// TestRandom compares tallies with the naive model, on random rows of random users.
func TestRandom(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 1))
	payers, over := int64(0), 0
	for n := range 4000 {
		l := ltv.LTV{Cohorts: 1 + r.IntN(4), Ages: 1 + r.IntN(4)}
		at := int64(r.IntN(10))
		for i := 0; i <= l.Cohorts || r.IntN(4) > 0; i++ {
			l.Units = append(l.Units, at)
			at += 1 + r.Int64N(12)
		}
		l.End = l.Units[len(l.Units)-1] - r.Int64N(3)
		tally, err := ltv.NewTally(l, true)
		if err != nil {
			t.Fatal(err)
		}
		users := make([][]ltv.Row, 1+r.IntN(5))
		for u := range users {
			rows := make([]ltv.Row, r.IntN(12))
			for i := range rows {
				rows[i] = ltv.Row{TS: r.Int64N(at + 5), Match: r.Uint32N(8), Group: r.Uint32N(3), Value: float64(r.IntN(9) - 3)}
				if rows[i].Match&ltv.Seen == 0 {
					rows[i].Match &^= ltv.Chosen
				}
			}
			slices.SortStableFunc(rows, func(a, b ltv.Row) int { return int(a.TS - b.TS) })
			users[u] = rows
			tally.Add(rows)
		}
		all, groups := &ltv.Group{Points: make([]ltv.Point, l.Ages)}, map[uint32]*ltv.Group{}
		for c := range l.Cohorts {
			size, _ := naive(l, users, c, 0, -1)
			all.Users += size
			if tally.Sizes[c] != size {
				t.Fatalf("case %d: cohort %d has %d users, want %d", n, c, tally.Sizes[c], size)
			}
			for age := range l.Ages {
				_, want := naive(l, users, c, age, -1)
				if tally.Cells[c][age] != want {
					t.Fatalf("case %d: %+v: cohort %d, age %d: %+v, want %+v\n%v", n, l, c, age, tally.Cells[c][age], want, users)
				}
				payers += want.Payers
				for id := range 3 {
					size, cell := naive(l, users, c, age, id)
					if size == 0 {
						continue
					}
					g := groups[uint32(id)]
					if g == nil {
						g = &ltv.Group{Points: make([]ltv.Point, l.Ages)}
						groups[uint32(id)] = g
					}
					if age == 0 {
						g.Users += size
					}
					if c+age+1 < len(l.Units) && l.Units[c+age+1] <= l.End {
						over++
						for _, p := range []*ltv.Point{&g.Points[age], &all.Points[age]} {
							p.Users += size
							p.Revenue += cell.Revenue
							p.Payers += cell.Payers
						}
					}
				}
			}
		}
		if d := cmp.Diff(groups, tally.Groups); d != "" {
			t.Fatalf("case %d: groups %s", n, d)
		}
		if d := cmp.Diff(all, tally.All()); d != "" {
			t.Fatalf("case %d: all %s", n, d)
		}
	}
	if payers < 1000 || over < 1000 {
		t.Errorf("only %d payers, %d ages that are over", payers, over)
	}
}

// TestManyGroups puts groups for which there is no room together.
func TestManyGroups(t *testing.T) {
	t.Parallel()
	l := ltv.LTV{Units: []int64{0, 10, 20}, Cohorts: 1, Ages: ltv.MaxUnits, End: 20}
	tally, err := ltv.NewTally(l, true)
	if err != nil {
		t.Fatal(err)
	}
	const users = 300
	for i := range uint32(users) {
		tally.Add([]ltv.Row{{TS: 5, Match: 7, Group: i, Value: 1}})
	}
	tally.Add([]ltv.Row{{TS: 5, Match: 7, Group: math.MaxUint32, Value: 1}})
	most := ltv.MaxGroupCells / ltv.MaxUnits
	if len(tally.Groups) != most || tally.Other == nil || tally.Other.Users != users+1-int64(most) || tally.Other.Points[0].Revenue != float64(tally.Other.Users) {
		t.Errorf("%d groups, other %+v", len(tally.Groups), tally.Other)
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	for name, l := range map[string]ltv.LTV{
		"no cohorts": {Units: []int64{0, 1}, Ages: 1},
		"no end":     {Units: []int64{0}, Cohorts: 1, Ages: 1},
		"no ages":    {Units: []int64{0, 1}, Cohorts: 1},
		"too many":   {Units: []int64{0, 1}, Cohorts: 1, Ages: ltv.MaxUnits + 1},
	} {
		if _, err := ltv.NewTally(l, false); !errors.Is(err, ltv.ErrLTV) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
