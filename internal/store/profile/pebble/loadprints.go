package pebble

import (
	"bytes"
	"context"

	"quipu/internal/model"
	"quipu/internal/store/kv"
	"quipu/internal/store/profile"
)

// printsAtOnce is how many stored fingerprints are read with a batch: a few milliseconds' work.
const printsAtOnce = 16 << 10

// loadPrints reads some of the fingerprints that were stored before the database was opened into the filter, which
// then spares the disk for their days, too. What is remembered meanwhile is in the filter already, wherever the reading stands.
// What cannot be read is logged once and left to the look-ups, which ask the disk as before.
func (s *Store) loadPrints() {
	day, ok := s.prints.partial()
	if !ok || s.unreadable {
		return
	}
	from, to := dayKey(day), kv.After(dayKey(day))
	if bytes.HasPrefix(s.loaded, from) {
		from = s.loaded
	}
	s.loaded = nil
	n := 0
	err := s.db.Scan(context.Background(), from, to, func(key, _ []byte) (bool, error) {
		if n++; n > printsAtOnce {
			s.loaded = bytes.Clone(key)
			return false, nil
		}
		if len(key) == printKeyLen {
			s.prints.add(day, model.AppID(key[3:]), profile.Fingerprint(key[3+appLen:]))
		}
		return true, nil
	})
	switch {
	case err != nil:
		s.unreadable = true
		s.db.Logger().Warn("stored fingerprints of requests cannot be read, each look-up asks the disk", "day", day, "error", err)
	case s.loaded == nil:
		s.prints.whole(day)
	}
}
