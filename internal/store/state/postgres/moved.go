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
	_, err := d.pool.Exec(limited, "INSERT INTO moved (body) VALUES ($1) ON CONFLICT (one) DO UPDATE SET body = EXCLUDED.body", body)
	if err := d.fault(ctx, err); err != nil {
		return fmt.Errorf("note what moved in: %w", err)
	}
	return nil
}

// ClaimMoved notes it if nothing was noted before, and reports whether that is so.
func (d *DB) ClaimMoved(ctx context.Context, body []byte) (first bool, err error) {
	limited, cancel := context.WithTimeout(ctx, d.o.Patience)
	defer cancel()
	tag, err := d.pool.Exec(limited, "INSERT INTO moved (body) VALUES ($1) ON CONFLICT (one) DO NOTHING", body)
	if err := d.fault(ctx, err); err != nil {
		return false, fmt.Errorf("note what moves in: %w", err)
	}
	return tag.RowsAffected() == 1, nil
}
