package query

import (
	"context"
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"quipu/internal/query/retention"
)

// Bounds of the count by users, see comers.byUsers.
const (
	blockUsers   = 512
	blockWords   = blockUsers / 64
	maxUserUnits = 1024 // so that counts by cohort and age are small beside the sets
	maxPlanes    = 33   // of counters of users, whose numbers have 32 bits
	// dense is how many words of sets are counted in the time in which a word of a user's units is.
	dense = 10
)

// byUsers reports whether counting user by user is quicker than set by set, or with other not quicker, and can be done at all: brackets are single units, or the mode needs to
// know but one moment of a user.
func (n *comers) byUsers(other bool) bool {
	if len(n.units) > maxUserUnits {
		return false
	}
	single := func(b retention.Bracket) bool { return b.From == b.To }
	first := n.Brackets[0].From
	switch n.Mode {
	case retention.On:
		for _, b := range n.Brackets {
			if !single(b) {
				return false
			}
		}
	case retention.Streak:
		for i, b := range n.Brackets {
			if !single(b) || b.From != i+1 {
				return false
			}
		}
	case retention.OnOrBefore:
		if first != 1 {
			return false
		}
	case retention.OnOrAfter:
	}
	var users, sets int64
	for c := range min(n.Cohorts, len(n.units)) {
		ages := int64(min(n.Brackets[len(n.Brackets)-1].To, len(n.units)-1-c))
		words := int64(1)
		if n.Mode == retention.On {
			words = ages/64 + 1
		}
		users += countBits(n.units[c]) * words
		sets += ages * int64(n.words)
	}
	return (users*dense < sets) != other
}

// countUsers counts user by user, several parts of them at once.
func (n *comers) countUsers(ctx context.Context) error {
	parts := min(runtime.GOMAXPROCS(0), 4, (n.words+blockWords-1)/blockWords)
	counts := make([]*userCount, parts)
	blocks := (n.words + blockWords - 1) / blockWords
	var wg sync.WaitGroup
	for i := range counts {
		counts[i] = newUserCount(n)
		wg.Go(func() {
			for block := i * blocks / parts; block < (i+1)*blocks/parts && ctx.Err() == nil; block++ {
				counts[i].block(block * blockWords)
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	for c := range min(n.Cohorts, len(n.units)) {
		n.tally.Sizes[c] = countBits(n.units[c])
		ages := make([]int64, len(n.units)) // users by age
		for _, u := range counts {
			u.add(c, ages)
		}
		n.fill(c, ages)
	}
	for _, u := range counts {
		n.tally.Users += u.users
	}
	return nil
}

// fill makes the cells of a cohort from what was counted by age: by mode, users who came at an age, first at one, last at one, or each time up to one.
func (n *comers) fill(c int, ages []int64) {
	known := len(n.units) - 1 - c // the last age that has begun
	switch n.Mode {
	case retention.OnOrBefore:
		for age := 1; age <= known; age++ {
			ages[age] += ages[age-1]
		}
	case retention.OnOrAfter, retention.Streak:
		for age := known - 1; age >= 0; age-- {
			ages[age] += ages[age+1]
		}
	case retention.On:
	}
	for b, bracket := range n.Brackets {
		if bracket.From > known {
			return
		}
		age := bracket.From
		if n.Mode == retention.OnOrBefore {
			age = min(bracket.To, known)
		}
		n.tally.Cells[c][b].Users = ages[age]
	}
}

// userCount counts users of some blocks.
type userCount struct {
	*comers
	most  int // the last age that is looked at
	rows  int // words of units of a user
	users int64
	// of has the units of the users of a block, as bits: rows words of each user, and an empty one behind them.
	of     []uint64
	last   [blockUsers]uint16 // the last word of a user that has a bit
	list   []uint16
	ages   []int64  // of modes that count one age of a user: by cohort and age
	planes []uint64 // of On: by cohort, word of ages and plane, a bit of a counter for each age of the word
	per    int      // words of ages of a cohort
}

func newUserCount(n *comers) *userCount {
	u := &userCount{comers: n, rows: (len(n.units) + 63) / 64, most: min(n.Brackets[len(n.Brackets)-1].To, len(n.units))}
	u.of = make([]uint64, blockUsers*(u.rows+1))
	if n.Mode == retention.On {
		u.per = (u.most + 63) / 64
		u.planes = make([]uint64, min(n.Cohorts, len(n.units))*u.per*maxPlanes)
	} else {
		u.ages = make([]int64, min(n.Cohorts, len(n.units))*len(n.units))
	}
	return u
}

// block counts the users of the sets' words from one on.
func (u *userCount) block(at int) {
	u.turn(at)
	if u.Mode != retention.On {
		for i := range blockUsers {
			u.one(u.of[i*(u.rows+1) : (i+1)*(u.rows+1)])
		}
		return
	}
	for c := range min(u.Cohorts, len(u.units)) {
		u.list = u.list[:0]
		for w, set := range u.units[c][at:min(at+blockWords, u.words)] {
			for ; set != 0; set &= set - 1 {
				u.list = append(u.list, uint16(w<<6+bits.TrailingZeros64(set))) //nolint:gosec // below blockUsers
			}
		}
		if len(u.list) > 0 {
			u.cohortAges(c)
		}
	}
}

// turn makes the units of users of the users of units, 64 by 64.
func (u *userCount) turn(at int) {
	clear(u.of)
	var square [64]uint64
	for w := range min(blockWords, u.words-at) {
		for row := range u.rows {
			any := uint64(0)
			for i := range square {
				square[i] = 0
				if unit := row<<6 + i; unit < len(u.units) {
					square[i] = u.units[unit][at+w]
					any |= square[i]
				}
			}
			if any == 0 {
				continue
			}
			transpose(&square)
			for i, units := range square {
				u.of[(w<<6+i)*(u.rows+1)+row] = units
			}
		}
	}
	cohorts := min(u.Cohorts, len(u.units))
	for i := range blockUsers {
		u.last[i] = 0
		some := false
		for row, units := range u.of[i*(u.rows+1) : i*(u.rows+1)+u.rows] {
			if units == 0 {
				continue
			}
			u.last[i] = uint16(row) //nolint:gosec // units are few
			if left := cohorts - row<<6; left >= 64 || left > 0 && units&(1<<left-1) != 0 {
				some = true
			}
		}
		if some {
			u.users++
		}
	}
}

// cohortAges adds the users of the list to the counters of a cohort, 64 ages at a time.
func (u *userCount) cohortAges(c int) {
	list := u.list
	first, shift := (c+1)>>6, uint((c+1)&63)
	width := u.rows + 1
	for w := 0; w < u.per && first+w < u.rows && len(list) > 0; w++ {
		planes := (*[maxPlanes]uint64)(u.planes[(c*u.per+w)*maxPlanes:])
		row := first + w
		kept := list[:0]
		ones, twos, fours := planes[0], planes[1], planes[2]
		var pair, quad uint64 // a carry that waits for another one
		held, holds := false, false
		var before uint64
		odd := false
		for _, i := range list {
			if int(u.last[i]) < row {
				continue
			}
			kept = append(kept, i)
			at := int(i)*width + row
			ages := u.of[at]>>shift | u.of[at+1]<<1<<(63-shift)
			if !odd {
				before, odd = ages, true
				continue
			}
			odd = false
			half := before ^ ages
			carry := before&ages | half&ones
			ones ^= half
			if !held {
				pair, held = carry, true
				continue
			}
			held = false
			half = pair ^ carry
			carry = pair&carry | half&twos
			twos ^= half
			if !holds {
				quad, holds = carry, true
				continue
			}
			holds = false
			half = quad ^ carry
			carry = quad&carry | half&fours
			fours ^= half
			ripple(planes, 3, carry)
		}
		planes[0], planes[1], planes[2] = ones, twos, fours
		if odd {
			ripple(planes, 0, before)
		}
		if held {
			ripple(planes, 1, pair)
		}
		if holds {
			ripple(planes, 2, quad)
		}
		list = kept
	}
}

// ripple adds a bit to each counter, from a plane on.
func ripple(planes *[maxPlanes]uint64, plane int, carry uint64) {
	for ; carry != 0; plane++ {
		planes[plane], carry = planes[plane]^carry, planes[plane]&carry
	}
}

// one counts a user in each cohort: at the age at which the user comes next, or last, or up to which each time.
func (u *userCount) one(units []uint64) {
	next, last, end := -1, -1, -1
	for row := u.rows - 1; row >= 0; row-- {
		for set := units[row]; set != 0; {
			bit := 63 - bits.LeadingZeros64(set)
			set &^= 1 << bit
			c := row<<6 + bit
			if last < 0 {
				last = c
			}
			if next != c+1 {
				end = c
			}
			if c < u.Cohorts {
				ages := u.ages[c*len(u.units):]
				switch u.Mode {
				case retention.OnOrBefore:
					if next >= 0 {
						ages[next-c]++
					}
				case retention.OnOrAfter:
					ages[last-c]++
				case retention.Streak:
					ages[end-c]++
				case retention.On:
				}
			}
			next = c
		}
	}
}

// add adds what was counted of a cohort, by age.
func (u *userCount) add(c int, ages []int64) {
	if u.Mode != retention.On {
		for age, users := range u.ages[c*len(u.units) : (c+1)*len(u.units)] {
			ages[age] += users
		}
		return
	}
	for w := range u.per {
		for plane, set := range u.planes[(c*u.per+w)*maxPlanes : (c*u.per+w+1)*maxPlanes] {
			for ; set != 0; set &= set - 1 {
				if age := w<<6 + bits.TrailingZeros64(set) + 1; age < len(ages) {
					ages[age] += 1 << plane
				}
			}
		}
	}
}

// transpose turns a square of bits: bit j of word i becomes bit i of word j.
func transpose(a *[64]uint64) {
	mask := uint64(1)<<32 - 1
	for width := 32; width != 0; width >>= 1 {
		for i := 0; i < 64; i = (i + width + 1) &^ width {
			t := (a[i]>>uint(width) ^ a[i+width]) & mask
			a[i] ^= t << uint(width)
			a[i+width] ^= t
		}
		mask ^= mask << uint(width>>1)
	}
}

// setWords is how many words of the sets are counted before the next ones: those of several units stay in the processor's cache meanwhile.
const setWords = 512

// setCount counts users of some words of the sets.
type setCount struct {
	*comers
	of        [][]uint64 // the words of each unit
	base      [][]uint64 // those of each cohort
	sizes     []int64
	cells     [][]int64
	users     int64
	acc, came []uint64
}

func newSetCount(n *comers) *setCount {
	cohorts := min(n.Cohorts, len(n.units))
	s := &setCount{comers: n, of: make([][]uint64, len(n.units)), base: make([][]uint64, cohorts), sizes: make([]int64, cohorts), cells: make([][]int64, cohorts)}
	s.acc, s.came = make([]uint64, setWords), make([]uint64, setWords)
	for c := range s.cells {
		s.cells[c] = make([]int64, len(n.Brackets))
	}
	return s
}

// countSets counts set by set, some words of all sets after others, several at once.
func (n *comers) countSets(ctx context.Context) error {
	blocks := (n.words + setWords - 1) / setWords
	counts := make([]*setCount, max(1, min(runtime.GOMAXPROCS(0), 4, blocks)))
	var next atomic.Int64
	var wg sync.WaitGroup
	for i := range counts {
		s := newSetCount(n)
		counts[i] = s
		wg.Go(func() {
			for block := int(next.Add(1)) - 1; block < blocks && ctx.Err() == nil; block = int(next.Add(1)) - 1 {
				s.block(block*setWords, min((block+1)*setWords, n.words))
			}
		})
	}
	wg.Wait()
	for _, s := range counts {
		n.tally.Users += s.users
		for c, size := range s.sizes {
			n.tally.Sizes[c] += size
			for b, users := range s.cells[c] {
				n.tally.Cells[c][b].Users += users
			}
		}
	}
	return ctx.Err()
}

// block counts the users of the words from one to another.
func (s *setCount) block(from, to int) {
	for i, set := range s.units {
		s.of[i] = set[from:to]
	}
	for c := range s.base {
		s.base[c] = s.of[c]
		if s.starts != nil {
			s.base[c] = s.starts[c][from:to]
		}
	}
	all := s.acc[:to-from]
	clear(all)
	for _, users := range s.base {
		or(all, users)
	}
	s.users += countBits(all)
	if s.Mode != retention.OnOrAfter {
		for c := range s.sizes {
			s.cohort(c)
		}
		return
	}
	for c, users := range slices.Backward(s.of) {
		if c < len(s.sizes) {
			s.cohort(c)
		}
		if c+1 < len(s.of) { // all that follow have those who come later, too
			or(users, s.of[c+1])
		}
	}
}

// cohort counts one cohort.
func (s *setCount) cohort(c int) {
	users := s.base[c]
	s.sizes[c] += countBits(users)
	acc, came := s.acc[:len(users)], s.came[:len(users)] // acc, of OnOrBefore: all who came; of Streak: those who came each time
	clear(acc)
	if s.Mode == retention.Streak {
		copy(acc, users)
	}
	upto := s.Brackets[0].From
	for b, bracket := range s.Brackets {
		if c+bracket.From >= len(s.of) {
			return
		}
		from, to := bracket.From, min(bracket.To, len(s.of)-1-c)
		cell := &s.cells[c][b]
		switch s.Mode {
		case retention.OnOrAfter:
			*cell += countBoth(users, s.of[c+from])
		case retention.OnOrBefore:
			for ; upto <= to; upto++ {
				or(acc, s.of[c+upto])
			}
			*cell += countBoth(users, acc)
		case retention.On, retention.Streak:
			set := s.of[c+from]
			if from < to {
				set = came
				copy(set, s.of[c+from])
				for age := from + 1; age <= to; age++ {
					or(set, s.of[c+age])
				}
			}
			if s.Mode == retention.On {
				*cell += countBoth(users, set)
				break
			}
			for i := range acc {
				acc[i] &= set[i]
			}
			*cell += countBits(acc)
		}
	}
}
