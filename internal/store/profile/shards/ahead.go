package shards

import (
	"context"
	"fmt"

	"quipu/internal/model"
	"quipu/internal/store/profile"
)

// Ahead implements profile.Shards.
func (s *Store) Ahead(ctx context.Context, app model.AppID, wanted func() ([]model.ProfileID, []profile.Print)) error {
	bulk, ok := s.src.(Bulk)
	if !ok {
		return nil
	}
	ids, prints := wanted()
	st := s.app(app)
	st.mu.Lock()
	defer st.mu.Unlock()
	if err := s.profilesAhead(ctx, bulk, st, app, ids); err != nil {
		return fmt.Errorf("load profiles of app %s: %w", app, err)
	}
	if err := s.printsAhead(ctx, bulk, st, app, prints); err != nil {
		return fmt.Errorf("look up fingerprints of app %s: %w", app, err)
	}
	return nil
}

func (s *Store) profilesAhead(ctx context.Context, bulk Bulk, st *appState, app model.AppID, ids []model.ProfileID) error {
	if !st.onDisk() {
		return nil
	}
	absent := map[model.ProfileID]*entry{}
	var ask []model.ProfileID
	for _, id := range ids {
		if st.running.entries[id] != nil || absent[id] != nil || st.flushing != nil && st.flushing.entries[id] != nil {
			continue
		}
		if e := s.takeCached(app, id, st.epoch); e != nil {
			st.running.put(id, e)
			continue
		}
		absent[id] = &entry{}
		ask = append(ask, id)
	}
	if len(ask) == 0 {
		return nil
	}
	err := bulk.Profiles(ctx, app, ask, func(p *model.Profile) {
		if e := absent[p.ID]; e != nil {
			e.p = p
			e.flushed()
		}
	})
	if err != nil {
		return err
	}
	for id, e := range absent {
		st.running.put(id, e)
	}
	return nil
}

func (s *Store) printsAhead(ctx context.Context, bulk Bulk, st *appState, app model.AppID, prints []profile.Print) error {
	if !st.onDisk() {
		return nil
	}
	var ask []profile.Print
	for _, k := range prints {
		if _, known := st.running.asked[k]; known || uint32(k.Day) > s.newest.Load() || s.prints.absent(k.Day, app, k.Hash) {
			continue
		}
		if st.running.asked == nil {
			st.running.asked = map[profile.Print]bool{}
		}
		if st.flushing != nil {
			if _, under := st.flushing.prints[k]; under {
				st.running.asked[k] = true // stored by the time that this batch is
				continue
			}
		}
		st.running.asked[k] = false
		ask = append(ask, k)
	}
	if len(ask) == 0 {
		return nil
	}
	err := bulk.HavePrints(ctx, app, ask, func(k profile.Print) { st.running.asked[k] = true })
	if err != nil {
		st.running.asked = nil
	}
	return err
}
