package duck

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// scanPage is the number of rows that a scan reads at a time.
const scanPage = 8192

// HasApp implements events.Reader.
func (s *Store) HasApp(app model.AppID) bool { return (*s.apps.Load())[app] }

// Run implements events.Reader. Errors: ErrMemory, ErrClosed.
func (s *Store) Run(ctx context.Context, q *plan.Query, fn func(events.Scanner) error) error {
	statement, args, err := compile(q)
	if err != nil {
		return err
	}
	return s.run(ctx, q, statement, args, fn)
}

// query runs a statement that is no plan. A table that does not exist gives events.ErrNoApp.
func (s *Store) query(ctx context.Context, statement string, args []any, fn func(events.Scanner) error) error {
	return s.run(ctx, nil, statement, args, fn)
}

// run runs the statement of a plan, which is nil for what is none.
func (s *Store) run(ctx context.Context, q *plan.Query, statement string, args []any, fn func(events.Scanner) error) error {
	s.life.RLock()
	defer s.life.RUnlock()
	if s.db == nil {
		return ErrClosed
	}
	ctx, cancel := context.WithTimeout(ctx, s.opt.ReadTimeout)
	defer cancel()
	var err error
	if t := plan.TraceOf(ctx); t != nil {
		err = s.traced(ctx, t, q, statement, args, fn)
	} else {
		err = each(ctx, s.db.readers, statement, args, fn)
	}
	err = because(ctx, classify(err))
	if missing(err) {
		return fmt.Errorf("%w: %w", events.ErrNoApp, err)
	}
	return err
}

// MemoryUsed returns what the database's buffers take, bytes.
func (s *Store) MemoryUsed(ctx context.Context) (n int64, err error) {
	err = s.query(ctx, "SELECT coalesce(sum(memory_usage_bytes), 0)::BIGINT FROM duckdb_memory()", nil, func(row events.Scanner) error { return row.Scan(&n) })
	return n, err
}

// queryer is a connection or a pool of them.
type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// each runs a statement and calls fn for each row of its result.
func each(ctx context.Context, q queryer, statement string, args []any, fn func(events.Scanner) error) (err error) {
	rows, err := q.QueryContext(ctx, statement, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := fn(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// missing reports whether an error says that a table does not exist.
func missing(err error) bool {
	var de *duckdb.Error
	return errors.As(err, &de) && de.Type == duckdb.ErrorTypeCatalog && strings.Contains(de.Msg, "Table with name")
}

// window reads a table page by page: the rows after a place up to an offset
// that is some thousand rows further on, in order. Rows lie in the order of
// their offsets as a rule, so that only these are looked at; if they do not, a window
// is wider than it need be, and still right. An app that has no tables, or loses them,
// has no more rows.
func (s *Store) window(ctx context.Context, table, columns string, after events.Place, fn func(events.Scanner) error) error {
	rows := "SELECT " + columns + " FROM " + table + " WHERE off >= ? AND off <= ? AND (off > ? OR item > ?) ORDER BY off, item"
	for {
		last, n, err := s.ahead(ctx, table, after.Offset+1, scanPage)
		if err == nil {
			last = max(last, after.Offset)
			err = s.query(ctx, rows, []any{after.Offset, last, after.Offset, after.Item}, fn)
		}
		switch {
		case errors.Is(err, events.ErrNoApp):
			return nil
		case err != nil:
			return err
		case n < scanPage:
			return nil
		}
		after = events.Place{Offset: last, Item: math.MaxUint32}
	}
}

// Ahead implements events.Reader.
func (s *Store) Ahead(ctx context.Context, app model.AppID, from uint64, n int) (to uint64, found int, err error) {
	to, found, err = s.ahead(ctx, tablesOf(app).events, from, n)
	if errors.Is(err, events.ErrNoApp) {
		return from, 0, nil
	}
	return to, found, err
}

// ahead looks at the first n rows from an offset on, and returns the largest offset among them.
func (s *Store) ahead(ctx context.Context, table string, from uint64, n int) (to uint64, found int, err error) {
	statement := "SELECT count(*), coalesce(max(off), 0::UBIGINT) FROM (SELECT off FROM " + table + " WHERE off >= ? LIMIT ?)"
	err = s.query(ctx, statement, []any{from, n}, func(row events.Scanner) error { return row.Scan(&found, &to) })
	return to, found, err
}

// ScanRows implements events.Reader.
func (s *Store) ScanRows(ctx context.Context, app model.AppID, after events.Place, fn func(*events.Row) error) error {
	var (
		r          events.Row
		name, more sql.NullString
		dest       = []any{&r.Offset, &r.Item, &r.TS, &r.Received, &r.Key, &name, &r.UID, &r.Session, &r.State, &r.Count, &r.Sum, &r.Dur, &r.Hour, &r.Dow}
	)
	for i := range r.Text {
		dest = append(dest, &r.Text[i])
	}
	for i := range r.Num {
		dest = append(dest, &r.Num[i])
	}
	dest = append(dest, &more)
	return s.window(ctx, tablesOf(app).events, list(eventColumns), after, func(row events.Scanner) error {
		if err := row.Scan(dest...); err != nil {
			return err
		}
		r.Name, r.Extra = name.String, more.String
		return fn(&r)
	})
}

// ScanRequests implements events.Reader.
func (s *Store) ScanRequests(ctx context.Context, app model.AppID, after events.Place, fn func(*events.RequestRow) error) error {
	return s.window(ctx, tablesOf(app).requests, list(requestColumns), after, func(row events.Scanner) error {
		var r events.RequestRow
		if err := row.Scan(&r.Offset, &r.Item, &r.TS, &r.Received, &r.UID, &r.Flags, &r.Dur); err != nil {
			return err
		}
		return fn(&r)
	})
}

// ScanStates implements events.Reader.
func (s *Store) ScanStates(ctx context.Context, app model.AppID, after uint32, fn func(*events.State) error) error {
	statement := "SELECT " + list(stateColumns) + " FROM " + tablesOf(app).states + " WHERE state > ? ORDER BY state LIMIT ?"
	for {
		n := 0
		err := s.query(ctx, statement, []any{after, scanPage}, func(row events.Scanner) error {
			var (
				st    events.State
				props sql.NullString
			)
			if err := row.Scan(&st.Number, &st.Offset, &st.UID, &props); err != nil {
				return err
			}
			st.JSON = props.String
			n++
			after = st.Number
			return fn(&st)
		})
		switch {
		case errors.Is(err, events.ErrNoApp):
			return nil
		case err != nil:
			return err
		case n < scanPage:
			return nil
		}
	}
}

// list names columns, for SELECT.
func list[T any](columns []column[T]) string { return `"` + strings.Join(names(columns), `", "`) + `"` }

// Count implements events.Reader.
func (s *Store) Count(ctx context.Context, app model.AppID, f events.RowFilter) (int64, error) {
	var (
		where []string
		args  []any
	)
	and := func(cond string, arg any) {
		where, args = append(where, cond), append(args, arg)
	}
	if len(f.Keys) > 0 {
		and("e IN (SELECT unnest(?))", cleaned(f.Keys))
	}
	if len(f.Names) > 0 {
		and("n IN (SELECT unnest(?))", cleaned(f.Names))
	}
	if len(f.UIDs) > 0 {
		and("uid IN (SELECT unnest(?))", f.UIDs)
	}
	if f.From != 0 {
		and("ts >= ?", f.From)
	}
	if f.To != 0 {
		and("ts < ?", f.To)
	}
	statement := "SELECT count(*) FROM " + tablesOf(app).events
	if len(where) > 0 {
		statement += " WHERE " + strings.Join(where, " AND ")
	}
	var n int64
	err := s.query(ctx, statement, args, func(row events.Scanner) error { return row.Scan(&n) })
	if errors.Is(err, events.ErrNoApp) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("count events: %w", err)
	}
	return n, nil
}

func cleaned(values []string) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = events.CleanText(v)
	}
	return out
}
