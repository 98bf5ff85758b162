// Package funnel decides how far users get in a sequence of steps. It is pure: rows of one user go in, attempts come out;
// where rows come from is the caller's business.
//
// # Definition
//
// The rows of a user stand in the order of time, by millisecond, and those of one millisecond in the order in which they arrived.
// Each tells which steps and which exclusions it matches.
//
// An attempt chooses a row for each step that it does, a different one for each. It is as deep as the number of the last step
// that it does, and does all steps before that one, but that it may skip optional ones; the first and the last step of a funnel
// are never optional. All of these hold of it:
//
//   - InOrder: the rows stand in the order of their steps. Others may stand between.
//   - Strict: so they do, and no other row of the user stands between them.
//   - AnyOrder: the rows stand in any order, and a row may serve several steps that it matches.
//   - Anchored: the steps between two anchors, those before the first one and those behind the last one are each done in any order, where a row
//     may serve several steps that it matches; all of them stand behind the anchor before them and in front of the one after. No step is optional.
//   - Window: from the first row to the last one no more time passes than that; equal counts as within.
//   - Exclusions: between the row of step From and that of step To stands no row that matches the exclusion; of an attempt that
//     has skipped From, or not yet reached To, between the last step before and what follows. A row that the attempt itself has
//     chosen does not count. In any order an exclusion is between all steps, and nothing before it counts any more, even
//     if its row is a step's too. With anchors, From and To are two of them, and so it is between them: no such row stands there, chosen or not.
//   - Keyed: all rows have the same key, which stands for a session, for properties held constant, or both. A row without a key
//     (0) takes no part, neither as a step, nor as an exclusion, nor as another row between steps.
//
// A user has reached a step if there is an attempt so deep, and, if the step is optional, that does it. Of a user's attempts
// the deepest is reported; of several, that which gets there first, then that which begins last, then that which does most steps. In any order it does
// all optional steps that it can.
//
// With Repeat, an attempt ends where it converts, that is, does the last step; the rows behind it make further attempts. The
// last one is what is left: the deepest that does not convert.
package funnel

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
)

// Bounds of a funnel.
const (
	MinSteps      = 2
	MaxSteps      = 20
	MaxExclusions = 12
)

// Order is how the steps of an attempt follow each other.
type Order uint8

// The orders.
const (
	InOrder Order = iota
	Strict
	AnyOrder
	Anchored
)

// Exclusion is between two steps, counted from 0.
type Exclusion struct{ From, To int }

// Funnel is what is asked of the rows of a user.
type Funnel struct {
	// Optional tells for each step whether it may be skipped.
	Optional   []bool
	Order      Order
	Anchors    []int // steps, counted from 0; with Anchored, one at least
	Window     int64 // ms; 0 = none
	Exclusions []Exclusion
	Keyed      bool
	Repeat     bool
}

// ErrFunnel marks funnels that have no meaning.
var ErrFunnel = errors.New("funnel")

// Validate returns what is wrong with the funnel. Errors: ErrFunnel.
func (f *Funnel) Validate() error {
	n := len(f.Optional)
	switch {
	case n < MinSteps || n > MaxSteps:
		return fmt.Errorf("%w: a funnel has %d to %d steps", ErrFunnel, MinSteps, MaxSteps)
	case f.Optional[0] || f.Optional[n-1]:
		return fmt.Errorf("%w: the first and the last step cannot be optional", ErrFunnel)
	case len(f.Exclusions) > MaxExclusions:
		return fmt.Errorf("%w: a funnel has at most %d exclusions", ErrFunnel, MaxExclusions)
	case f.Window < 0:
		return fmt.Errorf("%w: the window is negative", ErrFunnel)
	}
	if f.Order == Anchored {
		if err := f.validateAnchored(); err != nil {
			return err
		}
	}
	for _, x := range f.Exclusions {
		if x.From < 0 || x.From >= x.To || x.To >= n {
			return fmt.Errorf("%w: an exclusion is between two steps", ErrFunnel)
		}
		if f.Order == AnyOrder && (x.From != 0 || x.To != n-1) {
			return fmt.Errorf("%w: in any order, an exclusion is between the first and the last step", ErrFunnel)
		}
	}
	return nil
}

// Row is an event of a user.
type Row struct {
	TS    int64   // ms
	Match uint32  // see StepBit and ExclusionBit
	Key   uint32  // 0 = none; used with Keyed
	Group uint32  // what it is broken down by; the machine does not look at it
	Value float64 // of a property that is summed up; nor at this
}

// StepBit is the bit of Row.Match for a step, counted from 0.
func StepBit(step int) uint32 { return 1 << step }

// ExclusionBit is the bit of Row.Match for an exclusion, counted from 0.
func ExclusionBit(i int) uint32 { return 1 << (MaxSteps + i) }

const stepBits = 1<<MaxSteps - 1

// Attempt is how far a user got.
type Attempt struct {
	Depth int // the last step done, counted from 1; 0 = none
	// Rows are the places of the rows of the steps among those of the user; -1 = not done.
	Rows [MaxSteps]int32
	done int   // steps done
	from int32 // place of the earliest row
	last int32 // place of the latest row
}

// Done reports whether the attempt does a step, counted from 0.
func (a *Attempt) Done(step int) bool { return step < a.Depth && a.Rows[step] >= 0 }

// Span returns the places of the attempt's earliest and latest row.
func (a *Attempt) Span() (first, last int32) { return a.from, a.last }

// Machine finds the attempts of users. It is not safe for concurrent use.
type Machine struct {
	f      Funnel
	n      int
	chains []Attempt // by the last step done; Depth 0 = none
	fresh  []Attempt // that end at the present row
	none   Attempt   // before the first step
	plain  bool      // attempts never end but by their window
	latest [MaxSteps]int32
	blocks []block // with anchors
	order  []int32 // places of the rows with a key, by key
}

// New returns a machine. Errors: ErrFunnel.
func New(f Funnel) (*Machine, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	n := len(f.Optional)
	m := &Machine{f: f, n: n, chains: make([]Attempt, n), fresh: make([]Attempt, n), plain: f.Order == InOrder && len(f.Exclusions) == 0}
	if f.Order == Anchored {
		m.blocks = blocksOf(n, f.Anchors)
	}
	return m, nil
}

// User calls fn with the attempts that are reported of a user, given all rows in their order: one, or with Repeat any number;
// none if the user does not even do the first step. The attempt is valid until fn returns.
func (m *Machine) User(rows []Row, fn func(*Attempt)) {
	if !m.f.Keyed {
		m.run(rows, nil, fn)
		return
	}
	m.order = m.order[:0]
	for i := range rows {
		if rows[i].Key != 0 {
			m.order = append(m.order, int32(i)) // a user has fewer rows
		}
	}
	slices.SortStableFunc(m.order, func(a, b int32) int { return int(int64(rows[a].Key) - int64(rows[b].Key)) })
	var best Attempt
	keep := func(a *Attempt) {
		if m.f.Repeat {
			fn(a)
		} else if a.Depth > best.Depth || a.Depth == best.Depth && a.last < best.last {
			best = *a
		}
	}
	for from := 0; from < len(m.order); {
		to := from + 1
		for to < len(m.order) && rows[m.order[to]].Key == rows[m.order[from]].Key {
			to++
		}
		m.run(rows, m.order[from:to], keep)
		from = to
	}
	if best.Depth > 0 {
		fn(&best)
	}
}

// run finds the attempts among some rows, given by their places; nil = all.
func (m *Machine) run(rows []Row, places []int32, fn func(*Attempt)) {
	var best Attempt
	m.reset()
	count := len(rows)
	if places != nil {
		count = len(places)
	}
	for i := range count {
		at := int32(i) // a user has fewer rows
		if places != nil {
			at = places[i]
		}
		switch m.f.Order {
		case AnyOrder:
			m.anyOrder(rows, at, &best)
		case Anchored:
			m.anchored(rows, at, &best)
		case InOrder, Strict:
			m.inOrder(rows, at, &best)
		}
		if best.Depth == m.n {
			fn(&best)
			if !m.f.Repeat {
				return
			}
			best = Attempt{}
			m.reset()
		}
	}
	if best.Depth > 0 {
		fn(&best)
	}
}

func (m *Machine) reset() {
	for i := range m.chains {
		m.chains[i].Depth = 0
	}
	for i := range m.latest {
		m.latest[i] = -1
	}
	for i := range m.blocks {
		m.blocks[i].done = m.blocks[i].done[:0]
	}
}

// inOrder takes a row. Of the attempts that end with a step only the one that begins last is kept: whatever the others can still
// become, so can it.
func (m *Machine) inOrder(rows []Row, at int32, best *Attempt) {
	match := rows[at].Match
	if match == 0 && m.f.Order != Strict {
		return
	}
	fresh := 0
	for steps := match & stepBits; steps != 0; {
		k := bits.Len32(steps) - 1 // the last step first, so that a row serves one step
		steps &^= 1 << k
		if k >= m.n {
			continue
		}
		from, ok := m.before(rows, at, k)
		switch {
		case !ok:
		case m.plain:
			if old := &m.chains[k]; from.beats(old) {
				old.extend(from, k, at)
				best.improve(old)
			}
		default: // what is there is to be ended first
			m.fresh[fresh].extend(from, k, at)
			fresh++
		}
	}
	if m.plain {
		return
	}
	m.exclude(match)
	for i := range m.fresh[:fresh] {
		a := &m.fresh[i]
		if old := &m.chains[a.Depth-1]; old.Depth == 0 || a.from > old.from || a.from == old.from && a.done > old.done {
			old.take(a)
		}
		best.improve(a)
	}
}

// before returns the best attempt that step k with a row can go on from; ok is false if there is none. That of the first
// step is empty.
func (m *Machine) before(rows []Row, at int32, k int) (from *Attempt, ok bool) {
	if k == 0 {
		m.none.from = at
		return &m.none, true
	}
	for j := k - 1; j >= 0; j-- {
		c := &m.chains[j]
		if c.Depth > 0 && m.within(rows, c.from, at) && (from == nil || c.from > from.from || c.from == from.from && c.done > from.done) {
			from = c
		}
		if !m.f.Optional[j] {
			break
		}
	}
	return from, from != nil
}

// beats reports whether an attempt with one more step is to be kept instead of another one.
func (a *Attempt) beats(old *Attempt) bool {
	return old.Depth == 0 || a.from > old.from || a.from == old.from && a.done+1 > old.done
}

// extend makes a the attempt that goes on from another one with step k.
func (a *Attempt) extend(from *Attempt, k int, at int32) {
	a.take(from)
	for j := a.Depth; j < k; j++ {
		a.Rows[j] = -1
	}
	a.Rows[k], a.Depth, a.last = at, k+1, at
	a.done++
}

// take copies an attempt.
func (a *Attempt) take(from *Attempt) {
	a.Depth, a.done, a.from, a.last = from.Depth, from.done, from.from, from.last
	copy(a.Rows[:from.Depth], from.Rows[:from.Depth])
}

// improve copies an attempt that is deeper.
func (a *Attempt) improve(by *Attempt) {
	if by.Depth > a.Depth {
		a.take(by)
	}
}

func (m *Machine) within(rows []Row, from, to int32) bool {
	return m.f.Window == 0 || rows[to].TS-rows[from].TS <= m.f.Window
}

// exclude ends the attempts that a row must not stand in.
func (m *Machine) exclude(match uint32) {
	if m.f.Order == Strict {
		for i := range m.chains {
			m.chains[i].Depth = 0
		}
		return
	}
	for x := match >> MaxSteps; x != 0; x &= x - 1 {
		i := bits.TrailingZeros32(x)
		if i >= len(m.f.Exclusions) {
			return
		}
		for k := m.f.Exclusions[i].From; k < m.f.Exclusions[i].To; k++ {
			m.chains[k].Depth = 0
		}
	}
}

// anyOrder takes a row.
func (m *Machine) anyOrder(rows []Row, at int32, best *Attempt) {
	match := rows[at].Match
	if match>>MaxSteps != 0 && len(m.f.Exclusions) > 0 {
		m.reset()
	}
	if match&stepBits == 0 {
		return
	}
	for steps := match & stepBits; steps != 0; steps &= steps - 1 {
		m.latest[bits.TrailingZeros32(steps)] = at
	}
	a := Attempt{from: at, last: at}
	for k := range m.n {
		row := m.latest[k]
		if row < 0 || !m.within(rows, row, at) {
			if a.Rows[k] = -1; m.f.Optional[k] {
				continue
			}
			break
		}
		a.Rows[k], a.Depth = row, k+1
		a.done++
		a.from = min(a.from, row)
	}
	if a.Depth > best.Depth {
		*best = a
	}
}
