// Package peruser keeps what rows add to cells by user, in memory, so that the cells of any set of users are sums over those of its users: no row is
// read again when the set is another one.
//
// A Series takes rows as they are, in about 6 bytes each: the number of the user, the place in the journal as a difference to that of
// the row before, and those counters that are not what nearly all rows have. Cells are exact, First included.
package peruser

import (
	"cmp"
	"encoding/binary"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/period"
	"quipu/internal/store/rollup"
)

// Counting says which rows count their user in a cell.
type Counting uint8

// The ways to count users.
const (
	NoUsers   Counting = iota
	AllUsers           // each row does
	IfCounted          // rows whose Count is above 0 do
)

// Options say what rows of a series are like.
type Options struct {
	// Usual is what most rows add. Its First and Flags are not used.
	Usual rollup.Cell
	Users Counting
	// SumFlag and DurFlag set rollup.HasSum and HasDur in cells of rows whose Sum or Dur is not 0.
	SumFlag, DurFlag bool
}

// Row is what a row adds to the cell of a value. Its counters are within rollup.MaxCount and MaxSum.
type Row struct {
	Day   period.Day
	Hour  uint8 // of the local clock
	Value string
	// Part tells rows apart that were read by different statements: those of each come in the order of their places.
	Part uint8
	UID  uint32
	// First is the row's place in the journal.
	First                uint64
	Count, New, Requests int64
	Sum, Dur             float64
}

// Series holds the rows of a series. It is not safe for concurrent use.
type Series struct {
	o       Options
	names   []string
	ids     map[string]uint32
	groups  map[groupKey]*group
	order   []*group // by day, then by hour; nil = not known
	rows    int
	largest uint32
}

// New returns a series without rows.
func New(o Options) *Series {
	return &Series{o: o, ids: map[string]uint32{}, groups: map[groupKey]*group{}}
}

type groupKey struct {
	day   period.Day
	value uint32 // its place in names
	hour  uint8
	part  uint8
}

// group holds the rows of a value of an hour, those of one part.
type group struct {
	groupKey
	uids   []uint32
	places []byte // varints, zigzag: the difference of each row's place to that of the row before
	first  uint64 // the smallest place
	last   uint64 // the place of the last row
	broken bool   // places do not ascend
	more   *[counters]column
}

// The counters of a row that may be unusual.
const (
	count = iota
	fresh
	requests
	sum
	dur
	counters
)

// column holds a counter of each row of a group, as a byte where all are small whole numbers. Without any, all are usual.
type column struct {
	small []uint8
	wide  []uint64 // bits of an int64, or of a float64 for sum and dur
}

// Rows returns how many rows were added.
func (s *Series) Rows() int { return s.rows }

// Bytes estimates the memory that the series takes.
func (s *Series) Bytes() int64 {
	n := int64(256)
	for _, name := range s.names {
		n += int64(len(name)) + 64
	}
	for _, g := range s.groups {
		n += 160 + int64(cap(g.uids))*4 + int64(cap(g.places))
		if g.more != nil {
			n += counters * 48
			for i := range g.more {
				n += int64(cap(g.more[i].small)) + int64(cap(g.more[i].wide))*8
			}
		}
	}
	return n
}

// Add adds a row.
func (s *Series) Add(r *Row) {
	id, ok := s.ids[r.Value]
	if !ok {
		id = uint32(len(s.names)) //nolint:gosec // few
		s.ids[r.Value] = id
		s.names = append(s.names, r.Value)
	}
	k := groupKey{r.Day, id, r.Hour, r.Part}
	g := s.groups[k]
	if g == nil {
		g = &group{groupKey: k, first: r.First}
		s.groups[k] = g
		s.order = nil
	}
	s.rows++
	s.largest = max(s.largest, r.UID)
	g.broken = g.broken || r.First < g.last
	g.first = min(g.first, r.First)
	g.places = binary.AppendVarint(g.places, int64(r.First-g.last)) //nolint:gosec // wraps, and wraps back
	g.last = r.First
	g.uids = append(g.uids, r.UID)
	u := &s.o.Usual
	g.add(count, whole(r.Count), whole(u.Count))
	g.add(fresh, whole(r.New), whole(u.New))
	g.add(requests, whole(r.Requests), whole(u.Requests))
	g.add(sum, fraction(r.Sum), fraction(u.Sum))
	g.add(dur, fraction(r.Dur), fraction(u.Dur))
}

// number is a counter as a column holds it; small is -1 where it is no small whole number.
type number struct {
	bits  uint64
	small int16
}

func whole(n int64) number {
	if n >= 0 && n <= math.MaxUint8 {
		return number{uint64(n), int16(n)}
	}
	return number{uint64(n), -1} //nolint:gosec // its bits
}

func fraction(x float64) number {
	if x >= 0 && x <= math.MaxUint8 && x == math.Trunc(x) {
		return number{math.Float64bits(x), int16(x)}
	}
	return number{math.Float64bits(x), -1}
}

// add adds a counter of the last row.
func (g *group) add(which int, n, usual number) {
	if g.more == nil {
		if n == usual {
			return
		}
		g.more = &[counters]column{}
	}
	c := &g.more[which]
	before := len(g.uids) - 1
	switch {
	case c.small == nil && c.wide == nil && n == usual:
		return
	case c.small == nil && c.wide == nil && n.small >= 0 && usual.small >= 0:
		c.small = slices.Repeat([]uint8{uint8(usual.small)}, before)
	case c.small == nil && c.wide == nil:
		c.wide = slices.Repeat([]uint64{usual.bits}, before)
	case c.small != nil && n.small < 0:
		c.wide = make([]uint64, before, 2*before)
		for i, x := range c.small {
			c.wide[i] = uint64(x)
			if which == sum || which == dur {
				c.wide[i] = math.Float64bits(float64(x))
			}
		}
		c.small = nil
	}
	if c.wide == nil {
		c.small = append(c.small, uint8(n.small)) //nolint:gosec // it is one
		return
	}
	c.wide = append(c.wide, n.bits)
}

// Compact gives back memory that was kept for further rows.
func (s *Series) Compact() {
	for _, g := range s.groups {
		g.uids, g.places = tight(g.uids), tight(g.places)
		if g.more != nil {
			for i := range g.more {
				c := &g.more[i]
				c.small, c.wide = tight(c.small), tight(c.wide)
			}
		}
	}
}

// tight returns a slice without much spare room; nil stays nil.
func tight[V any](s []V) []V {
	if cap(s)-len(s) <= len(s)/8 {
		return s
	}
	return append(make([]V, 0, len(s)), s...)
}

// Rewrite gives the rows of users the number of others, all at once.
func (s *Series) Rewrite(users map[uint32]uint32) {
	old := roaring.New()
	for from := range users {
		old.Add(from)
	}
	if old.IsEmpty() || old.Minimum() > s.largest {
		return
	}
	bits := old.ToDense()
	for _, g := range s.groups {
		for i, uid := range g.uids {
			if at := int(uid >> 6); at < len(bits) && bits[at]>>(uid&63)&1 == 1 {
				g.uids[i] = users[uid]
				s.largest = max(s.largest, users[uid])
			}
		}
	}
}

// Words returns how many words a set has for Select to look up all users of the series.
func (s *Series) Words() int { return int(s.largest>>6) + 1 }

// Cells are the cells of a series that Select makes.
type Cells struct {
	Bucket rollup.Bucket
	Value  string
	Cell   *rollup.Cell
}

// Select returns the cells at a grain, from a day to another, that rows of the users of a set add up to, ordered by bucket, then by value: those that are not
// empty, with their users if wanted. Bit n % 64 of the element n / 64 of users is the user n; it has s.Words() elements at least. Cells of months hold the
// days that were added and lie between the two. ok is false when the cells would take more than room, bytes.
func (s *Series) Select(g rollup.Grain, from, to period.Day, users []uint64, wanted bool, room int64) (cells []Cells, ok bool) {
	s.sort()
	first, _ := slices.BinarySearchFunc(s.order, from, func(g *group, day period.Day) int { return cmp.Compare(g.day, day) })
	last, _ := slices.BinarySearchFunc(s.order, to+1, func(g *group, day period.Day) int { return cmp.Compare(g.day, day) })
	parts := s.parts(g, s.order[first:max(first, last)])
	var left atomic.Int64
	left.Store(room)
	done := make([]selection, len(parts))
	var all sync.WaitGroup
	for i := range parts {
		done[i] = selection{s: s, users: users, wanted: wanted && s.o.Users != NoUsers, sums: make([]partial, len(s.names)), room: &left}
		if i > 0 {
			all.Go(func() { done[i].run(g, parts[i]) })
		}
	}
	if len(parts) > 0 {
		done[0].run(g, parts[0])
	}
	all.Wait()
	if left.Load() < 0 {
		return nil, false
	}
	for i := range done {
		cells = append(cells, done[i].out...)
	}
	return cells, true
}

// atOnce is how many rows are worth a goroutine, and maxAtOnce how many of these there are.
const (
	atOnce    = 100_000
	maxAtOnce = 4
)

// parts cuts groups in their order into some with about as many rows each; a bucket is in one of them.
func (s *Series) parts(g rollup.Grain, list []*group) (parts [][]*group) {
	rows := 0
	for _, at := range list {
		rows += len(at.uids)
	}
	n := max(1, min(runtime.GOMAXPROCS(0), maxAtOnce, rows/atOnce))
	begin, own := 0, 0
	for i, at := range list {
		if own >= rows/n && at.bucket(g) != list[i-1].bucket(g) {
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

// bucket is the one that the group is in.
func (g *group) bucket(of rollup.Grain) rollup.Bucket {
	switch of {
	case rollup.Hour:
		return rollup.Bucket(g.day.Hour(int(g.hour)))
	case rollup.Month:
		return rollup.Bucket(g.day.Month())
	case rollup.Day:
	}
	return rollup.Bucket(g.day)
}

func (s *Series) sort() {
	if s.order != nil {
		return
	}
	s.order = make([]*group, 0, len(s.groups))
	for _, g := range s.groups {
		s.order = append(s.order, g)
	}
	slices.SortFunc(s.order, func(a, b *group) int {
		return cmp.Or(cmp.Compare(a.day, b.day), cmp.Compare(a.hour, b.hour), cmp.Compare(a.value, b.value), cmp.Compare(a.part, b.part))
	})
}
