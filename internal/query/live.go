package query

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/model"
	"quipu/internal/store/rollup"
)

// live keeps sums of cells that still change, of today, this week or this month, up to date:
// what is added to the cells is added to the sums, so a read costs as much as has changed since
// the one before, however many users there are. It is part of a memoEntry and goes with it.
type live struct {
	subscription rollup.Subscription
	which        only
	byBucket     bool // cells rather than sums of them

	mu    sync.Mutex
	index map[liveID]*liveSum
	// cells and sums are what was found last; nil when something was added since.
	cells []countedCell
	sums  []*liveSum // by bucket, then by value
	grown bool       // since the last call of grew
}

// liveBytes is about what a sum takes with its place, beside its value and its users.
const liveBytes = 256

// liveID names a sum; the bucket is that of a cell, 0 for sums.
type liveID struct {
	bucket rollup.Bucket
	value  string
}

type liveSum struct {
	liveID
	cell rollup.Cell // all that is counted; its users share containers with clones, and copy those they change
	// recent is what the cells that are followed count; of countedCells, what the
	// others hold waits in held until it counts something.
	recent int64
	held   rollup.Cell
	clone  int64 // bytes of a clone of the users; 0 = not known
}

// follow starts a live with finished sums and the cells of a span. It returns nil when
// the cells cannot be followed now.
func (r *remembering) follow(ctx context.Context, app model.AppID, s rollup.Series, sp span, l *live, head []sum) (*live, error) {
	l.index = map[liveID]*liveSum{}
	held := readingOf(ctx)
	for i := range head {
		t := &head[i]
		if !held.take(liveBytes + 2*int64(len(t.value)) + sizeOf(t.head)) {
			return nil, held.failed()
		}
		own := l.of(liveID{value: t.value})
		own.cell = rollup.Cell{First: t.first, Count: t.t, New: t.n, Requests: t.e, Sum: t.s, Dur: t.d, Flags: t.flags}
		if t.head != nil {
			own.cell.Users = t.head.Clone() // other readers look at it
			own.cell.Users.SetCopyOnWrite(true)
		}
	}
	var err error
	l.subscription, err = r.Subscribe(ctx, app, s, sp.grain, sp.from, sp.to, func(b rollup.Bucket, value string, c *rollup.Cell) error {
		if held.take(liveBytes + 2*int64(len(value)) + sizeOf(c.Users)) {
			l.add(b, value, c)
		}
		return held.failed()
	})
	if err != nil || l.subscription == nil {
		return nil, err
	}
	if len(head) > 0 { // a user of theirs may have been merged since they were summed up
		l.correct(l.subscription.Correct)
	}
	return l, nil
}

// liveCells returns the cells of a bucket that changed since it was read, kept up to date from the
// second read on; false when they are not. k is the key under which they were remembered. Cells in which
// users were merged only are read again: they need not change again.
func (r *remembering) liveCells(ctx context.Context, k memoKey, generation uint64) ([]countedCell, bool, error) {
	before := r.memo.any(k)
	own := k
	own.kind += memoLive
	if e := r.memo.any(own); e != nil {
		if cells, ok := e.live.counted(ctx); ok {
			r.memo.resize(own, e)
			return cells, true, nil
		}
		r.memo.remove(own)
	}
	if before == nil || before.generation == generation {
		return nil, false, nil
	}
	l, err := r.follow(ctx, k.app, k.series, span{k.grain, k.from, k.to}, &live{byBucket: true}, nil)
	if err != nil || l == nil {
		return nil, false, err
	}
	cells, ok := l.counted(ctx)
	r.memo.put(own, &memoEntry{live: l})
	return cells, ok, nil
}

// liveSums returns the sums of spans and of one more bucket, the tail, kept up to date from the second
// read on; nil when they are not. k is the key of the sums of the spans.
func (r *remembering) liveSums(ctx context.Context, k memoKey, spans []span, tail span, which only) (*tallies, error) {
	generation := r.generation(k.app, spans)
	head := r.memo.get(k, generation)
	own := k
	own.kind += memoLive
	if e := r.memo.any(own); e != nil {
		if e.generation == generation {
			if ts, ok := e.live.tallies(ctx); ok {
				r.memo.resize(own, e)
				return ts, nil
			}
		}
		r.memo.remove(own)
	}
	if head == nil {
		return nil, nil
	}
	l, err := r.follow(ctx, k.app, k.series, tail, &live{which: which}, head.sums)
	if err != nil || l == nil {
		return nil, err
	}
	ts, ok := l.tallies(ctx)
	r.memo.put(own, &memoEntry{generation: generation, live: l})
	if !ok {
		return nil, nil
	}
	return ts, nil
}

func (l *live) of(id liveID) *liveSum {
	t := l.index[id]
	if t == nil {
		t = &liveSum{liveID: id}
		l.index[id] = t
		l.sums = nil
	}
	return t
}

// add adds what was added to a cell. It reports whether the sums are still right: a
// cell that no longer counts anything has to be left out, which nobody can do afterwards.
func (l *live) add(b rollup.Bucket, value string, c *rollup.Cell) bool {
	id := liveID{value: value}
	if l.byBucket {
		id.bucket = b
	}
	t := l.of(id)
	l.cells, l.grown = nil, true
	if l.which == everyCell {
		t.merge(c)
		return true
	}
	before := t.recent
	t.recent = rollup.AddCount(t.recent, c.Count)
	switch {
	case before != 0:
		t.merge(c)
		return t.recent != 0
	case t.recent != 0 && !t.held.IsZero():
		t.merge(&t.held)
		t.held = rollup.Cell{}
		t.merge(c)
	case t.recent != 0:
		t.merge(c)
	default:
		t.held.Merge(c)
	}
	return true
}

// merge adds a cell. What its users are made of may be shared from then on, so nobody changes it.
func (t *liveSum) merge(c *rollup.Cell) {
	t.cell.MergeCounters(c)
	if c.Users == nil || c.Users.IsEmpty() {
		return
	}
	if t.cell.Users == nil {
		t.cell.Users = roaring.New()
		t.cell.Users.SetCopyOnWrite(true)
	}
	t.cell.Users.Or(c.Users)
	t.clone = 0
}

// refresh takes what was added since the last call. It reports false when the sums
// are to be computed again: to this caller and to all who come after.
func (l *live) refresh(ctx context.Context) bool {
	right := true
	complete := l.subscription.Take(ctx, func(b rollup.Bucket, value string, c *rollup.Cell) {
		right = l.add(b, value, c) && right
	}, l.correct)
	if !right {
		l.subscription.Stop()
	}
	return complete && right
}

// correct corrects all users for merges.
func (l *live) correct(fix func(*roaring.Bitmap)) {
	l.cells = nil
	for _, t := range l.index {
		fix(t.cell.Users)
		fix(t.held.Users)
	}
}

// inOrder returns the sums by bucket, then by value.
func (l *live) inOrder() []*liveSum {
	if l.sums == nil {
		l.sums = make([]*liveSum, 0, len(l.index))
		for _, t := range l.index {
			l.sums = append(l.sums, t)
		}
		slices.SortFunc(l.sums, func(a, b *liveSum) int {
			return cmp.Or(cmp.Compare(a.bucket, b.bucket), cmp.Compare(a.value, b.value))
		})
	}
	return l.sums
}

// tallies returns the sums; false when they are to be computed again. The users in them are
// the caller's to keep, not to change.
func (l *live) tallies(ctx context.Context) (*tallies, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.refresh(ctx) {
		return nil, false
	}
	ts := talliesOf(ctx)
	for _, t := range l.inOrder() {
		if t.cell.IsZero() {
			continue
		}
		own := ts.count(t.value, &t.cell)
		if t.cell.Users == nil {
			continue
		}
		if ts.held != nil && t.clone == 0 {
			t.clone = cloneBytes(t.cell.Users)
		}
		if ts.held.take(t.clone) {
			own.head = t.cell.Users.Clone()
		}
	}
	return ts, true
}

// counted returns the cells without their users; false when they are to be read again.
// The list is not changed later.
func (l *live) counted(ctx context.Context) ([]countedCell, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.refresh(ctx) {
		return nil, false
	}
	if l.cells != nil {
		return l.cells, true
	}
	sums := l.inOrder()
	if !readingOf(ctx).take(countedBytes * int64(len(sums))) {
		return nil, false
	}
	l.cells = make([]countedCell, 0, len(sums))
	for _, t := range sums {
		if t.cell.IsZero() {
			continue
		}
		c := countedCell{bucket: t.bucket, value: t.value, cell: t.cell, users: rollup.CountUsers(t.cell.Users)}
		c.cell.Users = nil
		l.cells = append(l.cells, c)
	}
	return l.cells, true
}

// grew reports whether anything was added since it was asked last.
func (l *live) grew() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	grown := l.grown
	l.grown = false
	return grown
}

// size estimates the bytes of a live.
func (l *live) size() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	var n int64
	for _, t := range l.index {
		n += liveBytes + 2*int64(len(t.value))
		for _, users := range []*roaring.Bitmap{t.cell.Users, t.held.Users} {
			if users != nil {
				n += int64(users.GetSizeInBytes()) // far below
			}
		}
	}
	return n
}
