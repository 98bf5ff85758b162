// Package retention counts users who come back. It is pure: rows of one user go in, users of cohorts are counted;
// where rows come from is the caller's business.
//
// # Definition
//
// Time is cut into units, the first of which are those of the cohorts. The rows of a user stand in the order of time, by
// millisecond, and those of one millisecond in the order in which they arrived. Each tells whether it is a start, whether it is one that is chosen, and
// whether it is a return.
//
//   - First: the first start of a user counts, if it is in the unit of a cohort and chosen. The user is in that cohort.
//   - Otherwise a user is in each cohort in whose unit a chosen start is; the first one in the unit counts.
//   - Age: a row behind the start that counts has the age of as many units as its unit is after that of the start. With Rolling, a unit
//     of age is so many ms, counted from the start that counts.
//   - Brackets are ages from one to another, both included. A return is a row that is one, with an age in the bracket.
//
// A user of a cohort counts in a bracket by the Mode:
//
//   - On: there is a return in the bracket.
//   - OnOrAfter: there is a return in it or at any later age.
//   - OnOrBefore: there is a return at an age from the beginning of the first bracket to the end of this one.
//   - Streak: there is one in this bracket and in each one before.
//
// The value of a bracket is the sum of the values of the returns by which its users count; of a streak those in the bracket itself.
package retention

import (
	"errors"
	"fmt"
	"math"
	"sort"

	"quipu/internal/query/funnel"
)

// Row is an event of a user.
type Row = funnel.Row

// Bits of Row.Match.
const (
	Start  = 1 << iota // a start
	Chosen             // a start that is chosen; has Start, too
	Return             // a return
)

// Mode is how a user counts in a bracket.
type Mode uint8

// The modes.
const (
	On Mode = iota
	OnOrAfter
	OnOrBefore
	Streak
)

// Bracket is ages from one to another, both included.
type Bracket struct{ From, To int }

// Bounds.
const (
	MaxCells = 160_000 // cohorts by brackets
	// MaxGroupCells is how many groups by brackets a tally holds at most, before others have none of their own.
	MaxGroupCells = 200_000
	// MaxAge is the largest age of a bracket, and the largest number of cohorts.
	MaxAge = 4000
)

// Retention is what is asked of the rows of users.
type Retention struct {
	Mode  Mode
	First bool
	// Units are the moments (ms) at which units begin, in order; the first Cohorts of them are cohorts, and one more is where the last cohort
	// ends. Without Rolling there is one for each unit up to Known; what is beyond is not known yet.
	Units   []int64
	Cohorts int
	Rolling int64 // ms of a unit of age; 0 = ages are those of Units
	// Brackets are in order, and do not overlap.
	Brackets []Bracket
	// End is the first moment (ms) that is not over: brackets that end later are not over. Until is the first one that is not looked at; 0 = End.
	End, Until int64
	// Valued says that the values of rows are wanted.
	Valued bool
}

// ErrRetention marks what has no meaning.
var ErrRetention = errors.New("retention")

// Validate returns what is wrong with it. Errors: ErrRetention.
func (r *Retention) Validate() error {
	if r.Cohorts < 1 || len(r.Units) <= r.Cohorts || len(r.Brackets) == 0 || r.Rolling < 0 {
		return fmt.Errorf("%w: there is at least one cohort and one bracket", ErrRetention)
	}
	if r.Cohorts > MaxAge || r.Cohorts*len(r.Brackets) > MaxCells {
		return fmt.Errorf("%w: at most %d cohorts times brackets", ErrRetention, MaxCells)
	}
	before := -1
	for _, b := range r.Brackets {
		if b.From <= before || b.To < b.From || b.To > MaxAge {
			return fmt.Errorf("%w: brackets are from 0 to %d, in order, and do not overlap", ErrRetention, MaxAge)
		}
		before = b.To
	}
	return nil
}

// Cell counts the users of a cohort in a bracket.
type Cell struct {
	Users int64
	Value float64
	// Over counts the users for whom the bracket is over, Kept those of them who count in it.
	Over, Kept int64
}

// Group counts the users of all cohorts who have one value of a property at their start. A user of several cohorts counts in each.
type Group struct {
	Size  int64
	Cells []Cell // by bracket
}

// Add adds the users of another group with the same brackets.
func (g *Group) Add(h *Group) {
	g.Size += h.Size
	for b := range g.Cells {
		g.Cells[b].add(&h.Cells[b])
	}
}

// Tally counts users.
type Tally struct {
	of      Retention
	grouped bool
	Sizes   []int64  // users by cohort
	Cells   [][]Cell // by cohort, then bracket
	// Groups are by the group of the row of the start; nil unless they are wanted. Other has those for which there was no room.
	Groups map[uint32]*Group
	Other  *Group
	// Users counts users of any cohort, each once.
	Users int64

	times  []int64 // of the returns of a user
	places []int   // their rows
	values []float64
	// Of one start, by bracket: what it counts, and the first return in the bracket and behind it.
	found       []Cell
	lows, highs []int
	watch       func(cohort int, found []Cell)
}

// NewTally returns an empty tally. Errors: ErrRetention.
func NewTally(r Retention, grouped bool) (*Tally, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	t := &Tally{
		of: r, grouped: grouped, Sizes: make([]int64, r.Cohorts), Cells: make([][]Cell, r.Cohorts), found: make([]Cell, len(r.Brackets)),
		lows: make([]int, len(r.Brackets)), highs: make([]int, len(r.Brackets)),
	}
	for i := range t.Cells {
		t.Cells[i] = make([]Cell, len(r.Brackets))
	}
	if grouped {
		t.Groups = map[uint32]*Group{}
	}
	return t, nil
}

// Watch calls fn, while a user is added, for each cohort that the user is in, with what that counts by bracket; found is valid until fn returns.
func (t *Tally) Watch(fn func(cohort int, found []Cell)) { t.watch = fn }

// Bytes is about what the figures take in memory.
func (t *Tally) Bytes() int64 {
	const cell, group = 32, 120
	n := 8 * int64(len(t.Sizes))
	for _, cells := range t.Cells {
		n += 24 + cell*int64(len(cells))
	}
	for _, g := range t.Groups {
		n += group + cell*int64(len(g.Cells))
	}
	return n
}

// Begins returns when an age begins after a start (ms) in a cohort; math.MaxInt64 = that is not known yet.
func (r *Retention) Begins(cohort int, start int64, age int) int64 {
	if r.Rolling > 0 {
		return start + int64(age)*r.Rolling
	}
	if cohort+age >= len(r.Units) {
		return math.MaxInt64
	}
	return r.Units[cohort+age]
}

// Begun reports whether some user of a cohort may have begun a bracket.
func (r *Retention) Begun(cohort, bracket int) bool {
	return r.Begins(cohort, r.Units[cohort], r.Brackets[bracket].From) < r.Known()
}

// Known returns the first moment (ms) that is not looked at.
func (r *Retention) Known() int64 { return max(r.End, r.Until) }

// Over reports whether a bracket is over for all users of a cohort.
func (r *Retention) Over(cohort, bracket int) bool {
	return r.Begins(cohort, r.Units[cohort+1]-1, r.Brackets[bracket].To+1) <= r.End
}

// cohortOf returns the cohort of a moment, -1 if there is none.
func (r *Retention) cohortOf(ts int64) int {
	if ts < r.Units[0] || ts >= r.Units[r.Cohorts] {
		return -1
	}
	return sort.Search(r.Cohorts, func(i int) bool { return r.Units[i+1] > ts })
}

// Add counts a user by the user's rows.
func (t *Tally) Add(rows []Row) {
	counted, last := false, -1
	for i := range rows {
		if rows[i].Match&Start == 0 {
			continue
		}
		if t.of.First || rows[i].Match&Chosen != 0 {
			if c := t.of.cohortOf(rows[i].TS); c >= 0 && c != last && rows[i].Match&Chosen != 0 {
				last = c
				if !counted {
					counted = true
					t.Users++
					t.returns(rows)
				}
				t.start(c, i, &rows[i])
			}
		}
		if t.of.First {
			return
		}
	}
}

// returns gathers the returns of a user.
func (t *Tally) returns(rows []Row) {
	t.times, t.places, t.values = t.times[:0], t.places[:0], t.values[:0]
	for i := range rows {
		if rows[i].Match&Return != 0 && rows[i].TS < t.of.Known() {
			t.times, t.places, t.values = append(t.times, rows[i].TS), append(t.places, i), append(t.values, rows[i].Value)
		}
	}
}

// start counts a user in a cohort, by the row of the start.
func (t *Tally) start(cohort, place int, row *Row) {
	first := sort.SearchInts(t.places, place+1)
	t.find(cohort, row.TS, first)
	if t.watch != nil {
		t.watch(cohort, t.found)
	}
	t.Sizes[cohort]++
	for b := range t.found {
		t.Cells[cohort][b].add(&t.found[b])
	}
	if g := t.group(row.Group); g != nil {
		g.Size++
		for b := range t.found {
			g.Cells[b].add(&t.found[b])
		}
	}
}

func (c *Cell) add(d *Cell) {
	c.Users += d.Users
	c.Value += d.Value
	c.Over += d.Over
	c.Kept += d.Kept
}

func (t *Tally) group(id uint32) *Group {
	if !t.grouped {
		return nil
	}
	g := t.Groups[id]
	if g == nil && id != math.MaxUint32 && (len(t.Groups)+1)*len(t.found) <= MaxGroupCells {
		g = &Group{Cells: make([]Cell, len(t.found))}
		t.Groups[id] = g
	}
	if g == nil {
		if t.Other == nil {
			t.Other = &Group{Cells: make([]Cell, len(t.found))}
		}
		g = t.Other
	}
	return g
}

// find fills found with what one start counts: in each bracket 1 or 0. The returns behind the start are those from the place first on.
func (t *Tally) find(cohort int, start int64, first int) {
	clear(t.found)
	r := &t.of
	at, all := first, true
	for b, bracket := range r.Brackets {
		begin, end := r.Begins(cohort, start, bracket.From), r.Begins(cohort, start, bracket.To+1)
		low := t.from(at, begin)
		high := t.from(low, end)
		t.lows[b], t.highs[b], at = low, high, high
		switch r.Mode {
		case On, Streak:
		case OnOrAfter:
			high = len(t.times)
		case OnOrBefore:
			low = t.lows[0]
		}
		hit := high > low && begin < r.Known()
		if r.Mode == Streak {
			all = all && hit
			hit = all
		}
		c := &t.found[b]
		if end <= r.End {
			c.Over = 1
		}
		if hit {
			c.Users, c.Kept = 1, c.Over
		}
	}
	if r.Valued {
		t.sum()
	}
}

// sum fills in the values of found, looking at each return once.
func (t *Tally) sum() {
	last := len(t.found) - 1
	var sum float64
	add := func(from, to int) {
		for _, v := range t.values[from:to] {
			sum += v
		}
	}
	for i := range t.found {
		b := i
		switch t.of.Mode {
		case On, Streak:
			sum = 0
			add(t.lows[b], t.highs[b])
		case OnOrBefore:
			if b == 0 {
				add(t.lows[0], t.highs[0])
			} else {
				add(t.highs[b-1], t.highs[b])
			}
		case OnOrAfter:
			if b = last - i; b == last {
				add(t.lows[b], len(t.values))
			} else {
				add(t.lows[b], t.lows[b+1])
			}
		}
		if t.found[b].Users > 0 {
			t.found[b].Value = sum
		}
	}
}

// from returns the place of the first return from a moment on, not before the place at.
func (t *Tally) from(at int, moment int64) int {
	step := 1
	for high := at; ; step *= 2 { // most often it is near
		if high >= len(t.times) || t.times[high] >= moment {
			high = min(high, len(t.times))
			return at + sort.Search(high-at, func(i int) bool { return t.times[at+i] >= moment })
		}
		at = high + 1
		high += step
	}
}
