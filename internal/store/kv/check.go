package kv

import (
	"context"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
)

// Check reads everything that is stored, which verifies the checksum of every
// block, and that the levels are in order. It returns the number of keys.
func (db *DB) Check(ctx context.Context) (keys int64, err error) {
	err = db.Scan(ctx, nil, nil, func(_, _ []byte) (bool, error) {
		keys++
		return true, nil
	})
	if err != nil {
		return keys, fmt.Errorf("read state: %w", err)
	}
	db.mu.RLock()
	defer db.mu.RUnlock()
	if db.closed {
		return keys, ErrClosed
	}
	if err := db.p.CheckLevels(&pebble.CheckLevelsStats{}); err != nil {
		return keys, fmt.Errorf("check levels of state: %w", err)
	}
	return keys, nil
}
