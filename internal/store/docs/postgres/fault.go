package postgres

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"quipu/internal/fault"
	"quipu/internal/store/docs"
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
	err = d.redacted(err)
	if ctx.Err() != nil {
		return err
	}
	if isConnection(err) {
		return fault.Wrap(err, fault.Unavailable, codeUnavailable, "The document store cannot be reached")
	}
	pe, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		return err
	}
	switch {
	case pe.Code == "53100": // disk_full
		return fault.Wrap(err, fault.Unavailable, "docs.full", "The disk of the document store is full")
	case pe.Code == "55P03", pe.Code == "57014", pe.Code == "40001", pe.Code == "40P01": // locks, time-outs
		return fault.Wrap(err, fault.Unavailable, "docs.busy", "The document store is in use")
	case strings.HasPrefix(pe.Code, "53"), pe.Code == "25006", pe.Code == "25P03": // resources; a server that only reads; idle for too long
		return fault.Wrap(err, fault.Unavailable, codeUnavailable, "The document store cannot be used at present")
	case strings.HasPrefix(pe.Code, "XX"): // data or an index is damaged, or the server is
		return docs.ErrCorrupt(err)
	}
	return err
}

// isConnection reports whether the server was not reached, or was lost.
func isConnection(err error) bool {
	if pe, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch pe.Code {
		case "57P01", "57P02", "57P03": // shut down, crashed, not up yet
			return true
		}
		return strings.HasPrefix(pe.Code, "08")
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return true
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) || pgconn.SafeToRetry(err) || strings.Contains(err.Error(), "conn closed")
}

// redacted takes the password out of a message, should one hold it.
func (d *Store) redacted(err error) error {
	if d.secret == "" || !strings.Contains(err.Error(), d.secret) {
		return err
	}
	return redactedError{err, strings.ReplaceAll(err.Error(), d.secret, "…")}
}

// redactedError is an error with another message.
type redactedError struct {
	error
	message string
}

// Error returns the message without the password.
func (e redactedError) Error() string { return e.message }

// Unwrap returns the cause, for its type; its message is not for logs.
func (e redactedError) Unwrap() error { return e.error }

// pauses between the attempts of what may be tried again.
func pauses() []time.Duration {
	return []time.Duration{20 * time.Millisecond, 200 * time.Millisecond, time.Second}
}

// again calls fn until it does not fail for want of a connection, four times at most. fn changes nothing, or nothing
// when it fails.
func (d *Store) again(ctx context.Context, fn func() error) error {
	err := fn()
	for _, pause := range pauses() {
		if err == nil || ctx.Err() != nil || !isConnection(err) {
			return err
		}
		t := time.NewTimer(pause)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return err
		}
		err = fn()
	}
	return err
}

// read calls fn with what reads, and again when a connection turns out to be gone, for as long as a read may take.
func (d *Store) read(ctx context.Context, fn func(context.Context, querier) error) error {
	limited, cancel := context.WithTimeout(ctx, d.patience)
	defer cancel()
	return d.fault(ctx, d.again(limited, func() error { return fn(limited, d.pool) }))
}
