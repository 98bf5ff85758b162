package pipeline

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"quipu/internal/background"
	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/pipeline/props"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/journal"
	"quipu/internal/store/outbox"
)

const (
	minBackoff = 100 * time.Millisecond
	maxBackoff = 5 * time.Second
	idleDrain  = time.Second // how often outcomes of the edge are stored when nothing else is
)

// Pipeline projects the journal. Make one with New and call Run once.
type Pipeline struct {
	o     Options
	steps []Step
	// owners are the features by what they own, states their parts of user states.
	owners owners
	states []props.Part
	zones  period.Zones
	rows   rowBuffers
	force  inForce
	outbox *outbox.Outbox

	// waiting counts who waits for a record to be projected; the source hurries then.
	waiting atomic.Int64
	flushes chan chan error
	between chan func() // run while nothing is applied or committed

	mu        sync.Mutex
	committed journal.Watermark // up to which everything is projected; replaced, never changed
	swept     journal.Watermark // the last commands of a sweep
	moved     chan struct{}     // closed when committed moves
	ended     chan struct{}     // closed when Run has returned
	trouble   error             // why nothing is projected at present
	retry     time.Duration     // the wait before the next attempt
	poison    map[journal.Position]bool

	// Of the goroutine of Run only.
	edge    map[model.AppID]map[outcome.Key]int64 // drained, not yet stored
	trimmed journal.Watermark
	rowsAt  journal.Watermark // removals from the event store that the state does not know of; nil = none
	days    map[uint16]uint16 // newest server day seen in each partition
	day     uint16            // up to which all partitions are
	alones  *decoded          // the command that takes a batch of its own; nil = none does
}

// New checks the options and returns a Pipeline at rest. It reports every
// fault at once.
func New(o Options) (*Pipeline, error) {
	err := o.check()
	list, serr := steps(o.Filter, slices.Concat(o.Features.additions(), o.Steps))
	own, ferr := o.Features.owners()
	if err := errors.Join(err, serr, ferr); err != nil {
		return nil, err
	}
	rows, err := outbox.New(outbox.Options{
		Store: o.Outbox, Events: o.Events, Profiles: o.Profiles, Log: o.Log, Now: o.Now,
		MoveRows: o.MoveRows, MoveBytes: o.MoveBytes, Every: o.MoveEvery, Pause: o.Pause,
	})
	if err != nil {
		return nil, fmt.Errorf("open outbox: %w", err)
	}
	return &Pipeline{
		o: o, steps: list, owners: own, states: o.Features.States(), outbox: rows, rows: rowBuffers{most: 2 * o.BatchBytes}, flushes: make(chan chan error), between: make(chan func()), moved: make(chan struct{}), ended: make(chan struct{}), poison: map[journal.Position]bool{}, days: map[uint16]uint16{},
	}, nil
}

// Run projects records until ctx is done; what it has begun it finishes. A
// fault of a store makes it start over from what is stored, with growing
// pauses; Healthy reports it meanwhile. It returns nil when ctx is done, and
// what went wrong when the state has to be opened again, see state.Store.Failed.
//
// What waits when it returns, and later, until it is called again, gets ErrEnded.
func (p *Pipeline) Run(ctx context.Context) error {
	defer p.running()()
	moving, stop := context.WithCancel(ctx)
	var mover sync.WaitGroup
	mover.Go(func() {
		background.Enter()
		p.outbox.Run(moving)
	})
	defer func() {
		stop()
		mover.Wait()
	}()
	wait := minBackoff
	for {
		began := p.position()
		err := p.session(ctx)
		if ctx.Err() != nil {
			return nil
		}
		p.o.Profiles.Abandon()
		p.o.Schema.Abandon()
		p.force.clear()
		if p.o.State.Failed() != nil {
			p.setTrouble(err, maxBackoff)
			return fmt.Errorf("project the journal: %w", err)
		}
		if p.position().Total() > began.Total() {
			wait = minBackoff
		}
		p.setTrouble(err, wait)
		p.o.Log.ErrorContext(ctx, "projecting the journal is interrupted", "err", err, "retry_in", wait)
		if !pause(ctx, wait) {
			return nil
		}
		wait = min(2*wait, maxBackoff)
	}
}

// session projects from the stored watermark on until ctx is done or
// something fails.
func (p *Pipeline) session(ctx context.Context) error {
	w, err := p.o.State.Watermark(ctx)
	if err != nil {
		return fmt.Errorf("load watermark: %w", err)
	}
	if err := p.outbox.Load(ctx); err != nil {
		return err
	}
	p.rowsAt = nil
	p.advance(w)
	p.trimmed = w.Clone()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	batches := make(chan *batch)
	var g errgroup.Group
	g.Go(func() error {
		defer cancel()
		background.Enter()
		return (&source{p: p, pos: w.Clone()}).run(ctx, batches)
	})
	g.Go(func() error {
		defer cancel()
		background.Enter()
		return p.project(ctx, batches)
	})
	err = g.Wait()
	p.answerFlushes(err)
	return err
}

// project applies and commits batches until ctx is done. While one batch is
// being committed the next is applied already.
func (p *Pipeline) project(ctx context.Context, batches <-chan *batch) (err error) {
	drain := time.NewTicker(idleDrain)
	defer drain.Stop()
	var under *commit
	busy := false // a batch came since the last tick
	defer func() {
		// What was begun is finished, or has failed, before the stores are touched again.
		err = errors.Join(err, p.finish(ctx, under))
		if err == nil {
			err = p.commitEdge(ctx)
		}
	}()
	for {
		var flush chan error
		select {
		case <-ctx.Done():
			return nil
		case t := <-batches:
			busy = true
			under, err = p.next(ctx, t, under)
		case cerr := <-under.ended():
			under, err = nil, p.settle(ctx, under, cerr)
		case flush = <-p.flushes:
			under, err = nil, p.idle(ctx, under)
		case do := <-p.between:
			if under, err = nil, p.idle(ctx, under); err == nil {
				do()
			}
		case <-drain.C:
			if under, err = nil, p.idle(ctx, under); err == nil && !busy {
				p.o.Schema.Idle()
			}
			busy = false
		}
		if flush != nil {
			flush <- err
		}
		if err != nil {
			return err
		}
	}
}

// idle finishes the commit under way and stores the outcomes of the edge.
func (p *Pipeline) idle(ctx context.Context, under *commit) error {
	if err := p.finish(ctx, under); err != nil {
		return err
	}
	if err := p.commitEdge(ctx); err != nil {
		return err
	}
	p.setTrouble(nil, 0)
	return nil
}

// answerFlushes turns away who asked while the session ended.
func (p *Pipeline) answerFlushes(err error) {
	select {
	case flush := <-p.flushes:
		flush <- err
	default:
	}
}

// Healthy reports whether records are being projected. When they are not, the
// caller should come back after retryAfter.
func (p *Pipeline) Healthy() (retryAfter time.Duration, ok bool) {
	p.mu.Lock()
	trouble, retry := p.trouble, p.retry
	p.mu.Unlock()
	if trouble == nil {
		retry, trouble = p.outbox.Trouble()
	}
	if trouble == nil {
		return 0, true
	}
	return max(retry, time.Second), false
}

// Trouble returns why nothing is projected at present; nil while records are.
func (p *Pipeline) Trouble() error {
	p.mu.Lock()
	trouble := p.trouble
	p.mu.Unlock()
	if trouble == nil {
		_, trouble = p.outbox.Trouble()
	}
	return trouble
}

func (p *Pipeline) setTrouble(err error, retry time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trouble, p.retry = err, retry
}

// position returns up to where everything is projected. It is not changed any more.
func (p *Pipeline) position() journal.Watermark {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.committed
}

// running has calls wait for what is projected from here on; those that still wait when the function that it returns is called get ErrEnded.
func (p *Pipeline) running() (end func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.ended:
		p.ended = make(chan struct{})
	default:
	}
	ended := p.ended
	return func() { close(ended) }
}

// over returns a channel that is closed when Run has returned.
func (p *Pipeline) over() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ended
}

// advance moves the position in the partitions that w names, and wakes who waits for it.
func (p *Pipeline) advance(w journal.Watermark) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.committed = p.committed.Clone()
	maps.Copy(p.committed, w)
	close(p.moved)
	p.moved = make(chan struct{})
}

func (p *Pipeline) poisonous(at journal.Position) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.poison[at]
}

func (p *Pipeline) markPoison(at journal.Position) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.poison[at] = true
}

// pause waits; false means that ctx was done first.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
