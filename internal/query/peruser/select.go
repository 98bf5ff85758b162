package peruser

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/period"
	"quipu/internal/store/rollup"
)

// Cells are the cells of a series that Select makes.
type Cells struct {
	Bucket rollup.Bucket
	Value  string
	Cell   *rollup.Cell
	// Users is how many the cell has; 0 if it is not asked for.
	Users int64
}

// Want says what is asked for of the users of cells.
type Want uint8

// What can be asked for.
const (
	Nothing Want = iota
	Number       // how many they are
	Set          // their set, and how many they are
)

// Ask says which cells are asked for.
type Ask struct {
	Grain    Grain
	From, To period.Day // with both of them
	// Users are those whose rows count, of the Words of the series at least; nil = all.
	Users *Users
	Want  Want
	Room  int64 // bytes that the cells may take
}

// Select returns the cells that rows of some users add up to, ordered by bucket, then by value: those that are not empty. Cells of weeks, months and of the whole hold the
// days that were added and are asked for. ok is false when the cells would take more than the room.
func (s *Series) Select(ask *Ask) (cells []Cells, ok bool) {
	list, rows := s.within(ask.Grain, ask.From, ask.To)
	parts := cut(list, rows, func(a, b *group) bool { return ask.Grain != Hour || a.day != b.day || a.value != b.value })
	var left atomic.Int64
	left.Store(ask.Room)
	done := make([]*selection, len(parts))
	gaps := s.gapped && ask.Want == Number && ask.Grain != Hour && ask.Users == nil
	for i := range parts {
		done[i] = &selection{s: s, ask: ask, want: ask.Want, gaps: gaps, room: &left}
		if s.o.Users == NoUsers {
			done[i].want = Nothing
		}
		if i > 0 {
			done[i].shared = done[i].key(parts[i-1][len(parts[i-1])-1]) == done[i].key(parts[i][0])
			done[i-1].shares = done[i].shared
		}
	}
	together(len(parts), func(i int) { done[i].run(parts[i]) })
	if left.Load() < 0 {
		return nil, false
	}
	for _, sel := range done {
		out := sel.out
		if sel.shared {
			unite(&cells[len(cells)-1], &out[0], gaps)
			out = out[1:]
		}
		cells = append(cells, out...)
	}
	for i := range cells {
		if ask.Want != Set {
			cells[i].Cell.Users = nil // of cells that were made in several parts
		}
	}
	if ask.Grain == Hour {
		slices.SortStableFunc(cells, func(a, b Cells) int { return cmp.Or(cmp.Compare(a.Bucket, b.Bucket), cmp.Compare(a.Value, b.Value)) })
	}
	return slices.DeleteFunc(cells, func(c Cells) bool { return c.Users == 0 && c.Cell.IsZero() }), true
}

// atOnce is how many rows are worth a goroutine, and maxAtOnce how many of these there are.
const (
	atOnce    = 100_000
	maxAtOnce = 4
)

// together calls fn with the numbers below n, one of them itself and the others in goroutines of their own. It panics as one of them did.
func together(n int, fn func(i int)) {
	var all sync.WaitGroup
	panics := make(chan any, n)
	call := func(i int) {
		defer func() {
			if v := recover(); v != nil {
				panics <- v
			}
		}()
		fn(i)
	}
	for i := 1; i < n; i++ {
		all.Go(func() { call(i) })
	}
	if n > 0 {
		call(0)
	}
	all.Wait()
	select {
	case v := <-panics:
		panic(v)
	default:
	}
}

// cut cuts groups in their order into some with about as many rows each, between those where it may.
func cut(list []*group, rows int, may func(a, b *group) bool) (parts [][]*group) {
	n := max(1, min(runtime.GOMAXPROCS(0), maxAtOnce, rows/atOnce))
	begin, own := 0, 0
	for i, at := range list {
		if own > 0 && own >= rows/n && may(list[i-1], at) {
			parts = append(parts, list[begin:i])
			begin, own = i, 0
		}
		own += len(at.uids)
	}
	if begin < len(list) {
		parts = append(parts, list[begin:])
	}
	return parts
}

// selection adds up one cell after the other.
type selection struct {
	s    *Series
	ask  *Ask
	want Want
	// shared says that the first cell is also of the rows before, shares that the last is of those behind.
	shared, shares bool
	at             cellKey
	cell           rollup.Cell
	users          marks
	gaps           bool // users are counted by gaps, and counted are those of the cell
	counted        int64
	found          []uint32 // rows of a group, by their places in it
	every          []uint32 // the places of all rows
	out            []Cells
	room           *atomic.Int64 // bytes of cells that may still be made, by all who add up
}

// cellKey names a cell.
type cellKey struct {
	bucket rollup.Bucket
	value  uint32
}

func (sel *selection) key(g *group) cellKey { return cellKey{g.bucket(sel.ask.Grain), g.value} }

// Bytes that a cell and a user in one take, about.
const (
	cellBytes = 256
	userBytes = 4
)

// run adds up groups in their order, until there is no more room.
func (sel *selection) run(list []*group) {
	if sel.want != Nothing && !sel.gaps {
		sel.users.init(sel.s.Words())
	}
	if sel.ask.Grain == Hour {
		sel.runHours(list)
		return
	}
	for i, at := range list {
		if k := sel.key(at); i == 0 {
			sel.at = k
		} else if k != sel.at {
			if sel.flush(false); sel.room.Load() < 0 {
				return
			}
			sel.at = k
		}
		sel.add(at)
	}
	sel.flush(true)
}

// flush ends a cell. The first and the last one are kept even if they are empty: Select unites them with others.
func (sel *selection) flush(last bool) {
	edge := len(sel.out) == 0 && sel.shared || last && sel.shares
	c := Cells{Bucket: sel.at.bucket, Value: sel.s.names[sel.at.value], Users: int64(sel.users.n) + sel.counted}
	if sel.users.n > 0 && (edge || sel.want == Set) {
		sel.cell.Users = sel.users.set()
	}
	sel.users.reset()
	sel.counted = 0
	if edge || c.Users > 0 || !sel.cell.IsZero() {
		sel.room.Add(-cellBytes)
		if sel.want == Set {
			sel.room.Add(-userBytes * c.Users)
		}
		own := sel.cell
		c.Cell = &own
		sel.out = append(sel.out, c)
	}
	sel.cell = rollup.Cell{}
}

// add adds the rows of a group.
func (sel *selection) add(g *group) {
	var found []uint32
	if sel.ask.Users != nil {
		if found = g.of(sel.ask.Users, sized(&sel.found, len(g.uids))); len(found) == 0 {
			return
		}
	}
	if g.sums != nil {
		sel.cell.MergeCounters(&g.sums.all)
	} else {
		sel.s.count(&sel.cell, g, found)
	}
	if sel.gaps {
		sel.counted += g.firstIn(sel.begin(g))
	} else {
		sel.mark(g, found)
	}
	if c := &sel.cell; c.First == 0 || g.first < c.First {
		addFirst(c, g.firstOf(found))
	}
}

// mark marks the users of some rows of a group, if they are wanted; nil are all.
func (sel *selection) mark(g *group, found []uint32) {
	if sel.want != Nothing {
		g.mark(&sel.users, found, sel.s.o.Users, sel.s.usual(g))
	}
}

// count adds the counters of some rows of a group to a cell, without their places; nil are all.
func (s *Series) count(c *rollup.Cell, g *group, found []uint32) {
	usual := s.usual(g)
	c.Count = g.wholes(count, c.Count, usual.Count, found)
	c.New = g.wholes(fresh, c.New, usual.New, found)
	c.Requests = g.wholes(requests, c.Requests, usual.Requests, found)
	var sums, durations bool
	c.Sum, sums = g.fractions(sum, c.Sum, usual.Sum, found)
	c.Dur, durations = g.fractions(dur, c.Dur, usual.Dur, found)
	s.flag(c, sums, durations)
}

// flag notes that rows of a cell have sums and durations other than 0.
func (s *Series) flag(c *rollup.Cell, sums, durations bool) {
	if sums && s.o.SumFlag {
		c.Flags |= rollup.HasSum
	}
	if durations && s.o.DurFlag {
		c.Flags |= rollup.HasDur
	}
}

func addFirst(c *rollup.Cell, first uint64) {
	if first != 0 && (c.First == 0 || first < c.First) {
		c.First = first
	}
}

// sized returns a slice of some length, in the memory of another where it fits.
func sized(s *[]uint32, n int) []uint32 {
	if cap(*s) < n {
		*s = make([]uint32, n)
	}
	return (*s)[:n]
}

// wholes adds a counter of some rows to n; nil are all.
func (g *group) wholes(which int, n, usual int64, found []uint32) int64 {
	c := g.column(which)
	switch {
	case c.small != nil && found == nil:
		var sum int64
		for _, x := range c.small {
			sum += int64(x)
		}
		return rollup.AddCount(n, sum)
	case c.small != nil:
		var sum int64
		for _, i := range found {
			sum += int64(c.small[i])
		}
		return rollup.AddCount(n, sum)
	case c.wide != nil && found == nil:
		for _, x := range c.wide {
			n = rollup.AddCount(n, int64(x)) // its bits
		}
		return n
	case c.wide != nil:
		for _, i := range found {
			n = rollup.AddCount(n, int64(c.wide[i])) // its bits
		}
		return n
	case usual == 0:
		return n
	}
	return rollup.AddCount(n, usual*g.len(found))
}

// fractions adds a counter of some rows to x, and reports whether any is not 0; nil are all.
func (g *group) fractions(which int, x, usual float64, found []uint32) (total float64, some bool) {
	c := g.column(which)
	switch {
	case c.small != nil:
		var sum int64
		if found == nil {
			for _, n := range c.small {
				sum += int64(n)
			}
		}
		for _, i := range found {
			sum += int64(c.small[i])
		}
		return rollup.AddSum(x, float64(sum)), sum != 0
	case c.wide != nil:
		if found == nil {
			for _, bits := range c.wide {
				n := math.Float64frombits(bits)
				x, some = rollup.AddSum(x, n), some || n != 0
			}
		}
		for _, i := range found {
			n := math.Float64frombits(c.wide[i])
			x, some = rollup.AddSum(x, n), some || n != 0
		}
		return x, some
	case usual == 0:
		return x, false
	}
	return rollup.AddSum(x, usual*float64(g.len(found))), true
}

// len is how many rows are found; nil are all.
func (g *group) len(found []uint32) int64 {
	if found == nil {
		return int64(len(g.uids))
	}
	return int64(len(found))
}

func (g *group) column(which int) column {
	if g.more == nil {
		return column{}
	}
	return g.more[which]
}

// mark marks the users that some rows count; nil are all.
func (g *group) mark(m *marks, found []uint32, which Counting, usual *rollup.Cell) {
	c := g.column(count)
	counted := func(i uint32) bool { return c.small != nil && c.small[i] > 0 || c.wide != nil && int64(c.wide[i]) > 0 } // its bits
	switch {
	case which == IfCounted && c.small == nil && c.wide == nil && usual.Count <= 0:
	case which == AllUsers || c.small == nil && c.wide == nil:
		if found == nil {
			m.add(g.uids)
			return
		}
		m.addOf(g.uids, found)
	case found == nil:
		for i, uid := range g.uids {
			if counted(uint32(i)) { // below 2^32
				m.add([]uint32{uid})
			}
		}
	default:
		for _, i := range found {
			if counted(i) {
				m.add(g.uids[i : i+1])
			}
		}
	}
}

// marks are the users of a cell, as bits.
type marks struct {
	bits []uint64
	n    int
	met  []uint32 // while they are few: who is marked
	many bool     // met is not complete
}

// wordsOfUser is how many words are walked in about the time in which a user is put into a sorted set.
const wordsOfUser = 16

func (m *marks) init(words int) {
	m.bits, m.met = make([]uint64, words), make([]uint32, 0, words/wordsOfUser+64)
}

// room reports whether n more users may be few.
func (m *marks) room(n int) bool {
	m.many = m.many || len(m.met)+n > cap(m.met)
	return !m.many
}

// add marks users.
func (m *marks) add(uids []uint32) {
	few := m.room(len(uids))
	for _, uid := range uids {
		w, bit := &m.bits[uid>>6], uid&63
		fresh := int(^*w >> bit & 1)
		*w |= 1 << bit
		m.n += fresh
		if few {
			m.met = append(m.met, uid)[:len(m.met)+fresh]
		}
	}
}

// addOf marks users of a list, by their places in it.
func (m *marks) addOf(uids, found []uint32) {
	few, marked, n := m.room(len(found)), m.bits, 0
	if few {
		for _, i := range found {
			uid := uids[i]
			w, bit := &marked[uid>>6], uid&63
			fresh := int(^*w >> bit & 1)
			*w |= 1 << bit
			n += fresh
			m.met = append(m.met, uid)[:len(m.met)+fresh]
		}
		m.n += n
		return
	}
	for _, i := range found {
		uid := uids[i]
		w, bit := &marked[uid>>6], uid&63
		n += int(^*w >> bit & 1)
		*w |= 1 << bit
	}
	m.n += n
}

// set returns who is marked.
func (m *marks) set() *roaring.Bitmap {
	if !m.many {
		slices.Sort(m.met)
		return roaring.BitmapOf(m.met...)
	}
	return roaring.FromDense(m.bits, true)
}

// reset marks nobody.
func (m *marks) reset() {
	if m.many {
		clear(m.bits)
	} else {
		for _, uid := range m.met {
			m.bits[uid>>6] = 0
		}
	}
	m.n, m.met, m.many = 0, m.met[:0], false
}
