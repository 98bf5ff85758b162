// Package pebble is the embedded engine of package profile: profiles in the state database, and what the running
// batch has of them in memory. docs/format/profile.md draws its keys and values.
package pebble

import (
	"context"

	"quipu/internal/store/kv"
	"quipu/internal/store/profile"
	"quipu/internal/store/profile/shards"
)

// Options of the embedded store.
type Options struct {
	// CacheProfiles is how many profiles that no batch uses are kept in memory;
	// 0 means 10,000. What running batches touched comes on top.
	CacheProfiles int
	// PrintBytes bounds what is kept in memory of fingerprints; 0 means 16 MiB.
	PrintBytes int64
}

// Store is the embedded profile store.
type Store struct {
	*shards.Store
	db  *kv.DB
	src source
}

var _ profile.Store = (*Store)(nil)

// Open returns the profile store in db.
func Open(db *kv.DB, opts Options) (*Store, error) {
	src := source{db}
	s, err := shards.Open(context.Background(), src, shards.Options{CacheProfiles: opts.CacheProfiles, PrintBytes: opts.PrintBytes, Log: db.Logger()})
	if err != nil {
		return nil, err
	}
	return &Store{Store: s, db: db, src: src}, nil
}
