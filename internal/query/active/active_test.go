package active_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quipu/internal/period"
	"quipu/internal/query/active"
)

// model counts by the definition: it looks at all rows for each figure.
func model(q active.Question, users [][]active.Row, in func(active.Row) bool) *active.Tally {
	count := func(first, last period.Day) (n int64) {
		for _, rows := range users {
			if slices.ContainsFunc(rows, func(r active.Row) bool {
				return in(r) && r.Day >= first && r.Day <= min(last, q.Known)
			}) {
				n++
			}
		}
		return n
	}
	t := &active.Tally{}
	last := min(q.Last, q.Known)
	for d := q.First; d <= last; d++ {
		t.Days = append(t.Days, active.Figures{Day: count(d, d), Week: count(d-6, d), Month: count(d-29, d)})
		week := d - period.Day(d.Weekday())
		if len(t.Weeks) == 0 || t.Weeks[len(t.Weeks)-1].First != week {
			t.Weeks = append(t.Weeks, active.Unit{First: week, Last: week + 6, Users: count(week, week+6)})
		}
		if first := d.Month().First(); len(t.Months) == 0 || t.Months[len(t.Months)-1].First != first {
			t.Months = append(t.Months, active.Unit{First: first, Last: d.Month().Last(), Users: count(first, d.Month().Last())})
		}
	}
	t.Users = count(q.First, last)
	return t
}

// TestTally compares counts of random users with the model's.
func TestTally(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	nothing := cmpopts.IgnoreUnexported(active.Tally{})
	for n := range 500 {
		start := period.DayOf(2031, 1+r.IntN(12), 1+r.IntN(28))
		if r.IntN(10) == 0 {
			start = period.Day(r.IntN(40)) // nothing comes before 1970
		}
		q := active.Question{First: start, Last: start + period.Day(r.IntN(80))}
		q.Known = q.First + period.Day(r.IntN(100)-5)
		users := make([][]active.Row, r.IntN(20))
		for u := range users {
			for range r.IntN(30) {
				users[u] = append(users[u], active.Row{Day: max(0, start+period.Day(r.IntN(200)-80)), Group: uint32(r.IntN(3))})
			}
			slices.SortFunc(users[u], func(a, b active.Row) int { return int(a.Day - b.Day) })
		}
		got := active.New(q, true)
		for _, rows := range users {
			got.AddUser(rows)
		}
		got.Finish()
		groups := got.Groups
		got.Groups = nil
		if diff := cmp.Diff(model(q, users, func(active.Row) bool { return true }), got, nothing, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("seed %d, case %d: %+v\n%s", seed, n, q, diff)
		}
		for id, g := range groups {
			if diff := cmp.Diff(model(q, users, func(r active.Row) bool { return r.Group == id }), g, nothing, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("seed %d, case %d: group %d of %+v\n%s", seed, n, id, q, diff)
			}
		}
	}
}

// TestManyGroups counts the groups that are too many as one.
func TestManyGroups(t *testing.T) {
	t.Parallel()
	day := period.DayOf(2031, 5, 14)
	tally := active.New(active.Question{First: day - 363, Last: day, Known: day}, true)
	const users = 1000
	for u := range uint32(users) {
		tally.AddUser([]active.Row{{Day: day, Group: u}})
	}
	tally.Finish()
	if len(tally.Groups) > 300 || tally.Groups[active.Other] == nil {
		t.Fatalf("%d groups", len(tally.Groups))
	}
	sum := int64(0)
	for _, g := range tally.Groups {
		sum += g.Users
	}
	if sum != users || tally.Users != users {
		t.Errorf("%d and %d users, want %d", sum, tally.Users, users)
	}
}
