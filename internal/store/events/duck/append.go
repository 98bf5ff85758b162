package duck

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"

	"github.com/duckdb/duckdb-go/v2"
)

// flushChunks is the number of chunks that an appender gathers before they go
// to the table.
const flushChunks = 16

// pieces calls fn with rows, at most chunkRows at a time.
type pieces[T any] func(fn func([]*T) error) error

// all are rows in one list.
func all[T any](rows []*T) pieces[T] {
	return func(fn func([]*T) error) error {
		for part := range slices.Chunk(rows, chunkRows) {
			if err := fn(part); err != nil {
				return err
			}
		}
		return nil
	}
}

// appendRows adds rows to the end of a table; columns that are not given are
// NULL.
func appendRows[T any](ctx context.Context, t *tx, table string, columns []column[T], rows pieces[T]) error {
	err := t.conn.writer.Raw(func(conn any) error { return appendTo(ctx, t.s, conn.(driver.Conn), table, columns, rows) })
	if err != nil {
		return fmt.Errorf("append to %s: %w", table, err)
	}
	return nil
}

func appendTo[T any](ctx context.Context, s *Store, conn driver.Conn, table string, columns []column[T], rows pieces[T]) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	a, err := duckdb.NewAppenderWithColumns(conn, "", "", table, names(columns))
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.Clear()) // what it holds is not to be stored
		}
		err = errors.Join(err, a.Close())
	}()
	handle, err := handleOf(a)
	if err != nil {
		return err
	}
	types := make([]string, len(columns))
	for i := range columns {
		types[i] = columns[i].typ
	}
	c, err := newChunk(types)
	if err != nil {
		return err
	}
	defer c.close()
	n := 0
	err = rows(func(part []*T) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.at("append"); err != nil {
			return err
		}
		c.reset()
		for j := range columns {
			columns[j].fill(&c.vectors[j], part)
		}
		if err := c.appendTo(handle, len(part)); err != nil {
			return err
		}
		if n++; n%flushChunks == 0 {
			return a.FlushWithCancel(ctx)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return a.FlushWithCancel(ctx)
}
