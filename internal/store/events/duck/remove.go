package duck

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/sqlplan"
	"quipu/internal/store/journal"
	"quipu/internal/store/schema"
)

// remove runs a removal and moves the watermark, unless the store did so before.
func (s *Store) remove(ctx context.Context, app model.AppID, w journal.Watermark, what string, do func(*tx, place) error) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	err := s.retried(ctx, func() error {
		return s.transact(ctx, func(t *tx) error {
			if covers(t.own, w) {
				return nil
			}
			if p, ok := t.apps.of(app); ok {
				if err := do(t, p); err != nil {
					return err
				}
			}
			return t.advance(ctx, w)
		})
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
	return s.remove(ctx, app, w, "drop rows and tables", func(t *tx, p place) error {
		if p.own {
			if err := t.drop(ctx, p.tables); err != nil {
				return err
			}
		} else {
			for _, table := range p.all() {
				if err := t.conn.exec(ctx, "DELETE FROM "+table+" WHERE "+p.mine()); err != nil {
					return err
				}
			}
		}
		apps := maps.Clone(t.apps)
		delete(apps, app)
		t.apps = apps
		delete(t.s.lastUID, app)
		if p.own {
			return nil
		}
		delete(t.s.extents, p.number)
		return t.conn.exec(ctx, "DELETE FROM apps WHERE number = ?", p.number)
	})
}

// drop drops an app's own tables.
func (t *tx) drop(ctx context.Context, own tables) error {
	if err := t.conn.exec(ctx, "DROP VIEW IF EXISTS "+own.rows); err != nil {
		return fmt.Errorf("drop view %s: %w", own.rows, err)
	}
	for _, table := range own.all() {
		if err := t.conn.exec(ctx, "DROP TABLE "+table); err != nil {
			return fmt.Errorf("drop table %s: %w", table, err)
		}
	}
	return nil
}

// DeleteEvents implements events.Writer.
func (s *Store) DeleteEvents(ctx context.Context, app model.AppID, keys []string, w journal.Watermark) error {
	clean := cleaned(keys)
	return s.remove(ctx, app, w, "delete events", func(t *tx, p place) error {
		return t.deleteEvents(ctx, p, "e = ? AND n IN (SELECT unnest(?))", events.CustomKey, clean)
	})
}

// DeleteNamed implements events.Writer.
func (s *Store) DeleteNamed(ctx context.Context, app model.AppID, keys, names []string, w journal.Watermark) error {
	cleanKeys, cleanNames := cleaned(keys), cleaned(names)
	return s.remove(ctx, app, w, "delete named rows", func(t *tx, p place) error {
		return t.deleteEvents(ctx, p, "e IN (SELECT unnest(?)) AND n IN (SELECT unnest(?))", cleanKeys, cleanNames)
	})
}

// deleteEvents deletes the event rows of an app that fulfil a condition.
func (t *tx) deleteEvents(ctx context.Context, p place, cond string, args ...any) error {
	for _, table := range p.ofEvents() {
		if err := t.conn.exec(ctx, "DELETE FROM "+table+" WHERE "+p.mine()+" AND "+cond, args...); err != nil {
			return err
		}
	}
	return nil
}

// ClearProperty implements events.Writer. From the JSON column the member
// called name is removed. When there are more rows than can be updated in the memory
// there is, it goes in steps, and the watermark moves with the last one: what a crash
// leaves undone the replay does.
func (s *Store) ClearProperty(ctx context.Context, app model.AppID, event string, slots []schema.Slot, name string, w journal.Watermark) error {
	type set struct {
		column, expr string
		args         []any
	}
	var sets []set
	key, own := events.Selector(event)
	cond, of := " AND e = ?", []any{events.CleanText(key)}
	if own != "" {
		cond, of = cond+" AND n = ?", append(of, events.CleanText(own))
	}
	for _, slot := range slots {
		column, expr, args := sqlplan.SlotColumn(slot), "NULL", of
		switch {
		case slot.Kind == schema.JSON:
			patch := events.JSONText(map[string]any{name: nil})
			column, expr, args = sqlplan.RestColumn, "nullif(json_merge_patch("+sqlplan.RestColumn+", ?)::VARCHAR, '{}')", slices.Concat([]any{patch}, of)
		case column == "":
			return fmt.Errorf("clear property %q in event store: no slot %+v", name, slot)
		}
		sets = append(sets, set{column, expr, args})
	}
	// where returns one more condition for the rows of a table, with the arguments more; "" = none.
	clearIn := func(t *tx, p place, where func(table string) string, more ...any) error {
		for _, of := range p.eventTables() {
			for _, c := range sets {
				if lacks(of.slots, c.column) {
					continue // and nothing is to be cleared
				}
				statement := "UPDATE " + of.table + " SET " + c.column + " = " + c.expr + " WHERE " + p.mine() + cond + " AND " + c.column + " IS NOT NULL" + where(of.table)
				if err := t.conn.exec(ctx, statement, slices.Concat(c.args, more)...); err != nil {
					return err
				}
			}
		}
		return nil
	}
	clear := func(t *tx, p place) error { return clearIn(t, p, func(string) string { return "" }) }
	err := s.remove(ctx, app, w, "clear property", clear)
	if !errors.Is(err, events.ErrMemory) {
		return err
	}
	s.log.InfoContext(ctx, "event store clears a property in steps, for want of memory", "app", app.String(), "event", event)
	// DuckDB keeps the memory of a transaction that was rolled back until the
	// next one is committed.
	err = s.step(ctx, func(t *tx) error { return t.conn.exec(ctx, "UPDATE watermark SET off = off") })
	if err != nil {
		return fmt.Errorf("clear property of app %s in event store: %w", app, err)
	}
	for step := range clearSteps {
		err := s.step(ctx, func(t *tx) error {
			p, _ := t.apps.of(app)
			return clearIn(t, p, func(table string) string { return between(table, p) }, step, step+1)
		})
		if err != nil {
			return fmt.Errorf("clear property of app %s in event store, step %d: %w", app, step, err)
		}
	}
	return s.remove(ctx, app, w, "clear property", clear)
}

// clearSteps is the number of parts in which a property of many rows is cleared.
const clearSteps = 64

// between is the condition that an event row of an app in a table lies in the part of its rows there from the
// first placeholder up to the second one, of clearSteps parts.
func between(table string, p place) string {
	bound := fmt.Sprintf("(SELECT min(off) + (max(off) + 1 - min(off)) * ?::UBIGINT // %d FROM %s WHERE %s)", clearSteps, table, p.mine())
	return " AND off >= " + bound + " AND off < " + bound
}

// step runs do in a transaction that does not move the watermark, and frees
// its memory.
func (s *Store) step(ctx context.Context, do func(*tx) error) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	if err := s.retried(ctx, func() error { return s.transact(ctx, do) }); err != nil {
		return err
	}
	return s.checkpoint(ctx)
}

// DeleteUsers implements events.Writer.
func (s *Store) DeleteUsers(ctx context.Context, app model.AppID, uids []uint32, w journal.Watermark) error {
	return s.remove(ctx, app, w, "delete users", func(t *tx, p place) error {
		var users refs
		for _, uid := range uids {
			users.add(p.number, uid)
		}
		for _, table := range p.all() {
			if err := t.delete(ctx, table, !p.own, users); err != nil {
				return err
			}
		}
		return nil
	})
}

// DropRows implements events.Writer.
func (s *Store) DropRows(ctx context.Context, app model.AppID, before int64, w journal.Watermark) error {
	return s.remove(ctx, app, w, "drop rows", func(t *tx, p place) error {
		for _, table := range append(p.ofEvents(), p.requests) {
			if err := t.conn.exec(ctx, "DELETE FROM "+table+" WHERE "+p.mine()+" AND ts < ?", before); err != nil {
				return err
			}
		}
		return t.conn.exec(ctx, "DELETE FROM "+p.states+" WHERE "+p.mine()+" AND state NOT IN (SELECT state FROM "+p.rows+" WHERE "+p.mine()+
			") AND state NOT IN (SELECT state FROM "+p.users+" WHERE "+p.mine()+" AND state IS NOT NULL)")
	})
}
