package peruser

import (
	"sync/atomic"

	"quipu/internal/period"
	"quipu/internal/store/rollup"
)

// Narrow returns the rows of some users on some days as a series of its own, of which Select makes the same cells as of s when it is asked for all users; nothing is to
// be added to it. users are of s.Words() at least. ok is false when it would take more than room, bytes.
func (s *Series) Narrow(from, to period.Day, users *Users, room int64) (of *Series, ok bool) {
	list, rows := s.within(Day, from, to)
	parts := cut(list, rows, func(*group, *group) bool { return true })
	var left atomic.Int64
	left.Store(room)
	done := make([][]*group, len(parts))
	together(len(parts), func(i int) { done[i] = s.narrow(parts[i], users, &left) })
	if left.Load() < 0 {
		return nil, false
	}
	of = &Series{o: s.o, names: s.names, largest: s.largest}
	for _, list := range done {
		of.all = append(of.all, list...)
	}
	for _, g := range of.all {
		if g.sums != nil {
			of.rows += g.sums.rows
		} else {
			of.rows += len(g.uids)
		}
	}
	of.orders[Day] = of.all
	return of, true
}

// sums are what all rows of a group add up to.
type sums struct {
	rows  int
	all   rollup.Cell
	hours *[hoursOfDay]rollup.Cell // nil = all rows are of hour 0
	ends  [hoursOfDay + 1]int      // the users of hour h are uids[ends[h]:ends[h+1]]
}

// Bytes that sums take, and those of hours.
const (
	sumBytes  = 96 + 8*(hoursOfDay+1)
	hourBytes = hoursOfDay * 72
)

func (s *sums) bytes() int64 {
	if s.hours != nil {
		return sumBytes + hourBytes
	}
	return sumBytes
}

// at returns what the rows of an hour add up to.
func (s *sums) at(h int) *rollup.Cell {
	switch {
	case s.hours != nil:
		return &s.hours[h]
	case h == 0:
		return &s.all
	}
	return &rollup.Cell{}
}

// rowsOfHours is of how many rows sums by hour are made: those of fewer take more memory than their counters.
const rowsOfHours = 256

// counts reports whether rows of a group may count users.
func (s *Series) counts(g *group) bool {
	c := g.column(count)
	return s.o.Users == AllUsers || s.o.Users == IfCounted && (c.small != nil || c.wide != nil || s.usual(g).Count > 0)
}

// narrower picks rows.
type narrower struct {
	s     *Series
	room  *atomic.Int64 // bytes
	found []uint32
	hours byHour
	uids  arena[uint32]
	small arena[uint8]
	wide  arena[uint64]
}

// narrow returns the rows of some users in each of several groups, those that have any.
func (s *Series) narrow(list []*group, users *Users, room *atomic.Int64) []*group {
	n := &narrower{s: s, room: room}
	out := make([]*group, 0, len(list))
	for _, g := range list {
		own := g.of(users, sized(&n.found, len(g.uids)))
		if len(own) == 0 {
			continue
		}
		var to *group
		if g.hours == nil || len(own) >= rowsOfHours {
			to = n.summed(g, own)
		} else {
			to = n.picked(g, own)
		}
		if to == nil {
			return nil
		}
		out = append(out, to)
	}
	return out
}

// picked returns some rows of a group with all that they have; nil if there is no room for them.
func (n *narrower) picked(g *group, own []uint32) *group {
	size := groupBytes + firstsBytes + 5*int64(len(own))
	if g.more != nil {
		size += counters * 48
		for _, c := range g.more {
			size += (min(1, int64(len(c.small))) + 8*min(1, int64(len(c.wide)))) * int64(len(own))
		}
	}
	if n.room.Add(-size) < 0 {
		return nil
	}
	to := &group{groupKey: g.groupKey, uids: n.uids.pick(g.uids, own), hours: n.small.pick(g.hours, own), bare: true, firsts: g.firstsOf(own)}
	to.first = smallest(to.firsts)
	if g.more != nil {
		to.more = &[counters]column{}
		for i := range g.more {
			to.more[i] = n.column(&g.more[i], own)
		}
	}
	return to
}

func (n *narrower) column(c *column, own []uint32) column {
	return column{small: n.small.pick(c.small, own), wide: n.wide.pick(c.wide, own)}
}

func smallest(firsts *[hoursOfDay]uint64) (least uint64) {
	for _, first := range firsts {
		if first != 0 && (least == 0 || first < least) {
			least = first
		}
	}
	return least
}

// summed returns some rows of a group with what they add up to, and their users if these count; nil if there is no room for them.
func (n *narrower) summed(g *group, own []uint32) *group {
	users := n.s.counts(g)
	size := int64(groupBytes + sumBytes)
	if g.hours != nil {
		size += hourBytes
	}
	if users {
		size += 4 * int64(len(own))
	}
	whether := users && n.s.o.Users == IfCounted && g.more != nil // a row counts its user
	if whether {
		c := g.more[count]
		size += counters*48 + (min(1, int64(len(c.small)))+8*min(1, int64(len(c.wide))))*int64(len(own))
	}
	if n.room.Add(-size) < 0 {
		return nil
	}
	to := &group{groupKey: g.groupKey, bare: true, sums: &sums{rows: len(own)}}
	if g.hours == nil {
		n.s.count(&to.sums.all, g, own)
		to.first = g.firstOf(own)
	} else {
		to.sums.hours = &[hoursOfDay]rollup.Cell{}
		firsts := g.firstsOf(own)
		n.hours.order(g, own, true)
		for h := range hoursOfDay {
			if own := n.hours.found[n.hours.ends[h]:n.hours.ends[h+1]]; len(own) > 0 {
				c := &to.sums.hours[h]
				n.s.count(c, g, own)
				c.First = firsts[h]
				to.sums.all.MergeCounters(c)
			}
		}
		if to.first = smallest(firsts); users {
			own, to.sums.ends = n.hours.found, n.hours.ends
		}
	}
	to.sums.all.First = to.first
	if !users {
		return to
	}
	if to.uids = n.uids.pick(g.uids, own); whether {
		to.more = &[counters]column{count: n.column(&g.more[count], own)}
	}
	return to
}

// arena makes small slices of large ones.
type arena[V any] struct{ free []V }

// arenaLen is the length of a large slice.
const arenaLen = 1 << 14

// pick returns elements of a slice by their places; nil of nil.
func (a *arena[V]) pick(of []V, places []uint32) []V {
	if of == nil {
		return nil
	}
	if len(a.free) < len(places) {
		a.free = make([]V, max(arenaLen, len(places)))
	}
	out := a.free[:len(places):len(places)]
	a.free = a.free[len(places):]
	for j, i := range places {
		out[j] = of[i]
	}
	return out
}
