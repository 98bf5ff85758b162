package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	evstore "quipu/internal/store/events"
	chevents "quipu/internal/store/events/clickhouse"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/journal"
	"quipu/internal/store/rollup"
	"quipu/internal/store/state"
	"quipu/internal/store/state/postgres"
)

// nodeWork is the projector of a node of a cluster: it holds a share of the partitions and has a pipeline for them, another one whenever the share changes, and
// looks at the state for what other nodes project.
type nodeWork struct {
	c    *cluster
	a    *App
	make func(work) (*pipeline.Pipeline, error)

	mu    sync.Mutex
	now   *share // nil = the node holds nothing at present
	count uint64 // of shares so far
}

var _ projector = (*nodeWork)(nil)

const (
	// askEvery is how often the state is asked while somebody waits for another node.
	askEvery = 20 * time.Millisecond
	// moveEvery is how long rows wait for company: other nodes cannot hurry them.
	moveEvery = time.Second
	// movedCells is how soon cells are sent when nothing hurries them.
	movedCells = time.Second
	// cellsRoom is how many commits may have cells that wait to be sent before the next one waits.
	cellsRoom = 1024
	// lastMove is how long the end of a share may take for what is on its way. What is left the next holder sends.
	lastMove = 5 * time.Second
)

// share is what a node holds of the partitions at a time.
type share struct {
	p     *pipeline.Pipeline
	w     *postgres.Worker
	mover *postgres.CellMover
	parts map[uint16]bool
	base  uint64 // of versions

	kick    chan struct{}
	pending atomic.Int64 // commits with cells that are not sent

	mu      sync.Mutex
	trouble error         // why cells are not sent
	moved   chan struct{} // closed when some were
}

// share returns what the node holds at present; nil = nothing.
func (n *nodeWork) share() *share {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.now
}

// holds reports whether the node projects the records of an app at present.
func (n *nodeWork) holds(app model.AppID) bool {
	s := n.share()
	return s != nil && s.parts[n.c.db.Partition(app)]
}

// Run implements projector: it shares the partitions with other nodes until ctx is done.
func (n *nodeWork) Run(ctx context.Context) error {
	if !n.a.has(roleWork) {
		n.c.keeper.Live(ctx)
		return nil
	}
	return n.c.keeper.Run(ctx, n.work)
}

// work projects the partitions of a worker.
func (n *nodeWork) work(ctx context.Context, w *postgres.Worker) error {
	n.c.cells.Forget()
	rows, err := chevents.Open(ctx, chevents.Options{Client: n.c.client, Ledger: w.Ledger(), Now: time.Now, Alone: n.c.alone, Logger: n.a.log})
	if err != nil {
		return fmt.Errorf("open event rows: %w", err)
	}
	s := &share{w: w, mover: w.MoveCells(n.c.cells), parts: map[uint16]bool{}, kick: make(chan struct{}, 1), moved: make(chan struct{})}
	for _, l := range w.Leases() {
		s.parts[l.Partition] = true
	}
	s.p, err = n.make(work{
		journal: heldJournal{n.c.journal, s.parts}, events: rows, patience: moveEvery,
		stores: projected{State{Store: countedState{w, s}, Outbox: w, Profiles: w.Profiles(), Schema: w.Schema()}, settledCells{s, n.c.cells}},
	})
	if err != nil {
		return err
	}
	if !n.a.moving {
		n.a.taps.Began()
	}
	n.mu.Lock()
	n.count++
	s.base = n.count << 40
	n.now = s
	n.mu.Unlock()
	n.a.log.InfoContext(ctx, "node holds partitions", "partitions", len(s.parts), "of", n.c.cfg.Partitions)
	moving, stop := context.WithCancel(context.WithoutCancel(ctx))
	var mover sync.WaitGroup
	mover.Go(func() { n.move(moving, s) })
	err = s.p.Run(ctx)
	n.mu.Lock()
	n.now = nil
	n.mu.Unlock()
	stop()
	mover.Wait()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastMove)
	defer cancel()
	if !n.a.moving {
		n.a.taps.Ended(last)
	}
	if err == nil {
		if err := s.mover.Drain(last); err != nil {
			n.a.log.WarnContext(ctx, "cells are left to the next holder of the partitions", "error", err)
		}
	}
	return err
}

// move sends cells until ctx is done.
func (n *nodeWork) move(ctx context.Context, s *share) {
	t := time.NewTicker(movedCells)
	defer t.Stop()
	failing := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.kick:
		case <-t.C:
		}
		err := s.drain(ctx)
		if err != nil && ctx.Err() == nil && !failing {
			n.a.log.ErrorContext(ctx, "cells cannot be sent, they wait in the state", "error", err)
		}
		if failing = err != nil; failing {
			select {
			case <-ctx.Done():
			case <-time.After(movedCells):
			}
		}
	}
}

// drain sends the cells of all that is committed.
func (s *share) drain(ctx context.Context) error {
	count := s.pending.Load()
	err := s.mover.Drain(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.trouble = err; err != nil {
		if ctx.Err() != nil {
			s.trouble = nil
		}
		return err
	}
	s.pending.Add(-count)
	close(s.moved)
	s.moved = make(chan struct{})
	return nil
}

// room waits while too much waits to be sent.
func (s *share) room(ctx context.Context) error {
	for {
		s.mu.Lock()
		moved := s.moved
		s.mu.Unlock()
		if s.pending.Load() < cellsRoom {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-moved:
		}
	}
}

// countedState has cells sent that commits bring.
type countedState struct {
	*postgres.Worker
	s *share
}

// watch has the cells of a change sent once it is committed.
func (c countedState) watch(ctx context.Context, change *state.Change) error {
	if err := c.s.room(ctx); err != nil {
		change.End(false)
		return err
	}
	change.OnEnd(func(committed bool) {
		if committed {
			c.hurry()
		}
	})
	return nil
}

func (c countedState) hurry() {
	c.s.pending.Add(1)
	select {
	case c.s.kick <- struct{}{}:
	default:
	}
}

// Commit implements state.Store.
func (c countedState) Commit(ctx context.Context, change *state.Change) error {
	if err := c.watch(ctx, change); err != nil {
		return err
	}
	return c.Worker.Commit(ctx, change)
}

// Begin implements state.Store.
func (c countedState) Begin(ctx context.Context, change *state.Change) (<-chan error, error) {
	if err := c.watch(ctx, change); err != nil {
		return nil, err
	}
	return c.Worker.Begin(ctx, change)
}

// ReplaceUsers implements state.Store.
func (c countedState) ReplaceUsers(ctx context.Context, app model.AppID, aliases map[uint32]uint32) error {
	err := c.Worker.ReplaceUsers(ctx, app, aliases)
	if err == nil {
		c.hurry()
	}
	return err
}

// settledCells reads the cells of all that is committed.
type settledCells struct {
	s     *share
	cells rollup.AppScanner
}

// ScanApp implements rollup.AppScanner.
func (c settledCells) ScanApp(ctx context.Context, app model.AppID, fn func(rollup.Key, *rollup.Cell) error) error {
	if err := c.s.drain(ctx); err != nil {
		return fmt.Errorf("send cells before they are read: %w", err)
	}
	return c.cells.ScanApp(ctx, app, fn)
}

// Submit implements projector.
func (n *nodeWork) Submit(ctx context.Context, rec request.Record) error {
	at, err := n.Append(ctx, rec)
	if err != nil {
		return err
	}
	if err := n.Await(ctx, at.Watermark()); err != nil {
		return err
	}
	return n.settled(ctx, nil, rec.App)
}

// Append implements projector.
func (n *nodeWork) Append(ctx context.Context, commands ...request.Record) (journal.Position, error) {
	return pipeline.AppendTo(ctx, n.c.journal, n.a.now, commands...)
}

// holds reports whether the share has all partitions that w names.
func (s *share) holds(w journal.Watermark) bool {
	for partition := range w {
		if !s.parts[partition] {
			return false
		}
	}
	return true
}

// Await implements projector.
func (n *nodeWork) Await(ctx context.Context, w journal.Watermark) error {
	for {
		if s := n.share(); s != nil && s.holds(w) {
			err := s.p.Await(ctx, w)
			if err == nil {
				break
			}
			if !errors.Is(err, pipeline.ErrEnded) {
				return err
			}
		} else {
			at, err := n.c.db.Watermark(ctx)
			if err == nil && at.Reaches(w) {
				break
			}
		}
		if err := waited(ctx, askEvery); err != nil {
			return err
		}
	}
	n.c.db.Stale()
	return nil
}

// waited waits for a while.
func waited(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// settled waits until the cells of all that is committed have arrived, and rows up to some, and has readers of some apps see them; none = of all.
func (n *nodeWork) settled(ctx context.Context, rows journal.Watermark, apps ...model.AppID) error {
	blocks, err := n.c.db.Blocks(ctx)
	if err != nil {
		return err
	}
	for {
		if s := n.share(); s != nil {
			_ = s.drain(ctx) // the loop sees whether they have arrived
		}
		arrived, err := n.c.db.Arrived(ctx, rows, blocks)
		if err == nil && arrived {
			break
		}
		if err := waited(ctx, askEvery); err != nil {
			return err
		}
	}
	n.c.db.Stale()
	n.c.events.Stale()
	n.c.cells.CatchUp(ctx, apps...)
	return nil
}

// Flush implements projector.
func (n *nodeWork) Flush(ctx context.Context) error {
	end := n.c.journal.End()
	if err := n.Await(ctx, end); err != nil {
		return err
	}
	if s := n.share(); s != nil {
		if err := s.p.Flush(ctx); err != nil && !errors.Is(err, pipeline.ErrEnded) {
			return err
		}
	}
	return n.settled(ctx, end)
}

// Sweep implements projector: each node closes the sessions of its partitions.
func (n *nodeWork) Sweep(ctx context.Context, now time.Time) (int, error) {
	if s := n.share(); s != nil {
		return s.p.Sweep(ctx, now)
	}
	return 0, nil
}

// LastSettings implements projector.
func (n *nodeWork) LastSettings(ctx context.Context, apps []*model.App) (map[model.AppID]pipeline.Settings, error) {
	return pipeline.LastSettings(ctx, n.c.db, n.c.journal, apps)
}

// Healthy implements projector, for what the node holds.
func (n *nodeWork) Healthy() (retryAfter time.Duration, ok bool) {
	s := n.share()
	if s == nil {
		return 0, true
	}
	s.mu.Lock()
	trouble := s.trouble
	s.mu.Unlock()
	if trouble != nil && s.pending.Load() >= cellsRoom {
		return movedCells, false
	}
	return s.p.Healthy()
}

// Version implements projector. What other nodes change is noticed by the age of what was read, see the cells' Changes.
func (n *nodeWork) Version(app model.AppID) uint64 {
	s := n.share()
	if s == nil {
		n.mu.Lock()
		defer n.mu.Unlock()
		return n.count << 40
	}
	return s.base + s.p.Version(app)
}

// Outbox implements projector, for what the node holds.
func (n *nodeWork) Outbox() int64 {
	if s := n.share(); s != nil {
		return s.p.Outbox()
	}
	return 0
}

// SuppressesDuplicates implements decode.Memory.
func (n *nodeWork) SuppressesDuplicates(app *model.App) bool {
	return !n.a.settings(app).AllowDuplicates
}

// Knows implements decode.Memory, for what the node holds. What it does not know is found when it is projected.
func (n *nodeWork) Knows(app model.AppID, fingerprint [16]byte, received int64) bool {
	s := n.share()
	return s != nil && s.parts[n.c.db.Partition(app)] && s.p.Knows(app, fingerprint, received)
}

// Reader implements projector: of the partitions that the node holds it finds what is on its way, of others what has arrived.
func (n *nodeWork) Reader(r evstore.Reader) evstore.Reader { return nodeReader{n, r} }

// nodeReader reads event rows by the pipeline of now.
type nodeReader struct {
	n *nodeWork
	r evstore.Reader
}

func (r nodeReader) now() evstore.Reader {
	if s := r.n.share(); s != nil {
		return s.p.Reader(r.r)
	}
	return r.r
}

// HasApp implements evstore.Reader.
func (r nodeReader) HasApp(app model.AppID) bool { return r.r.HasApp(app) }

// ScanRows implements evstore.Reader.
func (r nodeReader) ScanRows(ctx context.Context, app model.AppID, after evstore.Place, fn func(*evstore.Row) error) error {
	return r.now().ScanRows(ctx, app, after, fn)
}

// ScanRequests implements evstore.Reader.
func (r nodeReader) ScanRequests(ctx context.Context, app model.AppID, after evstore.Place, fn func(*evstore.RequestRow) error) error {
	return r.now().ScanRequests(ctx, app, after, fn)
}

// ScanStates implements evstore.Reader.
func (r nodeReader) ScanStates(ctx context.Context, app model.AppID, after uint32, fn func(*evstore.State) error) error {
	return r.now().ScanStates(ctx, app, after, fn)
}

// Count implements evstore.Reader.
func (r nodeReader) Count(ctx context.Context, app model.AppID, f evstore.RowFilter) (int64, error) {
	return r.now().Count(ctx, app, f)
}

// Run implements evstore.Reader.
func (r nodeReader) Run(ctx context.Context, q *plan.Query, fn func(evstore.Scanner) error) error {
	return r.now().Run(ctx, q, fn)
}

// RunColumns implements evstore.Reader.
func (r nodeReader) RunColumns(ctx context.Context, q *plan.Query, fn func(*evstore.Columns) error) error {
	return r.now().RunColumns(ctx, q, fn)
}

// RunAll implements evstore.Reader.
func (r nodeReader) RunAll(ctx context.Context, apps []model.AppID, q *plan.Query, fn func(model.AppID, evstore.Scanner) error) error {
	return r.now().RunAll(ctx, apps, q, fn)
}

// Ahead implements evstore.Reader.
func (r nodeReader) Ahead(ctx context.Context, app model.AppID, from uint64, n int) (to uint64, found int, err error) {
	return r.now().Ahead(ctx, app, from, n)
}

// heldJournal reads the records of some partitions only.
type heldJournal struct {
	journal.Journal
	parts map[uint16]bool
}

// behind is a watermark that has everything of other partitions behind it.
func (j heldJournal) behind(from journal.Watermark) journal.Watermark {
	out := j.Journal.End()
	out = out.Clone()
	for partition := range j.parts {
		delete(out, partition)
	}
	maps.Copy(out, j.only(from))
	return out
}

// only leaves other partitions out of a watermark.
func (j heldJournal) only(w journal.Watermark) journal.Watermark {
	out := journal.Watermark{}
	for partition, at := range w {
		if j.parts[partition] {
			out[partition] = at
		}
	}
	return out
}

// End implements journal.Journal.
func (j heldJournal) End() journal.Watermark { return j.only(j.Journal.End()) }

// Read implements journal.Journal.
func (j heldJournal) Read(ctx context.Context, from journal.Watermark, maxBytes int, fn func(journal.Record) bool) error {
	return j.Journal.Read(ctx, j.behind(from), maxBytes, func(r journal.Record) bool {
		if !j.parts[r.Partition] { // it came meanwhile
			return true
		}
		return fn(r)
	})
}

// Wait implements journal.Journal.
func (j heldJournal) Wait(ctx context.Context, from journal.Watermark) error {
	for {
		for partition, end := range j.End() {
			if end > from[partition] {
				return nil
			}
		}
		if err := j.Journal.Wait(ctx, j.behind(from)); err != nil {
			return err
		}
	}
}

// Trim implements journal.Journal.
func (j heldJournal) Trim(ctx context.Context, w journal.Watermark) error {
	return j.Journal.Trim(ctx, j.only(w))
}

// Size implements journal.Journal.
func (j heldJournal) Size(w journal.Watermark) (records, bytes int64) {
	return j.Journal.Size(j.behind(w))
}
