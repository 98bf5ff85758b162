package query

import (
	"math/bits"
	"slices"

	"quipu/internal/query/retention"
)

// Users can be counted one by one, too, where few of a block come in a unit and many ages are asked for: then most bits of two sets that are put together are of
// nobody.
const (
	blockWords = 128 // of sets, of which users are counted one by one
	blockUsers = blockWords * 64
	maxPlanes  = 14 // of counters of the users of a block
	manyAges   = 48 // with fewer, longer blocks of sets are quicker
)

// What counting costs, in about the time in which two words of sets are put together.
const (
	costBit  = 3   // a user of a cohort
	costRow  = 2   // 64 units of a user
	costFill = 200 // counters of 64 units of a cohort
	costTurn = 600 // 64 units of 64 users
	costMark = 8   // a user whose next or last unit is looked up
)

// userCount counts users of a block one by one.
type userCount struct {
	// ages is the bracket of each age, + 1; 0 = none. Of On, those of brackets of a single age, which it counts; of OnOrAfter, the last that has begun; of OnOrBefore,
	// the first that is not over.
	ages []uint16
	// upto is how many brackets of On, up to each age, have a single age.
	upto        []int
	all         bool // all of them have
	first, most int  // the ages of the first and the last of ages that are not 0
	// marks are the users of OnOrAfter by the last bracket in which they count, of OnOrBefore by the first, of each cohort; the first are of none.
	marks [][]int64
	// rows are the units of the users of a block, as bits: 64 units of all users, then the next ones.
	rows   [][]uint64
	at     []uint16 // of each user, a unit
	seen   []uint64 // users of whom at is known
	list   []uint16 // users of a cohort
	values []uint64 // their units
	planes [maxPlanes]uint64
}

// newUserCount returns what counts users of some retention one by one; nil if that cannot be done, or in more than room bytes.
func newUserCount(n *comers, room int64) *userCount {
	units := len(n.units)
	size := int64(blockUsers)*8 + 10*int64(units)
	switch n.Mode {
	case retention.On:
		size += int64(blockUsers) * 8 * int64((units+63)/64)
	case retention.OnOrAfter, retention.OnOrBefore:
		size += 8 * int64(min(n.Cohorts, units)) * int64(len(n.Brackets)+1)
	case retention.Streak: // most end soon
		return nil
	}
	if size > room || units == 0 {
		return nil
	}
	u := &userCount{ages: make([]uint16, units), upto: make([]int, units), list: make([]uint16, blockUsers)}
	u.all = true
	for b, bracket := range n.Brackets {
		from, to := bracket.From, bracket.To
		switch n.Mode {
		case retention.On:
			if u.all = u.all && from == to; from < to || from >= units {
				continue
			}
			u.upto[from] = 1
		case retention.OnOrAfter:
			to = units - 1
		case retention.OnOrBefore:
			from = n.Brackets[0].From
			if b > 0 {
				from = n.Brackets[b-1].To + 1
			}
		case retention.Streak:
		}
		for age := from; age <= min(to, units-1); age++ {
			u.ages[age] = uint16(b) + 1 // brackets are few
		}
	}
	for age, b := range u.ages {
		if age > 0 {
			u.upto[age] += u.upto[age-1]
		}
		if b > 0 {
			u.most = age
		}
		if b > 0 && u.first == 0 {
			u.first = age
		}
	}
	ages := len(n.Brackets)
	switch n.Mode {
	case retention.On:
		ages = u.upto[units-1]
	case retention.OnOrBefore:
		ages = u.most - u.first
	case retention.OnOrAfter, retention.Streak:
	}
	switch {
	case u.most == 0 || ages < manyAges && n.bias >= 0:
		return nil
	case n.Mode == retention.On:
		u.values = make([]uint64, blockUsers+16)
		u.rows = make([][]uint64, (units+63)/64)
		for i := range u.rows {
			u.rows[i] = make([]uint64, blockUsers)
		}
	default:
		u.at, u.seen = make([]uint16, blockUsers), make([]uint64, blockWords)
		u.marks = make([][]int64, min(n.Cohorts, units))
		for c := range u.marks {
			u.marks[c] = make([]int64, len(n.Brackets)+1)
		}
	}
	return u
}

// byUsers counts the users of a block one by one, as far as that is cheaper. It reports whether nothing is left to count.
func (s *setCount) byUsers() bool {
	switch s.Mode {
	case retention.On:
		s.countRows()
	case retention.OnOrAfter, retention.OnOrBefore:
		var users, sets int64
		words := int64(len(s.of[0]))
		for c, of := range s.held {
			begun := min(s.user.most, len(s.of)-1-c)
			if begun < s.user.first {
				break
			}
			users += of.users*costMark + words
			if s.starts != nil {
				users += of.users * costBit
			}
			if s.Mode == retention.OnOrBefore {
				sets += 2 * of.words * int64(begun-s.user.first)
			} else {
				sets += of.words * int64(s.user.ages[begun])
			}
		}
		if users+s.bias >= sets {
			return false
		}
		s.countMarks()
		return true
	case retention.Streak:
	}
	return false
}

// countMarks counts the users of each cohort by the unit in which they come next, or last.
func (s *setCount) countMarks() {
	u := s.user
	clear(u.at)
	clear(u.seen)
	u.seen = u.seen[:len(s.of[0])]
	after := s.Mode == retention.OnOrAfter
	ahead := u.first
	if after {
		ahead = 0
	}
	mark := func(unit int) {
		for _, user := range s.listed(s.of[unit], u.seen) {
			u.at[user%blockUsers] = uint16(unit) // units are few
		}
		if after {
			join(u.seen, s.of[unit], nil)
		}
	}
	for unit := range slices.Backward(s.of) {
		if after || unit+ahead < len(s.of) {
			mark(unit + ahead)
		}
		if unit >= len(s.held) || s.held[unit].users == 0 {
			continue
		}
		marks := u.marks[unit]
		for _, user := range s.listed(s.base[unit], nil) {
			if age := int(u.at[user%blockUsers]) - unit; age > 0 {
				marks[u.ages[age]]++
			}
		}
	}
}

// listed lists the users of a set who are not in another one.
func (s *setCount) listed(set, but []uint64) []uint16 {
	list, n := s.user.list, 0
	for i, word := range set {
		if but != nil {
			word &^= but[i]
		}
		for ; word != 0; word &= word - 1 {
			list[n%blockUsers] = uint16(i<<6 + bits.TrailingZeros64(word)) // below blockUsers
			n++
		}
	}
	return list[:n]
}

// settle adds what was counted by marks.
func (s *setCount) settle() {
	if s.user == nil || s.user.marks == nil {
		return
	}
	for c, marks := range s.user.marks {
		begun := 0
		for begun < len(s.Brackets) && c+s.Brackets[begun].From < len(s.of) {
			begun++
		}
		sum := int64(0)
		for i := range begun {
			b := i
			if s.Mode == retention.OnOrAfter {
				b = begun - 1 - i
			}
			sum += marks[b+1]
			s.cells[c][b] += sum
		}
	}
}

// countRows counts users in brackets of a single age, and notes of which cohorts.
func (s *setCount) countRows() {
	u := s.user
	var gain int64
	rows := len(u.rows)
	for c, of := range s.held {
		begun := min(u.most, len(s.of)-1-c)
		if of.users == 0 || begun < u.first {
			continue
		}
		columns := int64((c+begun)>>6 - (c+u.first)>>6 + 1)
		users := of.users*(costBit+costRow*columns) + costFill*columns
		sets := of.words * int64(u.upto[begun])
		if more := sets - users - s.bias; more > 0 {
			s.held[c].rows = true
			gain += more
			rows = min(rows, (c+u.first)>>6)
		}
	}
	if gain <= int64((len(u.rows)-rows)*len(s.of[0]))*costTurn-s.bias {
		for c := range s.held {
			s.held[c].rows = false
		}
		return
	}
	for row := rows; row < len(u.rows); row++ {
		s.turn(row)
	}
	for c := range s.held {
		if s.held[c].rows {
			s.countAges(c)
		}
	}
}

// turn makes 64 units of each user of the sets of the units, 64 users at a time.
func (s *setCount) turn(row int) {
	out := s.user.rows[row]
	units := s.of[row<<6 : min(row<<6+64, len(s.of))]
	var square [64]uint64
	for w := range s.of[0] {
		some := uint64(0)
		for i, set := range units {
			square[i] = set[w]
			some |= set[w]
		}
		to := out[w<<6 : w<<6+64]
		if some == 0 {
			clear(to)
			continue
		}
		clear(square[len(units):])
		transpose(&square)
		copy(to, square[:])
	}
}

// countAges counts the users of a cohort at each age.
func (s *setCount) countAges(c int) {
	u := s.user
	list := s.listed(s.base[c], nil)
	begun := min(u.most, len(s.of)-1-c)
	for row := (c + u.first) >> 6; row <= (c+begun)>>6; row++ {
		mask := ^uint64(0)
		if skip := c + u.first - row<<6; skip > 0 {
			mask <<= uint(skip)
		}
		if left := row<<6 + 63 - c - begun; left > 0 {
			mask &= ^uint64(0) >> uint(left)
		}
		units, values, n := (*[blockUsers]uint64)(u.rows[row]), (*[blockUsers + 16]uint64)(u.values), 0
		for _, user := range list {
			value := units[user%blockUsers] & mask
			values[n%blockUsers] = value
			some := 0
			if value != 0 {
				some = 1
			}
			n += some
		}
		if n == 0 {
			continue
		}
		clear(values[n : n+16])
		clear(u.planes[:])
		addBits(&u.planes, values[:(n+15)&^15])
		u.fill(s.cells[c], row<<6-c)
	}
}

// fill adds the counters of 64 units, of which the first has an age, to the brackets of a cohort.
func (u *userCount) fill(cells []int64, first int) {
	const each = 0x0101010101010101
	high := uint64(0)
	for _, plane := range u.planes[8:] {
		high |= plane
	}
	for bit := range 8 { // the lowest bit of each byte, then the next ones: counters of eight units at once, in a byte each
		var low, more uint64
		for i, plane := range u.planes[:8] {
			low |= plane >> uint(bit) & each << uint(i)
		}
		if high != 0 {
			for i, plane := range u.planes[8:] {
				more |= plane >> uint(bit) & each << uint(i)
			}
		}
		for age := first + bit; low|more != 0; age += 8 {
			if users := int64(low&255 | more&255<<8); users != 0 { // 16 bits
				if b := u.ages[age]; b > 0 {
					cells[b-1] += users
				}
			}
			low, more = low>>8, more>>8
		}
	}
}

// addBits adds the bits of words, 16 at a time, to 64 counters, of which planes have the first bits, the second ones and so on. These are the carry-save adders of
// Harley and Seal, one counter for each bit position: Klarqvist, Muła, Lemire, "Efficient Computation of Positional Population Counts Using SIMD Instructions".
func addBits(planes *[maxPlanes]uint64, words []uint64) {
	ones, twos, fours, eights := planes[0], planes[1], planes[2], planes[3]
	for ; len(words) >= 16; words = words[16:] {
		w := (*[16]uint64)(words)
		var a, b, c, d, e, f, carry uint64
		ones, a = add(ones, w[0], w[1])
		ones, b = add(ones, w[2], w[3])
		twos, c = add(twos, a, b)
		ones, a = add(ones, w[4], w[5])
		ones, b = add(ones, w[6], w[7])
		twos, d = add(twos, a, b)
		fours, e = add(fours, c, d)
		ones, a = add(ones, w[8], w[9])
		ones, b = add(ones, w[10], w[11])
		twos, c = add(twos, a, b)
		ones, a = add(ones, w[12], w[13])
		ones, b = add(ones, w[14], w[15])
		twos, d = add(twos, a, b)
		fours, f = add(fours, c, d)
		eights, carry = add(eights, e, f)
		for i := 4; carry != 0 && i < maxPlanes; i++ {
			planes[i], carry = planes[i]^carry, planes[i]&carry
		}
	}
	planes[0], planes[1], planes[2], planes[3] = ones, twos, fours, eights
}

// add adds three bits, 64 times at once.
func add(a, b, c uint64) (sum, carry uint64) {
	half := b ^ c
	return a ^ half, b&c | a&half
}

// transpose turns a square of bits: bit j of word i becomes bit i of word j (Warren, Hacker's Delight, section 7-3).
func transpose(a *[64]uint64) {
	swap(a, 32, 1<<32-1)
	swap(a, 16, 0x0000ffff0000ffff)
	swap(a, 8, 0x00ff00ff00ff00ff)
	swap(a, 4, 0x0f0f0f0f0f0f0f0f)
	swap(a, 2, 0x3333333333333333)
	swap(a, 1, 0x5555555555555555)
}

// swap exchanges the upper right and the lower left quarter of each square of twice a width.
func swap(a *[64]uint64, width uint, mask uint64) {
	for i := uint(0); i < 64; i = (i + width + 1) &^ width {
		t := (a[i]>>width ^ a[i+width]) & mask
		a[i] ^= t << width
		a[i+width] ^= t
	}
}
