package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quipu/internal/store/journal"
	"quipu/internal/store/marks"
	"quipu/internal/store/pg"
)

var _ marks.Reader = (*DB)(nil)

// Name is that of the state, and of no other.
func (d *DB) Name(ctx context.Context) (name string, err error) {
	err = d.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
		return q.QueryRow(ctx, "SELECT name FROM identity").Scan(&name)
	})
	return name, err
}

// Clock is the time of the database.
func (d *DB) Clock(ctx context.Context) (t time.Time, err error) {
	err = d.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
		return q.QueryRow(ctx, "SELECT clock_timestamp()").Scan(&t)
	})
	return t, err
}

// Watermark returns up to where each partition is committed, regardless of its holder.
func (d *DB) Watermark(ctx context.Context) (journal.Watermark, error) {
	out := journal.Watermark{}
	err := d.each(ctx, func(row pgx.CollectableRow) error {
		var partition uint16
		var at int64
		err := row.Scan(&partition, &at)
		out[partition] = uint64(at) // never negative
		return err
	}, "SELECT partition, watermark FROM partitions WHERE watermark > 0")
	return out, err
}

// Blocks returns the number of the last block of cells of each partition.
func (d *DB) Blocks(ctx context.Context) (map[uint16]uint64, error) {
	out := map[uint16]uint64{}
	err := d.each(ctx, func(row pgx.CollectableRow) error {
		var partition uint16
		var last int64
		err := row.Scan(&partition, &last)
		out[partition] = uint64(last) // never negative
		return err
	}, "SELECT partition, block FROM partitions WHERE block > 0")
	return out, err
}

// Arrived reports whether rows up to a watermark have left for the event store, and blocks of cells up to some for theirs, regardless of the partitions' holders.
func (d *DB) Arrived(ctx context.Context, rows journal.Watermark, blocks map[uint16]uint64) (yes bool, err error) {
	list := func(m map[uint16]uint64) (parts []int32, ends []int64) {
		for partition, end := range m {
			parts, ends = append(parts, int32(partition)), append(ends, offset(end))
		}
		return parts, ends
	}
	rowParts, rowEnds := list(rows)
	cellParts, cellEnds := list(blocks)
	err = d.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
		return q.QueryRow(ctx, `SELECT NOT EXISTS (SELECT 1 FROM unnest($1::integer[], $2::bigint[]) AS u(partition, through) WHERE EXISTS (SELECT 1 FROM outbox AS o WHERE o.partition = u.partition AND o.through <= u.through))
			AND NOT EXISTS (SELECT 1 FROM unnest($3::integer[], $4::bigint[]) AS u(partition, block) WHERE EXISTS (SELECT 1 FROM cells AS c WHERE c.partition = u.partition AND c.block <= u.block))`,
			rowParts, rowEnds, cellParts, cellEnds).Scan(&yes)
	})
	return yes, err
}

// Stale has readers ask for the versions of merges and schemas again, however lately they did.
func (d *DB) Stale() {
	d.versions.mu.Lock()
	defer d.versions.mu.Unlock()
	d.versions.rounds++
}

// Alone calls fn while no other process does, under a lock of the database with a name. fn should be quick.
func (d *DB) Alone(ctx context.Context, name string, fn func(context.Context) error) (err error) {
	conn, err := d.pool.Acquire(ctx)
	if err != nil {
		return d.fault(ctx, err)
	}
	defer conn.Release()
	key := lockOf(d, name)
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock("+key+")"); err != nil {
		return d.fault(ctx, err)
	}
	defer func() { err = errors.Join(err, d.unlock(ctx, conn, key)) }()
	return fn(ctx)
}

// lockOf is the key of a lock as a literal.
func lockOf(d *DB, name string) string {
	return strconv.FormatInt(pg.LockKey("quipu state "+d.o.Schema+" "+name), 10)
}

// unlock gives a lock back. A connection that cannot is closed, which does so, too.
func (d *DB) unlock(ctx context.Context, conn *pgxpool.Conn, key string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pg.ConnectTimeout)
	defer cancel()
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_unlock("+key+")"); err != nil {
		_ = conn.Conn().Close(ctx) // the error above says why
		return fmt.Errorf("give back a lock: %w", d.fault(ctx, err))
	}
	return nil
}

// Living returns the names of the keepers that live.
func (d *DB) Living(ctx context.Context) (names []string, err error) {
	err = d.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
		rows, err := q.Query(ctx, "SELECT name FROM workers WHERE until >= clock_timestamp()")
		if err != nil {
			return err
		}
		names, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	return names, err
}

// Lives reports whether the keeper of a name lives: a process that shares partitions.
func (d *DB) Lives(ctx context.Context, name string) (yes bool, err error) {
	err = d.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
		return q.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM workers WHERE name = $1 AND until >= clock_timestamp())", name).Scan(&yes)
	})
	return yes, err
}
