// Package pebble is the embedded engine of package outbox: queued parts and noted users in the state database.
// docs/format/outbox.md draws its keys and values.
package pebble

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"quipu/internal/model"
	pebblejournal "quipu/internal/store/journal/pebble"
	"quipu/internal/store/kv"
	"quipu/internal/store/outbox"
)

// keyLen is the length of a key: prefix, partition, offset, app.
const keyLen = 1 + 2 + 8 + len(model.AppID{})

// Store implements outbox.Store.
type Store struct{ db *kv.DB }

var _ outbox.Store = (*Store)(nil)

// New returns the store in db.
func New(db *kv.DB) *Store { return &Store{db: db} }

// key begins the keys of an offset.
func key(prefix byte, partition uint16, offset uint64) []byte {
	k := append(make([]byte, 0, keyLen), prefix)
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint16(k, partition), offset)
}

// first begins the keys of a partition.
func first(prefix byte, partition uint16) []byte {
	return binary.BigEndian.AppendUint16([]byte{prefix}, partition)
}

// Put adds a batch of rows to a batch of the database. The values are copied.
func Put(b *kv.Batch, t *outbox.Batch) error {
	for i := range t.Parts {
		p := &t.Parts[i]
		if err := b.Set(append(key(kv.PrefixOutbox, t.Partition, t.Through), p.App[:]...), p.Value); err != nil {
			return fmt.Errorf("outbox batch %d: %w", t.Through, err)
		}
	}
	return nil
}

// Partitions implements outbox.Store.
func (s *Store) Partitions(ctx context.Context) ([]uint16, error) {
	var out []uint16
	for _, prefix := range []byte{kv.PrefixOutbox, kv.PrefixMirror} {
		for lower := []byte{prefix}; ; {
			found := -1
			err := s.db.Scan(ctx, lower, kv.After([]byte{prefix}), func(key, _ []byte) (bool, error) {
				if len(key) < 3 {
					return false, fmt.Errorf("%w: key of %d bytes", outbox.ErrDamaged, len(key))
				}
				found = int(binary.BigEndian.Uint16(key[1:]))
				return false, nil
			})
			if err != nil {
				return nil, err
			}
			if found < 0 {
				break
			}
			if partition := uint16(found); !slices.Contains(out, partition) { // two bytes
				out = append(out, partition)
			}
			if found == math.MaxUint16 {
				break
			}
			lower = first(prefix, uint16(found+1)) // less than two bytes hold
		}
	}
	return out, nil
}

// Parts implements outbox.Store.
func (s *Store) Parts(ctx context.Context, partition uint16, from, before uint64, fn func(offset uint64, app model.AppID, value []byte) (bool, error)) error {
	lower, upper := key(kv.PrefixOutbox, partition, from), key(kv.PrefixOutbox, partition, before)
	if from == 0 {
		lower = first(kv.PrefixOutbox, partition) // a damaged key may be shorter
	}
	if before == math.MaxUint64 {
		upper = kv.After(first(kv.PrefixOutbox, partition))
	}
	return s.scan(ctx, lower, upper, fn)
}

// Users implements outbox.Store.
func (s *Store) Users(ctx context.Context, partition uint16, fn func(offset uint64, app model.AppID, value []byte) (bool, error)) error {
	lower := first(kv.PrefixMirror, partition)
	return s.scan(ctx, lower, kv.After(lower), fn)
}

func (s *Store) scan(ctx context.Context, lower, upper []byte, fn func(offset uint64, app model.AppID, value []byte) (bool, error)) error {
	return s.db.Scan(ctx, lower, upper, func(key, value []byte) (bool, error) {
		if len(key) != keyLen {
			return false, fmt.Errorf("%w: key of %d bytes", outbox.ErrDamaged, len(key))
		}
		return fn(binary.BigEndian.Uint64(key[3:]), model.AppID(key[11:]), value)
	})
}

// Moved implements outbox.Store.
func (s *Store) Moved(_ context.Context, m outbox.Move) error {
	b := s.db.NewBatch()
	defer b.Discard()
	if err := b.DeleteRange(key(kv.PrefixOutbox, m.Partition, m.From), key(kv.PrefixOutbox, m.Partition, m.Before)); err != nil {
		return err
	}
	if err := pebblejournal.PutRowsMark(b, m.Watermark); err != nil {
		return err
	}
	for i := range m.Users {
		u := &m.Users[i]
		if err := b.Set(append(key(kv.PrefixMirror, m.Partition, m.Before-1), u.App[:]...), u.Value); err != nil {
			return err
		}
	}
	if m.Durable {
		return s.db.Commit(b) //nolint:contextcheck // a commit cannot be given up half-way
	}
	return s.db.CommitNoSync(b) //nolint:contextcheck // a commit cannot be given up half-way
}

// ForgetUsers implements outbox.Store.
func (s *Store) ForgetUsers(_ context.Context, partition uint16, before uint64) error {
	b := s.db.NewBatch()
	defer b.Discard()
	if err := b.DeleteRange(first(kv.PrefixMirror, partition), key(kv.PrefixMirror, partition, before)); err != nil {
		return err
	}
	return s.db.CommitNoSync(b) //nolint:contextcheck // a commit cannot be given up half-way
}

// Failed implements outbox.Store.
func (s *Store) Failed() error { return s.db.Failed() }
