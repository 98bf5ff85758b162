package query

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/registry"
)

// Minute is what happened in a minute.
type Minute struct {
	Sessions int64 `json:"sessions"`  // begun
	Events   int64 `json:"events"`    // counts of events and views
	NewUsers int64 `json:"new_users"` // users who began their first session
}

// minuteMS is a minute in ms.
const minuteMS = 60_000

// Recent counts, from the rows of an app, what happened in each of n minutes of which
// the last begins at last (ms), the oldest first; and the users of whom a request counts in them.
func (t *Tables) Recent(ctx context.Context, app model.AppID, last int64, n int) (minutes []Minute, users int64, err error) {
	minutes = make([]Minute, n)
	from, to := last-int64(n-1)*minuteMS, last+minuteMS-1
	begins := slices.DeleteFunc(slices.Clone(t.registry.Events(app)), func(e registry.Event) bool { return e.Key != "[CLY]_session_begin" })
	isNew := "FALSE"
	if c, ok := segmentColumn(begins, "is_new"); ok {
		isNew = "coalesce(CAST((" + c.Expr + ") AS DOUBLE) = 1, FALSE)"
	}
	statement := fmt.Sprintf(`SELECT CAST((ev.ts - ?) // %d AS BIGINT) AS minute,
		count(*) FILTER (ev.e = '[CLY]_session_begin'),
		CAST(coalesce(sum(ev.c) FILTER (ev.e NOT IN ('[CLY]_session_begin', '[CLY]_session', '[CLY]_consent', '[CLY]_crash', '[CLY]_apm_device', '[CLY]_apm_network')), 0) AS BIGINT),
		count(*) FILTER (ev.e = '[CLY]_session_begin' AND %s)
		FROM %s ev WHERE ev.ts BETWEEN ? AND ? GROUP BY minute`, minuteMS, isNew, eventsTable(app))
	err = t.rows.Query(ctx, statement, []any{from, from, to}, func(row events.Scanner) error {
		var at int64
		var m Minute
		if err := row.Scan(&at, &m.Sessions, &m.Events, &m.NewUsers); err != nil {
			return err
		}
		if at >= 0 && at < int64(n) {
			minutes[at] = m
		}
		return nil
	})
	if err == nil {
		statement = `SELECT count(DISTINCT uid) FROM "r_` + app.String() + `" WHERE ts BETWEEN ? AND ?`
		err = t.rows.Query(ctx, statement, []any{from, to}, func(row events.Scanner) error { return row.Scan(&users) })
	}
	if errors.Is(err, events.ErrNoApp) {
		return minutes, 0, nil
	}
	return minutes, users, err
}
