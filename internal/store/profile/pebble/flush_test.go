package pebble_test

import (
	"quipu/internal/store/kv"
	pebbleprofile "quipu/internal/store/profile/pebble"
)

// flush adds what the store flushes to a batch, which ends it.
func flush(db *kv.DB, s *pebbleprofile.Store, b *kv.Batch) error {
	c, end, err := s.Flush()
	if err != nil {
		return err
	}
	b.OnEnd(end)
	return pebbleprofile.NewWriter(db).Write(b, &c)
}
