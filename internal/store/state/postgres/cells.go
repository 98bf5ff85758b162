package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quipu/internal/store/rollup/block"
)

// CellMover brings the blocks of cells that a worker committed to the store of cells. It is safe for concurrent use.
type CellMover struct {
	w  *Worker
	to block.Store
	mu sync.Mutex // held while blocks are sent
	// Most bounds what is sent at once: blocks, and their bytes.
	most, mostBytes int
}

// The bounds of a sending.
const (
	sendBlocks = 256
	sendBytes  = 16 << 20
)

// MoveCells returns a mover to a store of cells.
func (w *Worker) MoveCells(to block.Store) *CellMover {
	return &CellMover{w: w, to: to, most: sendBlocks, mostBytes: sendBytes}
}

// errSent says that blocks were sent and removed meanwhile, by the mover of another worker.
var errSent = errors.New("another mover has sent the blocks")

// Drain sends all blocks that were committed before the call. Errors: those of the store of cells, state.ErrLost.
func (m *CellMover) Drain(ctx context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := m.w
	parts, _ := columns(w.leases)
	ends := map[uint16]int64{}
	err := w.db.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
		rows, err := q.Query(ctx, `SELECT u.partition, (SELECT max(c.block) FROM cells AS c WHERE c.partition = u.partition) FROM unnest($1::integer[]) AS u(partition)
			WHERE EXISTS (SELECT 1 FROM cells AS c WHERE c.partition = u.partition)`, parts)
		if err != nil {
			return err
		}
		var partition uint16
		var end *int64
		_, err = pgx.ForEachRow(rows, []any{&partition, &end}, func() error {
			if end != nil {
				ends[partition] = *end
			}
			return nil
		})
		return err
	})
	if err != nil {
		return err
	}
	for partition, end := range ends {
		for done := false; !done; {
			if done, err = m.send(ctx, partition, end); err != nil {
				return fmt.Errorf("send cells of partition %d: %w", partition, err)
			}
		}
	}
	return nil
}

// send sends the next blocks of a partition; done says that all up to end are.
func (m *CellMover) send(ctx context.Context, partition uint16, end int64) (done bool, err error) {
	s, err := m.next(ctx, partition)
	if err != nil || s.Last == 0 {
		return true, err
	}
	blocks, err := m.load(ctx, s)
	if err != nil {
		return false, err
	}
	if uint64(len(blocks)) != s.Last-s.First+1 {
		return false, errSent
	}
	if err := m.to.Put(ctx, s, blocks); err != nil {
		return false, err
	}
	err = m.w.exec(ctx, partition, func(b *pgx.Batch) {
		b.Queue("DELETE FROM cells WHERE partition = $1 AND block <= $2", int32(partition), int64(s.Last))  // counts
		b.Queue("DELETE FROM sendings WHERE partition = $1 AND last = $2", int32(partition), int64(s.Last)) // counts
	})
	return int64(s.Last) >= end, err // counts
}

// next returns the sending that is stored, or stores the next; the zero value when there is nothing to send.
func (m *CellMover) next(ctx context.Context, partition uint16) (s block.Sending, err error) {
	err = m.w.exec(ctx, partition, func(b *pgx.Batch) {
		b.Queue(`INSERT INTO sendings (partition, first, last)
			SELECT $1, min(block), max(block) FROM (SELECT block, sum(length(value)) OVER (ORDER BY block) - length(value) AS before FROM (
				SELECT block, value FROM cells WHERE partition = $1 ORDER BY block LIMIT $2) AS few) AS sized
			WHERE before < $3 HAVING count(*) > 0 ON CONFLICT (partition) DO NOTHING`, int32(partition), m.most, m.mostBytes)
	})
	if err != nil {
		return s, err
	}
	err = m.w.db.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
		var first, last int64
		err := q.QueryRow(ctx, "SELECT first, last FROM sendings WHERE partition = $1", int32(partition)).Scan(&first, &last)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		s = block.Sending{Partition: partition, First: uint64(first), Last: uint64(last)} // never negative
		return err
	})
	return s, err
}

// load reads the blocks of a sending.
func (m *CellMover) load(ctx context.Context, s block.Sending) (list []block.Block, err error) {
	err = m.w.db.each(ctx, func(row pgx.CollectableRow) error {
		var value []byte
		if err := row.Scan(&value); err != nil {
			return err
		}
		b, err := block.Read(value)
		list = append(list, b)
		return err
	}, "SELECT value FROM cells WHERE partition = $1 AND block BETWEEN $2 AND $3 ORDER BY block", int32(s.Partition), int64(s.First), int64(s.Last)) // counts
	return list, err
}
