package peruser

import (
	"cmp"
	"slices"
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
	of.countGaps(from, to, left.Load())
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
	runs  []pickedRun
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
		if to, ok := n.added(g, users); ok {
			if to == nil {
				return nil
			}
			if to.sums.rows > 0 {
				out = append(out, to)
			}
			continue
		}
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

// rowsAdded is of how many rows of a group with hours sums are made in any case.
const rowsAdded = 4 * rowsOfHours

// maxPickedRuns is how many runs of users are put in the order of their hours.
const maxPickedRuns = 1024

// pickedRun are users of an hour among those that were picked, from at on.
type pickedRun struct {
	at, n int
	hour  uint8
}

// added is summed of the rows of some users in one pass over those of the group, without a list of them; ok is false for groups of which that cannot be made: in which counters are no small whole
// numbers, rows count users by their counters or are of one hour after another in no order, or there are few.
func (n *narrower) added(g *group, u *Users) (to *group, ok bool) {
	users := n.s.counts(g)
	switch {
	case u.each == nil || g.bare || g.hours != nil && len(g.uids) < rowsAdded:
		return nil, false
	case g.more != nil && slices.ContainsFunc(g.more[:], func(c column) bool { return c.wide != nil }):
		return nil, false
	case users && n.s.o.Users == IfCounted && g.more != nil && g.more[count].small != nil:
		return nil, false
	}
	var of [hoursOfDay]adder
	own := 0 // rows that were found
	var ends [hoursOfDay + 1]int
	if users {
		sized(&n.found, len(g.uids)+blockRows)
	}
	n.runs = n.runs[:0]
	for begin := 0; begin < len(g.uids); {
		end, h := g.run(begin)
		var rows int
		switch uids := g.uids[begin:end]; {
		case users:
			rows = pickEach((*[blockRows]uint32)(n.found[own:]), uids, u.each)
		case g.more != nil:
			rows = -1
		default:
			rows = countEach(uids, u.each)
		}
		rows = of[h].add(g, begin, end, rows, u.each)
		if users {
			if last := len(n.runs) - 1; last >= 0 && n.runs[last].hour == h {
				n.runs[last].n += rows
			} else if n.runs = append(n.runs, pickedRun{own, rows, h}); last > maxPickedRuns {
				return nil, false
			}
		}
		own += rows
		ends[h+1] += rows
		begin = end
	}
	size := int64(groupBytes + sumBytes)
	if g.hours != nil {
		size += hourBytes
	}
	if users {
		size += 4 * int64(own)
	}
	to = &group{groupKey: g.groupKey, bare: true, sums: &sums{rows: own}}
	if own == 0 {
		return to, true
	}
	if n.room.Add(-size) < 0 {
		return nil, true
	}
	firsts := g.firstsIn(u.each)
	to.first = smallest(&firsts)
	if g.hours == nil {
		of[0].cell(n.s, g, &to.sums.all)
	} else {
		to.sums.hours = &[hoursOfDay]rollup.Cell{}
		for h := range hoursOfDay {
			if ends[h+1] > 0 {
				c := &to.sums.hours[h]
				of[h].cell(n.s, g, c)
				c.First = firsts[h]
				to.sums.all.MergeCounters(c)
			}
			ends[h+1] += ends[h]
		}
		to.sums.ends = ends
	}
	to.sums.all.First = to.first
	if users {
		to.uids = n.uids.take(own)
		slices.SortStableFunc(n.runs, func(a, b pickedRun) int { return cmp.Compare(a.hour, b.hour) })
		at := 0
		for _, run := range n.runs {
			at += copy(to.uids[at:], n.found[run.at:run.at+run.n])
		}
	}
	return to, true
}

// run returns where rows from one on end that have its hour, of a block at most.
func (g *group) run(begin int) (end int, hour uint8) {
	end = min(len(g.uids), begin-begin%blockRows+blockRows)
	if g.hours == nil {
		return end, 0
	}
	hour = g.hours[begin]
	if b := &g.blocks[begin/blockRows]; b.low == b.top {
		return end, hour
	}
	for i, h := range g.hours[begin:end] {
		if h != hour {
			return begin + i, hour
		}
	}
	return end, hour
}

// pickEach puts users of a block into a list whose element of each is 1, and returns how many there are.
func pickEach(to *[blockRows]uint32, uids []uint32, each []uint8) int {
	if len(uids) > blockRows {
		panic("peruser: more rows than a block has")
	}
	at := uint(0)
	for _, uid := range uids {
		to[at%blockRows] = uid // at is below: all before were picked at most
		at += uint(each[uid])
	}
	return int(at) // few
}

// countEach returns how many of some users are there whose element of each is 1.
func countEach(uids []uint32, each []uint8) (n int) {
	for len(uids) >= 4 { // in half the time
		a, b, c, d := uids[0], uids[1], uids[2], uids[3]
		n += int(each[a]) + int(each[b]) + int(each[c]) + int(each[d])
		uids = uids[4:]
	}
	for _, uid := range uids {
		n += int(each[uid])
	}
	return n
}

// sumEach is countEach that adds up the counters of these users, too, to sum.
func sumEach(uids []uint32, counters, each []uint8, sum int64) (n int, total int64) {
	for len(uids) >= 4 && len(counters) >= 4 {
		a, b, c, d := each[uids[0]], each[uids[1]], each[uids[2]], each[uids[3]]
		n += int(a) + int(b) + int(c) + int(d)
		sum += int64(counters[0]*a) + int64(counters[1]*b) + int64(counters[2]*c) + int64(counters[3]*d)
		uids, counters = uids[4:], counters[4:]
	}
	for i, uid := range uids {
		in := each[uid]
		n += int(in)
		sum += int64(counters[i] * in)
	}
	return n, sum
}

// adder adds up rows of a group whose counters are small.
type adder struct {
	rows int64
	sums [counters]int64
}

// add adds the rows of a run, of which so many are of users whose element of each is 1, and returns how many these are; -1 = they are not counted.
func (a *adder) add(g *group, begin, end, rows int, each []uint8) int {
	if g.more != nil && rows != 0 {
		uids := g.uids[begin:end]
		for which := range g.more {
			c := &g.more[which]
			if c.small == nil {
				continue
			}
			rows, a.sums[which] = sumEach(uids, c.small[begin:end], each, a.sums[which])
		}
	}
	if rows < 0 {
		rows = countEach(g.uids[begin:end], each)
	}
	a.rows += int64(rows)
	return rows
}

// cell makes the counters of a cell of what was added, without its place.
func (a *adder) cell(s *Series, g *group, c *rollup.Cell) {
	usual := s.usual(g)
	whole := func(which int, usual int64) int64 {
		if g.column(which).small != nil {
			return rollup.AddCount(0, a.sums[which])
		}
		return rollup.AddCount(0, usual*a.rows)
	}
	fraction := func(which int, usual float64) (x float64, some bool) {
		if g.column(which).small != nil {
			return rollup.AddSum(0, float64(a.sums[which])), a.sums[which] != 0
		}
		return rollup.AddSum(0, usual*float64(a.rows)), usual != 0
	}
	c.Count, c.New, c.Requests = whole(count, usual.Count), whole(fresh, usual.New), whole(requests, usual.Requests)
	var sums, durations bool
	c.Sum, sums = fraction(sum, usual.Sum)
	c.Dur, durations = fraction(dur, usual.Dur)
	s.flag(c, sums, durations)
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
	out := a.take(len(places))
	for j, i := range places {
		out[j] = of[i]
	}
	return out
}

// take returns a slice of some length.
func (a *arena[V]) take(n int) []V {
	if len(a.free) < n {
		a.free = make([]V, max(arenaLen, n))
	}
	out := a.free[:n:n]
	a.free = a.free[n:]
	return out
}
