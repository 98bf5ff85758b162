package kv

import (
	"context"

	"github.com/cockroachdb/pebble/v2"
)

// mergesPerFlush is how many commits with merges may lie in a write buffer. A
// read of a key folds all its operands that lie there, and a server with little to
// do would gather them for hours.
const mergesPerFlush = 120

// beginsWithMerge reports whether the first operation of a batch is a merge.
func beginsWithMerge(b *pebble.Batch) bool {
	if b.Empty() {
		return false
	}
	r := b.Reader()
	kind, _, _, ok, err := r.Next()
	return ok && err == nil && kind == pebble.InternalKeyKindMerge
}

// foldMerges notes a commit with merges, and has the write buffer flushed,
// which folds them, when they are many. It does not wait for the flush.
func (db *DB) foldMerges() {
	if db.unfolded.Add(1) < mergesPerFlush {
		return
	}
	db.unfolded.Store(0)
	if _, err := db.p.AsyncFlush(); err != nil {
		db.log.WarnContext(context.Background(), "state store cannot flush", "err", err)
	}
}
