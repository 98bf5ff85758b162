package query

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/registry"
)

// Quarter is the length (ms) of the spans that DataPoints counts by: no time zone's hours begin
// within one.
const Quarter = 15 * 60 * 1000

// DataPoints counts the event rows of an app from one moment to another (ms, both
// included) by event key and quarter of an hour. Custom events have one key, "[CLY]_custom". A row counts 1
// whatever its count, unless that is 0; that of a view that begins no visit counts nothing. quarter
// is the start (ms) of the span; without byTime it is always 0.
func (t *Tables) DataPoints(ctx context.Context, app model.AppID, from, to int64, byTime bool, fn func(key string, quarter, n int64) error) error {
	at := "0"
	if byTime {
		at = fmt.Sprintf("(ev.ts - ((ev.ts %% %d) + %d) %% %d)", Quarter, Quarter, Quarter)
	}
	statement := fmt.Sprintf("SELECT ev.e, CAST(%s AS BIGINT) AS at, count(*) FROM %s ev WHERE ev.ts BETWEEN ? AND ? AND ev.c <> 0 AND (ev.e <> '[CLY]_view' OR %s) GROUP BY ALL",
		at, eventsTable(app), t.visit(app))
	err := t.rows.Query(ctx, statement, []any{from, to}, func(row events.Scanner) error {
		var (
			key   string
			at, n int64
		)
		if err := row.Scan(&key, &at, &n); err != nil {
			return err
		}
		return fn(key, at, n)
	})
	if errors.Is(err, events.ErrNoApp) {
		return nil
	}
	return err
}

// visit is the condition that a view begins a visit.
func (t *Tables) visit(app model.AppID) string {
	views := slices.DeleteFunc(slices.Clone(t.registry.Events(app)), func(e registry.Event) bool { return e.Key != "[CLY]_view" })
	c, ok := segmentColumn(views, "visit")
	if !ok {
		return "FALSE"
	}
	return fmt.Sprintf(`coalesce(trim(CAST((%s) AS VARCHAR), '"') NOT IN ('', '0', '0.0', 'false', 'null'), FALSE)`, c.Expr)
}

// CountEvents counts the event rows that a filter selects.
func (t *Tables) CountEvents(ctx context.Context, app model.AppID, f filter.Expr) (int64, error) {
	where, args := f.SQL(filter.DuckDB{}, t.eventColumn(app))
	joins := ""
	if slices.ContainsFunc(f.Paths(), isState) {
		joins += " LEFT JOIN " + statesTable(app) + " st ON st.state = ev.state"
	}
	if slices.ContainsFunc(f.Paths(), func(p string) bool { return p == "did" || strings.HasPrefix(p, "did.") }) {
		joins += " LEFT JOIN " + usersTable(app) + " u ON u.uid = ev.uid"
	}
	var n int64
	err := t.rows.Query(ctx, "SELECT count(*) FROM "+eventsTable(app)+" ev"+joins+" WHERE "+where, args, func(row events.Scanner) error {
		return row.Scan(&n)
	})
	if errors.Is(err, events.ErrNoApp) {
		return 0, nil
	}
	return n, err
}
