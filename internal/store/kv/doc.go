// Package kv opens the one Pebble database in which the embedded journal,
// profile, schema and rollup stores keep their data, so that a batch of the
// pipeline commits in one atomic, synced write.
package kv
