package kv

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	iofs "io/fs"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Errors of the database. Match them with errors.Is.
var (
	// ErrLocked says that another process has the data folder open.
	ErrLocked = errors.New("kv: data folder is in use by another process")
	// ErrNewer says that a newer version of the server wrote the data folder.
	ErrNewer = errors.New("data folder was written by a newer version of quipu")
	// ErrFailed says that the disk failed the database. Nothing is written any
	// more; reads may go on. The database has to be closed and opened again.
	ErrFailed = errors.New("kv: store failed")
	// ErrClosed says that the database was closed.
	ErrClosed = errors.New("kv: store is closed")
	// ErrNotFound says that a key does not exist.
	ErrNotFound = errors.New("kv: key not found")
)

// Options of Open.
type Options struct {
	// Dir is the folder of the database; it is made when it does not exist.
	Dir string
	// FS holds Dir; nil is the disk.
	FS vfs.FS
	// CacheBytes bounds the block cache and the write buffers together; 0 is 64 MiB.
	CacheBytes int64
	// BufferBytes is the size of a write buffer, of which up to three are in use
	// under load; 0 is 16 MiB. A record that is deleted while it is in the
	// buffer never becomes part of a table.
	BufferBytes uint64
	// ReadOnly leaves the folder as it is, damage included: nothing is flushed,
	// compacted or removed, and no batch can be committed.
	ReadOnly bool
	// Logger gets what the database has to say; nil discards it.
	Logger *slog.Logger
	// Watch, when not nil, is called with every batch before it is committed. What it
	// returns, when not nil, is called after the commit, successful or not, and after the
	// functions of Batch.OnEnd, before the committer goes on. It must only look at the batch.
	Watch func(*pebble.Batch) (after func())
	// Merger merges the operands of Batch.Merge; its name is part of the
	// format. nil allows no merges but concatenation.
	Merger *pebble.Merger
}

// DB is an open database. It is safe for concurrent use.
type DB struct {
	p    *pebble.DB
	fs   *failStop
	dir  string
	log  *slog.Logger
	lock *pebble.Lock
	// readOnly is Options.ReadOnly.
	readOnly bool
	// watch is Options.Watch.
	watch func(*pebble.Batch) func()

	failure  atomic.Pointer[error]
	failOnce sync.Once
	failed   chan struct{} // closed by fail
	ended    chan struct{} // closed by Close
	room     *room

	mu     sync.RWMutex // guards closed; held shared by calls into p
	closed bool

	bg background
	// manifests counts those that were begun.
	manifests atomic.Int64
	// unfolded counts the commits with merges since the last flush.
	unfolded atomic.Int64
}

// Open opens or creates the database. Errors: ErrLocked, ErrNewer.
func Open(ctx context.Context, opts Options) (*DB, error) {
	if opts.FS == nil {
		opts.FS = vfs.Default
	}
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	if opts.CacheBytes == 0 {
		opts.CacheBytes = defaultCache
	}
	db := &DB{
		dir: opts.Dir, readOnly: opts.ReadOnly, log: opts.Logger, failed: make(chan struct{}), ended: make(chan struct{}), watch: opts.Watch, room: newRoom(),
	}
	db.fs = &failStop{inner: opts.FS, fail: func(op, name string, err error) { //nolint:contextcheck // runs when no caller is there
		db.fail(fmt.Errorf("%s %s: %w", op, name, err))
	}, lack: db.lack}
	if !opts.ReadOnly {
		if err := makeDir(opts.FS, opts.Dir); err != nil {
			return nil, fmt.Errorf("make data folder %s: %w", opts.Dir, err)
		}
	}
	lock, err := pebble.LockDirectory(opts.Dir, opts.FS)
	if err != nil {
		if isHeld(err) {
			return nil, fmt.Errorf("%w: %s: %w", ErrLocked, opts.Dir, err)
		}
		return nil, fmt.Errorf("lock data folder %s: %w", opts.Dir, err)
	}
	db.lock = lock
	if err := db.open(ctx, opts); err != nil {
		_ = lock.Close() // the error of opening matters
		return nil, fmt.Errorf("open data folder %s: %w", opts.Dir, err)
	}
	return db, nil
}

// isHeld reports whether err of a lock says that someone holds it. A path
// error means that the lock file could not be made.
func isHeld(err error) bool {
	if _, ok := errors.AsType[*iofs.PathError](err); ok {
		return false
	}
	return errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EACCES) ||
		strings.Contains(err.Error(), "lock held by current process")
}

func (db *DB) open(ctx context.Context, opts Options) error {
	if err := db.openPebble(opts); err != nil { //nolint:contextcheck // listeners outlive the call
		return err
	}
	err := db.checkFormat(opts.ReadOnly)
	if err == nil {
		db.fs.arm()
		err = db.Failed()
	}
	if err != nil {
		if db.fs.disarm() {
			return errors.Join(err, db.p.Close())
		}
		return errors.Join(err, db.lock.Close()) // Pebble's share of it
	}
	db.log.DebugContext(ctx, "state store opened", "dir", db.dir)
	return nil
}

// openPebble turns a panic of Pebble while it opens into an error.
func (db *DB) openPebble(opts Options) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic while opening: %v", r)
		}
	}()
	db.p, err = pebble.Open(opts.Dir, db.pebbleOptions(opts))
	if err != nil {
		return err
	}
	return nil
}

func (db *DB) checkFormat(readOnly bool) error {
	key := []byte{PrefixMeta, metaFormat}
	found := uint32(0) // new
	err := db.Get(key, func(v []byte) error {
		if len(v) != 4 {
			return fmt.Errorf("format version has %d bytes, want 4", len(v))
		}
		found = binary.BigEndian.Uint32(v)
		return nil
	})
	switch {
	case err != nil && !errors.Is(err, ErrNotFound):
		return fmt.Errorf("read format version: %w", err)
	case found > FormatVersion:
		return fmt.Errorf("%w: format %d, this version supports up to %d", ErrNewer, found, FormatVersion)
	case found == FormatVersion || readOnly:
		return nil
	}
	if err := db.p.Set(key, binary.BigEndian.AppendUint32(nil, FormatVersion), pebble.Sync); err != nil {
		return fmt.Errorf("write format version: %w", err)
	}
	return db.Failed() // Pebble reports a commit that failed through its logger only
}

// fail makes the store failed. It may run under any of Pebble's locks, so it
// calls nothing of Pebble.
func (db *DB) fail(cause error) {
	db.failOnce.Do(func() {
		db.fs.freeze()
		err := fmt.Errorf("%w: %w", ErrFailed, cause)
		db.failure.Store(&err)
		close(db.failed)
		db.log.ErrorContext(context.Background(), "state store failed", "dir", db.dir, "err", cause)
	})
}

// Failed returns nil while the store works, and an error wrapping ErrFailed
// and the cause after it failed.
func (db *DB) Failed() error {
	if err := db.failure.Load(); err != nil {
		return *err
	}
	return nil
}

// Gone returns nil while the database can be used, and an error wrapping ErrFailed or ErrClosed when it has to be
// opened again.
func (db *DB) Gone() error {
	select {
	case <-db.ended:
		return ErrClosed
	default:
		return db.Failed()
	}
}

// Done is closed when the store fails.
func (db *DB) Done() <-chan struct{} { return db.failed }

// NewBatch returns an empty batch.
func (db *DB) NewBatch() *Batch { return &Batch{b: db.p.NewBatch()} }

// NewBatchFor returns an empty batch that takes entries of so many bytes, keys included, without growing.
// Pebble's own options for it round up to a power of two, or outlive the batch.
func (db *DB) NewBatchFor(entries, size int) *Batch {
	b := db.p.NewBatch()
	data := make([]byte, batchHeader, batchHeader+entries*entryHeader+size)
	if err := b.SetRepr(data); err != nil {
		panic(fmt.Errorf("kv: an empty batch is refused: %w", err)) // its header is whole
	}
	return &Batch{b: b}
}

// What a batch takes beside keys and values, and each of its entries at most, bytes.
const (
	batchHeader = 12
	entryHeader = 1 + 2*binary.MaxVarintLen32
)

// Commit stores the batch and returns once it is durable. While the disk is full it waits. On an error the
// batch may or may not be found after the database is opened again, but
// always as a whole. Errors: ErrFailed, ErrClosed.
func (db *DB) Commit(b *Batch) error { return db.commit(b, pebble.Sync) }

// CommitNoSync stores the batch without waiting for the disk: a crash of the
// machine may lose it, though never before a batch that was committed earlier.
func (db *DB) CommitNoSync(b *Batch) error { return db.commit(b, pebble.NoSync) }

func (db *DB) commit(b *Batch, opts *pebble.WriteOptions) (err error) {
	if b.ended {
		return errors.New("kv: commit of a batch that has ended")
	}
	var after func()
	if db.watch != nil {
		after = db.watch(b.b)
	}
	defer func() {
		b.end(err == nil)
		if after != nil {
			after()
		}
	}()
	db.mu.RLock()
	defer db.mu.RUnlock()
	if db.closed {
		return ErrClosed
	}
	if err := db.Failed(); err != nil {
		return err
	}
	merges := beginsWithMerge(b.b)
	// Pebble may never return from here once the disk fails, see failStop.
	done := make(chan error, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				db.fail(fmt.Errorf("panic in commit: %v", r))
			}
		}()
		err := db.p.Apply(b.b, opts)
		if merges && err == nil {
			db.foldMerges()
		}
		done <- err
	}()
	select {
	case err := <-done:
		if err != nil {
			return fmt.Errorf("commit: %w", err)
		}
		// Pebble reports a commit that failed through its logger only.
		if err := db.Failed(); err != nil {
			return err
		}
		_ = b.b.Close() // only returns the buffer to its pool
		return nil
	case <-db.failed:
		return db.Failed()
	}
}

// Get calls fn with the value under key, which is valid only during the call,
// and returns fn's error. It returns ErrNotFound when there is no such key.
func (db *DB) Get(key []byte, fn func(value []byte) error) error {
	db.mu.RLock()
	defer db.mu.RUnlock()
	if db.closed {
		return ErrClosed
	}
	v, closer, err := db.p.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("read key: %w", err)
	}
	err = fn(v)
	_ = closer.Close() // only releases the block
	return err
}

// Has reports whether key exists.
func (db *DB) Has(key []byte) (bool, error) {
	err := db.Get(key, func([]byte) error { return nil })
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Scan calls fn for the keys in [from, to) in order, until fn returns false or
// an error, which Scan returns. Key and value are valid only during the call.
// The scan sees the database as it was when it began. A nil to is no bound.
func (db *DB) Scan(ctx context.Context, from, to []byte, fn func(key, value []byte) (bool, error)) error {
	it, err := db.Iter(from, to)
	if err != nil {
		return err
	}
	n := 0
	more := true
	for ok := it.First(); ok && more && err == nil; ok = it.Next() {
		if n++; n%1024 == 0 && ctx.Err() != nil {
			err = ctx.Err()
			break
		}
		var v []byte
		if v, err = it.ValueAndErr(); err != nil {
			break
		}
		more, err = fn(it.Key(), v)
	}
	if cerr := it.Close(); err == nil && cerr != nil {
		return fmt.Errorf("scan: %w", cerr)
	}
	return err
}

// Iter returns an iterator over [from, to); a nil to is no bound. It must be
// closed before the database is.
func (db *DB) Iter(from, to []byte) (*pebble.Iterator, error) {
	db.mu.RLock()
	defer db.mu.RUnlock()
	if db.closed {
		return nil, ErrClosed
	}
	it, err := db.p.NewIter(&pebble.IterOptions{LowerBound: from, UpperBound: to})
	if err != nil {
		return nil, fmt.Errorf("open iterator: %w", err)
	}
	return it, nil
}

// DiskFree returns how many bytes are free for the database.
func (db *DB) DiskFree() (uint64, error) {
	u, err := db.fs.GetDiskUsage(db.dir)
	if err != nil {
		return 0, fmt.Errorf("read free disk space: %w", err)
	}
	return u.AvailBytes, nil
}

// DiskUsed returns how many bytes the database takes on disk.
func (db *DB) DiskUsed() uint64 {
	db.mu.RLock()
	defer db.mu.RUnlock()
	if db.closed || db.Failed() != nil {
		return 0
	}
	return db.p.Metrics().DiskSpaceUsage()
}

// Logger returns the logger the database was opened with, for the stores in it.
func (db *DB) Logger() *slog.Logger { return db.log }

// Close closes the database; all iterators must be closed. A second call does
// nothing. Closing a failed database gives up its lock and leaves Pebble's
// memory and goroutines behind, because they may be stuck; it returns
// the failure. A database whose disk is full counts as failed.
func (db *DB) Close() error {
	db.GiveUp() // commits that wait for room hold mu
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return nil
	}
	db.closed = true
	defer close(db.ended)
	if !db.readOnly {
		db.drain()
	}
	if !db.fs.disarm() {
		db.fs.settle()
		return errors.Join(db.Failed(), db.lock.Close(), db.lock.Close())
	}
	if err := errors.Join(db.p.Close(), db.lock.Close()); err != nil {
		return fmt.Errorf("close data folder %s: %w", db.dir, err)
	}
	return nil
}

// drain moves what is in the write buffers into tables, so that the next
// start has no log to replay and the folder keeps no records that were removed. It
// gives up when the store fails.
func (db *DB) drain() {
	if db.Failed() != nil {
		return
	}
	ended := make(chan struct{})
	go func() { // Pebble may never return once the disk fails, see failStop
		defer func() {
			if r := recover(); r != nil {
				db.fail(fmt.Errorf("panic in flush: %v", r))
			}
		}()
		if done, err := db.p.AsyncFlush(); err == nil { // else the log has it all
			<-done
		}
		close(ended)
	}()
	look := time.NewTicker(roomRetry)
	defer look.Stop()
	for {
		select {
		case <-ended:
			return
		case <-db.failed:
			return
		case <-look.C:
			db.GiveUp()
		}
	}
}

var _ io.Closer = (*DB)(nil)
