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
	used   bool // sparse has a user
}

// chunk holds the users who share the upper 16 bits: the lower ones in few, with
// repeats, while they are few, else as bits.
type chunk struct {
	few  []uint16
	bits *[1024]uint64
}

// manyInChunk is from how many users on a chunk keeps bits.
const manyInChunk = 512

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
		u.dense.Or(c.Users)
		return
	}
	var (
		buf  [256]uint32
		last *chunk
		high = -1
	)
	it := c.Users.ManyIterator()
	for n := it.NextMany(buf[:]); n > 0; n = it.NextMany(buf[:]) {
		for _, user := range buf[:n] {
			if h := int(user >> 16); h != high {
				high, last = h, u.chunk(uint16(user>>16))
			}
			last.add(uint16(user)) // the lower bits are meant
		}
		u.used = true
	}
}

func (u *union) chunk(high uint16) *chunk {
	c := u.sparse[high]
	if c == nil {
		if u.sparse == nil {
			u.sparse = map[uint16]*chunk{}
		}
		c = &chunk{}
		u.sparse[high] = c
	}
	return c
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
	u.dense = nil
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
