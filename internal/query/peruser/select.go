package peruser

import (
	"encoding/binary"
	"math"
	"slices"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/store/rollup"
)

// selection adds up the cells of a bucket after the other.
type selection struct {
	s      *Series
	users  []uint64
	wanted bool // with users
	bucket rollup.Bucket
	sums   []partial // by value
	met    []uint32  // values that have a row in the bucket
	found  []uint32  // rows of a group, by their places in it
	dense  []uint64  // for building sets; zero between
	out    []Cells
	room   *atomic.Int64 // bytes of cells that may still be made, by all who add up
}

// Bytes that a cell and a user in one take, about.
const (
	cellBytes = 256
	userBytes = 4
)

// partial is the cell of a value of the bucket.
type partial struct {
	met  bool
	cell rollup.Cell
	uids []uint32 // with repeats
}

// run adds up groups in their order, until there is no more room.
func (sel *selection) run(g rollup.Grain, list []*group) {
	for _, at := range list {
		if bucket := at.bucket(g); bucket != sel.bucket {
			if sel.flush(); sel.room.Load() < 0 {
				return
			}
			sel.bucket = bucket
		}
		sel.add(at)
	}
	sel.flush()
}

// add adds the rows of a group.
func (sel *selection) add(g *group) {
	if cap(sel.found) < len(g.uids) {
		sel.found = make([]uint32, len(g.uids))
	}
	found, words, n := sel.found[:len(g.uids)], sel.users, 0
	for i, uid := range g.uids { // without a branch: no processor can foretell it
		found[n] = uint32(i) //nolint:gosec // below 2^32
		n += int(words[uid>>6] >> (uid & 63) & 1)
	}
	if n == 0 {
		return
	}
	found = found[:n]
	p := &sel.sums[g.value]
	if !p.met {
		p.met = true
		sel.met = append(sel.met, g.value)
	}
	c, o := &p.cell, &sel.s.o
	c.Count = g.wholes(count, c.Count, o.Usual.Count, found)
	c.New = g.wholes(fresh, c.New, o.Usual.New, found)
	c.Requests = g.wholes(requests, c.Requests, o.Usual.Requests, found)
	var sums, durations bool
	c.Sum, sums = g.fractions(sum, c.Sum, o.Usual.Sum, found)
	c.Dur, durations = g.fractions(dur, c.Dur, o.Usual.Dur, found)
	if sums && o.SumFlag {
		c.Flags |= rollup.HasSum
	}
	if durations && o.DurFlag {
		c.Flags |= rollup.HasDur
	}
	if c.First == 0 || g.first < c.First {
		if first := g.firstOf(found); first != 0 && (c.First == 0 || first < c.First) {
			c.First = first
		}
	}
	if sel.wanted {
		p.uids = g.counted(p.uids, found, o)
	}
}

// wholes adds a counter of some rows to n.
func (g *group) wholes(which int, n, usual int64, found []uint32) int64 {
	c := g.column(which)
	switch {
	case c.small != nil:
		var sum int64
		for _, i := range found {
			sum += int64(c.small[i])
		}
		return rollup.AddCount(n, sum)
	case c.wide != nil:
		for _, i := range found {
			n = rollup.AddCount(n, int64(c.wide[i])) //nolint:gosec // its bits
		}
		return n
	case usual == 0:
		return n
	}
	return rollup.AddCount(n, usual*int64(len(found)))
}

// fractions adds a counter of some rows to x, and reports whether any is not 0.
func (g *group) fractions(which int, x, usual float64, found []uint32) (total float64, some bool) {
	c := g.column(which)
	switch {
	case c.small != nil:
		var sum int64
		for _, i := range found {
			sum += int64(c.small[i])
		}
		return rollup.AddSum(x, float64(sum)), sum != 0
	case c.wide != nil:
		for _, i := range found {
			n := math.Float64frombits(c.wide[i])
			x, some = rollup.AddSum(x, n), some || n != 0
		}
		return x, some
	case usual == 0:
		return x, false
	}
	return rollup.AddSum(x, usual*float64(len(found))), true
}

func (g *group) column(which int) column {
	if g.more == nil {
		return column{}
	}
	return g.more[which]
}

// firstOf returns the smallest place of some rows, in their order.
func (g *group) firstOf(found []uint32) uint64 {
	var place, smallest uint64
	rest, next := g.places, 0
	for i := range g.uids {
		d, n := binary.Varint(rest)
		rest = rest[n:]
		place += uint64(d)            //nolint:gosec // wraps, and wraps back
		if uint32(i) != found[next] { //nolint:gosec // below 2^32
			continue
		}
		if place != 0 && (smallest == 0 || place < smallest) {
			smallest = place
		}
		if next++; next == len(found) || smallest != 0 && !g.broken {
			break
		}
	}
	return smallest
}

// counted appends the users that some rows count.
func (g *group) counted(to, found []uint32, o *Options) []uint32 {
	c := g.column(count)
	if o.Users == IfCounted && c.small == nil && c.wide == nil && o.Usual.Count <= 0 {
		return to
	}
	if o.Users == AllUsers || c.small == nil && c.wide == nil {
		to = slices.Grow(to, len(found))
		for _, i := range found {
			to = append(to, g.uids[i])
		}
		return to
	}
	for _, i := range found {
		switch {
		case c.small != nil && c.small[i] == 0:
			continue
		case c.wide != nil && int64(c.wide[i]) <= 0: //nolint:gosec // its bits
			continue
		}
		to = append(to, g.uids[i])
	}
	return to
}

// wordsOfUser is how many words of a set are walked in about the time in which a user is put into a sorted one.
const wordsOfUser = 32

// flush ends the cells of the bucket.
func (sel *selection) flush() {
	slices.SortFunc(sel.met, func(a, b uint32) int {
		if sel.s.names[a] < sel.s.names[b] {
			return -1
		}
		return 1
	})
	for _, value := range sel.met {
		p := &sel.sums[value]
		c := p.cell
		if len(p.uids) > 0 {
			c.Users = sel.set(p.uids)
		}
		*p = partial{uids: p.uids[:0]}
		if !c.IsZero() {
			sel.room.Add(-cellBytes - userBytes*int64(c.Uniques())) //nolint:gosec // at most 2^32
			sel.out = append(sel.out, Cells{sel.bucket, sel.s.names[value], &c})
		}
	}
	sel.met = sel.met[:0]
}

// set returns the set of users who may be listed several times.
func (sel *selection) set(uids []uint32) *roaring.Bitmap {
	if len(uids) <= sel.s.Words()/wordsOfUser {
		slices.Sort(uids)
		return roaring.BitmapOf(uids...)
	}
	if sel.dense == nil {
		sel.dense = make([]uint64, sel.s.Words())
	}
	for _, uid := range uids {
		sel.dense[uid>>6] |= 1 << (uid & 63)
	}
	out := roaring.FromDense(sel.dense, true)
	clear(sel.dense)
	return out
}
