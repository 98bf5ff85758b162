package query

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query/retention"
	"quipu/internal/store/rollup"
)

// errCells ends a read that cells cannot answer in the memory there is.
var errCells = errors.New("query: too many users for cells")

// sessionRetention counts the users with sessions who come back, from the users of cells. It holds no more than limit bytes of users; where
// that is too little, it gives errCells.
func (q *Query) sessionRetention(ctx context.Context, app model.AppID, r *RetentionQuery, limit int64) (_ *retention.Tally, err error) {
	defer q.enter(&ctx, &err)()
	t, err := retention.NewTally(r.Retention, false)
	if err != nil {
		return nil, err
	}
	if r.First {
		c := &newcomers{RetentionQuery: r, tally: t, limit: limit}
		err = c.read(ctx, q.cells, app)
	} else {
		c := &comers{RetentionQuery: r, tally: t, limit: limit}
		err = c.read(ctx, q.cells, app)
	}
	if err == nil {
		r.over(t)
	}
	return t, err
}

// over counts the users for whom brackets are over: all of a cohort, or none.
func (q *RetentionQuery) over(t *retention.Tally) {
	for c := range t.Cells {
		for b := range t.Cells[c] {
			if q.Begins(c, 0, q.Brackets[b].To+1) <= q.End {
				t.Cells[c][b].Over, t.Cells[c][b].Kept = t.Sizes[c], t.Cells[c][b].Users
			}
		}
	}
}

// known is how many units have begun.
func (q *RetentionQuery) known() int {
	n := 0
	for n+1 < len(q.Units) && q.Units[n] < q.Known() {
		n++
	}
	return n
}

// scanUsers calls fn with the users who had sessions in each cell of some days.
func scanUsers(ctx context.Context, cells rollup.Reader, app model.AppID, first, last period.Day, fn func(*roaring.Bitmap) error) error {
	for _, sp := range spansOf(first, last) {
		err := cells.Scan(ctx, app, rollup.Series{Metric: rollup.Users}, sp.grain, sp.from, sp.to, func(_ rollup.Bucket, _ string, c *rollup.Cell) error {
			if c.Users == nil || c.Users.IsEmpty() {
				return nil
			}
			return fn(c.Users)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// newcomers counts users by their first session. It looks at one cell at a time, and remembers of each user the cohort and how far the
// user came.
type newcomers struct {
	*RetentionQuery
	tally *retention.Tally
	limit int64
	// cohort of each user: 0 = no session yet, 1 = before the first cohort, or behind the last one; the first cohort is 2.
	cohort []uint16
	last   []uint16 // the last bracket in which the user was counted, from 1 on
	ages   []int    // bracket of each age; -1 = none
	came   []int64  // users of a cell by cohort
}

func (n *newcomers) read(ctx context.Context, cells rollup.Reader, app model.AppID) error {
	n.came = make([]int64, n.Cohorts+2)
	n.index()
	err := scanUsers(ctx, cells, app, 0, n.Days[0]-1, func(users *roaring.Bitmap) error {
		return n.each(users, func(list []uint32) {
			for _, uid := range list {
				n.cohort[uid] = 1
			}
		})
	})
	for unit := 0; err == nil && unit < n.known(); unit++ {
		err = scanUsers(ctx, cells, app, n.Days[unit], min(n.Days[unit+1]-1, n.Last), func(users *roaring.Bitmap) error {
			if err := n.each(users, func(list []uint32) { n.add(unit, list) }); err != nil {
				return err
			}
			n.settle(unit)
			return nil
		})
	}
	n.finish()
	return err
}

// index says in which bracket a session of each age counts.
func (n *newcomers) index() {
	n.ages = make([]int, len(n.Days))
	for age := range n.ages {
		n.ages[age] = -1
		for b, bracket := range n.Brackets {
			switch n.Mode {
			case retention.On, retention.Streak:
				if bracket.From <= age && age <= bracket.To {
					n.ages[age] = b
				}
			case retention.OnOrAfter: // the last that has begun
				if bracket.From <= age {
					n.ages[age] = b
				}
			case retention.OnOrBefore: // the first that is not over
				if n.ages[age] < 0 && n.Brackets[0].From <= age && age <= bracket.To {
					n.ages[age] = b
				}
			}
		}
	}
}

// each calls fn with the users of a cell, some at a time.
func (n *newcomers) each(users *roaring.Bitmap, fn func([]uint32)) error {
	if most := int(users.Maximum()) + 1; most > len(n.cohort) {
		if int64(most)*4 > n.limit {
			return errCells
		}
		most = min(max(most, 2*len(n.cohort)), int(n.limit/4))
		n.cohort = append(n.cohort, make([]uint16, most-len(n.cohort))...)
		n.last = append(n.last, make([]uint16, most-len(n.last))...)
	}
	var buf [1024]uint32
	it := users.ManyIterator()
	for k := it.NextMany(buf[:]); k > 0; k = it.NextMany(buf[:]) {
		fn(buf[:k])
	}
	return nil
}

// exact reports whether each user is counted once in a bracket without looking at where the user was counted before: a cell is a unit, and a
// unit a bracket.
func (n *newcomers) exact() bool {
	return n.Mode == retention.On && n.Step == period.DayStep && !slices.ContainsFunc(n.Brackets, func(b retention.Bracket) bool { return b.From < b.To })
}

func (n *newcomers) add(unit int, list []uint32) {
	next := uint16(1) // cohorts are few
	if unit < n.Cohorts {
		next = uint16(unit) + 2
	}
	cohort, came := n.cohort, n.came
	if n.exact() {
		for _, uid := range list {
			c := cohort[uid]
			if c == 0 {
				cohort[uid] = next
				c = next
			}
			came[c]++
		}
		return
	}
	for _, uid := range list {
		c := cohort[uid]
		if c == 0 {
			cohort[uid] = next
			came[next]++
			continue
		}
		if c == 1 {
			continue
		}
		b := n.ages[unit-int(c)+2]
		if b < 0 {
			continue
		}
		n.count(int(c)-2, b, &n.last[uid])
	}
}

// count counts a user in a bracket, of whom last tells the bracket before. Units come in order.
func (n *newcomers) count(cohort, b int, last *uint16) {
	cells, was := n.tally.Cells[cohort], int(*last)
	switch n.Mode {
	case retention.On:
		if was <= b {
			cells[b].Users++
			*last = uint16(b) + 1 // brackets are few
		}
	case retention.Streak:
		if was == b {
			cells[b].Users++
			*last = uint16(b) + 1
		}
	case retention.OnOrBefore: // finish adds up
		if was == 0 {
			cells[b].Users++
			*last = 1
		}
	case retention.OnOrAfter: // as above
		if was <= b {
			if was > 0 {
				cells[was-1].Users--
			}
			cells[b].Users++
			*last = uint16(b) + 1
		}
	}
}

// settle counts what came of a cell.
func (n *newcomers) settle(unit int) {
	for i, users := range n.came[2:] {
		n.came[i+2] = 0
		switch {
		case users == 0:
		case i == unit:
			n.tally.Sizes[i] += users
		case n.ages[unit-i] >= 0:
			n.tally.Cells[i][n.ages[unit-i]].Users += users
		}
	}
	n.came[0], n.came[1] = 0, 0
}

// finish adds up brackets where a user was counted in the first, or the last, of several.
func (n *newcomers) finish() {
	for c, cells := range n.tally.Cells {
		n.tally.Users += n.tally.Sizes[c]
		switch n.Mode {
		case retention.OnOrBefore:
			for b := range len(cells) - 1 {
				cells[b+1].Users += cells[b].Users
			}
		case retention.OnOrAfter:
			for b := len(cells) - 2; b >= 0; b-- {
				cells[b].Users += cells[b+1].Users
			}
		case retention.On, retention.Streak:
		}
		for b := range cells {
			if !n.Begun(c, b) {
				cells[b].Users = 0 // a bracket without an age: nothing else can be in it
			}
		}
	}
}

// comers counts users in each unit in which they have a session, the last one first. It holds the users of all units, a bit each.
type comers struct {
	*RetentionQuery
	tally *retention.Tally
	limit int64
	units [][]uint64
	// starts are the users of each cohort; nil = those of its unit.
	starts [][]uint64
	words  int
	bias   int64 // added to what it costs to count users one by one
}

func (n *comers) read(ctx context.Context, cells rollup.Reader, app model.AppID) error {
	n.units = make([][]uint64, n.known())
	if err := n.readUnits(ctx, cells, app); err != nil {
		return err
	}
	n.pad(n.units)
	return n.countSets(ctx)
}

// readUnits reads the users of all units, several at once: the last ones first, which most often have the users with the largest numbers, so that few sets have to grow.
func (n *comers) readUnits(ctx context.Context, cells rollup.Reader, app model.AppID) error {
	readers := max(1, min(runtime.GOMAXPROCS(0), 4, len(n.units)))
	errs := make([]error, readers)
	var next, words atomic.Int64
	words.Store(int64(n.words))
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() {
			for unit := len(n.units) - int(next.Add(1)); unit >= 0 && errs[i] == nil; unit = len(n.units) - int(next.Add(1)) {
				errs[i] = scanUsers(ctx, cells, app, n.Days[unit], min(n.Days[unit+1]-1, n.Last), func(users *roaring.Bitmap) error {
					most := int64(users.Maximum()>>6) + 1
					for old := words.Load(); most > old && !words.CompareAndSwap(old, most); {
						old = words.Load()
					}
					if n.tooLarge(int(words.Load())) {
						return errCells
					}
					n.units[unit] = setBits(n.units[unit], users, int(words.Load()))
					return nil
				})
			}
		})
	}
	wg.Wait()
	n.words = int(words.Load())
	return errors.Join(errs...)
}

// setBits adds users to a set of bits, which may grow; a new one has so many words, which are enough.
func setBits(set []uint64, users *roaring.Bitmap, words int) []uint64 {
	if set == nil {
		set = make([]uint64, words)
		users.WriteDenseTo(set)
		return set
	}
	if words := int(users.Maximum())>>6 + 1; words > len(set) {
		set = append(set, make([]uint64, words-len(set))...)
	}
	var buf [1024]uint32
	it := users.ManyIterator()
	for k := it.NextMany(buf[:]); k > 0; k = it.NextMany(buf[:]) {
		for _, uid := range buf[:k] {
			set[uid>>6] |= 1 << (uid & 63)
		}
	}
	return set
}
