package funnel

import (
	"math"
	"math/bits"
	"slices"
	"sort"
)

// Tally counts the attempts of many users. Its slices have an element for each step.
type Tally struct {
	n        int
	Users    []int64 // who reached the step
	Attempts []int64 // that reached it: as many as Users but with Repeat
	Rows     []int64 // that match the step, of the users who reached it
	// Took is the time from the step done before to this one, of the attempts reported; that of the first step is empty.
	Took []Spread
	// Whole is the time from the first to the last row of attempts that convert.
	Whole Spread
	// Groups are Users by group, when the tally has any.
	Groups map[uint32][]int64
	// Course are Users by when their attempt begins, in the numbers of Over; it is nil without one.
	Course map[int][]int64

	by      func(rows []Row, a *Attempt) uint32
	over    func(ts int64) int
	reached []bool
}

// NewTally returns a tally of the users of a funnel of n steps. By, unless it is nil, tells the group of a user's attempt; the
// first of several counts.
func NewTally(n int, by func(rows []Row, a *Attempt) uint32) *Tally {
	t := &Tally{n: n, Users: make([]int64, n), Attempts: make([]int64, n), Rows: make([]int64, n), Took: make([]Spread, n), by: by, reached: make([]bool, n)}
	if by != nil {
		t.Groups = map[uint32][]int64{}
	}
	return t
}

// Over counts users by when the attempt begins that is reported of them, the first of several: number tells the part of the time that a moment (ms)
// is in.
func (t *Tally) Over(number func(ts int64) int) {
	t.over, t.Course = number, map[int][]int64{}
}

// Merge adds the users that another tally of the same funnel has counted; a user is in one of them only.
func (t *Tally) Merge(other *Tally) {
	for i := range t.n {
		t.Users[i] += other.Users[i]
		t.Attempts[i] += other.Attempts[i]
		t.Rows[i] += other.Rows[i]
		t.Took[i].merge(&other.Took[i])
	}
	t.Whole.merge(&other.Whole)
	for id, g := range other.Groups {
		t.Groups[id] = summed(t.Groups[id], g)
	}
	for part, c := range other.Course {
		t.Course[part] = summed(t.Course[part], c)
	}
}

// summed adds the elements of two slices, of which the first may be nil.
func summed(a, b []int64) []int64 {
	if a == nil {
		return slices.Clone(b)
	}
	for i := range a {
		a[i] += b[i]
	}
	return a
}

// Bytes is about what the figures take in memory.
func (t *Tally) Bytes() int64 {
	n := 200 + 24*int64(t.n) + (72+8*int64(t.n))*int64(len(t.Groups)+len(t.Course)) + t.Whole.bytes()
	for i := range t.Took {
		n += t.Took[i].bytes()
	}
	return n
}

// First tells the group of an attempt by the row of its first step.
func First(rows []Row, a *Attempt) uint32 { return rows[a.Rows[0]].Group }

// Last tells the group of an attempt by the row of the last step that it does.
func Last(rows []Row, a *Attempt) uint32 { return rows[a.Rows[a.Depth-1]].Group }

// At tells the group of an attempt by the row of a step, counted from 0; an attempt that does not do it has no group (0).
func At(step int) func(rows []Row, a *Attempt) uint32 {
	return func(rows []Row, a *Attempt) uint32 {
		if !a.Done(step) {
			return 0
		}
		return rows[a.Rows[step]].Group
	}
}

// Add counts a user with all attempts that the machine reports, and returns how far the user got: for each step, whether
// it was reached. The slice is used again.
func (t *Tally) Add(m *Machine, rows []Row) []bool {
	clear(t.reached)
	first, began := true, int64(0)
	m.User(rows, func(a *Attempt) {
		if first {
			first, began = false, rows[a.from].TS
			if t.by != nil {
				t.group(t.by(rows, a), a)
			}
		}
		for step := range a.Depth {
			if a.Done(step) {
				t.Attempts[step]++
				t.reached[step] = true
			}
		}
		t.times(rows, a)
	})
	any := false
	for step, ok := range t.reached {
		if ok {
			t.Users[step]++
			any = true
		}
	}
	if any && t.over != nil {
		t.count(t.over(began))
	}
	if any {
		for i := range rows {
			for match := rows[i].Match & (1<<t.n - 1); match != 0; match &= match - 1 {
				if step := bits.TrailingZeros32(match); t.reached[step] {
					t.Rows[step]++
				}
			}
		}
	}
	return t.reached
}

// count counts a user in a part of the time.
func (t *Tally) count(part int) {
	c := t.Course[part]
	if c == nil {
		c = make([]int64, t.n)
		t.Course[part] = c
	}
	for step, ok := range t.reached {
		if ok {
			c[step]++
		}
	}
}

// times counts how long an attempt took. In any order, a step is done when it and all before it are.
func (t *Tally) times(rows []Row, a *Attempt) {
	before := rows[a.Rows[0]].TS
	for step := 1; step < a.Depth; step++ {
		if a.Done(step) {
			at := max(before, rows[a.Rows[step]].TS)
			t.Took[step].Add(at - before)
			before = at
		}
	}
	if a.Depth == t.n {
		t.Whole.Add(rows[a.last].TS - rows[a.from].TS)
	}
}

func (t *Tally) group(id uint32, a *Attempt) {
	g := t.Groups[id]
	if g == nil {
		g = make([]int64, t.n)
		t.Groups[id] = g
	}
	for step := range a.Depth {
		if a.Done(step) {
			g[step]++
		}
	}
}

// Spread is a distribution of times (ms). Times below two seconds are kept exactly, longer ones to a thousandth. The zero Spread
// is empty.
type Spread struct {
	Count, Sum, Min, Max int64
	// Within counts the times up to each of Bounds and above the one before; the last element counts those beyond all.
	Within  [len(bounds) + 1]int64
	buckets map[uint16]int64
}

// bounds of the histogram (ms).
var bounds = [...]int64{
	1000, 10_000, 30_000, 60_000, 5 * 60_000, 15 * 60_000, 30 * 60_000, 3600_000, 3 * 3600_000, 6 * 3600_000, 12 * 3600_000, 24 * 3600_000,
	2 * 86400_000, 3 * 86400_000, 7 * 86400_000, 14 * 86400_000, 30 * 86400_000, 90 * 86400_000, 180 * 86400_000,
}

// Bounds returns the upper bounds of a Spread's histogram (ms), included.
func Bounds() []int64 { return slices.Clone(bounds[:]) }

// fine is how many buckets a power of two has, as a power of two.
const fine = 10

// bucketOf numbers buckets: those below 2^(fine+1) hold one time each, each power of two above as many times 2, 4, 8 and so on.
func bucketOf(ms int64) uint16 {
	shift := max(0, bits.Len64(uint64(ms))-fine-1) // not negative
	return uint16(int64(shift)<<fine + ms>>shift)  // below 64 << 10
}

// middleOf returns the middle of a bucket.
func middleOf(b uint16) int64 {
	shift := max(0, int64(b>>fine)-1)
	low := (int64(b) - shift<<fine) << shift
	return low + (int64(1)<<shift)/2
}

// Add counts a time, which is not negative.
func (s *Spread) Add(ms int64) {
	if s.buckets == nil {
		s.buckets = map[uint16]int64{}
		s.Min = math.MaxInt64
	}
	s.Count++
	s.Sum += ms
	s.Min, s.Max = min(s.Min, ms), max(s.Max, ms)
	s.buckets[bucketOf(ms)]++
	s.Within[sort.Search(len(bounds), func(i int) bool { return ms <= bounds[i] })]++
}

// merge counts the times of another spread.
func (s *Spread) merge(other *Spread) {
	if other.Count == 0 {
		return
	}
	if s.buckets == nil {
		s.buckets = map[uint16]int64{}
		s.Min = math.MaxInt64
	}
	s.Count += other.Count
	s.Sum += other.Sum
	s.Min, s.Max = min(s.Min, other.Min), max(s.Max, other.Max)
	for i, n := range other.Within {
		s.Within[i] += n
	}
	for b, n := range other.buckets {
		s.buckets[b] += n
	}
}

func (s *Spread) bytes() int64 { return 200 + 24*int64(len(s.buckets)) }

// Mean returns the mean time (ms), 0 when there is none.
func (s *Spread) Mean() float64 {
	if s.Count == 0 {
		return 0
	}
	return float64(s.Sum) / float64(s.Count)
}

// Percentile returns the smallest time that at least p percent of the times do not exceed (ms), 0 when there is none.
func (s *Spread) Percentile(p float64) int64 {
	if s.Count == 0 {
		return 0
	}
	rank := max(1, int64(math.Ceil(p*float64(s.Count)/100-1e-9)))
	keys := make([]uint16, 0, len(s.buckets))
	for b := range s.buckets {
		keys = append(keys, b)
	}
	slices.Sort(keys)
	for _, b := range keys {
		if rank -= s.buckets[b]; rank <= 0 {
			return min(max(middleOf(b), s.Min), s.Max)
		}
	}
	return s.Max
}
