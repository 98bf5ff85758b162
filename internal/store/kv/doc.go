// Package kv opens the one Pebble database in which the embedded journal,
// profile, registry and rollup stores keep their data, so that a tick of the
// pipeline commits in one atomic, synced batch.
package kv
