package query

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"quipu/internal/fault"
	"quipu/internal/query/funnel"
)

// pile holds the rows of the users from low to high in the order in which they came, users with numbers near each other side by
// side. When it is full, it gives up those of the highest users and takes no more of them.
type pile struct {
	low, high uint64 // the first number beyond
	limit     int    // rows
	count     int
	extras    bool
	values    bool  // the keys of extras are values
	units     bool  // the rows of a number are of several units, which are counted apart
	wide      bool  // matches and groups are in extras, since there are too many different ones
	from      int64 // ms: no row is from before it
	masks     masks
	buckets   [][]*block // by number of user, bucketUsers each, from low on
	free      []*block
}

// sorter puts the rows of one bucket at a time in order.
type sorter struct {
	*pile
	// Rows by user, and where those of a user begin.
	sorted []funnel.Row
	keys   []uint64
	unit   []uint64
	order  []int32 // of byUnit, as are the spare rows
	spare  spareRows
	begin  [bucketUsers + 1]int32
	next   [bucketUsers + 1]int32 // where the next row of a user goes
	own    map[uint64]uint32
}

// keptRow is a row in one word: from the highest bits on, its user in the bucket, its time (ms) since that of the pile, and the
// number of its match and group.
type keptRow uint64

// keptExtra is what some funnels need of a row.
type keptExtra struct {
	key          uint64
	group, match uint32
}

// extraRow is keptExtra with what is kept beside it.
type extraRow struct {
	keptExtra
	unit uint64 // which one of its number it is of, where there are several
}

// Sizes of buckets and blocks, and of the parts of a row.
const (
	bucketShift = 12
	bucketUsers = 1 << bucketShift // users of a bucket
	maskBits    = 10
	timeBits    = 64 - bucketShift - maskBits // 139 years
	blockRows   = 512
	rowBytes    = 8
	extraBytes  = 16
	unitBytes   = 8
)

func keep(user uint64, since int64, mask uint64) keptRow {
	return keptRow(user<<(timeBits+maskBits) | uint64(since)<<maskBits | mask) // from the beginning of a period on
}

func (r keptRow) user() uint64 { return uint64(r) >> (timeBits + maskBits) }

func (r keptRow) since() int64 { return int64(r << bucketShift >> (bucketShift + maskBits)) } // timeBits

func (r keptRow) mask() uint64 { return uint64(r) & (1<<maskBits - 1) }

// masks numbers different matches with their groups.
type masks struct {
	list   []mask
	few    [1 << 12]uint16 // numbers + 1 of matches without a group
	groups [1 << 12]uint16 // and of groups with one of the first four matches
	others map[mask]uint16
}

type mask struct{ match, group uint32 }

// place is where the number + 1 of a frequent sort of mask stands; nil = among the others.
func (m *masks) place(k mask) *uint16 {
	switch {
	case k.group == 0 && k.match < uint32(len(m.few)):
		return &m.few[k.match]
	case k.match < 4 && k.group < uint32(len(m.groups))/4:
		return &m.groups[k.group*4+k.match]
	}
	return nil
}

// number returns the number of a mask; ok is false when there are too many.
func (m *masks) number(k mask) (n uint64, ok bool) {
	place := m.place(k)
	if place != nil && *place > 0 {
		return uint64(*place - 1), true
	}
	if place == nil {
		if n, ok := m.others[k]; ok {
			return uint64(n), true
		}
	}
	if len(m.list) == 1<<maskBits {
		return 0, false
	}
	at := uint16(len(m.list)) // at most 1024
	m.list = append(m.list, k)
	if place != nil {
		*place = at + 1
		return uint64(at), true
	}
	if m.others == nil {
		m.others = map[mask]uint16{}
	}
	m.others[k] = at
	return uint64(at), true
}

// block is some rows of a bucket.
type block struct {
	n      int
	rows   [blockRows]keptRow
	extras []keptExtra
	units  []uint64
}

// spareRows are where rows go that are put in another order.
type spareRows struct {
	rows       []funnel.Row
	keys, unit []uint64
}

// newPile returns a pile of rows from a time on (ms), in about so many bytes. Rows have keys only with extras. A wide pile has
// matches and groups of any number. With units, the rows of a number are of several units.
func newPile(limit int, from int64, extras, wide, units bool) *pile {
	bytes := rowBytes
	if extras || wide {
		bytes += extraBytes
	}
	if units {
		bytes += unitBytes
	}
	return &pile{limit: max(1, limit/bytes), from: from, extras: extras || wide, units: units, wide: wide}
}

// errMasks says that a pile has to be wide.
var errMasks = errors.New("query: too many different matches")

// reset empties the pile, for users from a number on.
func (p *pile) reset(low uint64) {
	for i := range p.buckets {
		p.drop(i)
	}
	p.low, p.high, p.count, p.buckets = low, math.MaxUint32+1, 0, p.buckets[:0]
}

// whole reports whether no user was given up.
func (p *pile) whole() bool { return p.high > math.MaxUint32 }

// drop frees a bucket.
func (p *pile) drop(i int) {
	for _, b := range p.buckets[i] {
		p.count -= b.n
		b.n = 0
		p.free = append(p.free, b)
	}
	p.buckets[i] = nil
}

// add adds a row of a user who has not been given up. Errors: errOneUser, errMasks.
func (p *pile) add(user uint32, ts int64, match uint32, extra extraRow) error {
	uid := uint64(user)
	if uid < p.low || uid >= p.high {
		return nil
	}
	since := ts - p.from
	if since < 0 || since >= 1<<timeBits {
		return errTime
	}
	var number uint64
	if p.wide {
		extra.match = match
	} else {
		var ok bool
		if number, ok = p.masks.number(mask{match, extra.group}); !ok {
			return errMasks
		}
	}
	return p.put(uid, keep((uid-p.low)&(bucketUsers-1), since, number), extra)
}

// errTime is the fault of a period that is longer than any.
var errTime = fault.New(fault.Invalid, "funnels.bad_period", "The period is too long")

// put adds a row that was made for its bucket.
func (p *pile) put(uid uint64, row keptRow, extra extraRow) error {
	i := int((uid - p.low) >> bucketShift) // below 2^20
	if i >= len(p.buckets) {
		p.buckets = append(p.buckets, make([][]*block, i+1-len(p.buckets))...)
	}
	list := p.buckets[i]
	if len(list) == 0 || list[len(list)-1].n == blockRows {
		list = append(list, p.block())
		p.buckets[i] = list
	}
	b := list[len(list)-1]
	b.rows[b.n] = row
	if p.extras {
		b.extras[b.n] = extra.keptExtra
	}
	if p.units {
		b.units[b.n] = extra.unit
	}
	b.n++
	p.count++
	for p.count > p.limit {
		if !p.shrink() {
			return errOneUser
		}
	}
	return nil
}

func (p *pile) block() *block {
	if n := len(p.free); n > 0 {
		b := p.free[n-1]
		p.free = p.free[:n-1]
		return b
	}
	b := &block{}
	if p.extras {
		b.extras = make([]keptExtra, blockRows)
	}
	if p.units {
		b.units = make([]uint64, blockRows)
	}
	return b
}

// shrink gives up the highest users: a bucket, or half of the only one. It returns false when there is one user only.
func (p *pile) shrink() bool {
	last := len(p.buckets) - 1
	for last > 0 && len(p.buckets[last]) == 0 {
		last--
	}
	if last > 0 {
		p.drop(last)
		p.buckets = p.buckets[:last]
		p.high = p.low + uint64(last)<<bucketShift
		return true
	}
	span := min(p.high-p.low, bucketUsers)
	if span <= 1 {
		return false
	}
	p.high = p.low + span/2
	old := p.buckets[0]
	p.buckets, p.count = p.buckets[:1], 0
	p.buckets[0] = nil
	for _, b := range old {
		n := b.n
		b.n = 0
		for i := range n {
			var x extraRow
			if p.extras {
				x.keptExtra = b.extras[i]
			}
			if p.units {
				x.unit = b.units[i]
			}
			if uid := p.low + b.rows[i].user(); uid < p.high {
				_ = p.put(uid, b.rows[i], x) // they are fewer than there were
			}
		}
	}
	return true
}

// userRows is called with the rows of a user, or of a unit of a number, in their order. Unit is which one that is. The rows are valid until it returns.
type userRows func(uid uint32, unit uint64, rows []funnel.Row)

// each calls fns with the rows of each user, or of each unit of a number: one with those by ascending number, several with those of some users each, each
// by one goroutine at a time.
func (p *pile) each(ctx context.Context, fns ...userRows) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	for _, fn := range fns[1:] {
		wg.Go(func() { p.eachFrom(ctx, &next, fn) })
	}
	p.eachFrom(ctx, &next, fns[0])
	wg.Wait()
	return ctx.Err()
}

// eachFrom calls fn with the rows of the next buckets.
func (p *pile) eachFrom(ctx context.Context, next *atomic.Int64, fn userRows) {
	s := &sorter{pile: p, own: map[uint64]uint32{}}
	for ctx.Err() == nil {
		i := int(next.Add(1)) - 1
		if i >= len(p.buckets) {
			return
		}
		if len(p.buckets[i]) > 0 {
			s.bucket(i, fn)
		}
	}
}

// bucket calls fn with the rows of a bucket.
func (p *sorter) bucket(i int, fn userRows) {
	first := p.low + uint64(i)<<bucketShift // not negative
	p.sort(p.buckets[i])
	for u := range bucketUsers {
		from, to := p.begin[u], p.begin[u+1]
		uid := uint32(first) + uint32(u) // below 2^32
		if p.units {
			p.byUnit(int(from), int(to))
		}
		for from < to {
			next, unit := to, uint64(0)
			if p.units {
				unit = p.unit[from]
				for next = from + 1; next < to && p.unit[next] == unit; {
					next++
				}
			}
			fn(uid, unit, p.ready(from, next))
			from = next
		}
	}
}

// ready puts the rows of one user, which stand side by side, in order.
func (p *sorter) ready(from, to int32) []funnel.Row {
	rows := p.sorted[from:to]
	switch {
	case p.values:
		for i, bits := range p.keys[from:to] {
			rows[i].Value = math.Float64frombits(bits)
		}
	case p.extras:
		p.number(rows, p.keys[from:to])
	}
	byTime := func(a, b funnel.Row) int { return cmp.Compare(a.TS, b.TS) }
	if !slices.IsSortedFunc(rows, byTime) {
		slices.SortStableFunc(rows, byTime)
	}
	return rows
}

// byUnit puts the rows of each unit side by side; those of one stay in the order in which they came.
func (p *sorter) byUnit(from, to int) {
	unit := p.unit[from:to]
	if slices.IsSorted(unit) {
		return
	}
	p.order = slices.Grow(p.order[:0], len(unit))[:len(unit)]
	for i := range p.order {
		p.order[i] = int32(i) // rows of a bucket
	}
	slices.SortStableFunc(p.order, func(a, b int32) int { return cmp.Compare(unit[a], unit[b]) })
	p.spare.rows = append(p.spare.rows[:0], p.sorted[from:to]...)
	p.spare.keys = append(p.spare.keys[:0], p.keys[from:to]...)
	p.spare.unit = append(p.spare.unit[:0], unit...)
	for i, at := range p.order {
		p.sorted[from+i], p.keys[from+i], unit[i] = p.spare.rows[at], p.spare.keys[at], p.spare.unit[at]
	}
}

// sort puts the rows of a bucket side by side by user; those of one stay in the order in which they came.
func (p *sorter) sort(list []*block) {
	clear(p.begin[:])
	n := 0
	for _, b := range list {
		n += b.n
		for i := range b.rows[:b.n] {
			p.begin[b.rows[i].user()+1]++
		}
	}
	for u := range bucketUsers {
		p.begin[u+1] += p.begin[u]
	}
	p.sorted, p.keys = slices.Grow(p.sorted[:0], n)[:n], slices.Grow(p.keys[:0], n)[:n]
	if p.units {
		p.unit = slices.Grow(p.unit[:0], n)[:n]
	}
	p.next = p.begin
	for _, b := range list {
		for i := range b.rows[:b.n] {
			r := b.rows[i]
			u := r.user()
			at := p.next[u]
			p.next[u]++
			row := funnel.Row{TS: p.from + r.since()}
			if !p.wide {
				m := p.masks.list[r.mask()]
				row.Match, row.Group = m.match, m.group
			} else {
				row.Match, row.Group = b.extras[i].match, b.extras[i].group
			}
			if p.extras {
				p.keys[at] = b.extras[i].key
			}
			if p.units {
				p.unit[at] = b.units[i]
			}
			p.sorted[at] = row
		}
	}
}

// number gives the rows of a user their keys, from 1 on in the order in which they came.
func (p *sorter) number(rows []funnel.Row, keys []uint64) {
	if len(p.own) > bucketUsers { // clearing it for each user would cost more than another one
		p.own = map[uint64]uint32{}
	}
	clear(p.own)
	for i, key := range keys {
		if key == 0 {
			continue
		}
		n, ok := p.own[key]
		if !ok {
			n = uint32(len(p.own)) + 1 // fewer than rows
			p.own[key] = n
		}
		rows[i].Key = n
	}
}
