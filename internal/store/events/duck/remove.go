package duck

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/journal"
	"quipu/internal/store/registry"
)

// remove runs a removal and moves the watermark, unless the store did so before.
func (s *Store) remove(ctx context.Context, app model.AppID, w journal.Watermark, what string, do func(*tx, tables) error) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	err := s.transact(ctx, func(t *tx) error {
		if covers(t.own, w) {
			return nil
		}
		if t.apps[app] {
			if err := do(t, tablesOf(app)); err != nil {
				return err
			}
		}
		return t.advance(ctx, w)
	})
	if err != nil {
		return fmt.Errorf("%s of app %s in event store: %w", what, app, err)
	}
	s.maybeCheckpoint(ctx)
	return nil
}

// covers reports whether own has come as far as w everywhere.
func covers(own, w journal.Watermark) bool {
	for part, off := range w {
		if !own.Covers(part, off) {
			return false
		}
	}
	return true
}

// DropApp implements events.Writer.
func (s *Store) DropApp(ctx context.Context, app model.AppID, w journal.Watermark) error {
	return s.remove(ctx, app, w, "drop tables", func(t *tx, names tables) error {
		for _, table := range names.all() {
			if err := t.conn.exec(ctx, "DROP TABLE "+table); err != nil {
				return err
			}
		}
		apps := maps.Clone(t.apps)
		delete(apps, app)
		t.apps = apps
		delete(t.lastUID, app)
		return nil
	})
}

// DeleteEvents implements events.Writer.
func (s *Store) DeleteEvents(ctx context.Context, app model.AppID, keys []string, w journal.Watermark) error {
	clean := cleaned(keys)
	return s.remove(ctx, app, w, "delete events", func(t *tx, names tables) error {
		return t.conn.exec(ctx, "DELETE FROM "+names.events+" WHERE e = ? AND n IN (SELECT unnest(?))", events.CustomKey, clean)
	})
}

// ClearProperty implements events.Writer. From the JSON column the member
// called name is removed.
func (s *Store) ClearProperty(ctx context.Context, app model.AppID, event string, slots []registry.Slot, name string, w journal.Watermark) error {
	key, own := events.Selector(event)
	where, of := " WHERE e = ?", []any{events.CleanText(key)}
	if own != "" {
		where, of = where+" AND n = ?", append(of, events.CleanText(own))
	}
	patch := events.JSONText(map[string]any{name: nil})
	return s.remove(ctx, app, w, "clear property", func(t *tx, names tables) error {
		for _, slot := range slots {
			if slot.Kind == registry.JSON {
				statement := "UPDATE " + names.events + " SET extra = nullif(json_merge_patch(extra, ?)::VARCHAR, '{}')" + where + " AND extra IS NOT NULL"
				if err := t.conn.exec(ctx, statement, slices.Concat([]any{patch}, of)...); err != nil {
					return err
				}
				continue
			}
			column := slotColumn(slot)
			if column == "" {
				return fmt.Errorf("property %q has no slot %+v", name, slot)
			}
			if err := t.conn.exec(ctx, "UPDATE "+names.events+" SET "+column+" = NULL"+where+" AND "+column+" IS NOT NULL", of...); err != nil {
				return err
			}
		}
		return nil
	})
}

// DeleteUsers implements events.Writer.
func (s *Store) DeleteUsers(ctx context.Context, app model.AppID, uids []uint32, w journal.Watermark) error {
	return s.remove(ctx, app, w, "delete users", func(t *tx, names tables) error {
		for _, table := range names.all() {
			if err := t.delete(ctx, table, uids); err != nil {
				return err
			}
		}
		return nil
	})
}
