package stage

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"quipu/internal/model"
	"quipu/internal/store/events"
)

// Reader returns a reader of the event store that finds what was staged before
// each call, and users as they are then. HasApp alone looks at what was moved. Its calls
// must not be made within Exclusive.
func (s *Stage) Reader(r events.Reader) events.Reader { return reader{Reader: r, stage: s} }

type reader struct {
	events.Reader
	stage *Stage
}

// ErrBehind says that the event store does not take the rows that a read would have to see, for example
// because the disk is full. The read may be tried again later.
var ErrBehind = errors.New("stage: event store is behind")

// drain runs one of the stage's drains and marks its failures, other than those of ctx, with ErrBehind.
func (r reader) drain(ctx context.Context, drain func(context.Context) error) error {
	err := drain(ctx)
	if err == nil || ctx.Err() != nil {
		return err
	}
	return fmt.Errorf("%w: %w", ErrBehind, err)
}

// ScanRows implements events.Reader.
func (r reader) ScanRows(ctx context.Context, app model.AppID, after events.Place, fn func(*events.Row) error) error {
	if err := r.drain(ctx, r.stage.Drain); err != nil {
		return err
	}
	return r.Reader.ScanRows(ctx, app, after, fn)
}

// ScanRequests implements events.Reader.
func (r reader) ScanRequests(ctx context.Context, app model.AppID, after events.Place, fn func(*events.RequestRow) error) error {
	if err := r.drain(ctx, r.stage.Drain); err != nil {
		return err
	}
	return r.Reader.ScanRequests(ctx, app, after, fn)
}

// ScanStates implements events.Reader.
func (r reader) ScanStates(ctx context.Context, app model.AppID, after uint32, fn func(*events.State) error) error {
	if err := r.drain(ctx, r.stage.Drain); err != nil {
		return err
	}
	return r.Reader.ScanStates(ctx, app, after, fn)
}

// Count implements events.Reader.
func (r reader) Count(ctx context.Context, app model.AppID, f events.RowFilter) (int64, error) {
	if err := r.drain(ctx, r.stage.Drain); err != nil {
		return 0, err
	}
	return r.Reader.Count(ctx, app, f)
}

// Users implements events.Reader.
func (r reader) Users(ctx context.Context, app model.AppID, q events.UserQuery) (events.UserPage, error) {
	if err := r.drain(ctx, r.stage.DrainAll); err != nil {
		return events.UserPage{}, err
	}
	return r.Reader.Users(ctx, app, q)
}

// usersTable is in every statement that reads users (docs/format/events.md).
const usersTable = "u_"

// Query implements events.Reader.
func (r reader) Query(ctx context.Context, statement string, args []any, fn func(events.Scanner) error) error {
	drain := r.stage.Drain
	if strings.Contains(statement, usersTable) {
		drain = r.stage.DrainAll
	}
	if err := r.drain(ctx, drain); err != nil {
		return err
	}
	return r.Reader.Query(ctx, statement, args, fn)
}
