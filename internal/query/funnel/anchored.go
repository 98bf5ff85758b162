package funnel

import (
	"fmt"
	"math/bits"
	"slices"
	"sort"
)

// block is some steps in a row that are done in any order among themselves: an anchor by itself, or the steps between two.
type block struct {
	from, to int // the first step, and the first beyond
	// done are the attempts that have done all up to the block: each begins and ends later than the one before.
	done []Attempt
}

// blocksOf returns the blocks of n steps.
func blocksOf(n int, anchors []int) []block {
	var out []block
	for step := range n {
		anchor := slices.Contains(anchors, step)
		if last := len(out) - 1; last >= 0 && !anchor && !slices.Contains(anchors, out[last].to-1) {
			out[last].to++
			continue
		}
		out = append(out, block{from: step, to: step + 1})
	}
	return out
}

// validateAnchored returns what is wrong with a funnel whose order is Anchored.
func (f *Funnel) validateAnchored() error {
	n := len(f.Optional)
	if len(f.Anchors) == 0 || slices.ContainsFunc(f.Anchors, func(step int) bool { return step < 0 || step >= n }) {
		return fmt.Errorf("%w: anchors are steps, one at least", ErrFunnel)
	}
	if slices.Contains(f.Optional, true) {
		return fmt.Errorf("%w: with anchors, no step is optional", ErrFunnel)
	}
	for _, x := range f.Exclusions {
		if !slices.Contains(f.Anchors, x.From) || !slices.Contains(f.Anchors, x.To) {
			return fmt.Errorf("%w: with anchors, an exclusion is between two of them", ErrFunnel)
		}
	}
	return nil
}

// blockOf returns the number of the block of a step.
func (m *Machine) blockOf(step int) int {
	return slices.IndexFunc(m.blocks, func(b block) bool { return step < b.to })
}

// anchored takes a row. Of each block it tries the latest row of every step: so what is before it may end, and begin, as late as can be.
func (m *Machine) anchored(rows []Row, at int32, best *Attempt) {
	match := rows[at].Match & stepBits
	for steps := match; steps != 0; steps &= steps - 1 {
		m.latest[bits.TrailingZeros32(steps)] = at
	}
	fresh := m.fresh[:0]
	for number := range m.blocks {
		b := &m.blocks[number]
		if match>>b.from&(1<<(b.to-b.from)-1) == 0 {
			continue
		}
		if a, ok := m.inBlock(rows, number, at); ok && !m.forbidden(rows[at].Match, number) {
			fresh = append(fresh, a)
		}
	}
	m.endAnchored(rows[at].Match)
	for i := range fresh {
		a := &fresh[i]
		best.improve(a)
		b := &m.blocks[m.blockOf(a.Depth-1)]
		if a.Depth == b.to && (len(b.done) == 0 || a.from > b.done[len(b.done)-1].from) {
			b.done = append(b.done, *a)
		}
	}
}

// inBlock returns the deepest attempt that ends with a row which is of a block.
func (m *Machine) inBlock(rows []Row, number int, at int32) (a Attempt, ok bool) {
	b := &m.blocks[number]
	earliest, last := at, int32(-1)
	var from *Attempt
	depth := 0
	for step := b.from; step < b.to; step++ {
		row := m.latest[step]
		if row < 0 {
			break
		}
		earliest = min(earliest, row)
		before := &m.none
		if number == 0 {
			m.none.from = earliest
		} else if before = m.doneBefore(number-1, earliest); before == nil {
			break
		}
		if !m.within(rows, before.from, at) {
			break
		}
		from, depth, last = before, step+1, max(last, row)
	}
	if depth == 0 || last != at {
		return a, false
	}
	if number == 0 {
		m.none.from = at
		for step := range depth {
			m.none.from = min(m.none.from, m.latest[step])
		}
	}
	a.take(from)
	for step := b.from; step < depth; step++ {
		a.Rows[step] = m.latest[step]
		a.done++
	}
	a.Depth, a.last = depth, at
	return a, true
}

// doneBefore returns the latest attempt that has done all up to a block before a row; nil = none.
func (m *Machine) doneBefore(number int, row int32) *Attempt {
	done := m.blocks[number].done
	n := sort.Search(len(done), func(i int) bool { return done[i].last >= row })
	if n == 0 {
		return nil
	}
	return &done[n-1]
}

// forbidden reports whether a row is an exclusion between whose anchors a block lies.
func (m *Machine) forbidden(match uint32, number int) bool {
	b := m.blocks[number]
	for x := match >> MaxSteps; x != 0; x &= x - 1 {
		if i := bits.TrailingZeros32(x); i < len(m.f.Exclusions) && m.f.Exclusions[i].From < b.from && b.to <= m.f.Exclusions[i].To {
			return true
		}
	}
	return false
}

// endAnchored ends the attempts that a row must not stand in.
func (m *Machine) endAnchored(match uint32) {
	for x := match >> MaxSteps; x != 0; x &= x - 1 {
		i := bits.TrailingZeros32(x)
		if i >= len(m.f.Exclusions) {
			return
		}
		for number := range m.blocks {
			if b := &m.blocks[number]; m.f.Exclusions[i].From <= b.from && b.to <= m.f.Exclusions[i].To {
				b.done = b.done[:0]
			}
		}
	}
}
