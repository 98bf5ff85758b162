package postgres

import (
	"context"
	"fmt"
	"iter"

	"github.com/jackc/pgx/v5"

	"quipu/internal/store/docs"
	"quipu/internal/store/pg"
)

// exportIdle is how long the server waits in an export for who takes the documents, ms: a snapshot that is kept for nobody would keep it from removing what was deleted.
const exportIdle = "600000"

// Export calls fn for each collection with an iterator over its documents. All collections are read from one snapshot. The iterator is valid until fn returns, whose error
// ends the export and is returned.
func (d *Store) Export(ctx context.Context, fn func(collection string, version int, records iter.Seq2[docs.Record, error]) error) error {
	tx, err := d.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return d.fault(ctx, err)
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pg.ConnectTimeout)
		defer cancel()
		_ = tx.Rollback(ctx) // it has read only
	}()
	if _, err := tx.Exec(ctx, "SET LOCAL idle_in_transaction_session_timeout = "+exportIdle); err != nil {
		return d.fault(ctx, err)
	}
	read := func(ctx context.Context, fn func(context.Context, querier) error) error {
		ctx, cancel := context.WithTimeout(ctx, d.patience)
		defer cancel()
		return d.fault(ctx, fn(ctx, tx))
	}
	type found struct {
		name    string
		version int
	}
	var list []found
	err = read(ctx, func(ctx context.Context, q querier) error {
		rows, err := q.Query(ctx, "SELECT name, version FROM collections ORDER BY name")
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (c found, err error) {
			err = row.Scan(&c.name, &c.version)
			return c, err
		})
		return err
	})
	if err != nil {
		return fmt.Errorf("export documents: %w", err)
	}
	for _, c := range list {
		if err := fn(c.name, c.version, findRecords(ctx, read, &docs.Layout{Name: c.name}, docs.Scope{All: true}, docs.Query{})); err != nil {
			return err
		}
	}
	return nil
}
