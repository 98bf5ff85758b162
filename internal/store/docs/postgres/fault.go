package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"

	"quipu/internal/fault"
	"quipu/internal/store/docs"
	"quipu/internal/store/pg"
)

const codeUnavailable = "docs.unavailable"

// fault gives errors of the server and of its connections the faults that callers know. nil and faults pass.
func (d *Store) fault(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*fault.Error](err); ok {
		return err
	}
	if cause := ctx.Err(); cause != nil && !errors.Is(err, cause) {
		err = errors.Join(cause, err)
	}
	err = pg.Redact(err, d.secret)
	if pe, ok := errors.AsType[*pgconn.PgError](err); ok && pe.Code == codeMoved {
		return fault.Wrap(err, fault.Unavailable, "docs.moved", "The documents have moved to other stores")
	}
	if ctx.Err() != nil {
		return err
	}
	switch pg.TroubleOf(err) {
	case pg.Unreachable:
		return fault.Wrap(err, fault.Unavailable, codeUnavailable, "The document store cannot be reached")
	case pg.Unusable:
		return fault.Wrap(err, fault.Unavailable, codeUnavailable, "The document store cannot be used at present")
	case pg.Full:
		return fault.Wrap(err, fault.Unavailable, "docs.full", "The disk of the document store is full")
	case pg.Busy:
		return fault.Wrap(err, fault.Unavailable, "docs.busy", "The document store is in use")
	case pg.Corrupt:
		return docs.ErrCorrupt(err)
	case pg.Other:
	}
	return err
}

// read calls fn with what reads, and again when a connection turns out to be gone, for as long as a read may take.
func (d *Store) read(ctx context.Context, fn func(context.Context, querier) error) error {
	limited, cancel := context.WithTimeout(ctx, d.patience)
	defer cancel()
	return d.fault(ctx, pg.Again(limited, func() error { return fn(limited, d.pool) }))
}
