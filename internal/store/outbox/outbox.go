package outbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/journal"
)

// Part is what a batch adds to one app. Unlike events.AppBatch it names users by id:
// their profiles are read when the part is moved, so a user of many batches is mirrored once.
type Part struct {
	Rows     Rows
	Requests []events.RequestRow
	States   []events.State
	// Users are the profiles to be mirrored into the users table.
	Users []model.ProfileID
	// Gone are the numbers of profiles that no longer exist.
	Gone []uint32
	// Rewrites are the uid rewrites of merged users: rows of the old number get the new one.
	Rewrites map[uint32]uint32
}

// Empty reports whether there is nothing in the part.
func (p *Part) Empty() bool {
	return p.Rows.n+len(p.Requests)+len(p.States)+len(p.Users)+len(p.Gone)+len(p.Rewrites) == 0
}

// Profiles is what the outbox reads of profiles.
type Profiles interface {
	// Get returns the profile with the id, or profile.ErrNotFound.
	Get(ctx context.Context, app model.AppID, id model.ProfileID) (*model.Profile, error)
}

// Options of New. All fields without a stated default are required.
type Options struct {
	Store    Store
	Events   events.Writer
	Profiles Profiles
	Log      *slog.Logger
	Now      func() time.Time
	// MoveRows and MoveBytes bound what is moved at once. When that much is queued it is moved without waiting for Every;
	// when four times that much is queued, Room waits. 0 = 196,608 rows, 32 MiB.
	MoveRows, MoveBytes int64
	// Pause is called before rows are moved and may wait for a moment when memory is short; nil = rows are moved at once.
	Pause func(context.Context)
	// Every is how long queued rows wait for more rows when no reader needs them; 0 = 8 s.
	Every time.Duration
	// MirrorEvery is how long changed users wait for further changes before they are mirrored; 0 = 30 s.
	MirrorEvery time.Duration
	// MirrorUsers is how many changed users are mirrored without waiting; 0 = 50,000.
	MirrorUsers int
}

// Outbox keeps projected batches until they are moved to the event store. It is
// safe for concurrent use.
type Outbox struct {
	o Options
	// turn is a lock that is held while the event store is written to: receiving from it takes the lock.
	turn   chan struct{}
	loaded atomic.Bool // Load was called
	rows   atomic.Int64
	bytes  atomic.Int64
	full   chan struct{} // has one element when a whole move is queued
	mirror mirror
	// versions are those of apps, see Version.
	versions versions
	// buf and parts are of Put, which fills them in each call.
	buf   []byte
	parts []Stored

	mu sync.Mutex
	// lines are the partitions that had batches.
	lines   map[uint16]*line
	moving  chan struct{} // closed when something was moved
	trouble error         // why nothing can be moved at present; nil = it can
	retry   time.Duration
}

// line is the part of the outbox for a partition of the journal.
type line struct {
	partition uint16
	// from is the least offset that may be in the outbox. Guarded by turn.
	from uint64
	// moved is one more than the offset up to which all is moved. Written with turn held.
	moved atomic.Uint64
	// queued is the offset of the last batch that is stored.
	queued atomic.Uint64
}

// waits reports whether anything waits to be moved.
func (l *line) waits() bool { return l.moved.Load() <= l.queued.Load() }

// line returns that of a partition.
func (s *Outbox) line(partition uint16) *line {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.lines[partition]
	if l == nil {
		l = &line{partition: partition}
		l.moved.Store(1)
		s.lines[partition] = l
	}
	return l
}

// all lists the lines by partition.
func (s *Outbox) all() []*line {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]*line, 0, len(s.lines))
	for _, l := range s.lines {
		out = append(out, l)
	}
	slices.SortFunc(out, func(a, b *line) int { return cmp.Compare(a.partition, b.partition) })
	return out
}

// empty reports whether all rows are moved.
func (s *Outbox) empty() bool {
	if !s.loaded.Load() {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.lines {
		if l.waits() {
			return false
		}
	}
	return true
}

// New checks the options and returns an outbox over what the database holds.
func New(o Options) (*Outbox, error) {
	if o.Store == nil || o.Events == nil || o.Profiles == nil || o.Log == nil || o.Now == nil {
		return nil, errors.New("outbox: Store, Events, Profiles, Log and Now are required")
	}
	if o.MoveRows <= 0 {
		o.MoveRows = 192 << 10 // one and a half row groups of DuckDB, which then writes them once
	}
	if o.MoveBytes <= 0 {
		o.MoveBytes = 32 << 20
	}
	if o.Every <= 0 {
		o.Every = 8 * time.Second
	}
	if o.MirrorEvery <= 0 {
		o.MirrorEvery = 30 * time.Second
	}
	if o.MirrorUsers <= 0 {
		o.MirrorUsers = 50_000
	}
	s := &Outbox{o: o, turn: make(chan struct{}, 1), full: make(chan struct{}, 1), moving: make(chan struct{}), lines: map[uint16]*line{}}
	s.turn <- struct{}{}
	return s, nil
}

// keptBuffer bounds what Put keeps for the next batch.
const keptBuffer = 8 << 20

// Put returns a batch of a partition that ends with the record at an offset in stored form, for a commit, and what is
// to be called when that has ended. Offsets of a partition ascend from call to call, after one of Load; the calls come one after the other. What
// parts point to is not kept, and the batch is valid until the next call.
func (s *Outbox) Put(through journal.Position, parts map[model.AppID]*Part) (t Batch, end func(committed bool)) {
	var rows int64
	var apps []model.AppID
	var rewrites map[model.AppID]map[uint32]uint32
	type changed struct {
		users []model.ProfileID
		gone  []uint32
	}
	users := map[model.AppID]changed{}
	s.parts = s.parts[:0]
	buf := s.buf[:0]
	for app, p := range parts {
		if p.Empty() {
			continue
		}
		from := len(buf)
		buf = appendPart(buf, p)
		rows += int64(p.Rows.n)
		apps = append(apps, app)
		if len(p.Users)+len(p.Gone) > 0 {
			users[app] = changed{slices.Clone(p.Users), slices.Clone(p.Gone)}
		}
		if len(p.Rewrites) > 0 {
			if rewrites == nil {
				rewrites = map[model.AppID]map[uint32]uint32{}
			}
			rewrites[app] = resolved(p.Rewrites)
		}
		s.parts = append(s.parts, Stored{App: app, Value: buf[from:len(buf):len(buf)]})
	}
	s.buf = buf
	if cap(buf) > keptBuffer {
		s.buf = nil
	}
	bytes := int64(len(buf))
	of := s.line(through.Partition)
	return Batch{Partition: through.Partition, Through: through.Offset, Parts: s.parts}, func(committed bool) {
		if !committed || bytes == 0 {
			return
		}
		of.queued.Store(through.Offset)
		for app, users := range rewrites {
			s.versions.rewrote(app, users)
		}
		for app, c := range users {
			s.versions.wrote(app, c.users, c.gone)
		}
		s.versions.bump(apps...)
		many, much := s.rows.Add(rows) >= s.o.MoveRows, s.bytes.Add(bytes) >= s.o.MoveBytes
		if many || much {
			select {
			case s.full <- struct{}{}:
			default:
			}
		}
	}
}

// Rows returns how many event rows are in the outbox.
func (s *Outbox) Rows() int64 { return s.rows.Load() }

// patience is how many whole moves may be queued.
const patience = 4

// Room waits while the outbox is too full.
func (s *Outbox) Room(ctx context.Context) error {
	for {
		s.mu.Lock()
		moving := s.moving
		s.mu.Unlock()
		if s.rows.Load() < patience*s.o.MoveRows && s.bytes.Load() < patience*s.o.MoveBytes {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-moving:
		}
	}
}

// Trouble reports why nothing can be moved at present, nil when it can, and
// when it is tried again.
func (s *Outbox) Trouble() (retry time.Duration, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.retry, s.trouble
}

// fails records the outcome of an attempt; nil means success.
func (s *Outbox) fails(err error, retry time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trouble, s.retry = err, retry
}

const (
	minBackoff = 100 * time.Millisecond
	maxBackoff = 5 * time.Second
	// lastMove is how long the end of Run may take.
	lastMove = 10 * time.Second
)

// Run moves queued rows now and then until ctx is done, and what is left at
// its end. A fault of the event store it tells the log and Trouble, and tries again.
func (s *Outbox) Run(ctx context.Context) {
	every := time.NewTimer(0)
	defer every.Stop()
	wait, do := minBackoff, s.tidy
	for {
		select {
		case <-ctx.Done():
			s.end(ctx)
			return
		case <-every.C:
		case <-s.full: // the rest waits for company
			do = s.moveWhole
		}
		if s.o.Pause != nil {
			s.o.Pause(ctx)
		}
		err := s.exclusively(ctx, do)
		switch {
		case ctx.Err() != nil:
		case err != nil:
			s.fails(err, wait)
			s.o.Log.ErrorContext(ctx, "event store refused a commit", "err", err, "retry_in", wait)
			every.Reset(wait)
			wait = min(2*wait, maxBackoff)
		default:
			s.fails(nil, 0)
			every.Reset(s.o.Every)
			wait = minBackoff
		}
		do = s.tidy
	}
}

// end moves what is left when the server stops.
func (s *Outbox) end(ctx context.Context) {
	if _, err := s.Trouble(); err != nil || s.o.Store.Failed() != nil {
		return // queued rows stay
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastMove)
	defer cancel()
	if err := s.exclusively(last, s.drainAll); err != nil {
		s.o.Log.WarnContext(ctx, "rows in the outbox stay for the next start", "err", err)
	}
}

// Drain moves all rows that were queued before the call. It returns at once
// when there are none. Errors: those of the event store, ctx's.
func (s *Outbox) Drain(ctx context.Context) error {
	if s.empty() {
		return nil
	}
	return s.exclusively(ctx, s.drain)
}

// DrainAll is Drain, and brings the users table up to date.
func (s *Outbox) DrainAll(ctx context.Context) error {
	if s.empty() && s.mirror.empty() {
		return nil
	}
	return s.exclusively(ctx, s.drainAll)
}

// Exclusive moves everything in the outbox, users too, and calls fn with the event
// store, to which nobody else writes until fn returns. What was moved does not come back
// after a crash.
func (s *Outbox) Exclusive(ctx context.Context, fn func(context.Context, events.Writer) error) error {
	return s.exclusively(ctx, func(ctx context.Context) error {
		if err := s.drainAll(ctx); err != nil {
			return err
		}
		if err := s.seal(ctx); err != nil {
			return err
		}
		return fn(ctx, bumping{s.o.Events, &s.versions})
	})
}

// seal makes durable that moved parts are forgotten. The caller holds turn.
func (s *Outbox) seal(ctx context.Context) error {
	for _, l := range s.all() {
		if err := s.o.Store.Moved(ctx, Move{Partition: l.partition, Before: l.from, Durable: true}); err != nil {
			return fmt.Errorf("forget queued rows: %w", err)
		}
	}
	return nil
}

// Load finds out what the database holds. It is called before Put.
func (s *Outbox) Load(ctx context.Context) error {
	if s.loaded.Load() {
		return nil
	}
	return s.exclusively(ctx, s.load)
}

func (s *Outbox) exclusively(ctx context.Context, do func(context.Context) error) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-s.turn:
	}
	defer func() { s.turn <- struct{}{} }()
	return do(ctx)
}

// drain moves the rows that are queued by now. The caller holds turn.
func (s *Outbox) drain(ctx context.Context) error {
	if err := s.load(ctx); err != nil {
		return err
	}
	for _, l := range s.all() {
		for through := l.queued.Load(); l.moved.Load() <= through; {
			if err := s.move(ctx, l); err != nil {
				return fmt.Errorf("move rows to the event store: %w", err)
			}
		}
	}
	return nil
}

// drainAll moves what is queued by now and mirrors the users. The caller holds turn.
func (s *Outbox) drainAll(ctx context.Context) error {
	if err := s.drain(ctx); err != nil {
		return err
	}
	return s.reflect(ctx)
}

// moveWhole moves rows as long as they make a whole move. The caller holds turn.
func (s *Outbox) moveWhole(ctx context.Context) error {
	if err := s.load(ctx); err != nil {
		return err
	}
	for _, l := range s.all() {
		for l.waits() && (s.rows.Load() >= s.o.MoveRows || s.bytes.Load() >= s.o.MoveBytes) {
			if err := s.move(ctx, l); err != nil {
				return fmt.Errorf("move rows to the event store: %w", err)
			}
		}
	}
	return s.reflectDue(ctx)
}

// tidy moves all rows, and users when they have waited long enough. The caller
// holds turn.
func (s *Outbox) tidy(ctx context.Context) error {
	if err := s.drain(ctx); err != nil {
		return err
	}
	return s.reflectDue(ctx)
}

// reflectDue mirrors users that are many or have waited long. The caller holds turn.
func (s *Outbox) reflectDue(ctx context.Context) error {
	if s.mirror.size() < s.o.MirrorUsers && !s.mirror.due(s.o.Now().Add(-s.o.MirrorEvery)) {
		return nil
	}
	return s.reflect(ctx)
}

// load counts what the database holds, once. The caller holds turn.
func (s *Outbox) load(ctx context.Context) error {
	if s.loaded.Load() {
		return nil
	}
	partitions, err := s.o.Store.Partitions(ctx)
	if err != nil {
		return fmt.Errorf("list partitions of the outbox: %w", err)
	}
	var rows, bytes int64
	for _, partition := range partitions {
		of, last := s.line(partition), uint64(0)
		err := s.o.Store.Parts(ctx, partition, 0, math.MaxUint64, func(offset uint64, _ model.AppID, value []byte) (bool, error) {
			n, err := rowsOf(value)
			rows, bytes, last = rows+int64(n), bytes+int64(len(value)), offset
			return true, err
		})
		if err != nil {
			return fmt.Errorf("count queued rows: %w", err)
		}
		if err := s.loadMirror(ctx, partition); err != nil {
			return err
		}
		of.queued.Store(last)
	}
	s.rows.Store(rows)
	s.bytes.Store(bytes)
	s.loaded.Store(true)
	return nil
}

// move moves some batches of a line, whole ones. The caller holds turn.
func (s *Outbox) move(ctx context.Context, of *line) error {
	l, err := s.next(ctx, of)
	if err != nil {
		return err
	}
	if len(l.batch.Apps) > 0 {
		if err := s.o.Events.Commit(ctx, &l.batch); err != nil {
			return err
		}
	}
	// What comes back after a crash is below the event store's watermark.
	fresh, noted := s.noteUsers(l)
	m := Move{Partition: of.partition, From: of.from, Before: l.through + 1, Users: noted}
	if len(l.batch.Apps) > 0 {
		m.Watermark = l.batch.Watermark
	}
	if err := s.o.Store.Moved(ctx, m); err != nil {
		return fmt.Errorf("forget queued rows: %w", err)
	}
	s.mirror.add(fresh, journal.Position{Partition: of.partition, Offset: l.through}, s.o.Now())
	of.from = l.through + 1
	of.moved.Store(l.through + 1)
	s.rows.Add(-l.rows)
	s.bytes.Add(-l.bytes)
	s.mu.Lock()
	close(s.moving)
	s.moving = make(chan struct{})
	s.trouble, s.retry = nil, 0
	s.mu.Unlock()
	return nil
}

// load is what is moved at once.
type load struct {
	batch       events.Batch
	through     uint64 // offset of the last batch
	rows, bytes int64
	users       map[model.AppID][]model.ProfileID // with repeats
}

// next reads the batches to move.
func (s *Outbox) next(ctx context.Context, of *line) (*load, error) {
	w, err := s.o.Events.Watermark(ctx)
	if err != nil {
		return nil, fmt.Errorf("watermark of the event store: %w", err)
	}
	var ends uint64 // where a move that was begun ends, however much that is
	if r, ok := s.o.Events.(events.Resumer); ok {
		if ends, err = r.Resumes(ctx, of.partition); err != nil {
			return nil, err
		}
	}
	l := &load{through: cmp.Or(ends, of.queued.Load())}
	stored, last := map[model.AppID]*values{}, uint64(0)
	err = s.o.Store.Parts(ctx, of.partition, of.from, l.through+1, func(offset uint64, app model.AppID, value []byte) (bool, error) {
		if offset != last && ends == 0 && (l.rows >= s.o.MoveRows || l.bytes >= s.o.MoveBytes) {
			l.through = last
			return false, nil
		}
		last = offset
		n, err := rowsOf(value)
		if err != nil {
			return false, fmt.Errorf("batch %d of app %s: %w", offset, app, err)
		}
		l.rows, l.bytes = l.rows+int64(n), l.bytes+int64(len(value))
		if stored[app] == nil {
			stored[app] = &values{}
		}
		stored[app].add(value, offset <= w[of.partition])
		return true, nil
	})
	if err != nil {
		return nil, fmt.Errorf("read queued rows: %w", err)
	}
	l.batch = events.Batch{
		Partition: of.partition, Watermark: journal.Watermark{of.partition: l.through}, Apps: map[model.AppID]*events.AppBatch{},
	}
	l.users = map[model.AppID][]model.ProfileID{}
	for app, v := range stored {
		p, rows, err := v.part()
		if err != nil {
			return nil, fmt.Errorf("app %s: %w", app, err)
		}
		l.users[app] = p.Users
		if p.Users = nil; len(rows) > 0 || !p.Empty() {
			l.batch.Apps[app] = p.batch(rows)
		}
	}
	return l, nil
}

// values are the stored parts of an app.
type values struct {
	list []string
	old  int // of list, that were moved before a crash: only their users may be missing
}

func (v *values) add(value []byte, old bool) {
	v.list = append(v.list, string(value))
	if old {
		v.old++
	}
}

// part joins the parts. Their rows stay packed: as rows they are several times as large.
func (v *values) part() (*Part, packedRows, error) {
	p, rows := &Part{}, packedRows{}
	for i, value := range v.list {
		of, err := decodePart(value, p)
		if err != nil {
			return nil, nil, err
		}
		switch {
		case i < v.old:
			*p = Part{Users: p.Users}
		case of.n > 0:
			rows = append(rows, of)
		}
	}
	return p, rows, nil
}

// batch is the part without its users as the event store takes it.
func (p *Part) batch(rows packedRows) *events.AppBatch {
	return &events.AppBatch{Stored: rows, Requests: p.Requests, States: p.States, Gone: p.Gone, Rewrites: resolved(p.Rewrites)} // of several batches: 1→2, then 2→3
}

// resolved returns rewrites with chains followed to their ends.
func resolved(rewrites map[uint32]uint32) map[uint32]uint32 {
	if rewrites == nil {
		return nil
	}
	out := make(map[uint32]uint32, len(rewrites))
	for from, to := range rewrites {
		for next, ok := rewrites[to]; ok; next, ok = rewrites[to] {
			to = next
		}
		out[from] = to
	}
	return out
}
