package shards

import (
	"context"
	"maps"

	"quipu/internal/model"
	"quipu/internal/store/profile"
)

// Remembered implements Index.
func (s *Store) Remembered(app model.AppID, fingerprint profile.Fingerprint, days ...uint16) (bool, error) {
	likely := s.prints.likely(app, fingerprint, days)
	for i, day := range days {
		if likely>>i&1 == 0 || uint32(day) > s.newest.Load() {
			continue
		}
		if ok, err := s.src.HasPrint(context.Background(), app, profile.Print{Day: day, Hash: fingerprint}); err != nil || ok {
			return ok, err
		}
	}
	return false, nil
}

// Aliases implements Index.
func (s *Store) Aliases(ctx context.Context, app model.AppID) (map[uint32]uint32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	st := s.app(app)
	st.viewMu.Lock()
	defer st.viewMu.Unlock()
	if st.view != nil {
		return st.view, nil
	}
	if st.committed == nil {
		m, err := s.src.Aliases(ctx, app)
		if err != nil {
			return nil, err
		}
		st.committed = m
	}
	view := maps.Clone(st.committed)
	for old, to := range view {
		view[old] = resolve(st.committed, to)
	}
	st.view = view
	return view, nil
}

// commitAliases brings the changes of a committed batch to the readers. When
// they have not read the aliases yet, there is nothing to bring.
func (st *appState) commitAliases(t *batch) {
	if len(t.aliases) == 0 && !t.wiped {
		return
	}
	st.viewMu.Lock()
	defer st.viewMu.Unlock()
	st.view = nil
	if st.committed == nil {
		return
	}
	if t.wiped {
		clear(st.committed)
	}
	for old, to := range t.aliases {
		if to == 0 {
			delete(st.committed, old)
		} else {
			st.committed[old] = to
		}
	}
}

// resolve follows merges from uid.
func resolve(aliases map[uint32]uint32, uid uint32) uint32 {
	// No chain is longer than the map; the bound keeps a damaged one from looping.
	for range len(aliases) {
		to, ok := aliases[uid]
		if !ok {
			break
		}
		uid = to
	}
	return uid
}

// Stale forgets what readers were given of an app's merges: another process has committed changes of them.
func (s *Store) Stale(app model.AppID) {
	st := s.app(app)
	st.viewMu.Lock()
	defer st.viewMu.Unlock()
	st.committed, st.view = nil, nil
}
