package postgres

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quipu/internal/store/events"
	"quipu/internal/store/journal"
	"quipu/internal/store/state"
)

// Ledger notes what is sent to an event store of the worker's partitions. Errors of all that changes something: state.ErrLost.
type Ledger struct{ w *Worker }

// Ledger returns that of the worker.
func (w *Worker) Ledger() Ledger { return Ledger{w} }

// State implements the ledger of events/clickhouse.
func (l Ledger) State(ctx context.Context) (name string, err error) {
	err = l.w.db.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
		return q.QueryRow(ctx, "SELECT name FROM identity").Scan(&name)
	})
	return name, err
}

// Watermark implements the ledger of events/clickhouse.
func (l Ledger) Watermark(ctx context.Context) (journal.Watermark, error) {
	parts, _ := columns(l.w.leases)
	out := journal.Watermark{}
	err := l.w.db.each(ctx, func(row pgx.CollectableRow) error {
		var partition uint16
		var at int64
		if err := row.Scan(&partition, &at); err != nil {
			return err
		}
		if at > 0 {
			out[partition] = uint64(at)
		}
		return nil
	}, "SELECT partition, confirmed FROM row_sendings WHERE partition = ANY($1)", parts)
	return out, err
}

// Noted implements the ledger of events/clickhouse.
func (l Ledger) Noted(ctx context.Context, partition uint16) (s events.Sending, err error) {
	err = l.w.db.each(ctx, func(row pgx.CollectableRow) error {
		var after, through int64
		var try int32
		err := row.Scan(&after, &through, &try)
		s = events.Sending{Partition: partition, After: uint64(after), Through: uint64(through), Try: uint32(try)} // never negative
		return err
	}, "SELECT confirmed, through, try FROM row_sendings WHERE partition = $1 AND through IS NOT NULL", int32(partition))
	return s, err
}

// Begin implements the ledger of events/clickhouse.
func (l Ledger) Begin(ctx context.Context, s events.Sending) (noted events.Sending, again bool, err error) {
	noted, err = l.Noted(ctx, s.Partition)
	if err != nil || noted != (events.Sending{}) {
		return noted, true, err
	}
	err = l.w.exec(ctx, s.Partition, func(b *pgx.Batch) {
		b.Queue(`INSERT INTO row_sendings AS r (partition, confirmed, through) VALUES ($1, $2, $3)
			ON CONFLICT (partition) DO UPDATE SET through = $3, try = 0 WHERE r.confirmed = $2 AND r.through IS NULL`, int32(s.Partition), offset(s.After), offset(s.Through))
	})
	if err != nil {
		return events.Sending{}, false, err
	}
	noted, err = l.Noted(ctx, s.Partition)
	return noted, noted != s, err
}

// Retry implements the ledger of events/clickhouse.
func (l Ledger) Retry(ctx context.Context, s events.Sending) (events.Sending, error) {
	err := l.w.exec(ctx, s.Partition, func(b *pgx.Batch) {
		b.Queue("UPDATE row_sendings SET try = $3 WHERE partition = $1 AND through = $2", int32(s.Partition), offset(s.Through), int64(s.Try)+1)
	})
	s.Try++
	return s, err
}

// Confirm implements the ledger of events/clickhouse.
func (l Ledger) Confirm(ctx context.Context, w journal.Watermark) error {
	for partition, at := range w {
		err := l.w.exec(ctx, partition, func(b *pgx.Batch) {
			b.Queue(`INSERT INTO row_sendings AS r (partition, confirmed) VALUES ($1, $2)
				ON CONFLICT (partition) DO UPDATE SET confirmed = greatest(r.confirmed, $2), through = CASE WHEN r.through > $2 THEN r.through END`, int32(partition), offset(at))
		})
		if err != nil {
			return fmt.Errorf("confirm rows of partition %d: %w", partition, err)
		}
	}
	return nil
}

// Version implements the ledger of events/clickhouse. It counts, and is ahead of the database's clock in microseconds: so versions do not come back with a database that has
// lost its last transactions.
func (l Ledger) Version(ctx context.Context) (v uint64, err error) {
	leases := slices.SortedFunc(slices.Values(l.w.leases), func(a, b Lease) int { return int(a.Partition) - int(b.Partition) })
	err = l.w.execute(ctx, func(b *pgx.Batch) {
		for _, lease := range leases { // in the order of all who lock several
			b.Queue("SELECT quipu_held($1, $2)", []int32{int32(lease.Partition)}, []int64{int64(lease.Epoch)}) // a count
		}
		b.Queue("UPDATE row_versions SET last = greatest(last + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint) RETURNING last").QueryRow(func(row pgx.Row) error {
			var last int64
			err := row.Scan(&last)
			v = uint64(last) // never negative
			return err
		})
	})
	if err == nil && v == 0 {
		err = fmt.Errorf("versions of rows: %w", state.ErrLost)
	}
	return v, err
}
