package kv

import (
	"context"
	"fmt"
)

const (
	// restLogs is how much the logs that wait to be used again may take at rest, bytes.
	restLogs = 4 << 20
	// restTables is how much tables above the last level may take at rest: a part of all, or a few bytes.
	restTables, restPart = 4 << 20, 8
	// restBuffers is how much write buffers may take at rest.
	restBuffers = 8 << 20
)

// Written returns how many bytes were written to the log since the database was opened; 0 once it is closed.
func (db *DB) Written() uint64 {
	db.mu.RLock()
	defer db.mu.RUnlock()
	if db.closed || db.Failed() != nil {
		return 0
	}
	return db.p.Metrics().WAL.BytesIn
}

// EmptyBuffers writes what write buffers hold to tables, and returns when it lies there; it does nothing when that is little. Large batches wait in memory beside the
// buffers until as much has come as a buffer takes, which at rest nothing does. Errors: ErrFailed, ErrClosed, ctx's.
func (db *DB) EmptyBuffers(ctx context.Context) error {
	db.mu.RLock()
	defer db.mu.RUnlock()
	if db.closed {
		return ErrClosed
	}
	if err := db.Failed(); err != nil {
		return err
	}
	if db.p.Metrics().MemTable.Size < restBuffers {
		return nil
	}
	if err := db.flush(ctx); err != nil {
		return fmt.Errorf("empty write buffers: %w", err)
	}
	return nil
}

// Rest makes the folder small once there is little to do: what deleted and overwritten entries take is given
// back where it is much, and the logs that wait to be used again go. It does nothing when
// there is little to gain, and is worth calling no more often than data were written. Writes go on meanwhile.
// Errors: ErrFailed, ErrClosed, ctx's.
func (db *DB) Rest(ctx context.Context) error {
	db.mu.RLock()
	defer db.mu.RUnlock()
	if db.closed {
		return ErrClosed
	}
	if err := db.Failed(); err != nil {
		return err
	}
	if err := db.flush(ctx); err != nil {
		return fmt.Errorf("rest state: %w", err)
	}
	if err := db.dropLogs(ctx); err != nil { // before what takes long
		return err
	}
	if !db.scattered() {
		return nil
	}
	if err := db.unlessFailed(func() error { return db.p.Compact(ctx, []byte{0}, []byte{0xff}, false) }); err != nil { //nolint:contextcheck // a failure is nobody's call
		return fmt.Errorf("rest state: %w", err)
	}
	return nil
}

// scattered reports whether much lies above the last level, where an entry may have several versions.
func (db *DB) scattered() bool {
	var above, all int64
	m := db.p.Metrics()
	for i, l := range m.Levels {
		if i < len(m.Levels)-1 {
			above += l.TablesSize
		}
		all += l.TablesSize
	}
	return above > max(restTables, all/restPart)
}

// dropLogs replaces the logs that Pebble keeps for use as new ones.
func (db *DB) dropLogs(ctx context.Context) error {
	if db.p.Metrics().WAL.ObsoletePhysicalSize < restLogs {
		return nil
	}
	db.fs.renew.Add(1)
	defer db.fs.renew.Add(-1)
	for range reusedLogs {
		if err := db.flush(ctx); err != nil {
			return fmt.Errorf("rest state: %w", err)
		}
	}
	return nil
}
