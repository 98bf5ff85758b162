package duck

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/duckdb/duckdb-go/v2"
	"github.com/duckdb/duckdb-go/v2/mapping"
)

// flushChunks is the number of chunks that an appender gathers before they go
// to the table.
const flushChunks = 16

// pieces calls fn with rows of an app, given by its number in shared tables. They are valid until fn returns.
type pieces[T any] func(fn func(app uint32, rows []*T) error) error

// ofEach calls fn with what rows returns for each app of a group.
func ofEach[T any](g bundle, rows func(member) []*T, fn func(app uint32, rows []*T) error) error {
	for _, m := range g.apps {
		if err := fn(m.number, rows(m)); err != nil {
			return err
		}
	}
	return nil
}

// appendRows adds rows to the end of a group's table; columns that are not given are
// NULL.
func appendRows[T any](ctx context.Context, t *tx, g bundle, table string, columns []column[T], rows pieces[T]) error {
	err := t.conn.writer.Raw(func(conn any) error {
		a := &appending[T]{s: t.s, conn: conn.(driver.Conn), table: table, shared: g.shared, columns: columns}
		err := rows(func(app uint32, part []*T) error { return a.add(ctx, app, part) })
		return a.end(ctx, err)
	})
	if err != nil {
		return fmt.Errorf("append to %s: %w", table, err)
	}
	return nil
}

// appending gathers rows for a table. Without rows it does nothing.
type appending[T any] struct {
	s       *Store
	conn    driver.Conn
	table   string
	shared  bool // the first column is the app's number
	columns []column[T]

	appender *duckdb.Appender
	handle   mapping.Appender
	chunk    *chunk
	filled   int // rows of the chunk
	chunks   int // that the appender has
}

// begin makes the appender.
func (a *appending[T]) begin() (err error) {
	var names, types []string
	if a.shared {
		names, types = append(names, appColumn), append(types, sqlType[uint32]())
	}
	for _, c := range a.columns {
		names, types = append(names, c.name), append(types, c.typ)
	}
	if a.appender, err = duckdb.NewAppenderWithColumns(a.conn, "", "", a.table, names); err != nil {
		return err
	}
	if a.handle, err = handleOf(a.appender); err != nil {
		return err
	}
	a.chunk, err = newChunk(types)
	return err
}

// add fills rows of an app into chunks.
func (a *appending[T]) add(ctx context.Context, app uint32, rows []*T) error {
	for len(rows) > 0 {
		if a.appender == nil {
			if err := a.begin(); err != nil {
				return err
			}
		}
		if a.filled == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := a.s.at("append"); err != nil {
				return err
			}
			a.chunk.reset()
		}
		part := rows[:min(len(rows), chunkRows-a.filled)]
		rows = rows[len(part):]
		vectors := a.chunk.vectors
		if a.shared {
			numbers := values[uint32](&vectors[0])[a.filled:]
			for i := range part {
				numbers[i] = app
			}
			vectors = vectors[1:]
		}
		for j := range a.columns {
			a.columns[j].fill(&vectors[j], a.filled, part)
		}
		if a.filled += len(part); a.filled == chunkRows {
			if err := a.give(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// give gives the chunk to the appender.
func (a *appending[T]) give(ctx context.Context) error {
	if a.filled == 0 {
		return nil
	}
	if err := a.chunk.appendTo(a.handle, a.filled); err != nil {
		return err
	}
	a.filled = 0
	if a.chunks++; a.chunks%flushChunks == 0 {
		return a.appender.FlushWithCancel(ctx)
	}
	return nil
}

// end stores what was gathered, unless err is an error, which it returns.
func (a *appending[T]) end(ctx context.Context, err error) error {
	if a.chunk != nil {
		defer a.chunk.close()
	}
	if a.appender == nil {
		return err
	}
	if err == nil {
		if err = a.give(ctx); err == nil {
			err = a.appender.FlushWithCancel(ctx)
		}
	}
	if err != nil {
		err = errors.Join(err, a.appender.Clear()) // what it holds is not to be stored
	}
	return errors.Join(err, a.appender.Close())
}
