// Package pebble keeps the journal in the state's Pebble database: the embedded engine of package journal.
package pebble

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"quipu/internal/store/journal"
	"quipu/internal/store/kv"
)

// Options of the embedded journal. The zero value sets no bounds.
type Options struct {
	// MaxBytes and MaxRecords bound what lies between the last trim and the
	// end; Append gives ErrFull beyond them. 0 is no bound.
	MaxBytes   int64
	MaxRecords int64
	// ReserveBytes of the disk are left free: Append gives ErrFull when fewer are.
	ReserveBytes uint64
	// DiskFree returns the free bytes of the disk; nil asks the database. An
	// error means that it is not known, and nothing is refused for it.
	DiskFree func() (uint64, error)
}

const (
	// only is the one partition of the embedded journal.
	only uint16 = 0
	// maxGroup bounds the payload bytes of one commit; a larger Append goes alone.
	maxGroup = 4 << 20
)

// Journal is the embedded journal. One goroutine commits: it takes whatever
// waits, stores it in one synced batch, and wakes all whose records these were;
// what arrives meanwhile is the next batch.
type Journal struct {
	db   *kv.DB
	opts Options

	// copying holds a token from when the committer takes a group until the group's payloads are copied. It is taken
	// before mu.
	copying chan struct{}

	mu      sync.Mutex
	queue   []*appending      // in order of arrival
	queued  int64             // payload bytes in queue
	waiting int64             // records in queue
	last    mark              // the last durable record; reads end here
	base    mark              // the last trimmed record; reads start after it
	stored  mark              // the trim point on disk
	sized   mark              // what Size looked up last
	taken   journal.Watermark // up to where other journals' partitions are taken, durably
	closed  bool
	changed chan struct{} // closed when last moves; nil when nobody waits

	// trimming is held by a trim until it is stored. It is taken before mu.
	trimming sync.Mutex

	open block  // what fill gathers; of the committer
	pack packer // of the committer

	wake    chan struct{} // holds one token when the committer has to look
	stopped chan struct{} // closed when the committer has ended
	reqs    sync.Pool     // of *appending
}

// appending is an Append under way.
type appending struct {
	entries []journal.Entry
	bytes   int64
	taken   bool // by the committer; guarded by Pebble.mu
	// from is up to where the entries take another journal; the zero position = they are not from one.
	from    journal.Position
	refused error // set by fill: nothing of it is in the batch
	last    uint64
	err     error
	done    chan struct{} // receives one value when last or err is set
}

var _ journal.Journal = (*Journal)(nil)

// Open opens the journal in db. It has to be closed before db is.
func Open(ctx context.Context, db *kv.DB, opts Options) (*Journal, error) {
	j := &Journal{
		db: db, opts: opts,
		copying: make(chan struct{}, 1), wake: make(chan struct{}, 1), stopped: make(chan struct{}),
		reqs: sync.Pool{New: func() any { return &appending{done: make(chan struct{}, 1)} }},
	}
	if opts.DiskFree == nil {
		j.opts.DiskFree = db.DiskFree
	}
	if err := j.recover(ctx); err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	db.OnShort(j.refuse)
	go j.commitLoop() //nolint:contextcheck // it outlives the call
	return j, nil
}

// recover finds where the journal ends. Records may all have been trimmed,
// so the trim point and the watermark count as well: no offset is given out twice.
func (j *Journal) recover(ctx context.Context) error {
	err := j.db.Get(metaKey(kv.MetaTrim, only), func(v []byte) (err error) {
		j.base, err = parseMark(v)
		return err
	})
	if err != nil && !errors.Is(err, kv.ErrNotFound) {
		return err
	}
	j.stored, j.last = j.base, j.base
	it, err := j.db.Iter(recordKey(only, j.base.offset+1), kv.After(recordKey(only, 0)[:3]))
	if err != nil {
		return err
	}
	if it.Last() && len(it.Key()) == recordKeyLen {
		j.last.offset = offsetOf(it.Key())
		// Read reports corrupt records; the total is for sizes only.
		if v, verr := it.ValueAndErr(); verr == nil && len(v) >= recordHeader {
			j.last.total = max(j.last.total, binary.BigEndian.Uint64(v[5:]))
		}
	}
	if err := it.Close(); err != nil {
		return fmt.Errorf("find the last record: %w", err)
	}
	if j.taken, err = LoadTaken(ctx, j.db); err != nil {
		return err
	}
	w, err := LoadWatermark(ctx, j.db)
	if err != nil {
		return err
	}
	if w[only] > j.last.offset {
		j.last.offset = w[only]
		j.base = j.last
	}
	j.sized = j.base
	return nil
}

// Append implements Journal. The routing is not used: there is one partition.
func (j *Journal) Append(ctx context.Context, entries ...journal.Entry) (journal.Position, error) {
	return j.append(ctx, journal.Position{}, entries)
}

func (j *Journal) append(ctx context.Context, from journal.Position, entries []journal.Entry) (journal.Position, error) {
	if err := ctx.Err(); err != nil {
		return journal.Position{}, err
	}
	req := j.reqs.Get().(*appending)
	req.entries, req.bytes, req.taken, req.last, req.err = entries, 0, false, 0, nil
	req.from, req.refused = from, nil
	for i := range entries {
		req.bytes += int64(len(entries[i].Payload))
	}
	if err := j.enqueue(req); err != nil {
		return journal.Position{}, err
	}
	select {
	case <-req.done:
	case <-ctx.Done():
		if j.withdraw(req) {
			return journal.Position{}, ctx.Err()
		}
		select {
		case <-req.done: // comes soon: a commit ends even when the disk never answers
		case <-j.db.Short(): // except while it waits for room
			j.copying <- struct{}{} // the caller has its payloads back once they are copied
			<-j.copying
			return journal.Position{}, ctx.Err()
		}
	}
	last, err := req.last, req.err
	req.entries = nil
	j.reqs.Put(req)
	if err != nil {
		return journal.Position{}, err
	}
	return journal.Position{Partition: only, Offset: last}, nil
}

func (j *Journal) enqueue(req *appending) error {
	if err := j.db.Failed(); err != nil {
		return fmt.Errorf("%w: %w", journal.ErrFailed, err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.db.Full() { // asked under mu, so that refuse misses no request
		return journal.ErrFull
	}
	if j.closed {
		return journal.ErrClosed
	}
	n := int64(len(req.entries))
	if limit := j.opts.MaxBytes; limit > 0 && int64(j.last.total-j.base.total)+j.queued+req.bytes > limit {
		return journal.ErrFull
	}
	if limit := j.opts.MaxRecords; limit > 0 && int64(j.last.offset-j.base.offset)+j.waiting+n > limit {
		return journal.ErrFull
	}
	j.queue = append(j.queue, req)
	j.queued += req.bytes
	j.waiting += n
	j.signal()
	return nil
}

// withdraw takes req out of the queue; false means that its write has begun.
func (j *Journal) withdraw(req *appending) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if req.taken {
		return false
	}
	for i, r := range j.queue {
		if r == req {
			j.queue = append(j.queue[:i], j.queue[i+1:]...)
			break
		}
	}
	j.queued -= req.bytes
	j.waiting -= int64(len(req.entries))
	return true
}

// refuse answers what waits in the queue when the disk becomes full; what is being written waits for room.
func (j *Journal) refuse() {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, req := range j.queue {
		j.queued -= req.bytes
		j.waiting -= int64(len(req.entries))
		req.taken, req.err = true, journal.ErrFull
		req.done <- struct{}{} // it has room for one
	}
	clear(j.queue)
	j.queue = j.queue[:0]
}

func (j *Journal) signal() {
	select {
	case j.wake <- struct{}{}:
	default:
	}
}

func (j *Journal) commitLoop() {
	defer close(j.stopped)
	var group []*appending
	for {
		j.copying <- struct{}{}
		taken, closed := j.take(group[:0])
		b, end, err := j.fill(taken)
		<-j.copying
		group = taken
		if len(group) > 0 {
			j.commit(group, b, end, err)
			clear(group)
			continue
		}
		if closed {
			return
		}
		<-j.wake
	}
}

// take moves the next group from the queue to group. What it takes still
// counts in queued and waiting until it is committed or refused.
func (j *Journal) take(group []*appending) (_ []*appending, closed bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	var bytes int64
	n := 0
	for _, req := range j.queue {
		if n > 0 && bytes+req.bytes > maxGroup {
			break
		}
		bytes += req.bytes
		req.taken = true
		n++
	}
	group = append(group, j.queue[:n]...)
	rest := copy(j.queue, j.queue[n:])
	clear(j.queue[rest:])
	j.queue = j.queue[:rest]
	return group, j.closed
}

// commit stores the batch of a group and answers its requests; err is that of filling the batch.
func (j *Journal) commit(group []*appending, b *kv.Batch, end mark, err error) {
	if err == nil {
		if err = j.db.Commit(b); err != nil {
			err = fmt.Errorf("%w: %w", journal.ErrFailed, err)
		}
	}
	j.mu.Lock()
	for _, req := range group {
		j.queued -= req.bytes
		j.waiting -= int64(len(req.entries))
	}
	if err == nil {
		j.last = end
		for _, req := range group {
			if req.from.Offset > 0 && req.refused == nil {
				j.taken[req.from.Partition] = req.from.Offset
			}
		}
		if j.changed != nil {
			close(j.changed)
			j.changed = nil
		}
	}
	j.mu.Unlock()
	for _, req := range group {
		if req.err = err; err == nil {
			req.err = req.refused
		}
		req.done <- struct{}{}
	}
}

// fill puts the records of a group into a batch, in blocks, and returns the journal's end once that is committed. Only the
// committer calls it, so nobody else moves j.last meanwhile.
func (j *Journal) fill(group []*appending) (b *kv.Batch, end mark, err error) {
	if len(group) == 0 {
		return nil, mark{}, nil
	}
	j.mu.Lock()
	end = j.last
	j.mu.Unlock()
	var need uint64
	for _, req := range group {
		need += uint64(req.bytes)
	}
	if j.opts.ReserveBytes > 0 {
		if free, err := j.opts.DiskFree(); err == nil && free < j.opts.ReserveBytes+need {
			return nil, end, journal.ErrFull
		}
	}
	b = j.batch(group)
	var notes journal.Watermark
	defer j.open.reset() // a payload in it belongs to the caller
	j.open.reset()
	for _, req := range group {
		if req.from.Offset > 0 {
			if notes == nil {
				notes = journal.Watermark{}
			}
			if req.refused = j.note(notes, req.from); req.refused != nil {
				continue
			}
		}
		for i := range req.entries {
			p := req.entries[i].Payload
			if !j.open.takes(len(p)) {
				if err := j.pack.put(b, &j.open); err != nil {
					b.Discard()
					return nil, end, fmt.Errorf("append: %w", err)
				}
				j.open.reset()
			}
			end.offset++
			end.total += uint64(len(p))
			j.open.add(end, p)
		}
		req.last = end.offset
	}
	if err := j.pack.put(b, &j.open); err != nil {
		b.Discard()
		return nil, end, fmt.Errorf("append: %w", err)
	}
	if err := putMarks(b, kv.MetaTaken, notes); err != nil {
		b.Discard()
		return nil, end, err
	}
	return b, end, nil
}

// batch returns a batch for a group. One for large records, which are stored as they are, has its size from the
// beginning: one that grows takes up to three times as much.
func (j *Journal) batch(group []*appending) *kv.Batch {
	const large = 1 << 20
	alone, entries, size := 0, 0, 0
	for _, req := range group {
		for i := range req.entries {
			n := len(req.entries[i].Payload)
			if n > blockBytes {
				alone += n
			}
			entries++
			size += recordKeyLen + recordHeader + n
		}
		if req.from.Offset > 0 {
			entries++
			size += noteKeyLen + noteLen
		}
	}
	if alone < large {
		return j.db.NewBatch()
	}
	return j.db.NewBatchFor(entries, size)
}

// Wait implements Journal; it also ends with ErrFailed or ErrClosed.
func (j *Journal) Wait(ctx context.Context, from journal.Watermark) error {
	for {
		j.mu.Lock()
		if j.last.offset > max(from[only], j.base.offset) {
			j.mu.Unlock()
			return nil
		}
		if j.closed {
			j.mu.Unlock()
			return journal.ErrClosed
		}
		if j.changed == nil {
			j.changed = make(chan struct{})
		}
		changed := j.changed
		j.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		case <-j.db.Done():
			return fmt.Errorf("%w: %w", journal.ErrFailed, j.db.Failed())
		case <-j.stopped:
			return journal.ErrClosed
		}
	}
}

// at returns the mark of an offset between base and last. When the record
// cannot be read, its size is counted as still there.
func (j *Journal) at(offset uint64) mark {
	j.mu.Lock()
	base, last, sized := j.base, j.last, j.sized
	j.mu.Unlock()
	switch {
	case offset <= base.offset:
		return base
	case offset == last.offset:
		return last
	case offset == sized.offset:
		return sized
	}
	m := mark{offset: offset, total: base.total}
	if found, err := j.find(offset); err == nil {
		m.total = min(max(m.total, found.total), last.total)
	}
	j.mu.Lock()
	j.sized = m
	j.mu.Unlock()
	return m
}

// Size implements Journal: a subtraction, and one lookup when w is new.
func (j *Journal) Size(w journal.Watermark) (records, bytes int64) {
	j.mu.Lock()
	offset := min(w[only], j.last.offset)
	j.mu.Unlock()
	m := j.at(offset)
	j.mu.Lock()
	defer j.mu.Unlock()
	return int64(j.last.offset - m.offset), int64(j.last.total - m.total)
}

// End implements journal.Journal.
func (j *Journal) End() journal.Watermark {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.last.offset == 0 {
		return journal.Watermark{}
	}
	return journal.Watermark{only: j.last.offset}
}

// Close commits what waits, refuses what comes later, and writes the trim
// point. It does not close the database, but fails it if its disk is full.
func (j *Journal) Close() error {
	j.db.GiveUp()
	j.mu.Lock()
	if j.closed {
		j.mu.Unlock()
		<-j.stopped
		return nil
	}
	trimmed := j.base.offset
	j.mu.Unlock()
	var err error
	if j.db.Failed() == nil {
		err = j.trim(trimmed, 0, 0, false)
	}
	j.mu.Lock()
	j.closed = true
	j.mu.Unlock()
	j.signal()
	<-j.stopped
	return err
}
