package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Moved returns what was noted last of data that moves in, or has moved in, from other stores; nil = nothing did.
func (d *DB) Moved(ctx context.Context) (body []byte, err error) {
	err = d.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
		err := q.QueryRow(ctx, "SELECT body FROM moved").Scan(&body)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		return err
	})
	return body, err
}

// NoteMoved notes it, in place of what was noted before.
func (d *DB) NoteMoved(ctx context.Context, body []byte) error {
	limited, cancel := context.WithTimeout(ctx, d.o.Patience)
	defer cancel()
	batch := &pgx.Batch{}
	batch.Queue("DELETE FROM moved")
	batch.Queue("INSERT INTO moved (body) VALUES ($1)", body)
	if err := d.fault(ctx, d.pool.SendBatch(limited, batch).Close()); err != nil {
		return fmt.Errorf("note what moved in: %w", err)
	}
	return nil
}
