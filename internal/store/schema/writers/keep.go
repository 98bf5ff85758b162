package writers

import (
	"cmp"
	"slices"
)

// batchesUnderWay is more than how many flushes a batch can meet before its own, so that nobody holds a writer that was asked for so many flushes ago.
const batchesUnderWay = 4

// readersKeep is of how many times as many apps as for writers what readers see is kept.
const readersKeep = 16

// Idle implements schema.Writers.
func (s *Store) Idle() {
	s.flushes.Add(batchesUnderWay) // as if the last batch were long ago
	if n := s.loads.Load(); s.idled.Swap(n) != n {
		s.trim()
	}
}

// loaded counts an app that came into memory, and lets go of others once enough have come. The caller holds no lock.
func (s *Store) loaded() {
	if s.loads.Add(1)%uint64(s.keep/4+1) == 0 {
		s.trim()
	}
}

// trim lets go of what was used least recently, until no more apps are in memory than are kept. What a batch may hold, or has changed, stays.
func (s *Store) trim() {
	type app struct {
		st   *appState
		used uint64
	}
	var written, read []app
	for _, st := range s.all() {
		st.mu.Lock()
		if st.writer != nil {
			written = append(written, app{st, st.used})
		}
		if st.snap != nil {
			read = append(read, app{st, st.used})
		}
		st.mu.Unlock()
	}
	leave := func(list []app, keep int, leaves func(*appState)) {
		if len(list) <= keep {
			return
		}
		slices.SortFunc(list, func(a, b app) int { return cmp.Compare(a.used, b.used) })
		for _, a := range list[:len(list)-keep] {
			a.st.mu.Lock()
			if a.st.used == a.used {
				leaves(a.st)
			}
			a.st.mu.Unlock()
		}
	}
	flushes := s.flushes.Load()
	leave(written, s.keep, func(st *appState) {
		if st.unused(flushes) {
			st.writer = nil
		}
	})
	leave(read, readersKeep*s.keep, func(st *appState) { st.snap = nil })
}

// unused reports whether an app has a writer that no batch uses after so many flushes. The caller holds st.mu.
func (st *appState) unused(flushes uint64) bool {
	l := st.writer
	if l == nil { // it has left meanwhile
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return st.batch+batchesUnderWay <= flushes && !l.pending && !l.changed() && len(l.sets) == 0
}
