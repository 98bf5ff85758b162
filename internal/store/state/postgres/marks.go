package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quipu/internal/model"
	"quipu/internal/store/marks"
)

var _ marks.Reader = (*DB)(nil)

// Marks implements marks.Reader.
func (d *DB) Marks(app model.AppID) (m marks.Marks, err error) {
	err = d.read(context.Background(), func(ctx context.Context, q *pgxpool.Pool) error {
		var deleted, merged int64
		err := q.QueryRow(ctx, "SELECT dropped, deleted, merged, loose FROM marks WHERE app = $1", app[:]).Scan(&m.Dropped, &deleted, &merged, &m.Loose)
		m.Deleted, m.Merged = uint64(deleted), uint64(merged) // as they were written
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		return err
	})
	if err != nil {
		return marks.Marks{}, fmt.Errorf("read marks of app %s: %w", app, err)
	}
	return m, nil
}

// Settings implements marks.Reader.
func (d *DB) Settings(app model.AppID) (text []byte, err error) {
	err = d.read(context.Background(), func(ctx context.Context, q *pgxpool.Pool) error {
		err := q.QueryRow(ctx, "SELECT body FROM settings WHERE app = $1", app[:]).Scan(&text)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read settings of app %s: %w", app, err)
	}
	return text, nil
}
