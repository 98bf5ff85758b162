package plan

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"
)

// Set is a set of users by their numbers. It does not change and may be shared.
type Set struct {
	words  []uint64 // the n-th bit is the number n
	n      int
	digest [sha256.Size]byte
}

// NewSet returns the set of the numbers of a bitmap.
func NewSet(of *roaring.Bitmap) *Set {
	s := &Set{words: of.ToDense()}
	h := sha256.New()
	var b [8]byte
	for _, w := range s.words {
		s.n += bits.OnesCount64(w)
		_, _ = h.Write(binary.LittleEndian.AppendUint64(b[:0], w)) // a hash takes everything
	}
	h.Sum(s.digest[:0])
	return s
}

// Len returns how many users are in the set.
func (s *Set) Len() int { return s.n }

// Bytes returns about how much memory the set takes.
func (s *Set) Bytes() int { return 64 + len(s.words)*8 }

// Contains reports whether a user is in the set.
func (s *Set) Contains(uid uint32) bool {
	at := int(uid / 64)
	return at < len(s.words) && s.words[at]>>(uid%64)&1 == 1
}

// Word returns the users from 64*i on as bits.
func (s *Set) Word(i int) uint64 {
	if i >= len(s.words) {
		return 0
	}
	return s.words[i]
}

// Numbers returns the numbers, ascending.
func (s *Set) Numbers() []uint32 {
	out := make([]uint32, 0, s.n)
	for i, w := range s.words {
		for ; w != 0; w &= w - 1 {
			out = append(out, uint32(i*64+bits.TrailingZeros64(w))) // numbers of users are of 32 bits
		}
	}
	return out
}

// Words writes the set as a list of whole numbers of 64 bits, in brackets: the bit n % 64 of the element n / 64, counted from 0, is the number n.
func (s *Set) Words() string {
	out := make([]byte, 0, 2+len(s.words)*20)
	out = append(out, '[')
	for i, w := range s.words {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendUint(out, w, 10)
	}
	return string(append(out, ']'))
}
