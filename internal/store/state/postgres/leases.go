package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Lease is the right to project a partition. The epoch grows with each claim, so what an earlier holder still sends is refused.
type Lease struct {
	Partition uint16
	Epoch     uint64
}

// Claim takes partitions that nobody holds, at most so many, for a time by the database's clock. The name of the holder is of this
// process alone. What a transaction under way is changing is left for the next call.
func (d *DB) Claim(ctx context.Context, holder string, most int, ttl time.Duration) (list []Lease, err error) {
	const sql = `WITH free AS (SELECT partition FROM partitions WHERE holder = '' OR until < clock_timestamp() ORDER BY partition LIMIT $2 FOR UPDATE SKIP LOCKED)
		UPDATE partitions AS p SET holder = $1, epoch = p.epoch + 1, until = clock_timestamp() + $3::interval, ttl = $3::interval FROM free WHERE p.partition = free.partition RETURNING p.partition, p.epoch`
	return d.leases(ctx, sql, holder, most, ttl)
}

// Renew extends leases and returns those that are still held. One that has run out and that nobody took since is held again. It does not
// wait for a commit under way, which extends the lease itself, and during which nobody claims it.
func (d *DB) Renew(ctx context.Context, leases []Lease, ttl time.Duration) ([]Lease, error) {
	parts, epochs := columns(leases)
	const sql = `WITH mine AS (SELECT p.partition FROM partitions AS p JOIN unnest($1::integer[], $2::bigint[]) AS u(partition, epoch) ON p.partition = u.partition AND p.epoch = u.epoch
			ORDER BY p.partition FOR UPDATE OF p SKIP LOCKED),
		renewed AS (UPDATE partitions AS p SET until = clock_timestamp() + $3::interval, ttl = $3::interval FROM mine WHERE p.partition = mine.partition)
		SELECT p.partition, p.epoch FROM partitions AS p JOIN unnest($1::integer[], $2::bigint[]) AS u(partition, epoch) ON p.partition = u.partition AND p.epoch = u.epoch`
	return d.leases(ctx, sql, parts, epochs, ttl)
}

// Release gives leases back, so that others need not wait until they run out. Those that are not held any more it leaves alone.
func (d *DB) Release(ctx context.Context, leases []Lease) error {
	parts, epochs := columns(leases)
	const sql = `WITH mine AS (SELECT p.partition FROM partitions AS p JOIN unnest($1::integer[], $2::bigint[]) AS u(partition, epoch) ON p.partition = u.partition AND p.epoch = u.epoch
			ORDER BY p.partition FOR UPDATE OF p)
		UPDATE partitions AS p SET holder = '', until = '-infinity', ttl = '0' FROM mine WHERE p.partition = mine.partition RETURNING p.partition, p.epoch`
	_, err := d.leases(ctx, sql, parts, epochs)
	return err
}

// leases runs a statement that returns leases. It is not tried again: one that was done and whose answer is lost changes epochs at worst.
func (d *DB) leases(ctx context.Context, sql string, args ...any) (list []Lease, err error) {
	limited, cancel := context.WithTimeout(ctx, d.o.Patience)
	defer cancel()
	rows, err := d.pool.Query(limited, sql, args...)
	if err != nil {
		return nil, d.fault(ctx, err)
	}
	list, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (l Lease, err error) {
		var epoch int64
		err = row.Scan(&l.Partition, &epoch)
		l.Epoch = uint64(epoch) // never negative
		return l, err
	})
	return list, d.fault(ctx, err)
}

// columns returns leases as arrays of the server.
func columns(leases []Lease) (parts []int32, epochs []int64) {
	parts, epochs = make([]int32, len(leases)), make([]int64, len(leases))
	for i, l := range leases {
		parts[i], epochs[i] = int32(l.Partition), int64(l.Epoch) // far from the bounds
	}
	return parts, epochs
}

// beat says that a worker lives and returns how many do that are not idle, and which of them holds all partitions; "" = none does.
func (d *DB) beat(ctx context.Context, name string, ttl time.Duration) (live int, alone string, err error) {
	err = d.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
		_, err := q.Exec(ctx, `INSERT INTO workers (name, until) VALUES ($1, clock_timestamp() + $2::interval)
			ON CONFLICT (name) DO UPDATE SET until = EXCLUDED.until`, name, ttl)
		if err != nil {
			return err
		}
		return q.QueryRow(ctx, `SELECT count(*), coalesce(min(name COLLATE "C") FILTER (WHERE starts_with(name, $2)), '') FROM workers
			WHERE until >= clock_timestamp() AND NOT starts_with(name, $1)`, idlePrefix, alonePrefix).Scan(&live, &alone)
	})
	return live, alone, err
}

// leave forgets a worker, and those that are long gone.
func (d *DB) leave(ctx context.Context, name string) error {
	return d.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
		_, err := q.Exec(ctx, "DELETE FROM workers WHERE name = $1 OR until < clock_timestamp() - interval '1 hour'", name)
		return err
	})
}

// free counts the partitions that nobody holds.
func (d *DB) free(ctx context.Context) (n int, err error) {
	err = d.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
		return q.QueryRow(ctx, "SELECT count(*) FROM partitions WHERE holder = '' OR until < clock_timestamp()").Scan(&n)
	})
	return n, err
}
