package kv

import "github.com/cockroachdb/pebble/v2"

// Pebble returns the batch underneath, for stores that write many operations
// of their own. It must not be committed or closed.
func (b *Batch) Pebble() *pebble.Batch { return b.b }

// Reader returns the database underneath for reading. It must not be used
// once the database is closed.
func (db *DB) Reader() pebble.Reader { return db.p }
