package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quipu/internal/model"
	"quipu/internal/store/journal"
	"quipu/internal/store/marks"
	"quipu/internal/store/rollup/block"
	"quipu/internal/store/schema"
	"quipu/internal/store/state"
)

// WorkerOptions are what a worker keeps in memory.
type WorkerOptions struct {
	// CacheProfiles is how many profiles that no batch uses are kept; 0 means 10,000.
	CacheProfiles int
	// PrintBytes bounds what is kept of fingerprints; 0 means 16 MiB.
	PrintBytes int64
	// Limits are those of schemas that nobody gave others, CachedValues how many values of segments are kept, 0 means 200,000, and CachedApps how many schemas
	// that no batch uses, 0 means 1000.
	Limits       schema.Limits
	CachedValues int
	CachedApps   int
}

// Worker commits batches of the partitions whose leases it was made of. It begins with what is stored and keeps nothing
// of an earlier one, so a partition that comes back is read again. It implements state.Store, and outbox.Store for
// these partitions.
type Worker struct {
	db       *DB
	leases   []Lease
	profiles *Profiles
	schema   *Schema

	epochs map[uint16]uint64 // of the leases

	mu     sync.Mutex
	at     map[uint16]int64 // watermarks as they were read or committed last
	blocks map[uint16]int64 // numbers of the last blocks of cells
	// shaken says that a commit has failed, so that only the database knows what is stored: watermarks are to be read first.
	shaken bool
	lost   error // why the worker has to stop; nil = it has not
	stats  Stats
}

// Stats count what a worker sent.
type Stats struct{ Commits, Statements, Bytes int64 }

var _ state.Store = (*Worker)(nil)

// The codes of the fences of the database's functions.
const (
	codeLost  = "QP001"
	codeMoved = "QP002"
)

// ErrUnread says that a commit has failed and that the watermark was not read since.
var errUnread = errors.New("a commit has failed: read the watermark before the next one")

// Worker returns a worker for partitions that are held. Errors: state.ErrLost.
func (d *DB) Worker(ctx context.Context, leases []Lease, o WorkerOptions) (*Worker, error) {
	if len(leases) == 0 {
		return nil, errors.New("state: a worker without partitions")
	}
	w := &Worker{db: d, leases: slices.Clone(leases), epochs: map[uint16]uint64{}, shaken: true}
	for _, l := range leases {
		w.epochs[l.Partition] = l.Epoch
	}
	if _, err := w.Watermark(ctx); err != nil {
		return nil, err
	}
	parts, _ := columns(leases)
	var err error
	if w.profiles, err = d.newProfiles(ctx, parts, o.CacheProfiles, o.PrintBytes); err != nil {
		return nil, err
	}
	if w.schema, err = d.newSchema(o); err != nil {
		return nil, err
	}
	return w, nil
}

// Profiles are those of the worker.
func (w *Worker) Profiles() *Profiles { return w.profiles }

// Schema is that of the worker.
func (w *Worker) Schema() *Schema { return w.schema }

// Leases are those that the worker was made of.
func (w *Worker) Leases() []Lease { return slices.Clone(w.leases) }

// Stats returns what was sent so far.
func (w *Worker) Stats() Stats {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stats
}

// Partition is that of an app: the function by which the journal places its records.
func (d *DB) Partition(app model.AppID) uint16 {
	return uint16(journal.Routing(app) % uint64(d.o.Partitions)) // no more than 65,536
}

// Marks implements marks.Reader.
func (w *Worker) Marks(app model.AppID) (marks.Marks, error) { return w.db.Marks(app) }

// Settings implements marks.Reader.
func (w *Worker) Settings(app model.AppID) ([]byte, error) { return w.db.Settings(app) }

// Failed implements state.Store: a worker that has lost a partition is done.
func (w *Worker) Failed() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lost
}

// Watermark implements state.Store, for the worker's partitions. It waits for what an earlier commit may still be doing.
func (w *Worker) Watermark(ctx context.Context) (journal.Watermark, error) {
	parts, _ := columns(w.leases)
	out, at, blocks := journal.Watermark{}, map[uint16]int64{}, map[uint16]int64{}
	lost := false
	err := w.db.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
		rows, err := q.Query(ctx, "SELECT partition, epoch, watermark, block FROM partitions WHERE partition = ANY($1) ORDER BY partition FOR SHARE", parts)
		if err != nil {
			return err
		}
		var partition uint16
		var epoch, mark, last int64
		_, err = pgx.ForEachRow(rows, []any{&partition, &epoch, &mark, &last}, func() error {
			lost = lost || w.epochs[partition] != uint64(epoch) // never negative
			at[partition], blocks[partition] = mark, last
			if mark > 0 {
				out[partition] = uint64(mark)
			}
			return nil
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if lost || len(at) != len(w.epochs) {
		w.lost = fmt.Errorf("read the watermark: %w", state.ErrLost)
		return nil, w.lost
	}
	if w.shaken {
		w.at, w.blocks, w.shaken = at, blocks, false
	}
	return out, nil
}

// Commit implements state.Store. An error of a lost connection may leave a change committed; the next read of the watermark tells.
func (w *Worker) Commit(ctx context.Context, c *state.Change) error {
	p, err := w.pack(c)
	if err != nil {
		c.End(false)
		return err
	}
	return w.send(ctx, p, c)
}

// Begin implements state.Store.
func (w *Worker) Begin(ctx context.Context, c *state.Change) (<-chan error, error) {
	p, err := w.pack(c)
	if err != nil {
		c.End(false)
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- w.send(context.WithoutCancel(ctx), p, c) }()
	return ended, nil
}

// packed is a change on its way: the statements of one transaction, sent at once.
type packed struct {
	batch *pgx.Batch
	at    map[uint16]int64 // watermarks after it
	block map[uint16]int64 // last blocks after it
	slow  bool             // it removes all of an app
	bytes int64
}

// send commits a change in one way to the server and back. The change has ended when it returns.
func (w *Worker) send(ctx context.Context, p *packed, c *state.Change) error {
	patience := w.db.o.Patience
	if p.slow {
		patience *= clearing
	}
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	n := p.batch.Len()
	err := w.db.fault(limited, w.db.pool.SendBatch(limited, p.batch).Close())
	w.mu.Lock()
	switch {
	case err == nil:
		for partition := range p.at {
			w.at[partition], w.blocks[partition] = p.at[partition], p.block[partition]
		}
		w.stats.Commits++
		w.stats.Statements += int64(n)
		w.stats.Bytes += p.bytes
	case errors.Is(err, state.ErrLost):
		w.lost, w.shaken = err, true
	default:
		w.shaken = true
	}
	w.mu.Unlock()
	c.End(err == nil)
	if err == nil && c.Profiles.Forget > 0 {
		w.db.forget() //nolint:contextcheck // it goes on in the background
	}
	return err
}

// pack makes the statements of a change. It keeps nothing of it.
func (w *Worker) pack(c *state.Change) (*packed, error) {
	p := &packed{batch: &pgx.Batch{}}
	b := block.Block{}
	for i := range c.Profiles.Apps {
		if a := &c.Profiles.Apps[i]; a.Cleared || len(a.Aliases) > 0 {
			b = append(b, block.App{ID: a.App, Unmerge: a.Cleared, Merged: a.Aliases})
		}
	}
	for i := range c.Apps {
		if a := &c.Apps[i]; len(a.Remove)+len(a.Cells) > 0 {
			b = append(b, block.App{ID: a.ID, Remove: a.Remove, Cells: a.Cells})
		}
	}
	first, err := w.fence(p, c, !b.Empty())
	if err != nil {
		return nil, err
	}
	q := queue{p: p, db: w.db}
	if err := q.change(c); err != nil {
		return nil, err
	}
	if !b.Empty() {
		value, err := block.Append(nil, b)
		if err != nil {
			return nil, err
		}
		q.add("INSERT INTO cells (partition, block, value) VALUES ($1, $2, $3)", int32(first), p.block[first], q.sized(value))
	}
	return p, nil
}

// fence adds the first statement: the change is refused unless its partitions are held, at the watermarks at which it began. A change that names none
// has to be of apps of partitions that are held. A block of cells goes to the first partition.
func (w *Worker) fence(p *packed, c *state.Change, cells bool) (first uint16, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.lost != nil:
		return 0, w.lost
	case w.shaken:
		return 0, errUnread
	}
	through := c.Watermark.Clone()
	named := len(through) > 0
	if !named && len(c.Rows.Parts) > 0 {
		return 0, errors.New("state: change has rows but no partition")
	}
	if err := w.own(c, through, named); err != nil {
		return 0, err
	}
	if len(through) == 0 && cells { // before the first record: any partition does
		least := slices.MinFunc(w.leases, func(a, b Lease) int { return int(a.Partition) - int(b.Partition) }).Partition
		through[least] = uint64(w.at[least]) // never negative
	}
	parts := make([]uint16, 0, len(through))
	for partition := range through {
		parts = append(parts, partition)
	}
	slices.Sort(parts)
	if len(parts) > 0 {
		first = parts[0]
	}
	n := len(parts)
	ids, epochs, was, to, marks, blocks := make([]int32, n), make([]int64, n), make([]int64, n), make([]int64, n), make([]*int64, n), make([]int64, n)
	p.at, p.block = map[uint16]int64{}, map[uint16]int64{}
	for i, partition := range parts {
		epoch, held := w.epochs[partition]
		if !held {
			return 0, fmt.Errorf("commit to partition %d: %w", partition, state.ErrLost)
		}
		ids[i], epochs[i], was[i], to[i] = int32(partition), int64(epoch), w.at[partition], int64(through[partition]) // offsets have 48 bits
		if to[i] < was[i] {
			return 0, fmt.Errorf("state: a batch goes back from %d to %d in partition %d", was[i], to[i], partition)
		}
		if mark, ok := c.RowsMark[partition]; ok {
			m := int64(mark) // offsets have 48 bits
			marks[i] = &m
		}
		blocks[i] = w.blocks[partition]
		if cells && partition == first {
			blocks[i]++
		}
		p.at[partition], p.block[partition] = to[i], blocks[i]
	}
	forget := int32(c.Profiles.Forget)
	p.batch.Queue("SELECT quipu_fence($1, $2, $3, $4, $5, $6, $7)", ids, epochs, was, to, marks, forget, blocks)
	return first, nil
}

// own checks that what a change keeps of apps is of partitions that it names, and adds those of a change that names none.
func (w *Worker) own(c *state.Change, through map[uint16]uint64, named bool) error {
	check := func(app model.AppID) error {
		partition := w.db.Partition(app)
		if _, ok := through[partition]; ok {
			return nil
		}
		if named {
			return fmt.Errorf("state: a change of app %s does not name its partition %d", app, partition)
		}
		through[partition] = uint64(w.at[partition]) // never negative
		return nil
	}
	for i := range c.Profiles.Apps {
		if err := check(c.Profiles.Apps[i].App); err != nil {
			return err
		}
	}
	for i := range c.Schema.Apps {
		if err := check(c.Schema.Apps[i].App); err != nil {
			return err
		}
	}
	for i := range c.Apps {
		if a := &c.Apps[i]; a.Marks != nil || a.Settings != nil || a.ForgetMarks || a.ForgetSettings {
			if err := check(a.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// ReplaceUsers implements state.Store: what is to be replaced travels to the cells as a block of its own.
func (w *Worker) ReplaceUsers(ctx context.Context, app model.AppID, aliases map[uint32]uint32) error {
	if len(aliases) == 0 {
		return nil
	}
	value, err := block.Append(nil, block.Block{{ID: app, Replace: aliases}})
	if err != nil {
		return err
	}
	partition := w.db.Partition(app)
	w.mu.Lock()
	at := w.at[partition]
	w.mu.Unlock()
	c := state.Change{Watermark: journal.Watermark{partition: uint64(at)}} // never negative
	p := &packed{batch: &pgx.Batch{}}
	if _, err := w.fence(p, &c, true); err != nil {
		return err
	}
	q := queue{p: p, db: w.db}
	q.add("INSERT INTO cells (partition, block, value) VALUES ($1, $2, $3)", int32(partition), p.block[partition], q.sized(value))
	if err := w.send(ctx, p, &c); err != nil {
		return fmt.Errorf("rewrite users: %w", err)
	}
	return nil
}

// forgetAtOnce is how many fingerprints go in one statement.
const forgetAtOnce = 20_000

// forget removes fingerprints that the partitions have forgotten, in the background and a few at a time: readers do not see
// them any more. What is left is removed the next time.
func (d *DB) forget() {
	d.behind.Go(func() {
		for d.closing.Err() == nil {
			limited, cancel := context.WithTimeout(d.closing, d.o.Patience)
			tag, err := d.pool.Exec(limited, `DELETE FROM prints WHERE ctid = ANY(ARRAY(
				SELECT p.ctid FROM prints AS p JOIN partitions AS l USING (partition) WHERE p.day < (SELECT max(forgotten) FROM partitions) AND p.day < l.forgotten LIMIT $1 FOR UPDATE OF p SKIP LOCKED))`, forgetAtOnce)
			cancel()
			if err != nil && d.closing.Err() == nil {
				d.o.Log.WarnContext(d.closing, "forgotten fingerprints are not removed", "error", d.fault(d.closing, err))
			}
			if err != nil || tag.RowsAffected() < forgetAtOnce {
				return
			}
		}
	})
}
