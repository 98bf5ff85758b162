package retention

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// Phase is what a user is in a unit.
type Phase uint8

// The phases. In each unit a user who was ever active by then is in one of the first four, or has been away for longer.
const (
	New         Phase = iota // active for the first time ever
	Returning                // active, and in the unit before, too
	Resurrected              // active, not in the unit before, but at some time before that
	Dormant                  // not active, but in the unit before
	phases
)

// Activity counts in how many units, and how regularly, users are active: users with a Return row in the unit.
type Activity struct {
	units []int64
	// Users are all who are active in some unit.
	Users int64
	// Phases count the users of each unit.
	Phases [][phases]int64
	// Sticky counts the users who are active in so many units, from 0 on; nobody is in the first.
	Sticky []int64
	// Intervals count users by the median number of units from one in which they are active to the next such one, of those who are active in several.
	Intervals []int64

	seen []int // units of a user
	gaps []int
}

// NewActivity returns an empty count. Units are the moments (ms) at which units begin, in order, one more than are counted; before them there is
// the one that begins with before. Errors: ErrRetention.
func NewActivity(before int64, units []int64) (*Activity, error) {
	n := len(units) - 1
	if n < 1 || n > MaxAge || before >= units[0] {
		return nil, fmt.Errorf("%w: there are 1 to %d units", ErrRetention, MaxAge)
	}
	return &Activity{
		units: append([]int64{before}, units...), Phases: make([][phases]int64, n), Sticky: make([]int64, n+1), Intervals: make([]int64, n+1),
	}, nil
}

// Bytes is about what the figures take in memory.
func (a *Activity) Bytes() int64 { return 56 * int64(len(a.units)) }

// Add counts a user by all of the user's rows, those before the first unit included.
func (a *Activity) Add(rows []Row) {
	a.seen = a.seen[:0]
	for i := range rows {
		if rows[i].Match&Return == 0 {
			continue
		}
		// Unit 0 is the one before the first, -1 any other before it.
		u := sort.Search(len(a.units), func(u int) bool { return a.units[u] > rows[i].TS }) - 1
		if u < len(a.units)-1 && (len(a.seen) == 0 || a.seen[len(a.seen)-1] != u) {
			a.seen = append(a.seen, u)
		}
	}
	active := 0
	a.gaps = a.gaps[:0]
	for i, u := range a.seen {
		if u >= 0 && u < len(a.Phases) && (i+1 == len(a.seen) || a.seen[i+1] > u+1) {
			a.Phases[u][Dormant]++
		}
		if u < 1 {
			continue
		}
		phase := New
		if i > 0 {
			if phase = Resurrected; a.seen[i-1] == u-1 {
				phase = Returning
			}
			if a.seen[i-1] > 0 {
				a.gaps = append(a.gaps, u-a.seen[i-1])
			}
		}
		a.Phases[u-1][phase]++
		active++
	}
	if active == 0 {
		return
	}
	a.Users++
	a.Sticky[active]++
	if len(a.gaps) > 0 {
		slices.Sort(a.gaps)
		a.Intervals[a.gaps[(len(a.gaps)-1)/2]]++
	}
}

// Interval returns the smallest number of units such that at least p percent of the users who are active in several have a median no
// larger; 0 when there are none.
func (a *Activity) Interval(p float64) int {
	var all int64
	for _, n := range a.Intervals {
		all += n
	}
	rank := max(1, int64(math.Ceil(p*float64(all)/100-1e-9)))
	for units, n := range a.Intervals {
		if rank -= n; rank <= 0 {
			return units
		}
	}
	return 0
}
