package kv

import (
	"fmt"

	"github.com/cockroachdb/pebble/v2"
)

// Checkpoint makes a copy of the database as it is now in a folder that does
// not exist, on the same disk: tables are linked, not copied. Writes go on meanwhile.
func (db *DB) Checkpoint(dir string) error {
	db.mu.RLock()
	defer db.mu.RUnlock()
	if db.closed {
		return ErrClosed
	}
	if err := db.Failed(); err != nil {
		return err
	}
	if err := db.p.Checkpoint(dir, pebble.WithFlushedWAL()); err != nil {
		return fmt.Errorf("checkpoint of state: %w", err)
	}
	return nil
}
