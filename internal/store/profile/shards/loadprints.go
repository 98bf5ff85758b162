package shards

import "context"

// printsAtOnce is how many stored fingerprints are read with a batch: a few milliseconds' work.
const printsAtOnce = 16 << 10

// loadPrints reads some of the fingerprints that were stored before the store was opened into the filter, which
// then spares the look-ups of their days, too. What is remembered meanwhile is in the filter already, wherever the reading stands.
// What cannot be read is logged once and left to the look-ups, which ask what is stored as before.
func (s *Store) loadPrints() {
	day, ok := s.prints.partial()
	if !ok || s.unreadable {
		return
	}
	if day != s.loading {
		s.loading, s.loaded = day, nil
	}
	next, err := s.src.Prints(context.Background(), day, s.loaded, printsAtOnce, func(p Stored) { s.prints.add(day, p.App, p.Hash) })
	s.loaded = next
	switch {
	case err != nil:
		s.unreadable = true
		s.log.Warn("stored fingerprints of requests cannot be read, each look-up asks for them", "day", day, "error", err)
	case next == nil:
		s.prints.whole(day)
	}
}
