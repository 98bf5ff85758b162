package peruser

import (
	"sync/atomic"

	"quipu/internal/period"
)

// Narrow returns the rows of some users on some days as a series of its own, of which Select makes the same cells as of s when it is asked for all users; nothing is to
// be added to it. users are of s.Words() at least. ok is false when it would take more than room, bytes.
func (s *Series) Narrow(from, to period.Day, users *Users, room int64) (of *Series, ok bool) {
	list, rows := s.within(Day, from, to)
	parts := cut(list, rows, func(*group, *group) bool { return true })
	var left atomic.Int64
	left.Store(room)
	done := make([][]*group, len(parts))
	together(len(parts), func(i int) { done[i] = narrow(parts[i], users, &left) })
	if left.Load() < 0 {
		return nil, false
	}
	of = &Series{o: s.o, names: s.names, largest: s.largest}
	for _, list := range done {
		of.all = append(of.all, list...)
	}
	for _, g := range of.all {
		of.rows += len(g.uids)
	}
	of.orders[Day] = of.all
	return of, true
}

// narrow returns the rows of some users in each of several groups, those that have any.
func narrow(list []*group, users *Users, room *atomic.Int64) []*group {
	var found []uint32
	var uids arena[uint32]
	var small arena[uint8]
	var wide arena[uint64]
	out := make([]*group, 0, len(list))
	for _, g := range list {
		if cap(found) < len(g.uids) {
			found = make([]uint32, len(g.uids))
		}
		own := g.of(users, found[:len(g.uids)])
		if len(own) == 0 {
			continue
		}
		size := groupBytes + 4*int64(len(own))
		if g.hours != nil {
			size += firstsBytes + int64(len(own))
		}
		if g.more != nil {
			size += counters * 48
			for _, c := range g.more {
				size += (min(1, int64(len(c.small))) + 8*min(1, int64(len(c.wide)))) * int64(len(own))
			}
		}
		if room.Add(-size) < 0 {
			return nil
		}
		to := &group{groupKey: g.groupKey, uids: uids.pick(g.uids, own), hours: small.pick(g.hours, own), bare: true}
		if g.hours == nil {
			to.first = g.firstOf(own)
		} else {
			to.firsts = g.firstsOf(own)
			for _, first := range to.firsts {
				if first != 0 && (to.first == 0 || first < to.first) {
					to.first = first
				}
			}
		}
		if g.more != nil {
			to.more = &[counters]column{}
			for i := range g.more {
				to.more[i] = column{small: small.pick(g.more[i].small, own), wide: wide.pick(g.more[i].wide, own)}
			}
		}
		out = append(out, to)
	}
	return out
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
