package pebble

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/store/rollup"
)

// replacements is a simultaneous substitution of user numbers, sorted by Old
// without doubles. An operand's replacements apply to all that is older than
// the operand, not to the operand's own users. A New of nobody takes Old out.
type replacements []rollup.Alias

// nobody is the number of no user.
const nobody uint32 = 0

// apply substitutes in users, which it changes.
func (r replacements) apply(users *roaring.Bitmap) {
	var hits replacements
	for _, a := range r {
		if users.Contains(a.Old) {
			hits = append(hits, a)
		}
	}
	for _, a := range hits {
		users.Remove(a.Old)
	}
	for _, a := range hits {
		if a.New != nobody {
			users.Add(a.New)
		}
	}
}

// get returns what uid is replaced by.
func (r replacements) get(uid uint32) (uint32, bool) {
	i, ok := slices.BinarySearchFunc(r, uid, func(a rollup.Alias, uid uint32) int { return cmp.Compare(a.Old, uid) })
	if !ok {
		return uid, false
	}
	return r[i].New, true
}

// after returns the substitution that has the effect of older followed by r.
func (r replacements) after(older replacements) replacements {
	if len(older) == 0 {
		return r
	}
	if len(r) == 0 {
		return older
	}
	out := make(replacements, 0, len(r)+len(older))
	for _, a := range older {
		if a.New != nobody {
			a.New, _ = r.get(a.New)
		}
		if a.Old != a.New {
			out = append(out, a)
		}
	}
	for _, a := range r {
		if _, taken := older.get(a.Old); !taken {
			out = append(out, a)
		}
	}
	slices.SortFunc(out, func(a, b rollup.Alias) int { return cmp.Compare(a.Old, b.Old) })
	return out
}

// append appends the encoded form: the number of pairs, then each pair's Old
// as the distance from the one before, and its New.
func (r replacements) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(r)))
	var last uint32
	for _, a := range r {
		b = binary.AppendUvarint(b, uint64(a.Old-last))
		b = binary.AppendUvarint(b, uint64(a.New))
		last = a.Old
	}
	return b
}

// aliasSet is an app's merged users, prepared for many bitmaps.
type aliasSet struct {
	olds *roaring.Bitmap // nil = no aliases
	to   map[uint32]uint32
}

// newAliasSet prepares aliases, which must not change while the set is in use.
func newAliasSet(aliases map[uint32]uint32) aliasSet {
	if len(aliases) == 0 {
		return aliasSet{}
	}
	olds := make([]uint32, 0, len(aliases))
	for old := range aliases {
		olds = append(olds, old)
	}
	slices.Sort(olds)
	return aliasSet{olds: roaring.BitmapOf(olds...), to: aliases}
}

// resolve follows the chain that begins at uid. A chain that runs in a circle
// leaves uid as it is.
func (s aliasSet) resolve(uid uint32) uint32 {
	at := uid
	for range len(s.to) + 1 {
		next, ok := s.to[at]
		if !ok {
			return at
		}
		at = next
	}
	return uid
}

// hits returns the replacements that change users; nil when there are none.
func (s aliasSet) hits(users *roaring.Bitmap) replacements {
	if s.olds == nil || users == nil || !users.Intersects(s.olds) {
		return nil
	}
	olds := roaring.And(users, s.olds).ToArray()
	r := make(replacements, 0, len(olds))
	for _, old := range olds {
		if to := s.resolve(old); to != old {
			r = append(r, rollup.Alias{Old: old, New: to})
		}
	}
	return r
}

// lookUp is hits without use of olds, for a set of few users or a use of few times.
func (s aliasSet) lookUp(users *roaring.Bitmap) (r replacements) {
	if len(s.to) == 0 || users == nil {
		return nil
	}
	take := func(old uint32) {
		if to := s.resolve(old); to != old {
			r = append(r, rollup.Alias{Old: old, New: to})
		}
	}
	if uint64(len(s.to)) < users.GetCardinality() {
		for old := range s.to {
			if users.Contains(old) {
				take(old)
			}
		}
		return r
	}
	for it := users.Iterator(); it.HasNext(); {
		take(it.Next())
	}
	return r
}

// correct replaces merged users in users, which it changes; nil has none.
func (s aliasSet) correct(users *roaring.Bitmap) {
	s.hits(users).apply(users)
}
