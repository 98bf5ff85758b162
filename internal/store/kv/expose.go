package kv

import "github.com/cockroachdb/pebble/v2"

// Pebble returns the batch underneath, for stores that write many operations
// of their own. It must not be committed or closed.
func (b *Batch) Pebble() *pebble.Batch { return b.b }

// Reader returns the database underneath for reading. It must not be used
// once the database is closed.
func (db *DB) Reader() pebble.Reader { return db.p }

// Memory returns what the block cache and the write buffers take, bytes.
func (db *DB) Memory() (cache, buffers int64) {
	db.mu.RLock()
	defer db.mu.RUnlock()
	if db.closed || db.Failed() != nil {
		return 0, 0
	}
	m := db.p.Metrics()
	return m.BlockCache.Size, int64(m.MemTable.Size + m.MemTable.ZombieSize) // far below
}
