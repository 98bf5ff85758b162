package duck

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/duckdb/duckdb-go/v2"
)

// cancelEvery is the number of rows after which an append looks at its context.
const cancelEvery = 1024

// appendRows adds n rows to the end of a table; columns that are not given are
// NULL. What row returns is used until its next call.
func appendRows[T any](ctx context.Context, t *tx, table string, columns []column[T], n int, row func(i int) *T) error {
	if n == 0 {
		return nil
	}
	err := t.conn.writer.Raw(func(conn any) (err error) {
		if err := ctx.Err(); err != nil {
			return err
		}
		a, err := duckdb.NewAppenderWithColumns(conn.(driver.Conn), "", "", table, names(columns))
		if err != nil {
			return err
		}
		defer func() {
			if err != nil {
				err = errors.Join(err, a.Clear()) // what it holds is not to be stored
			}
			err = errors.Join(err, a.Close())
		}()
		values := make([]driver.Value, len(columns))
		for i := range n {
			if i%cancelEvery == 0 {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := t.s.at("append"); err != nil {
					return err
				}
			}
			r := row(i)
			for j := range columns {
				values[j] = columns[j].value(r)
			}
			if err := a.AppendRow(values...); err != nil {
				return err
			}
		}
		return a.FlushWithCancel(ctx)
	})
	if err != nil {
		return fmt.Errorf("append to %s: %w", table, err)
	}
	return nil
}
