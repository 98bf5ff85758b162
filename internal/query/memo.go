package query

import (
	"context"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"quipu/internal/model"
	"quipu/internal/store/rollup"
)

// Bounds of a memo, beside its bytes.
const (
	memoEntries = 100_000
	memoRun     = 5_000 // longer runs of buckets are read past the memo
)

// Remember returns the same cells, of which a Query remembers what it computed, and keeps it up to
// date, in about so many bytes: rows, sums and weeks. Scan goes to the store. Of cells that nothing knows the changes of
// nothing is remembered.
func Remember(cells rollup.Tracker, memory int64) Cells {
	if cells.Changes() == nil {
		return Plain(cells)
	}
	return &remembering{cells, newMemo(cells.Changes(), memory)}
}

// remembering is Cells that remember.
type remembering struct {
	rollup.Tracker
	memo *memo
}

// memo keeps what was computed from cells for as long as these cells do not
// change: of days and weeks that are over, hence of nearly all that a dashboard shows.
//
// The generation of the cells is asked for before they are read, so an entry
// never claims to be newer than it is.
type memo struct {
	changes rollup.Changes

	mu    sync.Mutex
	lru   simplelru.LRUCache[memoKey, *memoEntry]
	limit int64 // bytes, estimated
	bytes int64
}

// memoKind says what an entry holds.
type memoKind uint8

const (
	memoCells   memoKind = iota // the cells of the buckets from … to at the grain
	memoValue                   // those of one value
	memoWeek                    // sums of the week that begins on the day from
	memoSum                     // sums of all cells of a span
	memoCounted                 // sums of the cells of a span that count something
	memoLive    = 16            // added to the kind of what still changes
)

type memoKey struct {
	app      model.AppID
	series   rollup.Series
	kind     memoKind
	value    string // of memoValue
	grain    rollup.Grain
	from, to rollup.Bucket
	lacks    rollup.Bucket // of memoSum and memoCounted: a bucket that is left out
}

// memoEntry is never changed once it is kept, but for what is live.
type memoEntry struct {
	generation uint64
	// moment is from before the cells were read, largest the largest number of a user of theirs:
	// merges of later users do not concern them.
	moment  uint64
	largest uint32
	cells   []countedCell
	sums    []sum
	live    *live // nil = everything is finished

	bytes int64 // as counted by the memo
}

// countedBytes and sumBytes are about what a cell and a sum take, beside values and users.
const (
	countedBytes = 120
	sumBytes     = 160
)

// countedCell is a cell without its users.
type countedCell struct {
	bucket rollup.Bucket
	value  string
	cell   rollup.Cell
	users  rollup.UserCount
}

// sum is a tally that is finished.
type sum struct {
	tally
	u int64
}

func newMemo(changes rollup.Changes, limit int64) *memo {
	m := &memo{changes: changes, limit: limit}
	m.lru, _ = simplelru.NewLRU(memoEntries, func(_ memoKey, e *memoEntry) { // fails for a size of 0 only
		m.bytes -= e.bytes
		if e.live != nil {
			e.live.subscription.Stop()
		}
	})
	return m
}

// size estimates the bytes of an entry.
func (e *memoEntry) size() int64 {
	n := int64(256)
	for i := range e.cells {
		n += countedBytes + int64(len(e.cells[i].value))
	}
	for i := range e.sums {
		n += sumBytes + int64(len(e.sums[i].value))
		if h := e.sums[i].head; h != nil {
			n += int64(h.GetSizeInBytes()) // far below
		}
	}
	if e.live != nil {
		n += e.live.size()
	}
	return n
}

// get returns the entry of a key if it has the generation.
func (m *memo) get(k memoKey, generation uint64) *memoEntry {
	e := m.any(k)
	if e == nil || e.generation != generation {
		return nil
	}
	if old, ok := m.changes.MergedSince(k.app, e.moment); ok && old <= e.largest {
		return nil
	}
	return e
}

// begin returns an entry for what is read from now on of cells of a generation.
func (m *memo) begin(generation uint64) *memoEntry {
	return &memoEntry{generation: generation, moment: m.changes.Moment()}
}

// note notes the largest user of some cells of an entry.
func (e *memoEntry) note(largest uint32) { e.largest = max(e.largest, largest) }

// any returns the entry of a key, whatever its generation; nil when there is none.
func (m *memo) any(k memoKey) *memoEntry {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, _ := m.lru.Get(k)
	return e
}

// put keeps an entry, unless it would take a large part of the room.
func (m *memo) put(k memoKey, e *memoEntry) {
	size := e.size()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lru.Remove(k)
	if size > m.limit/4 {
		if e.live != nil {
			e.live.subscription.Stop()
		}
		return
	}
	e.bytes = size
	m.bytes += size
	m.lru.Add(k, e)
	m.evict()
}

func (m *memo) evict() {
	for m.bytes > m.limit {
		m.lru.RemoveOldest()
	}
}

// remove forgets an entry.
func (m *memo) remove(k memoKey) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lru.Remove(k)
}

// resize counts a live entry that may have grown.
func (m *memo) resize(k memoKey, e *memoEntry) {
	if !e.live.grew() {
		return
	}
	size := e.size()
	m.mu.Lock()
	defer m.mu.Unlock()
	if kept, _ := m.lru.Peek(k); kept != e {
		return
	}
	m.bytes += size - e.bytes
	e.bytes = size
	m.evict()
}

// counts implements Cells, remembering the cells of finished days.
func (r *remembering) counts(ctx context.Context, app model.AppID, s rollup.Series, g rollup.Grain, from, to rollup.Bucket, fn func(b rollup.Bucket, value string, c *rollup.Cell, users int64) error) error {
	scan := func(from, to rollup.Bucket, fn emit) error {
		return rollup.ScanCounts(ctx, r.Tracker, app, s, g, from, to, fn)
	}
	return r.remembered(ctx, memoKey{app: app, series: s, kind: memoCells, grain: g, from: from, to: to}, scan, func(b rollup.Bucket, value string, c *rollup.Cell, users rollup.UserCount) error {
		return fn(b, value, c, int64(users.N)) // at most 2^32
	})
}

// value implements Cells, remembering the cells of finished days.
func (r *remembering) value(ctx context.Context, app model.AppID, s rollup.Series, g rollup.Grain, from, to rollup.Bucket, value string, fn func(b rollup.Bucket, c *rollup.Cell) error) error {
	scan := func(from, to rollup.Bucket, fn emit) error {
		return rollup.ScanValue(ctx, r.Tracker, app, s, g, from, to, value, func(b rollup.Bucket, c *rollup.Cell) error { return fn(b, value, c, rollup.UserCount{}) })
	}
	return r.remembered(ctx, memoKey{app: app, series: s, kind: memoValue, value: value, grain: g, from: from, to: to}, scan, func(b rollup.Bucket, _ string, c *rollup.Cell, _ rollup.UserCount) error {
		return fn(b, c)
	})
}

// remembered calls fn for the cells that scan finds from k.from to k.to,
// remembering them under keys like k.
func (r *remembering) remembered(ctx context.Context, k memoKey, scan func(from, to rollup.Bucket, fn emit) error, fn emit) error {
	from, to := k.from, k.to
	width := rollup.Bucket(1) // hours are remembered by the day
	if k.grain == rollup.Hour {
		width = 24
	}
	if from > to || (to-from)/width > memoRun || from%width != 0 || to%width != width-1 {
		return scan(from, to, fn)
	}
	key := func(b rollup.Bucket) memoKey {
		k.from, k.to = b, b+width-1
		return k
	}
	look := func(b rollup.Bucket) (*memoEntry, uint64) {
		generation := r.memo.changes.Generation(k.app, k.grain, b, b+width-1)
		return r.memo.get(key(b), generation), generation
	}
	held := readingOf(ctx)
	for b := from; b <= to; {
		if err := ctx.Err(); err != nil {
			return err
		}
		var cells []countedCell
		e, generation := look(b)
		known := e != nil
		if known {
			cells = e.cells
		} else if k.kind == memoCells {
			var err error
			if cells, known, err = r.liveCells(ctx, key(b), generation); err != nil {
				return err
			}
		}
		if known {
			for i := range cells {
				c := cells[i]
				if err := fn(c.bucket, c.value, &c.cell, c.users); err != nil {
					return err
				}
			}
			b += width
			continue
		}
		// All that is missing up to the next known bucket is read at once.
		missing := []*memoEntry{r.memo.begin(generation)}
		next := b + width
		for ; next <= to; next += width {
			e, generation := look(next)
			if e != nil {
				break
			}
			missing = append(missing, r.memo.begin(generation))
		}
		// What is complete is kept at once: the memo has room for it, or has not.
		first, taken := b, int64(0)
		keep := func(until rollup.Bucket) {
			for ; b < until; b += width {
				r.memo.put(key(b), missing[(b-first)/width])
				missing[(b-first)/width] = nil
			}
			held.give(taken)
			taken = 0
		}
		err := scan(b, next-1, func(at rollup.Bucket, value string, c *rollup.Cell, users rollup.UserCount) error {
			if at >= b+width {
				keep(at - at%width)
			}
			n := countedBytes + int64(len(value))
			if !held.take(n) {
				return held.failed()
			}
			taken += n
			e := missing[(at-first)/width]
			e.note(users.Largest)
			e.cells = append(e.cells, countedCell{bucket: at, value: value, cell: *c, users: users})
			return fn(at, value, c, users)
		})
		if err == nil {
			err = held.failed()
		}
		if err != nil {
			return err
		}
		keep(next)
	}
	return nil
}

// sums implements Cells. All but the
// bucket of the last span that changed last, today as a rule, is remembered; of that bucket
// only what was added since the last read is added.
func (r *remembering) sums(ctx context.Context, app model.AppID, s rollup.Series, spans []span, which only) (*tallies, error) {
	ts := talliesOf(ctx)
	if len(spans) == 0 {
		return ts, nil
	}
	last := spans[len(spans)-1]
	b := r.changing(app, last)
	tail := span{last.grain, b, b}
	rest := slices.Clone(spans[:len(spans)-1])
	if b > last.from {
		rest = append(rest, span{last.grain, last.from, b - 1})
	}
	if b < last.to {
		rest = append(rest, span{last.grain, b + 1, last.to})
	}
	key := headKey(app, s, spans, which, b)
	live, err := r.liveSums(ctx, key, rest, tail, which)
	if err != nil || live != nil {
		return live, err
	}
	head, err := r.head(ctx, key, rest, which)
	if err != nil {
		return ts, err
	}
	for i := range head.sums {
		ts.put(&head.sums[i])
	}
	return ts, addSpan(ctx, r, app, s, tail, which, ts)
}

// changing returns the bucket of a span that changed last, the last bucket
// when that is not known.
func (r *remembering) changing(app model.AppID, sp span) rollup.Bucket {
	const few = 62 // others are read past it
	found := sp.to
	if sp.to-sp.from > few {
		return found
	}
	newest := r.memo.changes.Generation(app, sp.grain, found, found)
	for b := sp.from; b < sp.to; b++ {
		if g := r.memo.changes.Generation(app, sp.grain, b, b); g > newest {
			found, newest = b, g
		}
	}
	return found
}

// headKey names the sums of spans without one bucket of the last of them.
func headKey(app model.AppID, s rollup.Series, spans []span, which only, lacks rollup.Bucket) memoKey {
	key := memoKey{app: app, series: s, kind: memoSum, grain: spans[0].grain, from: spans[0].from, to: spans[len(spans)-1].to, lacks: lacks}
	if which == countedCells {
		key.kind = memoCounted
	}
	if len(spans) > 1 { // other grains with the same ends are no other cells, but another grain at the end is
		key.grain += 16 * (1 + spans[len(spans)-1].grain)
	}
	return key
}

// generation returns the generation of spans, some of which may be empty.
func (r *remembering) generation(app model.AppID, spans []span) uint64 {
	var generation uint64
	for _, sp := range spans {
		if sp.from <= sp.to {
			generation = max(generation, r.memo.changes.Generation(app, sp.grain, sp.from, sp.to))
		}
	}
	return generation
}

// head returns the sums of spans.
func (r *remembering) head(ctx context.Context, key memoKey, spans []span, which only) (*memoEntry, error) {
	generation := r.generation(key.app, spans)
	if e := r.memo.get(key, generation); e != nil {
		return e, nil
	}
	ts := talliesOf(ctx)
	e := r.memo.begin(generation)
	for _, sp := range spans {
		if err := addSpan(ctx, r, key.app, key.series, sp, which, ts); err != nil {
			return nil, err
		}
	}
	if !ts.held.take(sumBytes * int64(ts.used)) {
		return nil, ts.held.failed()
	}
	for _, t := range ts.all[:ts.used] {
		done := t.finish()
		e.sums = append(e.sums, done)
		e.note(done.largest())
	}
	r.memo.put(key, e)
	return e, nil
}

// finish turns a tally into a sum that shares nothing with cells.
func (t *tally) finish() sum {
	out := sum{tally: *t}
	users := t.users.set()
	users.CloneCopyOnWriteContainers()
	users.SetCopyOnWrite(false)
	out.users, out.head = union{}, users
	out.u = int64(users.GetCardinality()) // at most 2^32
	return out
}

// put adds a finished sum. Its users stay its own.
func (ts *tallies) put(s *sum) {
	t := ts.of(s.value)
	users := t.users
	*t = s.tally
	t.users = users
}

// cardinality returns the number of users.
func (t *tally) cardinality() int64 {
	if t.number > 0 {
		return t.number
	}
	if t.head == nil {
		return t.users.cardinality()
	}
	known := int64(t.head.GetCardinality()) // at most 2^32
	if t.users.empty() {
		return known
	}
	tail := t.users.set()
	return known + int64(tail.GetCardinality()) - int64(t.head.AndCardinality(tail)) // at most 2^32
}

// largest returns the largest number of a user.
func (t *tally) largest() uint32 {
	n := t.users.largest()
	if t.head != nil && !t.head.IsEmpty() {
		n = max(n, t.head.Maximum())
	}
	return n
}

// set returns all users. It belongs to t.
func (t *tally) set() *roaring.Bitmap {
	if t.head != nil {
		t.users.add(&rollup.Cell{Users: t.head})
		t.head = nil
	}
	return t.users.set()
}
