package peruser

import (
	"runtime"
	"slices"

	"quipu/internal/period"
)

// gap counts the rows of a group whose user had the value's previous row so many days before: 0 is the same day. For a user without one, days reaches
// beyond the first day. A row is the first of its user in a cell when that is longer than the days of the cell before it, so the users of cells of any days are counted by
// adding up rows.
type gap struct{ days, rows uint32 }

// Bytes of a gap, and the most days of which gaps are made.
const (
	gapBytes   = 8
	maxGapDays = 800
)

// Groups of at most fewGaps rows keep one gap for each row.
const fewGaps = 16

// countable reports whether all rows of a group count their users, or none does.
func (s *Series) countable(g *group) bool {
	c := g.column(count)
	return s.o.Users != IfCounted || c.small == nil && c.wide == nil
}

// countGaps makes the gaps of all groups, which are in the order of days, where users can be counted by them and there is room, bytes.
func (s *Series) countGaps(first, last period.Day, room int64) {
	if s.o.Users == NoUsers || last-first >= maxGapDays {
		return
	}
	values := make([][]*group, len(s.names))
	for _, g := range s.all {
		if !s.countable(g) {
			return
		}
		if s.counts(g) {
			values[g.value] = append(values[g.value], g)
			room -= gapBytes * int64(min(len(g.uids), int(last-first)+2))
		}
	}
	if room < 0 {
		return
	}
	values = slices.DeleteFunc(values, func(list []*group) bool { return len(list) == 0 })
	var parts [][][]*group
	rows, own, begin := 0, 0, 0
	for _, g := range s.all {
		rows += len(g.uids)
	}
	n := max(1, min(runtime.GOMAXPROCS(0), maxAtOnce, rows/atOnce))
	for i, list := range values {
		for _, g := range list {
			own += len(g.uids)
		}
		if own >= rows/n || i == len(values)-1 {
			parts, begin, own = append(parts, values[begin:i+1]), i+1, 0
		}
	}
	days := uint32(last-first) + 1 // checked above
	// Each part has a number for each user, of two bytes at most.
	perPart := 2 * (int64(s.largest) + 1)
	if perPart > numbersPerRow*int64(rows) {
		return
	}
	if n := room / perPart; n == 0 {
		return
	} else if n < int64(len(parts)) {
		parts = [][][]*group{values}
	}
	together(len(parts), func(i int) {
		if days <= daysOfByte && int(days)*len(parts[i]) <= numbersOfByte {
			gapsOf[uint8](parts[i], first, days, s.largest)
		} else {
			gapsOf[uint16](parts[i], first, days, s.largest)
		}
	})
	s.gapped, s.first = true, first
}

// daysOfByte is of how many days a byte holds the last one, and numbersOfByte of how many days of values that follow each other: bytes fit the processor's cache,
// but have to be cleared each time that their numbers have run out.
const (
	daysOfByte    = 120
	numbersOfByte = 1000
)

// numbersPerRow is how many bytes of users' numbers a row is worth: where users are many and rows are few, sets are smaller.
const numbersPerRow = 64

// gapsOf makes the gaps of the groups of each of several values. S holds a number for each of the days.
func gapsOf[S uint8 | uint16](values [][]*group, first period.Day, days, largest uint32) {
	seen := make([]S, largest+1) // of each user: the number of the last day
	rows := make([]uint32, days+1)
	var room arena[gap]
	before := uint64(0) // the numbers of the values before
	for _, list := range values {
		if before+uint64(days) > uint64(^S(0)) {
			clear(seen)
			before = 0
		}
		for _, g := range list {
			day := uint32(g.day-first) + 1 // within the days
			now := S(before) + S(day)
			// What is at least that long is of a row of another value, or of none.
			since := func(uid uint32) uint32 { return min(uint32(now-seen[uid]), day) }
			if len(g.uids) <= fewGaps {
				g.gaps = room.take(len(g.uids))
				for i, uid := range g.uids {
					g.gaps[i] = gap{since(uid), 1}
					seen[uid] = now
				}
				continue
			}
			own := rows[:day+1]
			for _, uid := range g.uids {
				own[since(uid)]++
				seen[uid] = now
			}
			n := 0
			for _, rows := range own {
				n += min(1, int(rows))
			}
			g.gaps = room.take(n)[:0]
			for d, rows := range own {
				if rows > 0 {
					g.gaps = append(g.gaps, gap{uint32(d), rows}) // few
				}
			}
			clear(own)
		}
		before += uint64(days)
	}
}

// firstIn returns how many rows of a group are the first of their users in a cell that begins on a day.
func (g *group) firstIn(begin period.Day) (users int64) {
	before := uint32(g.day - begin) // it is in the cell
	for _, at := range g.gaps {
		if at.days > before {
			users += int64(at.rows)
		}
	}
	return users
}

// begin returns the first day of the cell that the group is in, of those days that are asked for.
func (sel *selection) begin(g *group) period.Day {
	from := max(sel.ask.From, sel.s.first)
	switch sel.ask.Grain {
	case Day, Hour:
		return g.day
	case Month:
		return max(from, g.day.Month().First())
	case Week:
		return max(from, g.day-period.Day(g.day.Weekday())) // at most 6
	case Whole:
	}
	return from
}

// unite adds the cell of the same value and bucket that was made of other rows. Users were counted by gaps, or are in sets.
func unite(to, c *Cells, gaps bool) {
	to.Cell.MergeCounters(c.Cell)
	if gaps {
		to.Users += c.Users
		return
	}
	switch {
	case to.Cell.Users == nil:
		to.Cell.Users = c.Cell.Users
	case c.Cell.Users != nil:
		to.Cell.Users.Or(c.Cell.Users)
	}
	to.Users = int64(to.Cell.Uniques()) // at most 2^32
}
