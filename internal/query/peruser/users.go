package peruser

import "encoding/binary"

// Users are those whose rows count.
type Users struct {
	words []uint64
	each  []uint8 // 1 for each user who is in; nil = words are looked up
}

// maxEach is of how many users each is held on its own: that is faster, as long as a processor has them at hand.
const maxEach = 4 << 20

// NewUsers returns the users whose bits are set: bit n % 64 of the element n / 64 is the user n. It keeps words. fast lets it take 64 bytes more for each.
func NewUsers(words []uint64, fast bool) *Users {
	u := &Users{words: words}
	if !fast || len(words)*64 > maxEach {
		return u
	}
	var spread [256]uint64 // a byte for each bit
	for b := range spread {
		for bit := range 8 {
			spread[b] |= uint64(b>>bit&1) << (8 * bit) // a bit
		}
	}
	u.each = make([]uint8, 0, len(words)*64)
	for _, w := range words {
		for range 8 {
			u.each = binary.LittleEndian.AppendUint64(u.each, spread[w&0xff])
			w >>= 8
		}
	}
	return u
}

// Words returns of how many words the users are.
func (u *Users) Words() int { return len(u.words) }

// of returns which rows of a group are of some users, by their places in it, in the memory of found. It has no branch that a processor would have to foretell.
func (g *group) of(u *Users, found []uint32) []uint32 {
	n := 0
	if each := u.each; each != nil {
		for i, uid := range g.uids {
			found[n] = uint32(i) // below 2^32
			n += int(each[uid])
		}
		return found[:n]
	}
	words := u.words
	for i, uid := range g.uids {
		found[n] = uint32(i) // below 2^32
		n += int(words[uid>>6] >> (uid & 63) & 1)
	}
	return found[:n]
}
