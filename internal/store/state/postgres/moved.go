package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quipu/internal/store/pg"
	"quipu/internal/store/state"
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

const noteMoved = "INSERT INTO moved (body) VALUES ($1) ON CONFLICT (one) DO UPDATE SET body = EXCLUDED.body"

// NoteMoved notes it, in place of what was noted before.
func (d *DB) NoteMoved(ctx context.Context, body []byte) error {
	limited, cancel := context.WithTimeout(ctx, d.o.Patience)
	defer cancel()
	_, err := d.pool.Exec(limited, noteMoved, body)
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

// movedHolder is the holder of all partitions once the data has moved to other stores.
const movedHolder = "moved"

// MoveOut notes that the data has moved to other stores, in place of what was noted before, and takes the partitions from everybody for good, both or neither: nobody claims them
// any more, and what an earlier holder still sends is refused. leases have to be all partitions, and held. It may be called again, with the same leases and the same note: when that was done
// already it does nothing.
//
// Errors: state.ErrLost when other leases hold, or none; nothing was changed then. Any other may leave open whether it was done: the same call again tells, or Moved
// once nothing of the earlier call is under way any more.
func (d *DB) MoveOut(ctx context.Context, leases []Lease, body []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), d.o.Patience)
	defer cancel()
	err := pg.Again(limited, func() error { return d.moveOut(limited, leases, body) })
	if err := d.fault(limited, err); err != nil {
		return fmt.Errorf("note that the data has moved: %w", err)
	}
	return nil
}

// moveOut is one attempt. The rows of the partitions are locked first, so it waits for the end of an earlier one.
func (d *DB) moveOut(ctx context.Context, leases []Lease, body []byte) error {
	tx, err := d.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.ReadCommitted})
	if err != nil {
		return err
	}
	defer d.rollback(ctx, tx)
	rows, err := tx.Query(ctx, "SELECT partition, epoch, holder FROM partitions ORDER BY partition FOR UPDATE")
	if err != nil {
		return err
	}
	type held struct {
		Lease
		holder string
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (h held, err error) {
		var epoch int64
		err = row.Scan(&h.Partition, &epoch, &h.holder)
		h.Epoch = uint64(epoch) // never negative
		return h, err
	})
	if err != nil {
		return err
	}
	if len(list) != len(leases) {
		return fmt.Errorf("%d of %d partitions are held: %w", len(leases), len(list), state.ErrLost)
	}
	leases = slices.SortedFunc(slices.Values(leases), func(a, b Lease) int { return int(a.Partition) - int(b.Partition) })
	done := 0
	for i, h := range list {
		switch {
		case h.Lease == leases[i] && h.holder != "" && h.holder != movedHolder:
		case h.holder == movedHolder && h.Lease == Lease{leases[i].Partition, leases[i].Epoch + 1}:
			done++
		default:
			return fmt.Errorf("partition %d is not held under epoch %d any more: %w", leases[i].Partition, leases[i].Epoch, state.ErrLost)
		}
	}
	if done > 0 {
		var noted []byte
		if err := tx.QueryRow(ctx, "SELECT body FROM moved").Scan(&noted); err != nil {
			return err
		}
		if done < len(list) || !bytes.Equal(noted, body) {
			return fmt.Errorf("the data has moved already: %w", state.ErrLost)
		}
		return nil
	}
	if _, err := tx.Exec(ctx, "UPDATE partitions SET holder = $1, epoch = epoch + 1, until = 'infinity', ttl = '0'", movedHolder); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, noteMoved, body); err != nil {
		return err
	}
	return tx.Commit(ctx)
}
