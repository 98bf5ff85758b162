package outbox

import (
	"context"
	"errors"
	"fmt"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// Reader returns a reader of the event store that finds what was queued before
// each call, and users as they are then. HasApp alone looks at what was moved. Its calls
// must not be made within Exclusive.
func (s *Outbox) Reader(r events.Reader) events.Reader { return reader{Reader: r, outbox: s} }

type reader struct {
	events.Reader
	outbox *Outbox
}

// ErrBehind says that the event store does not take the rows that a read would have to see, for example
// because the disk is full. The read may be tried again later.
var ErrBehind = errors.New("outbox: event store is behind")

// drain runs one of the outbox's drains and marks its failures, other than those of ctx, with ErrBehind.
func (r reader) drain(ctx context.Context, drain func(context.Context) error) error {
	err := drain(ctx)
	if err == nil || ctx.Err() != nil {
		return err
	}
	return fmt.Errorf("%w: %w", ErrBehind, err)
}

// ScanRows implements events.Reader.
func (r reader) ScanRows(ctx context.Context, app model.AppID, after events.Place, fn func(*events.Row) error) error {
	if err := r.drain(ctx, r.outbox.Drain); err != nil {
		return err
	}
	return r.Reader.ScanRows(ctx, app, after, fn)
}

// ScanRequests implements events.Reader.
func (r reader) ScanRequests(ctx context.Context, app model.AppID, after events.Place, fn func(*events.RequestRow) error) error {
	if err := r.drain(ctx, r.outbox.Drain); err != nil {
		return err
	}
	return r.Reader.ScanRequests(ctx, app, after, fn)
}

// ScanStates implements events.Reader.
func (r reader) ScanStates(ctx context.Context, app model.AppID, after uint32, fn func(*events.State) error) error {
	if err := r.drain(ctx, r.outbox.Drain); err != nil {
		return err
	}
	return r.Reader.ScanStates(ctx, app, after, fn)
}

// Count implements events.Reader.
func (r reader) Count(ctx context.Context, app model.AppID, f events.RowFilter) (int64, error) {
	if err := r.drain(ctx, r.outbox.Drain); err != nil {
		return 0, err
	}
	return r.Reader.Count(ctx, app, f)
}

// Run implements events.Reader.
func (r reader) Run(ctx context.Context, q *plan.Query, fn func(events.Scanner) error) error {
	if err := r.drain(ctx, r.drainFor(q)); err != nil {
		return err
	}
	return r.Reader.Run(ctx, q, fn)
}

// RunColumns implements events.Reader.
func (r reader) RunColumns(ctx context.Context, q *plan.Query, fn func(*events.Columns) error) error {
	if err := r.drain(ctx, r.drainFor(q)); err != nil {
		return err
	}
	return r.Reader.RunColumns(ctx, q, fn)
}

// RunAll implements events.Reader.
func (r reader) RunAll(ctx context.Context, apps []model.AppID, q *plan.Query, fn func(model.AppID, events.Scanner) error) error {
	if err := r.drain(ctx, r.drainFor(q)); err != nil {
		return err
	}
	return r.Reader.RunAll(ctx, apps, q, fn)
}

// drainFor is the drain that moves what a plan reads.
func (r reader) drainFor(q *plan.Query) func(context.Context) error {
	if q.Tables()[plan.Users] {
		return r.outbox.DrainAll
	}
	return r.outbox.Drain
}

// Ahead implements events.Reader.
func (r reader) Ahead(ctx context.Context, app model.AppID, from uint64, n int) (to uint64, found int, err error) {
	if err := r.drain(ctx, r.outbox.Drain); err != nil {
		return 0, 0, err
	}
	return r.Reader.Ahead(ctx, app, from, n)
}
