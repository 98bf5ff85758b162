package duck

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"quipu/internal/store/events"
)

// DuckDB has one memory limit for all that runs, and fails whatever asks for memory when it is reached: often not the
// statement that takes the most. Worse, a COMMIT or a checkpoint that fails for it may take the database out of service. So statements
// that meet the limit run again alone, and writes see to it that reads leave them a reserve.

const (
	// grace is how long reads that are under way may go on when another statement has to run alone.
	grace = 200 * time.Millisecond
	// solitude is how long a read runs alone before others run beside it.
	solitude = 2 * time.Second
	// maxAlone is how often a read runs alone at most: more than once when others had to stop it.
	maxAlone = 3
	// maxPassed is how many later ones run alone before a read at most.
	maxPassed = 4
	// watchEvery is the time between two looks at the memory beside a write.
	watchEvery = 10 * time.Millisecond
	// maxReserve bounds the memory that is kept for writes, bytes.
	maxReserve = 64 << 20
)

// errStopped is the cause of a read's cancelled context when others need its memory.
var errStopped = errors.New("events: read stopped because other reads need its memory")

// runs lets statements run beside each other, or alone when the memory does not suffice for all. Reads that met the limit
// run alone one after the other, those that came last first, as they are most likely small; between two of them
// the reads that waited meanwhile have their turn. The zero value is ready. Nobody waits in it with life held.
type runs struct {
	mu sync.Mutex
	// last numbers reads in the order in which they came.
	last uint64
	// active are the reads under way, without the lone one.
	active map[*run]bool
	// waiting are reads that wait to be let in, passing how many were let in and have not begun yet.
	waiting []chan struct{}
	passing int
	// queue are those that are to run alone, lone is the one that does, and open says that it has others beside it.
	queue []*run
	lone  *run
	open  bool
	// shut says that a write needs the memory of all reads.
	shut bool
	// drain is set while reads under way have their grace.
	drain *time.Timer
	// left, if not nil, is closed when a read ends.
	left chan struct{}
}

// run is one statement in the eyes of runs, which guards it. The zero value is that of a write.
type run struct {
	number   uint64
	stop     context.CancelCauseFunc // nil = it cannot be stopped
	halted   bool                    // stop was called in this attempt
	delivers bool                    // its result is complete, and rows of it were passed on
	passed   int                     // how many ran alone before it
	turn     chan struct{}           // closed when it may run alone
}

// begin registers a read among those under way; false = it has to wait. passes says that it was let in.
func (r *runs) begin(one *run, passes bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if passes {
		r.passing--
	}
	if r.shut || r.lone != nil && !r.open || !passes && len(r.queue) > 0 {
		r.next()
		return false
	}
	if r.active == nil {
		r.active = map[*run]bool{}
	}
	if one.number == 0 {
		r.last++
		one.number = r.last
	}
	r.active[one] = true
	return true
}

// letIn waits until a read may begin. Errors: ctx's.
func (r *runs) letIn(ctx context.Context) error {
	in := make(chan struct{})
	r.mu.Lock()
	r.waiting = append(r.waiting, in)
	r.next()
	r.mu.Unlock()
	select {
	case <-in:
		return nil
	case <-ctx.Done():
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := slices.Index(r.waiting, in); i >= 0 {
		r.waiting = slices.Delete(r.waiting, i, i+1)
	} else {
		r.passing--
		r.next()
	}
	return ctx.Err()
}

// admit lets all in that wait. mu is held.
func (r *runs) admit() {
	for _, in := range r.waiting {
		close(in)
	}
	r.passing += len(r.waiting)
	r.waiting = nil
}

// stoppable sets what stops a read. It may be called for each of its attempts.
func (r *runs) stoppable(one *run, stop context.CancelCauseFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	one.stop, one.halted = stop, false
}

// halt stops a read for a reason. The mu of its runs is held.
func (one *run) halt(reason error) {
	one.halted = true
	one.stop(reason)
}

// deliver notes that the first rows of a read are passed on: from here on it cannot be repeated, and needs no more memory.
// Errors: errStopped when it was stopped before.
func (r *runs) deliver(one *run) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if one.delivers {
		return nil
	}
	if one.halted {
		return errStopped
	}
	one.delivers = true
	if r.lone == one {
		r.lone = nil
		if r.active == nil {
			r.active = map[*run]bool{}
		}
		r.active[one] = true
		r.admit()
	}
	r.next()
	return nil
}

// end removes a read that has ended.
func (r *runs) end(one *run) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lone == one {
		r.lone = nil
		r.admit()
	}
	delete(r.active, one)
	if r.left != nil {
		close(r.left)
		r.left = nil
	}
	r.next()
}

// next lets begin what may. mu is held.
func (r *runs) next() {
	switch {
	case r.shut:
	case r.lone != nil && len(r.queue) == 0 && r.open, r.lone == nil && len(r.queue) == 0:
		r.admit()
	case r.lone != nil:
		if r.open {
			r.lone.halt(errStopped) // only what can be stopped is ever open
		}
	case r.passing > 0 || r.executing():
		if r.drain == nil {
			r.drain = time.AfterFunc(grace, r.drained)
		}
	default:
		r.pick()
	}
}

// executing reports whether reads are under way whose result is not complete. mu is held.
func (r *runs) executing() bool {
	for one := range r.active {
		if !one.delivers {
			return true
		}
	}
	return false
}

// drained stops the reads under way when their grace is over.
func (r *runs) drained() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drain = nil
	if r.lone == nil && len(r.queue) > 0 {
		r.stopActive()
	}
	r.next()
}

// stopActive stops all reads that can be repeated. mu is held.
func (r *runs) stopActive() {
	for one := range r.active {
		if !one.delivers {
			one.halt(errStopped)
		}
	}
}

// pick gives one of the queue its turn. mu is held.
func (r *runs) pick() {
	at := 0
	for i, one := range r.queue {
		switch first := r.queue[at]; {
		case first.stop == nil || first.passed >= maxPassed: // a write, or one that waited for long
		case one.stop == nil || one.passed >= maxPassed || one.number > first.number:
			at = i
		}
	}
	one := r.queue[at]
	r.queue = slices.Delete(r.queue, at, at+1)
	for _, other := range r.queue {
		other.passed++
	}
	r.lone, r.open = one, false
	turn := one.turn
	close(turn)
	if one.stop == nil {
		return
	}
	time.AfterFunc(solitude, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.lone == one && one.turn == turn {
			r.open = true
			r.next()
		}
	})
}

// enter waits until one may run alone; end must follow. Errors: ctx's.
func (r *runs) enter(ctx context.Context, one *run) error {
	r.mu.Lock()
	turn := make(chan struct{})
	one.turn, one.passed = turn, 0
	r.queue = append(r.queue, one)
	r.next()
	r.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	r.mu.Lock()
	if i := slices.Index(r.queue, one); i >= 0 {
		r.queue = slices.Delete(r.queue, i, i+1)
		r.next()
		r.mu.Unlock()
		return ctx.Err()
	}
	r.mu.Unlock()
	r.end(one)
	return ctx.Err()
}

// alone calls fn while no read computes its result. When the memory does not suffice because reads hold results that they have
// not passed on, these are stopped and fn is called again.
func (r *runs) alone(ctx context.Context, one *run, fn func() error) error {
	if err := r.enter(ctx, one); err != nil {
		return err
	}
	defer r.end(one)
	err := fn()
	if errors.Is(err, events.ErrMemory) && r.evict(ctx, one) {
		err = fn()
	}
	return err
}

// evict waits until the reads that hold results have ended, and stops those that take longer than a moment; false =
// there is none, or one itself is among them.
func (r *runs) evict(ctx context.Context, one *run) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.active) == 0 || one.delivers {
		return false
	}
	r.empty(ctx, grace)
	for other := range r.active {
		other.halt(errStopped)
	}
	r.empty(ctx, solitude)
	return true
}

// empty waits until no read is under way, for a while. mu is held, but not while it waits.
func (r *runs) empty(ctx context.Context, while time.Duration) {
	moment, cancel := context.WithTimeout(ctx, while)
	defer cancel()
	for len(r.active) > 0 && moment.Err() == nil {
		if r.left == nil {
			r.left = make(chan struct{})
		}
		left := r.left
		r.mu.Unlock()
		select {
		case <-left:
		case <-moment.Done():
		}
		r.mu.Lock()
	}
}

// clear stops all reads and keeps others from beginning until the returned function is called: the database is opened again.
// Those that hold results have a moment to pass them on. The caller then takes life.
func (r *runs) clear(ctx context.Context) (reopened func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.shut = true
	r.stopActive()
	if r.lone != nil && r.lone.stop != nil {
		r.lone.halt(errStopped)
	}
	r.empty(ctx, grace)
	for one := range r.active {
		one.halt(events.ErrReopened)
	}
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.shut = false
		r.next()
	}
}

// busy reports whether reads compute results.
func (r *runs) busy() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.executing() || r.lone != nil
}

// guard calls fn, which writes, and sees to it that at least half of reserve bytes of the memory are left beside reads:
// free returns how much there is. When it is less than reserve from the beginning, fn runs alone; when it shrinks meanwhile, all
// reads are stopped and run again afterwards.
func (r *runs) guard(ctx context.Context, free func(context.Context) (int64, error), reserve int64, fn func() error) error {
	if r.busy() {
		if n, err := free(ctx); err != nil || n < reserve {
			one := &run{}
			if err := r.enter(ctx, one); err != nil {
				return err
			}
			defer r.end(one)
			return fn()
		}
	}
	over, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		r.watch(ctx, over, free, reserve/2)
	}()
	err := fn()
	close(over)
	<-watched
	return err
}

// watch shuts reads out when less than least bytes are free, until over is closed.
func (r *runs) watch(ctx context.Context, over <-chan struct{}, free func(context.Context) (int64, error), least int64) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-over:
			return
		case <-tick.C:
		}
		if !r.busy() {
			continue
		}
		if n, err := free(ctx); err == nil && n >= least {
			continue
		}
		r.mu.Lock()
		r.shut = true
		r.stopActive()
		if r.lone != nil && r.lone.stop != nil {
			r.lone.halt(errStopped)
		}
		r.mu.Unlock()
		<-over
		r.mu.Lock()
		r.shut = false
		r.next()
		r.mu.Unlock()
		return
	}
}

// read calls fn, which runs a statement and calls deliver before it passes on the first row. When it meets the memory limit
// or is stopped before that, fn is called again alone. life is held while fn runs, and each call has the time budget
// of its own. Errors: events.ErrMemory, ctx's, fn's.
func (s *Store) read(ctx context.Context, one *run, fn func(context.Context) error) error {
	stopped, err := s.beside(ctx, one, fn)
	for n := 0; n < maxAlone && !one.delivers && ctx.Err() == nil; n++ {
		if !stopped && (n > 0 || !errors.Is(err, events.ErrMemory)) {
			return err
		}
		stopped, err = s.lonely(ctx, one, fn)
	}
	if stopped && ctx.Err() == nil {
		return fmt.Errorf("%w: others need it", events.ErrMemory)
	}
	return err
}

// beside calls fn beside others. stopped says that they needed its memory.
func (s *Store) beside(ctx context.Context, one *run, fn func(context.Context) error) (stopped bool, err error) {
	attempt, done := s.attempt(ctx, one)
	defer done()
	for passes := false; ; passes = true {
		s.life.RLock()
		if s.runs.begin(one, passes) {
			break
		}
		s.life.RUnlock()
		if err := s.patient(ctx, s.runs.letIn); err != nil {
			return false, err
		}
	}
	defer s.life.RUnlock()
	defer s.runs.end(one)
	return one.outcome(attempt, fn(attempt))
}

// outcome makes of the error of an attempt what its context says about it. An empty result of an attempt that was stopped is none: DuckDB
// may end a statement that it is to interrupt as if it had found nothing.
func (one *run) outcome(attempt context.Context, err error) (stopped bool, _ error) {
	cause := context.Cause(attempt)
	if err == nil && cause != nil && !one.delivers {
		err = cause
	}
	if err != nil && errors.Is(cause, events.ErrReopened) && !errors.Is(err, events.ErrReopened) {
		err = fmt.Errorf("%w: %w", events.ErrReopened, err)
	}
	return err != nil && errors.Is(cause, errStopped), err
}

// lonely calls fn alone.
func (s *Store) lonely(ctx context.Context, one *run, fn func(context.Context) error) (stopped bool, err error) {
	attempt, done := s.attempt(ctx, one)
	defer done()
	err = s.patient(ctx, func(ctx context.Context) error { return s.runs.enter(ctx, one) })
	if err != nil {
		return false, err
	}
	defer s.runs.end(one)
	s.life.RLock()
	defer s.life.RUnlock()
	err = fn(attempt)
	if errors.Is(err, events.ErrMemory) && context.Cause(attempt) == nil && s.runs.evict(ctx, one) {
		err = fn(attempt)
	}
	return one.outcome(attempt, err)
}

// attempt returns the context of one attempt of a read.
func (s *Store) attempt(ctx context.Context, one *run) (attempt context.Context, done func()) {
	attempt, stop := context.WithCancelCause(ctx)
	s.runs.stoppable(one, stop)
	return attempt, func() { stop(nil) }
}

// patient waits for a turn, at most as long as a statement may take. Errors: events.ErrMemory, ctx's.
func (s *Store) patient(ctx context.Context, wait func(context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, s.opt.ReadTimeout)
	defer cancel()
	if err := wait(limited); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("%w: large reads take long", events.ErrMemory)
	}
	return nil
}

// writeAlone calls fn, which writes, while no read computes its result. The caller holds turn.
func (s *Store) writeAlone(ctx context.Context, fn func() error) error {
	if s.isAlone {
		return fn()
	}
	return s.runs.alone(ctx, &run{}, func() error {
		s.isAlone = true
		defer func() { s.isAlone = false }()
		return fn()
	})
}

// retried calls fn, which writes, and when it meets the memory limit calls it again alone. The caller holds turn.
func (s *Store) retried(ctx context.Context, fn func() error) error {
	err := fn()
	if !errors.Is(err, events.ErrMemory) || s.isAlone {
		return err
	}
	return s.writeAlone(ctx, fn)
}

// guarded calls fn, a commit or a checkpoint, with a reserve of memory that reads leave it: when either meets the limit DuckDB
// may take the database out of service. The caller holds turn, but not life.
func (s *Store) guarded(ctx context.Context, reserve int64, fn func() error) error {
	if s.isAlone {
		return fn()
	}
	return s.runs.guard(ctx, s.free, reserve, fn)
}

// reserve is the memory that reads leave to checkpoints, bytes. Commits get half of it.
func (o *Options) reserve() int64 { return min(o.MemoryLimit/4, maxReserve) }

// free returns how much of the memory is neither in use nor holds pages of tables that can be read again, bytes.
func (s *Store) free(ctx context.Context) (n int64, err error) {
	err = s.db.watcher.QueryRowContext(ctx, "SELECT coalesce(sum(memory_usage_bytes), 0)::BIGINT FROM duckdb_memory() WHERE tag <> 'BASE_TABLE'").Scan(&n)
	return s.opt.MemoryLimit - n, err
}
