// Package peruser keeps what rows add to cells by user, in memory, so that the cells of any set of users are sums over those of its users: no row is
// read again when the set is another one.
//
// A Series takes rows as they are, in about 6 bytes each: the number of the user, the place in the journal as a difference to that of
// the row before, and those counters that are not what nearly all rows have. Cells are exact, First included.
package peruser

import (
	"encoding/binary"
	"math"
	"slices"

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
	// Usual is what most rows of each part add; the last is that of further parts, too. First and Flags are not used.
	Usual []rollup.Cell
	Users Counting
	// SumFlag and DurFlag set rollup.HasSum and HasDur in cells of rows whose Sum or Dur is not 0.
	SumFlag, DurFlag bool
}

// Row is what a row adds to the cell of a value. Its counters are within rollup.MaxCount and MaxSum.
type Row struct {
	Day   period.Day
	Hour  uint8 // of the local clock, below 24
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
	all     []*group         // in the order in which they were added
	orders  [grains][]*group // by grain: the first of all, as compareAt orders them; nil = not asked for
	rows    int
	largest uint32
	// gapped says that all groups that count users have gaps, of the days from first on.
	gapped bool
	first  period.Day
}

// New returns a series without rows.
func New(o Options) *Series {
	if len(o.Usual) == 0 {
		o.Usual = make([]rollup.Cell, 1)
	}
	return &Series{o: o, ids: map[string]uint32{}, groups: map[groupKey]*group{}}
}

type groupKey struct {
	day   period.Day
	value uint32 // its place in names
	part  uint8
}

// group holds the rows of a value of a day, those of one part.
type group struct {
	groupKey
	uids   []uint32
	places []byte // varints, zigzag: the difference of each row's place to that of the row before
	first  uint64 // the smallest place
	last   uint64 // the place of the last row
	blocks []block
	hours  []uint8             // of each row; nil = all are 0
	firsts *[hoursOfDay]uint64 // by hour, where there are hours and no places; 0 = none
	bare   bool                // there are no places, and first is exact
	more   *[counters]column
	gaps   []gap // of a series of Narrow, see Series.gapped
	sums   *sums // of a series of Narrow: what rows add up to, in place of their counters; nil = they have them
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

// Bytes that a group and its first places by hour take, about.
const (
	groupBytes  = 224
	firstsBytes = hoursOfDay * 8
)

// Bytes estimates the memory that the series takes.
func (s *Series) Bytes() int64 {
	n := int64(256)
	for _, name := range s.names {
		n += int64(len(name)) + 64
	}
	for _, list := range s.orders {
		n += int64(cap(list)) * 8
	}
	for _, g := range s.all {
		n += groupBytes + int64(cap(g.uids))*4 + int64(cap(g.places)) + int64(cap(g.hours)) + int64(cap(g.blocks))*blockBytes + int64(len(g.gaps))*gapBytes
		if g.firsts != nil {
			n += firstsBytes
		}
		if g.sums != nil {
			n += g.sums.bytes()
		}
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
		id = uint32(len(s.names)) // few
		s.ids[r.Value] = id
		s.names = append(s.names, r.Value)
	}
	k := groupKey{r.Day, id, r.Part}
	g := s.groups[k]
	if g == nil {
		g = &group{groupKey: k, first: r.First}
		s.groups[k] = g
		s.all = append(s.all, g)
	}
	s.rows++
	s.largest = max(s.largest, r.UID)
	g.addBlock(r)
	g.first = min(g.first, r.First)
	g.places = binary.AppendVarint(g.places, int64(r.First-g.last)) // wraps, and wraps back
	g.last = r.First
	if r.Hour > 0 && g.hours == nil {
		g.hours = make([]uint8, len(g.uids), 2*len(g.uids)+1)
	}
	if g.hours != nil {
		g.hours = append(g.hours, r.Hour)
	}
	g.uids = append(g.uids, r.UID)
	u := s.usual(g)
	g.add(count, whole(r.Count), whole(u.Count))
	g.add(fresh, whole(r.New), whole(u.New))
	g.add(requests, whole(r.Requests), whole(u.Requests))
	g.add(sum, fraction(r.Sum), fraction(u.Sum))
	g.add(dur, fraction(r.Dur), fraction(u.Dur))
}

// usual is what most rows of a group add.
func (s *Series) usual(g *group) *rollup.Cell { return &s.o.Usual[min(int(g.part), len(s.o.Usual)-1)] }

// number is a counter as a column holds it; small is -1 where it is no small whole number.
type number struct {
	bits  uint64
	small int16
}

func whole(n int64) number {
	if n >= 0 && n <= math.MaxUint8 {
		return number{uint64(n), int16(n)}
	}
	return number{uint64(n), -1} // its bits
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
		c.small = append(c.small, uint8(n.small)) // it is one
		return
	}
	c.wide = append(c.wide, n.bits)
}

// Compact gives back memory that was kept for further rows.
func (s *Series) Compact() {
	for _, g := range s.all {
		g.uids, g.places, g.hours, g.blocks = tight(g.uids), tight(g.places), tight(g.hours), tight(g.blocks)
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
	for _, g := range s.all {
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
