// Package ltv adds up what users spend, by how long ago they were first seen. It is pure: rows of one user go in, users, payers and
// amounts are counted; where rows come from is the caller's business.
//
// # Definition
//
// Time is cut into units, the first of which are those of the cohorts. The rows of a user stand in the order of time, by
// millisecond, and those of one millisecond in the order in which they arrived. Each tells whether it shows the user, whether it is one that is chosen, and
// whether it has an amount.
//
//   - First seen: the first row of a user that shows the user. If it is in the unit of a cohort and chosen, the user is in that cohort, and in no other.
//   - Age: a row has the age of as many units as its unit is after that of the user's cohort.
//   - Revenue of an age: the sum of the amounts of rows with that age, from the row in which the user was first seen on. Amounts below zero are refunds.
//   - A payer is new at the age of the user's first amount above zero.
//   - An age is over for a cohort when its unit has ended.
package ltv

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
	Seen   = 1 << iota // it shows the user
	Chosen             // it shows the user, and is one that is chosen; has Seen, too
	Paid               // its value is an amount
)

// Bounds.
const (
	MaxUnits = 400 // cohorts, and ages
	// MaxGroupCells is how many groups by ages a tally holds at most, before others have none of their own.
	MaxGroupCells = 100_000
)

// LTV is what is asked of the rows of users.
type LTV struct {
	// Units are the moments (ms) at which units begin, in order; the first Cohorts of them are cohorts. There is one for each unit up to End; what is
	// beyond is not known yet.
	Units   []int64
	Cohorts int
	Ages    int // ages from 0 to one less
	// End is the first moment (ms) that is not over; Until is the first one that is not looked at; 0 = End.
	End, Until int64
}

// ErrLTV marks what has no meaning.
var ErrLTV = errors.New("ltv")

// Validate returns what is wrong with it. Errors: ErrLTV.
func (l *LTV) Validate() error {
	if l.Cohorts < 1 || l.Cohorts > MaxUnits || len(l.Units) <= l.Cohorts || l.Ages < 1 || l.Ages > MaxUnits {
		return fmt.Errorf("%w: there are 1 to %d cohorts and ages", ErrLTV, MaxUnits)
	}
	return nil
}

// Known returns the first moment (ms) that is not looked at.
func (l *LTV) Known() int64 { return max(l.End, l.Until) }

// Begins returns when an age of a cohort begins (ms); math.MaxInt64 = that is not known yet.
func (l *LTV) Begins(cohort, age int) int64 {
	if cohort+age >= len(l.Units) {
		return math.MaxInt64
	}
	return l.Units[cohort+age]
}

// Begun reports whether some user of a cohort may have begun an age.
func (l *LTV) Begun(cohort, age int) bool { return l.Begins(cohort, age) < l.Known() }

// Over reports whether an age is over for a cohort.
func (l *LTV) Over(cohort, age int) bool { return l.Begins(cohort, age+1) <= l.End }

// unit returns the number of the unit that a moment is in.
func (l *LTV) unit(ts int64) int {
	return sort.Search(len(l.Units), func(i int) bool { return l.Units[i] > ts }) - 1
}

// Cell is one age of one cohort: that age alone, not those before.
type Cell struct {
	Revenue float64
	Payers  int64 // who pay for the first time
}

// Point is one age of several cohorts: of those for which it is over.
type Point struct {
	Users int64 // of these cohorts
	Cell
}

// Group are the users who have one value of a property when they are first seen.
type Group struct {
	Users  int64
	Points []Point // by age
}

// Add adds the users of another group with the same ages.
func (g *Group) Add(h *Group) {
	g.Users += h.Users
	for age := range g.Points {
		g.Points[age].Users += h.Points[age].Users
		g.Points[age].Revenue += h.Points[age].Revenue
		g.Points[age].Payers += h.Points[age].Payers
	}
}

// Tally counts users.
type Tally struct {
	of      LTV
	grouped bool
	Sizes   []int64  // users by cohort
	Cells   [][]Cell // by cohort, then age
	// Groups are by the group of the row in which a user was first seen; nil unless they are wanted. Other has those for which there was no room.
	Groups map[uint32]*Group
	Other  *Group
}

// NewTally returns an empty tally. Errors: ErrLTV.
func NewTally(l LTV, grouped bool) (*Tally, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	t := &Tally{of: l, grouped: grouped, Sizes: make([]int64, l.Cohorts), Cells: make([][]Cell, l.Cohorts)}
	for i := range t.Cells {
		t.Cells[i] = make([]Cell, l.Ages)
	}
	if grouped {
		t.Groups = map[uint32]*Group{}
	}
	return t, nil
}

// Bytes is about what the figures take in memory.
func (t *Tally) Bytes() int64 {
	const cell, point, group = 16, 24, 120
	n := int64(len(t.Sizes)) * (8 + 24 + cell*int64(t.of.Ages))
	return n + int64(len(t.Groups)+1)*(group+point*int64(t.of.Ages))
}

// Add counts a user by the user's rows.
func (t *Tally) Add(rows []Row) {
	first := 0
	for first < len(rows) && rows[first].Match&Seen == 0 {
		first++
	}
	if first == len(rows) || rows[first].Match&Chosen == 0 || rows[first].TS >= t.of.Known() {
		return
	}
	cohort := t.of.unit(rows[first].TS)
	if cohort < 0 || cohort >= t.of.Cohorts {
		return
	}
	t.Sizes[cohort]++
	g := t.group(rows[first].Group)
	if g != nil {
		g.Users++
		for age := 0; age < t.of.Ages && t.of.Over(cohort, age); age++ {
			g.Points[age].Users++
		}
	}
	payer := false
	for i := first; i < len(rows) && rows[i].TS < t.of.Known(); i++ {
		row := &rows[i]
		if row.Match&Paid == 0 {
			continue
		}
		age := t.of.unit(row.TS) - cohort
		if age >= t.of.Ages {
			return
		}
		add := Cell{Revenue: row.Value}
		if row.Value > 0 && !payer {
			payer, add.Payers = true, 1
		}
		t.Cells[cohort][age].add(add)
		if g != nil && t.of.Over(cohort, age) {
			g.Points[age].add(add)
		}
	}
}

func (c *Cell) add(d Cell) {
	c.Revenue += d.Revenue
	c.Payers += d.Payers
}

func (t *Tally) group(id uint32) *Group {
	if !t.grouped {
		return nil
	}
	g := t.Groups[id]
	if g == nil && id != math.MaxUint32 && (len(t.Groups)+1)*t.of.Ages <= MaxGroupCells {
		g = &Group{Points: make([]Point, t.of.Ages)}
		t.Groups[id] = g
	}
	if g == nil {
		if t.Other == nil {
			t.Other = &Group{Points: make([]Point, t.of.Ages)}
		}
		g = t.Other
	}
	return g
}

// All are the users of all cohorts.
func (t *Tally) All() *Group {
	g := &Group{Points: make([]Point, t.of.Ages)}
	for c, cells := range t.Cells {
		g.Users += t.Sizes[c]
		for age := 0; age < t.of.Ages && t.of.Over(c, age); age++ {
			g.Points[age].Users += t.Sizes[c]
			g.Points[age].add(cells[age])
		}
	}
	return g
}
