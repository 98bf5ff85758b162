package app

import (
	"context"
	"errors"
	"sync"
	"time"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/store/journal"
)

// errMoving says that nothing is accepted, because the data moves to other stores.
var errMoving = errors.New("the data of this server moves to other stores")

// movedRetry is how soon who was refused meanwhile should come back.
const movedRetry = 2 * time.Second

// gate lets writes pass, or none. Writes in progress when it closes end first.
type gate struct {
	mu     sync.RWMutex // held by writes that pass
	closed bool
}

// pass calls fn unless the gate is closed.
func (g *gate) pass(fn func() error) error {
	g.mu.RLock()
	defer g.mu.RUnlock()
	if g.closed {
		return errMoving
	}
	return fn()
}

// isClosed reports whether nothing passes.
func (g *gate) isClosed() bool {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.closed
}

func (g *gate) set(closed bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = closed
}

// gatedJournal is the journal of a data folder that may move: it can be closed, and keep records that are projected.
type gatedJournal struct {
	journal.Journal
	gate gate
	// first is closed while older records are taken from elsewhere, which have to come first.
	first gate

	mu   sync.Mutex
	held *uint64 // offset behind which records are kept; nil = as usual
}

// hold keeps the records behind an offset; nil = no longer.
func (j *gatedJournal) hold(behind *uint64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.held = behind
}

// kept is how much of a watermark may go.
func (j *gatedJournal) kept(w journal.Watermark) journal.Watermark {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.held == nil {
		return w
	}
	w = w.Clone()
	w[0] = min(w[0], *j.held)
	return w
}

// Append implements journal.Journal.
func (j *gatedJournal) Append(ctx context.Context, entries ...journal.Entry) (at journal.Position, err error) {
	err = j.gate.pass(func() error {
		return j.first.pass(func() (err error) {
			at, err = j.Journal.Append(ctx, entries...)
			return err
		})
	})
	return at, refusedMoving(err)
}

// isClosed reports whether clients are refused.
func (j *gatedJournal) isClosed() bool { return j.gate.isClosed() || j.first.isClosed() }

// Trim implements journal.Journal.
func (j *gatedJournal) Trim(ctx context.Context, w journal.Watermark) error {
	return j.Journal.Trim(ctx, j.kept(w))
}

// gatedDocs are the documents of a data folder that may move: they can be closed to writes.
type gatedDocs struct {
	documents
	gate gate
}

// pass calls fn, or returns the fault of a server that moves.
func (d *gatedDocs) pass(fn func() error) error { return refusedMoving(d.gate.pass(fn)) }

// refusedMoving makes errMoving the fault of a server that moves; all else it returns as it is.
func refusedMoving(err error) error {
	if errors.Is(err, errMoving) {
		f := fault.Wrap(errMoving, fault.Unavailable, "server.moving", "The data of this server is being moved, try again in a moment")
		f.RetryAfter = movedRetry
		return f
	}
	return err
}

// Insert implements docs.Handle.
func (d *gatedDocs) Insert(ctx context.Context, l *docs.Layout, r docs.Record) error {
	return d.pass(func() error { return d.documents.Insert(ctx, l, r) })
}

// Upsert implements docs.Handle.
func (d *gatedDocs) Upsert(ctx context.Context, l *docs.Layout, r docs.Record) error {
	return d.pass(func() error { return d.documents.Upsert(ctx, l, r) })
}

// Replace implements docs.Handle.
func (d *gatedDocs) Replace(ctx context.Context, l *docs.Layout, r docs.Record) (done bool, err error) {
	err = d.pass(func() (err error) {
		done, err = d.documents.Replace(ctx, l, r)
		return err
	})
	return done, err
}

// Delete implements docs.Handle.
func (d *gatedDocs) Delete(ctx context.Context, l *docs.Layout, s docs.Scope, key string) error {
	return d.pass(func() error { return d.documents.Delete(ctx, l, s, key) })
}

// DeleteWhere implements docs.Handle.
func (d *gatedDocs) DeleteWhere(ctx context.Context, l *docs.Layout, s docs.Scope, q docs.Query) (n int, err error) {
	err = d.pass(func() (err error) {
		n, err = d.documents.DeleteWhere(ctx, l, s, q)
		return err
	})
	return n, err
}

// Tx implements docs.DB.
func (d *gatedDocs) Tx(ctx context.Context, fn func(tx docs.Handle) error) error {
	return d.pass(func() error { return d.documents.Tx(ctx, fn) })
}

// DropApp implements docs.DB.
func (d *gatedDocs) DropApp(ctx context.Context, app model.AppID) error {
	return d.pass(func() error { return d.documents.DropApp(ctx, app) })
}
