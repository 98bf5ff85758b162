package peruser

import (
	"encoding/binary"
	"slices"
)

// block is what is known of the places of blockRows rows that follow each other.
type block struct {
	at       uint32 // where they begin in places
	low, top uint8  // their hours are between the two
	falls    bool   // a place is not above the one before
	back     bool   // an hour is before that of the row before
	before   uint64 // the place of the row before
	first    uint64 // the smallest place; 0 = none has one
}

const (
	blockRows  = 256
	blockBytes = 24
)

// addBlock notes the place of a row that is about to be added.
func (g *group) addBlock(r *Row) {
	if len(g.uids)%blockRows == 0 {
		g.blocks = append(g.blocks, block{at: uint32(len(g.places)), low: r.Hour, top: r.Hour, before: g.last, first: r.First}) // below 2^32
		return
	}
	b := &g.blocks[len(g.blocks)-1]
	b.back = b.back || g.hours != nil && r.Hour < g.hours[len(g.uids)-1]
	b.low, b.top, b.falls = min(b.low, r.Hour), max(b.top, r.Hour), b.falls || r.First <= g.last
	if r.First != 0 && (b.first == 0 || r.First < b.first) {
		b.first = r.First
	}
}

// firstOf returns the smallest place of some rows, in their order; nil are all. 0 = none has one.
func (g *group) firstOf(found []uint32) (smallest uint64) {
	if g.bare {
		return g.first
	}
	if found == nil {
		for i := range g.blocks {
			if first := g.blocks[i].first; first != 0 && (smallest == 0 || first < smallest) {
				smallest = first
			}
		}
		return smallest
	}
	g.eachPlace(found, func(b *block) bool { return smallest == 0 || b.first < smallest }, func(_ uint32, place uint64) {
		if smallest == 0 || place < smallest {
			smallest = place
		}
	})
	return smallest
}

// firstsOf returns the smallest place of some rows, in their order, by their hours, in a group with hours.
func (g *group) firstsOf(found []uint32) *[hoursOfDay]uint64 {
	if g.firsts != nil {
		return g.firsts
	}
	out := &[hoursOfDay]uint64{}
	smaller := func(b *block) bool {
		for _, first := range out[b.low : b.top+1] {
			if first == 0 || b.first < first {
				return true
			}
		}
		return false
	}
	g.eachPlace(found, smaller, func(row uint32, place uint64) {
		if first := &out[g.hours[row]]; *first == 0 || place < *first {
			*first = place
		}
	})
	return out
}

// firstsIn returns the smallest place of the rows of some users by their hours, all of hour 0 in a group without hours. each is 1 for each of the users.
func (g *group) firstsIn(each []uint8) (out [hoursOfDay]uint64) {
	for i := range g.blocks {
		b := &g.blocks[i]
		matters := false
		for _, first := range out[b.low : b.top+1] {
			matters = matters || first == 0 || b.first < first
		}
		if b.first == 0 || !matters {
			continue
		}
		begin := i * blockRows
		rest, place := g.places[b.at:], b.before
		for j, uid := range g.uids[begin:min(begin+blockRows, len(g.uids))] {
			if c := rest[0]; c < 0x80 && c&1 == 0 { // most are no further on
				rest = rest[1:]
				place += uint64(c >> 1)
			} else {
				d, n := binary.Varint(rest)
				rest = rest[n:]
				place += uint64(d) // wraps, and wraps back
			}
			if place == 0 || each[uid] == 0 {
				continue
			}
			h := uint8(0)
			if g.hours != nil {
				h = g.hours[begin+j]
			}
			if first := &out[h]; *first == 0 || place < *first {
				*first = place
			}
			if !b.falls && !b.back && h == b.top {
				break // those behind are larger
			}
		}
	}
	return out
}

// eachPlace calls fn for the place of each of some rows, in their order, that has one, in the blocks that may matter.
func (g *group) eachPlace(found []uint32, matters func(*block) bool, fn func(row uint32, place uint64)) {
	for i := range g.blocks {
		b := &g.blocks[i]
		if b.first == 0 || !matters(b) {
			continue
		}
		begin := uint32(i) * blockRows // below 2^32
		from, _ := slices.BinarySearch(found, begin)
		if found = found[from:]; len(found) == 0 {
			return
		}
		to, _ := slices.BinarySearch(found[:min(blockRows, len(found))], begin+blockRows)
		if to > 0 {
			g.decode(b, begin, found[:to], fn)
		}
	}
}

// decode calls fn for the places of some rows of a block that begins at a row.
func (g *group) decode(b *block, begin uint32, found []uint32, fn func(row uint32, place uint64)) {
	rest, place := g.places[b.at:], b.before
	for row := begin; len(found) > 0; row++ {
		d, n := binary.Varint(rest)
		rest = rest[n:]
		place += uint64(d) // wraps, and wraps back
		if row != found[0] {
			continue
		}
		found = found[1:]
		if place == 0 {
			continue
		}
		if fn(row, place); !b.falls && b.low == b.top {
			return // those behind are larger
		}
	}
}
