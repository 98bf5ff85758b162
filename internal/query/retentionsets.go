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

// setWords is how many words of the sets are counted before the next ones: those of several units stay in the processor's cache meanwhile.
const setWords = 512

// sparse: of fewer than one word in so many, only those are looked at.
const sparse = 2

// setCount counts users of some words of the sets.
type setCount struct {
	*comers
	of        [][]uint64 // the words of each unit
	base      [][]uint64 // those of each cohort
	held      []held     // what those hold
	user      *userCount // nil = users are not counted one by one
	step      int        // words of a block
	sizes     []int64
	cells     [][]int64
	users     int64
	acc, came []uint64
	at        []uint16 // of a cohort with few words: which ones
	few       []uint64 // and these words
}

// held is what the words of a cohort hold.
type held struct {
	users, words int64 // words: those that have users
	rows         bool  // its users were counted in brackets of a single age
}

// newSetCount returns a count of some blocks, which may take room bytes to count users one by one.
func newSetCount(n *comers, room int64) *setCount {
	cohorts := min(n.Cohorts, len(n.units))
	s := &setCount{
		comers: n, of: make([][]uint64, len(n.units)), base: make([][]uint64, cohorts), sizes: make([]int64, cohorts), cells: make([][]int64, cohorts), held: make([]held, cohorts),
		user: newUserCount(n, room), step: setWords,
	}
	if s.user != nil {
		s.step = blockWords
	}
	s.acc, s.came, s.few, s.at = make([]uint64, setWords), make([]uint64, setWords), make([]uint64, 0, setWords), make([]uint16, 0, setWords)
	for c := range s.cells {
		s.cells[c] = make([]int64, len(n.Brackets))
	}
	return s
}

// countSets counts set by set, some words of all sets after others, several at once.
func (n *comers) countSets(ctx context.Context) error {
	counts := make([]*setCount, max(1, min(runtime.GOMAXPROCS(0), 4, (n.words+blockWords-1)/blockWords)))
	room := (n.limit - n.bytes(n.words)) / int64(len(counts))
	var next atomic.Int64
	var wg sync.WaitGroup
	for i := range counts {
		s := newSetCount(n, room)
		counts[i] = s
		step := int64(s.step)
		wg.Go(func() {
			for to := next.Add(step); to-step < int64(n.words) && ctx.Err() == nil; to = next.Add(step) {
				s.block(int(to-step), min(int(to), n.words))
			}
			s.settle()
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
	for c, users := range s.base {
		h := held{}
		users = users[:len(all)]
		for i := range all {
			all[i] |= users[i]
			h.users += int64(bits.OnesCount64(users[i]))
			h.words += int64((users[i] | -users[i]) >> 63) // 0 or 1
		}
		s.held[c] = h
		s.sizes[c] += h.users
	}
	s.users += countBits(all)
	if s.user != nil && s.byUsers() {
		return
	}
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
			join(users, s.of[c+1], nil)
		}
	}
}

// cohort counts one cohort.
func (s *setCount) cohort(c int) {
	if s.held[c].users == 0 || s.held[c].rows && s.user.all {
		return
	}
	users, at := s.words(c)
	acc, came := s.acc[:len(users)], s.came[:len(users)] // acc, of OnOrBefore: who has not come; of Streak: who came each time
	copy(acc, users)
	upto, sofar := s.Brackets[0].From, int64(0)
	for b, bracket := range s.Brackets {
		if c+bracket.From >= len(s.of) {
			return
		}
		if s.held[c].rows && bracket.From == bracket.To {
			continue
		}
		from, to := bracket.From, min(bracket.To, len(s.of)-1-c)
		cell := &s.cells[c][b]
		switch s.Mode {
		case retention.OnOrAfter:
			*cell += countBoth(users, s.of[c+from], at)
		case retention.OnOrBefore:
			for ; upto <= to; upto++ {
				sofar += subtract(acc, s.of[c+upto], at)
			}
			*cell += sofar
		case retention.On, retention.Streak:
			set, at := s.of[c+from], at
			if from < to {
				clear(came)
				for age := from; age <= to; age++ {
					join(came, s.of[c+age], at)
				}
				set, at = came, nil
			}
			if s.Mode == retention.On {
				*cell += countBoth(users, set, at)
				break
			}
			left := narrow(acc, set, at)
			if left == 0 {
				return
			}
			*cell += left
		}
	}
}

// words gives the words of a cohort that have users, and where they stand: most users of a day are those who began not long before, and users are numbered as they
// come. Where most words have some, it gives all of them, and nil.
func (s *setCount) words(c int) (few []uint64, at []uint16) {
	set := s.base[c]
	if s.held[c].words*sparse > int64(len(set)) {
		return set, nil
	}
	few, at = s.few[:0], s.at[:0]
	for i, w := range set {
		if w != 0 {
			few, at = append(few, w), append(at, uint16(i)) // below setWords
		}
	}
	return few, at
}

// join adds the words of a set at some places, nil = all.
func join(a, set []uint64, at []uint16) {
	if at == nil {
		set = set[:len(a)]
		for i := range a {
			a[i] |= set[i]
		}
		return
	}
	a = a[:len(at)]
	for i, word := range at {
		a[i] |= set[word]
	}
}

// narrow leaves of a what is in the words of a set at some places, nil = all, and counts that.
func narrow(a, set []uint64, at []uint16) (n int64) {
	if at == nil {
		set = set[:len(a)]
		for i := range a {
			a[i] &= set[i]
			n += int64(bits.OnesCount64(a[i]))
		}
		return n
	}
	a = a[:len(at)]
	for i, word := range at {
		a[i] &= set[word]
		n += int64(bits.OnesCount64(a[i]))
	}
	return n
}

// subtract takes from a what is in the words of a set at some places, nil = all, and counts that.
func subtract(a, set []uint64, at []uint16) (n int64) {
	if at == nil {
		set = set[:len(a)]
		for i := range a {
			n += int64(bits.OnesCount64(a[i] & set[i]))
			a[i] &^= set[i]
		}
		return n
	}
	a = a[:len(at)]
	for i, word := range at {
		n += int64(bits.OnesCount64(a[i] & set[word]))
		a[i] &^= set[word]
	}
	return n
}

func countBits(a []uint64) (n int64) {
	for _, w := range a {
		n += int64(bits.OnesCount64(w))
	}
	return n
}

// countBoth counts the users of a who are in the words of a set at some places, nil = all.
func countBoth(a, set []uint64, at []uint16) (n int64) {
	var w, x, y, z int
	if at != nil {
		a = a[:len(at)]
		for len(at) >= 4 { // four at a time, which do not wait for each other
			a = a[:len(at)]
			w += bits.OnesCount64(a[0] & set[at[0]])
			x += bits.OnesCount64(a[1] & set[at[1]])
			y += bits.OnesCount64(a[2] & set[at[2]])
			z += bits.OnesCount64(a[3] & set[at[3]])
			a, at = a[4:], at[4:]
		}
		for i, word := range at {
			w += bits.OnesCount64(a[i] & set[word])
		}
		return int64(w + x + y + z)
	}
	set = set[:len(a)]
	for len(a) >= 4 {
		set = set[:len(a)]
		w += bits.OnesCount64(a[0] & set[0])
		x += bits.OnesCount64(a[1] & set[1])
		y += bits.OnesCount64(a[2] & set[2])
		z += bits.OnesCount64(a[3] & set[3])
		a, set = a[4:], set[4:]
	}
	for i := range a {
		w += bits.OnesCount64(a[i] & set[i])
	}
	return int64(w + x + y + z)
}
