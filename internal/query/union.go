package query

import (
	"math/bits"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/store/rollup"
)

// union unites the users of many cells.
//
// Sets that are mostly bitmaps inside are united by package roaring. For the
// others, of a country or a device on a day, setting bits one by one is
// several times faster than merging sorted arrays, whose branches no
// processor can foretell. The zero value is empty.
type union struct {
	dense  *roaring.Bitmap // nil while no such set was added
	sparse map[uint16]*chunk
	used   bool     // sparse has a user
	held   *reading // that is charged; nil = none is
	bytes  int64    // of dense, as charged
}

// chunk holds the users who share the upper 16 bits: the lower ones in few, with
// repeats, while they are few, else as bits.
type chunk struct {
	few  []uint16
	bits *[1024]uint64
}

// manyInChunk is from how many users on a chunk keeps bits.
const manyInChunk = 512

// What is charged for parts of sets, bytes: a container of package roaring at most, a chunk with its place, its bits, and a chunk at most.
const (
	containerBytes = 8<<10 + 64
	chunkBytes     = 96
	bitsBytes      = 8 << 10
	chunkMost      = chunkBytes + bitsBytes + 4*manyInChunk
)

// size is about what a chunk takes, bytes.
func (c *chunk) size() int64 {
	n := chunkBytes + 2*int64(cap(c.few))
	if c.bits != nil {
		n += bitsBytes
	}
	return n
}

func (c *chunk) add(low uint16) {
	if c.bits != nil {
		c.bits[low>>6] |= 1 << (low & 63)
		return
	}
	if c.few = append(c.few, low); len(c.few) < manyInChunk {
		return
	}
	c.bits = new([1024]uint64)
	for _, low := range c.few {
		c.bits[low>>6] |= 1 << (low & 63)
	}
	c.few = c.few[:0]
}

// add adds the users of a cell; the cell keeps its set.
func (u *union) add(c *rollup.Cell) {
	if c.Users == nil {
		return
	}
	if s := c.Users.Stats(); 2*s.BitmapContainers > s.Containers {
		if u.dense == nil {
			u.dense = roaring.New()
		}
		if most := containerBytes * int64(s.Containers); u.held.take(most) { // far below
			u.dense.Or(c.Users)
			u.held.give(most)
			u.charge()
		}
		return
	}
	var (
		buf  [256]uint32
		last *chunk
		was  int64 // bytes of last before
		high = -1
	)
	it := c.Users.ManyIterator()
	for n := it.NextMany(buf[:]); n > 0; n = it.NextMany(buf[:]) {
		for _, user := range buf[:n] {
			if h := int(user >> 16); h != high {
				u.grown(last, was)
				if !u.held.take(chunkMost) {
					return
				}
				u.used = true
				high = h
				last, was = u.chunk(uint16(user >> 16))
			}
			last.add(uint16(user)) // the lower bits are meant
		}
	}
	u.grown(last, was)
}

// grown gives back what was taken for a chunk that did not need it; nil = none.
func (u *union) grown(c *chunk, was int64) {
	if c != nil {
		u.held.give(chunkMost - (c.size() - was))
	}
}

// chunk returns a chunk, and about what it took before.
func (u *union) chunk(high uint16) (c *chunk, bytes int64) {
	if c = u.sparse[high]; c != nil {
		return c, c.size()
	}
	if u.sparse == nil {
		u.sparse = map[uint16]*chunk{}
	}
	c = &chunk{}
	u.sparse[high] = c
	return c, 0
}

// clone makes the users of a set those of an empty union.
func (u *union) clone(users *roaring.Bitmap) {
	if most := sizeOf(users); u.held.take(most) {
		u.dense, u.bytes = users.Clone(), most
	}
}

// charge charges what dense has grown by.
func (u *union) charge() {
	if u.held == nil {
		return
	}
	size := sizeOf(u.dense)
	u.held.take(size - u.bytes) // that it fails, the read says
	u.bytes = size
}

// empty reports whether no user was added.
func (u *union) empty() bool { return u.dense == nil && !u.used }

// largest returns the largest number of a user, 0 without users.
func (u *union) largest() uint32 {
	var largest uint32
	if u.dense != nil && !u.dense.IsEmpty() {
		largest = u.dense.Maximum()
	}
	for high, c := range u.sparse {
		base := uint32(high) << 16
		for _, low := range c.few {
			largest = max(largest, base|uint32(low))
		}
		if c.bits == nil {
			continue
		}
		for i := len(c.bits) - 1; i >= 0; i-- {
			if w := c.bits[i]; w != 0 {
				largest = max(largest, base|uint32(i<<6|63-bits.LeadingZeros64(w))) // at most 65535
				break
			}
		}
	}
	return largest
}

// cardinality returns the number of users.
func (u *union) cardinality() int64 {
	if u.dense != nil {
		u.settle()
		return int64(u.dense.GetCardinality()) // at most 2^32
	}
	if !u.used {
		return 0
	}
	n := 0
	for _, c := range u.sparse {
		if c.bits == nil {
			slices.Sort(c.few)
			c.few = slices.Compact(c.few)
			n += len(c.few)
			continue
		}
		for _, w := range c.bits {
			n += bits.OnesCount64(w)
		}
	}
	return int64(n)
}

// settle moves the sparse users to the dense ones.
func (u *union) settle() {
	if !u.used {
		return
	}
	var users []uint32
	for high, c := range u.sparse {
		users = users[:0]
		base := uint32(high) << 16
		for _, low := range c.few {
			users = append(users, base|uint32(low))
		}
		if c.bits != nil {
			for i, w := range c.bits {
				for ; w != 0; w &= w - 1 {
					users = append(users, base|uint32(i<<6|bits.TrailingZeros64(w))) // at most 65535
				}
			}
		}
		u.dense.AddMany(users)
	}
	u.charge()
	u.clearSparse()
}

// set returns the users. It belongs to u.
func (u *union) set() *roaring.Bitmap {
	if u.dense == nil {
		u.dense = roaring.New()
	}
	u.settle()
	return u.dense
}

// reset empties u and keeps its memory.
func (u *union) reset() {
	u.held.give(u.bytes)
	u.dense, u.bytes = nil, 0
	if u.used {
		u.clearSparse()
	}
}

func (u *union) clearSparse() {
	for _, c := range u.sparse {
		c.few = c.few[:0]
		if c.bits != nil {
			clear(c.bits[:])
		}
	}
	u.used = false
}
