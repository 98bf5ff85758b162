package postgres

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quipu/internal/model"
	"quipu/internal/store/outbox"
	"quipu/internal/store/state"
)

var _ outbox.Store = (*Worker)(nil)

// Partitions implements outbox.Store: those of the worker's partitions that have something.
func (w *Worker) Partitions(ctx context.Context) (list []uint16, err error) {
	parts, _ := columns(w.leases)
	err = w.db.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
		rows, err := q.Query(ctx, `SELECT u.partition FROM unnest($1::integer[]) AS u(partition)
			WHERE EXISTS (SELECT 1 FROM outbox AS o WHERE o.partition = u.partition) OR EXISTS (SELECT 1 FROM mirror AS m WHERE m.partition = u.partition) ORDER BY u.partition`, parts)
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, pgx.RowTo[uint16])
		return err
	})
	return list, err
}

// Parts implements outbox.Store.
func (w *Worker) Parts(ctx context.Context, partition uint16, from, before uint64, fn func(offset uint64, app model.AppID, value []byte) (bool, error)) error {
	return w.queued(ctx, "outbox", partition, from, before, fn)
}

// Users implements outbox.Store.
func (w *Worker) Users(ctx context.Context, partition uint16, fn func(offset uint64, app model.AppID, value []byte) (bool, error)) error {
	return w.queued(ctx, "mirror", partition, 0, math.MaxUint64, fn)
}

// stagedAtOnce is how many parts are asked for at a time.
const stagedAtOnce = 64

// queued reads a table of queued parts, some at a time.
func (w *Worker) queued(ctx context.Context, table string, partition uint16, from, before uint64, fn func(offset uint64, app model.AppID, value []byte) (bool, error)) error {
	type part struct {
		offset int64
		app    model.AppID
		value  []byte
	}
	sql := "SELECT through, app, value FROM " + table + " WHERE partition = $1 AND (through, app) > ($2, $3) AND through < $4 ORDER BY through, app LIMIT $5"
	last, after := offset(from), []byte{} // before each app
	for {
		var list []part
		err := w.db.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
			rows, err := q.Query(ctx, sql, int32(partition), last, after, offset(before), stagedAtOnce)
			if err != nil {
				return err
			}
			list, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (p part, err error) {
				var app []byte
				if err := row.Scan(&p.offset, &app, &p.value); err != nil {
					return p, err
				}
				if copy(p.app[:], app) != len(p.app) {
					return p, fmt.Errorf("%w: app of %d bytes", outbox.ErrDamaged, len(app))
				}
				return p, nil
			})
			return err
		})
		if err != nil {
			return err
		}
		for i := range list {
			p := &list[i]
			more, err := fn(uint64(p.offset), p.app, p.value) // never negative
			if err != nil || !more {
				return err
			}
		}
		if len(list) < stagedAtOnce {
			return nil
		}
		last, after = list[len(list)-1].offset, list[len(list)-1].app[:]
	}
}

// Moved implements outbox.Store. It is always durable.
func (w *Worker) Moved(ctx context.Context, m outbox.Move) error {
	return w.exec(ctx, m.Partition, func(b *pgx.Batch) {
		if m.Before > m.From {
			b.Queue("DELETE FROM outbox WHERE partition = $1 AND through >= $2 AND through < $3", int32(m.Partition), offset(m.From), offset(m.Before))
		}
		for partition, at := range m.Watermark {
			b.Queue("UPDATE partitions SET rows_mark = $2 WHERE partition = $1", int32(partition), offset(at))
		}
		if len(m.Users) > 0 {
			apps, values := make([][]byte, len(m.Users)), make([][]byte, len(m.Users))
			for i, u := range m.Users {
				apps[i], values[i] = clone(u.App), u.Value
			}
			b.Queue(`INSERT INTO mirror (partition, through, app, value) SELECT $1, $2, * FROM unnest($3::bytea[], $4::bytea[])
				ON CONFLICT (partition, through, app) DO UPDATE SET value = EXCLUDED.value`, int32(m.Partition), offset(m.Before-1), apps, values)
		}
	})
}

// ForgetUsers implements outbox.Store.
func (w *Worker) ForgetUsers(ctx context.Context, partition uint16, before uint64) error {
	return w.exec(ctx, partition, func(b *pgx.Batch) {
		b.Queue("DELETE FROM mirror WHERE partition = $1 AND through < $2", int32(partition), offset(before))
	})
}

// offset is one as the database holds it. Those of records have 48 bits; what is greater stands for all.
func offset(n uint64) int64 { return int64(min(n, math.MaxInt64)) } // bounded

// exec runs statements that may be done again in one transaction, which fails unless the worker holds the partition.
func (w *Worker) exec(ctx context.Context, partition uint16, queue func(*pgx.Batch)) error {
	epoch, held := w.epochs[partition]
	if !held {
		return fmt.Errorf("partition %d: %w", partition, state.ErrLost)
	}
	return w.execute(ctx, func(b *pgx.Batch) {
		b.Queue("SELECT quipu_held($1, $2)", []int32{int32(partition)}, []int64{int64(epoch)}) // a count
		queue(b)
	})
}

// execute runs statements that may be done again, the first of which make sure that the worker holds partitions, in one transaction.
func (w *Worker) execute(ctx context.Context, queue func(*pgx.Batch)) error {
	err := w.db.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
		b := &pgx.Batch{}
		queue(b)
		return q.SendBatch(ctx, b).Close()
	})
	if errors.Is(err, state.ErrLost) {
		w.mu.Lock()
		w.lost = err
		w.mu.Unlock()
	}
	return err
}
