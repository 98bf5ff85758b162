package duck

import (
	"context"
	"fmt"
	"strings"

	"quipu/internal/store/events"
	"quipu/internal/store/schema"
)

// An app's own table of events has columns for the slots that its rows use, and no others: a column costs time with each row and memory with each
// row group, however empty it is. A view of the table has all columns, NULL where the table has none. Rows are read from
// the view, so a statement is right whichever columns there are by the time it runs: DuckDB shows each transaction the view and the table
// that belong together.

// rowsPrefix begins the name of the view of an app's own events.
const rowsPrefix = "rows_"

// allSlots are those that shared tables have columns for.
var allSlots = events.Slots{Text: 1<<schema.TextSlots - 1, Num: 1<<schema.NumberSlots - 1, Extra: true}

// slotsByColumn are the slots by the names of their columns.
var slotsByColumn = func() map[string]events.Slots {
	out := map[string]events.Slots{}
	for _, of := range eachSlot() {
		out[columnsOf(of)[0].name] = of
	}
	return out
}()

// eachSlot lists the slots one by one, in the order of their columns.
func eachSlot() []events.Slots {
	var out []events.Slots
	for i := range schema.TextSlots {
		out = append(out, events.Slots{Text: 1 << i})
	}
	for i := range schema.NumberSlots {
		out = append(out, events.Slots{Num: 1 << i})
	}
	return append(out, events.Slots{Extra: true})
}

// lacks reports whether a table of events with columns for some slots is without a column.
func lacks(has events.Slots, column string) bool {
	return slotsByColumn[column].Without(has) != (events.Slots{})
}

// viewRows is the statement that makes the view of a table of events with columns for some slots, or makes it again.
func (t tables) viewRows(has events.Slots) string {
	columns := make([]string, len(eventColumns))
	for i, c := range eventColumns {
		columns[i] = quote(c.name)
		if lacks(has, c.name) {
			columns[i] = "NULL::" + c.typ + " AS " + quote(c.name)
		}
	}
	return "CREATE OR REPLACE VIEW " + t.rows + " AS SELECT " + strings.Join(columns, ", ") + " FROM " + t.events
}

// widen gives an app's own table of events columns for the slots that it lacks, and returns those that it then has.
func (t *tx) widen(ctx context.Context, own tables, has, used events.Slots) (events.Slots, error) {
	missing := used.Without(has)
	if missing == (events.Slots{}) {
		return has, nil
	}
	for _, c := range columnsOf(missing) {
		if err := t.conn.exec(ctx, "ALTER TABLE "+own.events+" ADD COLUMN "+quote(c.name)+" "+c.typ); err != nil {
			return has, fmt.Errorf("add column %s: %w", c.name, err)
		}
	}
	has = has.Or(missing)
	if err := t.conn.exec(ctx, own.viewRows(has)); err != nil {
		return has, fmt.Errorf("make view: %w", err)
	}
	return has, nil
}

// slotsOf returns the slots that an app's rows in the shared table use.
func (t *tx) slotsOf(ctx context.Context, number uint32) (used events.Slots, err error) {
	slots := eachSlot()
	counts, dest := make([]int64, len(slots)), make([]any, len(slots))
	columns := make([]string, len(slots))
	for i, of := range slots {
		columns[i], dest[i] = "count("+quote(columnsOf(of)[0].name)+")", &counts[i]
	}
	statement := "SELECT " + strings.Join(columns, ", ") + " FROM " + sharedTables.events + " WHERE " + place{number: number}.mine()
	if err := t.conn.writer.QueryRowContext(ctx, statement).Scan(dest...); err != nil {
		return used, fmt.Errorf("find used slots: %w", err)
	}
	for i, of := range slots {
		if counts[i] > 0 {
			used = used.Or(of)
		}
	}
	return used, nil
}

// addViews makes the views that a file of format 3 lacks: its tables of events have all columns. The caller is alone.
func (s *Store) addViews(ctx context.Context) error {
	has := map[string]bool{}
	err := each(ctx, s.db.writer, "SELECT view_name FROM duckdb_views() WHERE starts_with(view_name, '"+rowsPrefix+"')", nil, func(r events.Scanner) error {
		var name string
		err := r.Scan(&name)
		has[name] = true
		return err
	})
	if err != nil {
		return fmt.Errorf("list views: %w", err)
	}
	added := false
	for id, at := range *s.apps.Load() {
		own := ownTables(id)
		if at.number != 0 || has[own.rows] {
			continue
		}
		if err := s.db.exec(ctx, own.viewRows(at.slots)); err != nil {
			return fmt.Errorf("make view %s: %w", own.rows, err)
		}
		added = true
	}
	if !added {
		return nil
	}
	return s.checkpoint(ctx)
}
