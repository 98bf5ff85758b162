package crashes

import (
	"iter"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// maxFew is how many users are kept as a list; most groups have few.
const maxFew = 32

// users is a set of numbers of users. The zero value is empty.
type users struct {
	few  []uint32 // sorted; nil when there are many
	many *roaring.Bitmap
}

// add adds a number and reports whether it was not there.
func (s *users) add(uid uint32) bool {
	if s.many != nil {
		return s.many.CheckedAdd(uid)
	}
	at, found := slices.BinarySearch(s.few, uid)
	switch {
	case found:
	case len(s.few) < maxFew:
		s.few = slices.Insert(s.few, at, uid)
	default:
		s.many = roaring.BitmapOf(s.few...)
		s.many.Add(uid)
		s.few = nil
	}
	return !found
}

func (s *users) remove(uid uint32) {
	if s.many != nil {
		s.many.Remove(uid)
		return
	}
	if at, found := slices.BinarySearch(s.few, uid); found {
		s.few = slices.Delete(s.few, at, at+1)
	}
}

func (s *users) has(uid uint32) bool {
	if s.many != nil {
		return s.many.Contains(uid)
	}
	_, found := slices.BinarySearch(s.few, uid)
	return found
}

func (s *users) len() int {
	if s.many != nil {
		return int(s.many.GetCardinality()) // numbers of users are of 32 bits
	}
	return len(s.few)
}

// all yields the numbers in their order.
func (s *users) all() iter.Seq[uint32] {
	if s.many == nil {
		return slices.Values(s.few)
	}
	return func(yield func(uint32) bool) {
		for it := s.many.Iterator(); it.HasNext(); {
			if !yield(it.Next()) {
				return
			}
		}
	}
}

// addTo adds the set to a bitmap.
func (s *users) addTo(b *roaring.Bitmap) {
	if s.many != nil {
		b.Or(s.many)
		return
	}
	b.AddMany(s.few)
}

// usersOf returns a set of the numbers of a bitmap, which it may keep.
func usersOf(b *roaring.Bitmap) users {
	if b.GetCardinality() > maxFew {
		return users{many: b}
	}
	return users{few: b.ToArray()}
}
