package duck

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"

	bindings "github.com/duckdb/duckdb-go-bindings"
	"github.com/duckdb/duckdb-go/v2"
	"github.com/duckdb/duckdb-go/v2/mapping"

	"quipu/internal/store/events"
)

// stream is the result of a statement that goes on as its rows are fetched: no more of them are in memory than DuckDB computes ahead. The driver only has
// results that are computed, and held, as a whole.
type stream struct {
	own   *duckdb.Conn
	conn  mapping.Connection // of own
	stmt  *duckdb.Stmt
	res   mapping.Result
	types []mapping.Type // of its columns; nil before the first chunk
	seen  []seen         // of each column
	ended bool           // by its last row or an error
}

// streamOf prepares a statement and begins to run it. The stream must be closed; nothing else may use the connection before that.
func streamOf(ctx context.Context, conn *duckdb.Conn, statement string, args []any) (s *stream, err error) {
	prepared, err := conn.PrepareContext(ctx, statement)
	if err != nil {
		return nil, err
	}
	stmt, ok := prepared.(*duckdb.Stmt)
	if !ok {
		return nil, errors.Join(fmt.Errorf("a statement of type %T", prepared), prepared.Close())
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, stmt.Close())
		}
	}()
	named := make([]driver.NamedValue, len(args))
	for i, a := range args {
		named[i] = driver.NamedValue{Ordinal: i + 1, Value: a}
	}
	if err := stmt.BindWithCtx(ctx, named); err != nil {
		return nil, err
	}
	handle, err := ownField[*mapping.PreparedStatement](stmt, "preparedStmt")
	if err != nil {
		return nil, err
	}
	s = &stream{own: conn, stmt: stmt}
	if s.conn, err = ownField[mapping.Connection](conn, "conn"); err != nil {
		return nil, err
	}
	defer interrupting(ctx, s.conn)()
	var pending mapping.PendingResult
	defer mapping.DestroyPending(&pending)
	if bindings.PendingPreparedStreaming(*handle, &pending) == mapping.StateError {
		failed := &duckdb.Error{Msg: mapping.PendingError(pending)}
		if strings.HasPrefix(failed.Msg, "FATAL Error") {
			failed.Type = duckdb.ErrorTypeFatal
		}
		return nil, errors.Join(ctx.Err(), failed)
	}
	if mapping.ExecutePending(pending, &s.res) == mapping.StateError {
		defer mapping.DestroyResult(&s.res)
		return nil, s.failure(ctx)
	}
	return s, nil
}

// streamed runs a statement as a stream and calls fn with its rows.
func streamed(ctx context.Context, conn *duckdb.Conn, statement string, args []any, fn func(*events.Columns) error) (err error) {
	rows, err := streamOf(ctx, conn, statement, args)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.close(ctx)) }()
	return rows.each(ctx, fn)
}

// lost reports whether a stream was interrupted though nobody asked for it. When a statement fails in one thread, DuckDB interrupts the others, and where a
// stream waits for them, one in fifty times this is all that it says of the failure.
func lost(ctx context.Context, err error) bool {
	var de *duckdb.Error
	return ctx.Err() == nil && errors.As(err, &de) && de.Type == duckdb.ErrorTypeInterrupt
}

// reasonTries is how often a stream is run again for the reason of its failure.
const reasonTries = 5

// reasonOf runs a statement again, without its rows, to find out why its stream failed. A statement that does not fail again lacked memory: nothing else
// passes.
func reasonOf(ctx context.Context, conn *duckdb.Conn, statement string, args []any, failed error) error {
	for range reasonTries {
		err := streamed(ctx, conn, statement, args, func(*events.Columns) error { return nil })
		if err == nil {
			break
		}
		if !lost(ctx, err) {
			return err
		}
	}
	return fmt.Errorf("%w: a statement failed, and not when it was run again: %w", events.ErrMemory, failed)
}

// ahead is how many chunks are fetched before they are asked for.
const ahead = 2

// each calls fn with the rows, a full chunk of them or more at a time, while the next ones are fetched. DuckDB's own chunks have what conditions left of a
// full one, which may be a row or two. It returns, or panics as fn or the fetching did, only when nothing is fetched any more.
func (s *stream) each(ctx context.Context, fn func(*events.Columns) error) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	filled, empty := make(chan *events.Columns, ahead), make(chan *events.Columns, ahead+1)
	for range ahead + 1 {
		empty <- &events.Columns{}
	}
	var failed error
	var panicked any
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(filled)
		defer func() { panicked = recover() }()
		failed = s.fetch(ctx, filled, empty)
	})
	defer func() {
		cancel()
		if wg.Wait(); panicked != nil {
			panic(panicked)
		}
		if err == nil {
			err = failed
		}
	}()
	for c := range filled {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := fn(c); err != nil {
			return err
		}
		empty <- c
	}
	return nil
}

// fetch fills columns until the stream has ended.
func (s *stream) fetch(ctx context.Context, filled chan<- *events.Columns, empty <-chan *events.Columns) error {
	defer interrupting(ctx, s.conn)()
	for !s.ended {
		select {
		case c := <-empty:
			if err := s.fill(ctx, c); err != nil {
				return err
			}
			if c.Len > 0 {
				filled <- c // there is room for all but the one that fn has
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// fill copies the next chunks, until they have as many rows as a full one or the stream has ended.
func (s *stream) fill(ctx context.Context, out *events.Columns) error {
	for out.Len = 0; out.Len < chunkRows; {
		c := mapping.FetchChunk(s.res)
		if c.Ptr == nil {
			s.ended = true
			return s.failure(ctx)
		}
		err := s.copyChunk(out, c)
		mapping.DestroyDataChunk(&c)
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}

// failure is why the stream ended; nil at its end.
func (s *stream) failure(ctx context.Context) error {
	if text := mapping.ResultError(&s.res); text != "" {
		return errors.Join(ctx.Err(), &duckdb.Error{Type: duckdb.ErrorType(bindings.ResultErrorType(&s.res)), Msg: text})
	}
	return ctx.Err()
}

// close ends the statement. One that is not at its end would stay under way, and its transaction open, until the connection is used again; see giveBack.
func (s *stream) close(ctx context.Context) error {
	mapping.DestroyResult(&s.res)
	err := s.stmt.Close()
	if s.ended {
		return err
	}
	if _, failed := s.own.ExecContext(context.WithoutCancel(ctx), "ROLLBACK", nil); failed != nil && !inTransaction(failed) {
		return errors.Join(err, failed, driver.ErrBadConn)
	}
	return err
}

// interruptEvery is the time between two attempts to interrupt a statement: at its beginning DuckDB forgets the one before.
const interruptEvery = 10 * time.Millisecond

// interrupting interrupts what runs on a connection once ctx is done, until the function that it returns is called.
func interrupting(ctx context.Context, conn mapping.Connection) (done func()) {
	var wg sync.WaitGroup
	ended := make(chan struct{})
	wg.Add(1)
	stop := context.AfterFunc(ctx, func() {
		defer wg.Done()
		again := time.NewTicker(interruptEvery)
		defer again.Stop()
		for {
			mapping.Interrupt(conn)
			select {
			case <-ended:
				return
			case <-again.C:
			}
		}
	})
	return func() {
		close(ended)
		if !stop() {
			wg.Wait()
		}
	}
}

// ownField returns a field that the driver keeps to itself, found by its name; another driver that has none such gives an error.
func ownField[T any](of any, name string) (value T, err error) {
	f := reflect.ValueOf(of).Elem().FieldByName(name)
	if !f.IsValid() || !f.CanAddr() || f.Type() != reflect.TypeFor[T]() {
		return value, fmt.Errorf("the driver's %T has no known field %s", of, name)
	}
	return *(*T)(f.Addr().UnsafePointer()), nil
}
