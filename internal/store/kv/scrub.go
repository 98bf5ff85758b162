package kv

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// reusedLogs is more than the number of old write-ahead logs that Pebble keeps for reuse.
const reusedLogs = 8

// Span is a range of keys, [From, To).
type Span struct{ From, To []byte }

// Prefix returns the span of the keys that begin with prefix.
func Prefix(prefix []byte) Span { return Span{From: prefix, To: After(prefix)} }

// Scrub takes what was deleted from spans off the disk: it compacts them, replaces the write-ahead
// logs, which Pebble writes over but does not empty, and the manifests, which name the first and last key of
// former tables, and waits until the files that nobody needs any more are removed. Writes go on meanwhile.
func (db *DB) Scrub(ctx context.Context, spans ...Span) error {
	db.mu.RLock()
	defer db.mu.RUnlock()
	if db.closed {
		return ErrClosed
	}
	db.fs.renew.Add(1)
	defer db.fs.renew.Add(-1)
	for range reusedLogs {
		if err := db.flush(ctx); err != nil {
			return fmt.Errorf("scrub state: %w", err)
		}
	}
	for _, s := range spans {
		if err := db.unlessFailed(func() error { return db.p.Compact(ctx, s.From, s.To, false) }); err != nil { //nolint:contextcheck // a failure is nobody's call
			return fmt.Errorf("scrub state: %w", err)
		}
	}
	if err := db.renewManifests(ctx); err != nil {
		return fmt.Errorf("scrub state: %w", err)
	}
	return db.removed(ctx)
}

// keptManifests is how many manifests Pebble keeps: the present one and the one before.
const keptManifests = 2

// scrubKey is the key by which manifests are renewed. It is so long that naming a table of it, by first and last key, fills a manifest.
var scrubKey = append([]byte{PrefixMeta, metaScrub}, make([]byte, manifestBytes/2)...)

// renewManifests makes tables come and go until Pebble has begun as many manifests as it keeps. It begins one
// when the last is longer than a bound and has named as many tables as there are.
func (db *DB) renewManifests(ctx context.Context) error {
	from := db.manifests.Load()
	for n := 0; db.manifests.Load() < from+keptManifests; n++ {
		m := db.p.Metrics()
		var tables int64
		for _, l := range m.Levels {
			tables += l.TablesCount
		}
		if int64(n) > keptManifests*(tables+manifestBytes) {
			return errors.New("no new manifest is begun")
		}
		if err := db.rewriteScrubKey(ctx, func() error { return db.p.Set(scrubKey, nil, pebble.NoSync) }); err != nil {
			return err
		}
	}
	// Its table goes as well, after the former manifests: files are removed in the order in which they became obsolete.
	return db.rewriteScrubKey(ctx, func() error { return db.p.Delete(scrubKey, pebble.NoSync) })
}

// rewriteScrubKey writes scrubKey, and compacts it.
func (db *DB) rewriteScrubKey(ctx context.Context, write func() error) error {
	if err := db.unlessFailed(write); err != nil { //nolint:contextcheck // a failure is nobody's call
		return err
	}
	if err := db.flush(ctx); err != nil {
		return err
	}
	return db.unlessFailed(func() error { return db.p.Compact(ctx, scrubKey, After(scrubKey), false) }) //nolint:contextcheck // as above
}

// unlessFailed runs fn, from which Pebble may never return once the disk fails, see failStop.
func (db *DB) unlessFailed(fn func() error) error {
	done := make(chan error, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				db.fail(fmt.Errorf("panic in scrub: %v", r))
			}
		}()
		done <- fn()
	}()
	select {
	case err := <-done:
		return err
	case <-db.failed:
		return db.Failed()
	}
}

// flush moves what is in the write buffer into tables and begins a new log.
func (db *DB) flush(ctx context.Context) error {
	var done <-chan struct{}
	err := db.unlessFailed(func() (err error) { //nolint:contextcheck // as above
		done, err = db.p.AsyncFlush()
		return err
	})
	if err != nil {
		return err
	}
	select {
	case <-done:
		return db.Failed()
	case <-db.failed:
		return db.Failed()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// removed waits until unneeded tables are removed. Readers hold tables for
// longer; after a while the removal is left to the close of the last reader.
func (db *DB) removed(ctx context.Context) error {
	const step, most = 10 * time.Millisecond, 3000
	t := time.NewTicker(step)
	defer t.Stop()
	for range most {
		m := db.p.Metrics()
		if m.Table.ObsoleteCount == 0 && m.Table.ZombieCount == 0 {
			return nil
		}
		select {
		case <-t.C:
		case <-ctx.Done():
			return ctx.Err()
		case <-db.failed:
			return db.Failed()
		}
	}
	return errors.New("scrub state: removed tables are still read")
}

// reuse opens an old file under a new name for writing, or a new one while the database is scrubbed.
func (s *failStop) reuse(oldname, newname string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if s.renew.Load() == 0 {
		return s.inner.ReuseForWrite(oldname, newname, category)
	}
	if err := s.inner.Remove(oldname); err != nil {
		return nil, err
	}
	return s.inner.Create(newname, category)
}
