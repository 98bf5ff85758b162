package duck

import (
	"context"
	"fmt"
	"strings"

	"quipu/internal/store/events"
	"quipu/internal/store/schema"
)

// An app has two tables of events of its own: one for rows that use the first few slots at most, and one for those that use more. Each has columns
// for the slots that its rows use, and no others. A column costs time with each row, memory with each row group, and, where few rows use it, a few
// bits of each of the others. Rows that begin and end sessions are some in a hundred, and use three times as many slots as the rest.
//
// Where that is not so, and more than a quarter of a batch would go to the second table, all of it does: two halves cost more than a whole.
//
// A view of both tables has all columns, NULL where a table has none. Rows are read from the view, so a statement is right whichever columns there
// are by the time it runs, and wherever a row lies: DuckDB shows each transaction the view and the tables that belong together.

// What the names of an app's own tables of events, and of their view, begin with.
const (
	eventsPrefix = "e_"
	widePrefix   = "w_"
	rowsPrefix   = "rows_"
)

// How many text and number slots a row uses at most that is not wide.
const (
	narrowTexts   = 4
	narrowNumbers = 2
)

// narrowSlots are these slots.
var narrowSlots = events.Slots{Text: 1<<narrowTexts - 1, Num: 1<<narrowNumbers - 1}

// mostWide: at most one row in so many may be wide for wide rows to lie apart.
const mostWide = 4

// manyWide reports whether so many rows are wide that all are to lie together.
func manyWide(rows []*events.Row) bool {
	n := 0
	for _, r := range rows {
		if isWide(r) {
			n++
		}
	}
	return n*mostWide > len(rows)
}

// isWide reports whether a row uses more than narrowSlots.
func isWide(r *events.Row) bool {
	if r.Extra != "" {
		return true
	}
	for _, t := range r.Text[narrowTexts:] {
		if t != nil {
			return true
		}
	}
	for _, n := range r.Num[narrowNumbers:] {
		if n != nil {
			return true
		}
	}
	return false
}

// wideRows is the condition that a row which has all columns is wide.
var wideRows = func() string {
	var used []string
	for _, c := range columnsOf(allSlots.Without(narrowSlots)) {
		used = append(used, quote(c.name)+" IS NOT NULL")
	}
	return "(" + strings.Join(used, " OR ") + ")"
}()

// columnsFor are the slots that an app's tables of events have columns for.
type columnsFor struct{ narrow, wide events.Slots }

// columnsThatHold returns what it takes to hold rows that use slots.
func columnsThatHold(used events.Slots) columnsFor {
	more := used.Without(narrowSlots)
	if more == (events.Slots{}) {
		return columnsFor{narrow: used}
	}
	return columnsFor{narrow: used.Without(more), wide: used}
}

// or returns the columns of both.
func (c columnsFor) or(o columnsFor) columnsFor {
	return columnsFor{c.narrow.Or(o.narrow), c.wide.Or(o.wide)}
}

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

// viewRows is the statement that makes the view of tables of events with columns for some slots, or makes it again.
func (t tables) viewRows(has columnsFor) string {
	return "CREATE OR REPLACE VIEW " + t.rows + " AS " + viewed(t.events, has.narrow) + " UNION ALL " + viewed(t.wide, has.wide)
}

// viewed selects all columns of a table that has columns for some slots.
func viewed(table string, has events.Slots) string {
	columns := make([]string, len(eventColumns))
	for i, c := range eventColumns {
		columns[i] = quote(c.name)
		if lacks(has, c.name) {
			columns[i] = "NULL::" + c.typ + " AS " + quote(c.name)
		}
	}
	return "SELECT " + strings.Join(columns, ", ") + " FROM " + table
}

// widen gives an app's own tables of events the columns that they lack to hold rows which use slots, and returns those that they then have.
func (t *tx) widen(ctx context.Context, own tables, has columnsFor, used events.Slots) (columnsFor, error) {
	want := columnsThatHold(used).or(has)
	if want == has {
		return has, nil
	}
	for _, of := range []struct {
		table   string
		missing events.Slots
	}{{own.events, want.narrow.Without(has.narrow)}, {own.wide, want.wide.Without(has.wide)}} {
		for _, c := range columnsOf(of.missing) {
			if err := t.conn.exec(ctx, "ALTER TABLE "+of.table+" ADD COLUMN "+quote(c.name)+" "+c.typ); err != nil {
				return has, fmt.Errorf("add column %s: %w", c.name, err)
			}
		}
	}
	if err := t.conn.exec(ctx, own.viewRows(want)); err != nil {
		return has, fmt.Errorf("make view: %w", err)
	}
	return want, nil
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

// addWide makes the tables of wide rows that files of format 4 lack, with their views, and views that are missing, as in a file that was
// salvaged. Rows stay where they are. The caller is alone.
func (s *Store) addWide(ctx context.Context) error {
	has := map[string]bool{}
	const statement = "SELECT table_name FROM duckdb_tables() WHERE starts_with(table_name, '" + widePrefix + "') UNION ALL SELECT view_name FROM duckdb_views() WHERE starts_with(view_name, '" + rowsPrefix + "')"
	err := each(ctx, s.db.writer, statement, nil, func(r events.Scanner) error {
		var name string
		err := r.Scan(&name)
		has[name] = true
		return err
	})
	if err != nil {
		return fmt.Errorf("list tables of wide rows: %w", err)
	}
	added := false
	for id, at := range *s.apps.Load() {
		own := ownTables(id)
		if at.number != 0 || has[own.wide] && has[own.rows] {
			continue
		}
		for _, ddl := range []string{"CREATE TABLE IF NOT EXISTS " + own.wide + " (" + definitions(usedColumns(events.Slots{})) + ")", own.viewRows(at.slots)} {
			if err := s.db.exec(ctx, ddl); err != nil {
				return fmt.Errorf("make %s: %w", own.wide, err)
			}
		}
		added = true
	}
	if !added {
		return nil
	}
	return s.checkpoint(ctx)
}
