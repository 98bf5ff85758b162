package clickhouse

import (
	"context"
	"fmt"
	"math"
	"strings"

	"quipu/internal/model"
	"quipu/internal/store/ch"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/events/sqlplan"
)

// reading runs a statement within the time budget of reads and calls fn for each block of its result. In a trace it is a statement of the plan q, which is nil
// for what is none.
func (s *Store) reading(ctx context.Context, q *plan.Query, st ch.Statement, fn func(*ch.Block) error) error {
	if q != nil {
		st.Settings = s.off
	}
	limited, cancel := context.WithTimeout(ctx, s.o.ReadTimeout)
	defer cancel()
	read, returned := int64(-1), int64(0)
	trace := plan.TraceOf(ctx)
	if trace != nil {
		st.Read = &read
	}
	begin := s.o.Now()
	err := s.c.Query(limited, st, func(b *ch.Block) error {
		returned += int64(b.Rows)
		return fn(b)
	})
	if trace != nil {
		told := plan.Statement{SQL: st.SQL, Args: st.Args, Read: read, Returned: returned, Seconds: s.o.Now().Sub(begin).Seconds()}
		if q != nil {
			told.Plan = q.String()
		}
		if err != nil {
			told.Error = err.Error()
		}
		trace.Add(told)
	}
	switch {
	case err == nil:
	case strings.Contains(err.Error(), sqlplan.TooMany):
		return fmt.Errorf("%w: %w", events.ErrTooMany, err)
	case ch.NoMemory(err):
		return fmt.Errorf("%w: %w", events.ErrMemory, err)
	}
	return err
}

// compiled returns the statement of a plan. Errors: events.ErrNoApp.
func (s *Store) compiled(ctx context.Context, q *plan.Query) (ch.Statement, error) {
	statement, args, err := Compile(q)
	if err != nil {
		return ch.Statement{}, err
	}
	a, err := s.about(ctx, q.App)
	switch {
	case err != nil:
		return ch.Statement{}, err
	case !a.exists:
		return ch.Statement{}, events.ErrNoApp
	case len(a.merged) > 0:
		statement, args, err = compile(q, a.merged)
	}
	return ch.Statement{SQL: statement, Args: args}, err
}

// Run implements events.Reader. Errors: those of package ch.
func (s *Store) Run(ctx context.Context, q *plan.Query, fn func(events.Scanner) error) error {
	st, err := s.compiled(ctx, q)
	if err != nil {
		return err
	}
	return s.reading(ctx, q, st, func(b *ch.Block) error {
		for i := range b.Rows {
			if err := fn(row{b, i, 0}); err != nil {
				return err
			}
		}
		return nil
	})
}

// RunColumns implements events.Reader. Errors: those of package ch.
func (s *Store) RunColumns(ctx context.Context, q *plan.Query, fn func(*events.Columns) error) error {
	st, err := s.compiled(ctx, q)
	if err != nil {
		return err
	}
	var out events.Columns
	return s.reading(ctx, q, st, func(b *ch.Block) error {
		if len(out.List) != len(b.Columns) {
			out.List = make([]events.Column, len(b.Columns))
		}
		out.Len = b.Rows
		for i := range b.Columns {
			c, o := &b.Columns[i], &out.List[i]
			*o = events.Column{Null: c.Null}
			switch c.Holds() {
			case ch.Text:
				o.Text = c.Text
			case ch.Number:
				o.Number = c.Number
			case ch.Whole:
				o.Whole = c.Whole
			}
		}
		return fn(&out)
	})
}

// RunAll implements events.Reader: one statement for all apps but those that have merged users whose rows are not rewritten. Errors: those of package ch.
func (s *Store) RunAll(ctx context.Context, apps []model.AppID, q *plan.Query, fn func(model.AppID, events.Scanner) error) error {
	if err := sqlplan.Alike(q); err != nil {
		return err
	}
	asked := make(map[string]model.AppID, len(apps))
	for _, id := range apps {
		asked[id.String()] = id
	}
	var together, apart []model.AppID
	const statement = "SELECT app, max(is) FROM (SELECT app, 0 AS is FROM " + appsTable + " UNION ALL SELECT DISTINCT toString(app), 1 FROM " + mergedTable + ") GROUP BY app HAVING min(is) = 0"
	err := s.reading(ctx, nil, ch.Statement{SQL: statement, Settings: last()}, func(b *ch.Block) error {
		for i := range b.Rows {
			id, ok := asked[b.Columns[0].Text[i]]
			switch {
			case !ok:
			case b.Columns[1].Whole[i] == 0:
				together = append(together, id)
			default:
				apart = append(apart, id)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("list apps of event store: %w", err)
	}
	if len(together) > 0 {
		sql, args, err := compileAll(together, q)
		if err != nil {
			return err
		}
		err = s.reading(ctx, q, ch.Statement{SQL: sql, Args: args}, func(b *ch.Block) error {
			for i := range b.Rows {
				if err := fn(asked[b.Columns[0].Text[i]], row{b, i, 1}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, id := range apart {
		if err := s.runOf(ctx, id, q, fn); err != nil {
			return err
		}
	}
	return nil
}

// runOf runs a plan of many apps for one. Where it selects no rows of the app there is none, not even one of aggregates.
func (s *Store) runOf(ctx context.Context, id model.AppID, q *plan.Query, fn func(model.AppID, events.Scanner) error) error {
	one := *q
	one.App = id
	one.Select = append([]plan.Expr{plan.Column{Of: q.From, Name: ownerColumn}}, q.Select...)
	a, err := s.about(ctx, id)
	if err != nil || !a.exists {
		return err
	}
	sql, args, err := compileOwned(&one, a.merged)
	if err != nil {
		return err
	}
	return s.reading(ctx, q, ch.Statement{SQL: sql, Args: args}, func(b *ch.Block) error {
		for i := range b.Rows {
			if err := fn(id, row{b, i, 1}); err != nil {
				return err
			}
		}
		return nil
	})
}

// Count implements events.Reader.
func (s *Store) Count(ctx context.Context, id model.AppID, f events.RowFilter) (int64, error) {
	a, err := s.about(ctx, id)
	if err != nil || !a.exists {
		return 0, err
	}
	l := layout{merged: len(a.merged) > 0}
	where, args := "ev.app = ?", []any{id.String()}
	and := func(condition string, arg any) {
		where, args = where+" AND "+condition, append(args, arg)
	}
	if len(f.Keys) > 0 {
		and("ev.e IN (?)", cleaned(f.Keys))
	}
	if len(f.Names) > 0 {
		and("ev.n IN (?)", cleaned(f.Names))
	}
	if len(f.UIDs) > 0 {
		and(l.uid("ev")+" IN (?)", f.UIDs)
	}
	if f.From != 0 {
		and("ev.ts >= ?", f.From)
	}
	if f.To != 0 {
		and("ev.ts < ?", f.To)
	}
	var n int64
	err = s.reading(ctx, nil, ch.Statement{SQL: mergers(a.merged) + "SELECT count() FROM " + tableNames[plan.Events] + " AS ev WHERE " + where, Args: args}, func(b *ch.Block) error {
		n = b.Columns[0].Whole[0]
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("count events: %w", err)
	}
	return n, nil
}

// Ahead implements events.Reader.
func (s *Store) Ahead(ctx context.Context, id model.AppID, from uint64, n int) (to uint64, found int, err error) {
	sql := "SELECT count(), max(off) FROM (SELECT off FROM " + tableNames[plan.Events] + " WHERE app = ? AND off >= ? LIMIT ?)"
	to = from
	err = s.reading(ctx, nil, ch.Statement{SQL: sql, Args: []any{id.String(), min(from, math.MaxInt64), n}}, func(b *ch.Block) error {
		if found = int(b.Columns[0].Whole[0]); found > 0 {
			to = uint64(b.Columns[1].Whole[0]) // a place
		}
		return nil
	})
	return to, found, err
}

// scanPage is how many rows one statement of a scan reads. Each looks for its first rows among all of the app.
const scanPage = 256 << 10

// scan calls fn with the blocks of rows of a table behind a place, in the order of their places, a page at a time. fn returns the last place it saw.
func (s *Store) scan(ctx context.Context, id model.AppID, t plan.Table, columns []string, after events.Place, fn func(*ch.Block) (events.Place, error)) error {
	a, err := s.about(ctx, id)
	if err != nil || !a.exists {
		return err
	}
	sql := mergers(a.merged) + "SELECT " + layout{merged: len(a.merged) > 0}.list(t, columns) + " FROM " + tableNames[t] + " AS x WHERE x.app = ? AND x.off >= ? AND (x.off, x.item) > (?, ?) ORDER BY x.off, x.item LIMIT ?"
	for {
		n := 0
		off := min(after.Offset, math.MaxInt64)
		st := ch.Statement{SQL: sql, Args: []any{id.String(), off, off, int64(after.Item), scanPage}}
		err := s.reading(ctx, nil, st, func(b *ch.Block) (err error) {
			n += b.Rows
			after, err = fn(b)
			return err
		})
		if err != nil || n < scanPage {
			return err
		}
	}
}

// list names columns of a table, which is x, for SELECT.
func (l layout) list(t plan.Table, columns []string) string {
	out := make([]string, len(columns))
	for i, name := range columns {
		out[i] = "x." + quote(name)
		if name == "uid" && t != plan.Users {
			out[i] = l.uid("x") + " AS user"
		}
	}
	return strings.Join(out, ", ")
}

// namesOf are the columns of a table of rows.
func namesOf[T any](columns []column[T]) []string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = c.name
	}
	return out
}

// ScanRows implements events.Reader.
func (s *Store) ScanRows(ctx context.Context, id model.AppID, after events.Place, fn func(*events.Row) error) error {
	return s.scan(ctx, id, plan.Events, namesOf(eventColumns()), after, func(b *ch.Block) (at events.Place, err error) {
		for i := range b.Rows {
			r := eventAt(b, i)
			at = events.Place{Offset: r.Offset, Item: r.Item}
			if err := fn(r); err != nil {
				return at, err
			}
		}
		return at, nil
	})
}

// eventAt is a row of the columns of events.
func eventAt(b *ch.Block, i int) *events.Row {
	w := func(at int) int64 { return b.Columns[at].Whole[i] }
	f := func(at int) float64 { return b.Columns[at].Number[i] }
	t := func(at int) string { return b.Columns[at].Text[i] }
	r := &events.Row{
		Offset: uint64(w(0)), Item: uint32(w(1)), TS: w(2), Received: w(3), Key: t(4), Name: t(5), UID: uint32(w(6)), Session: uint64(w(7)), State: uint32(w(8)), // as they were sent
		Count: w(9), Sum: f(10), Dur: f(11), Hour: int8(w(12)), Dow: int8(w(13)), Extra: t(14), // as they were sent
	}
	at := 15
	for j := range r.Text {
		if c := &b.Columns[at]; !c.Absent(i) {
			text := c.Text[i]
			r.Text[j] = &text
		}
		at++
	}
	for j := range r.Num {
		if c := &b.Columns[at]; !c.Absent(i) {
			n := c.Number[i]
			r.Num[j] = &n
		}
		at++
	}
	return r
}

// ScanRequests implements events.Reader.
func (s *Store) ScanRequests(ctx context.Context, id model.AppID, after events.Place, fn func(*events.RequestRow) error) error {
	return s.scan(ctx, id, plan.Requests, namesOf(requestColumns()), after, func(b *ch.Block) (at events.Place, err error) {
		for i := range b.Rows {
			w := func(at int) int64 { return b.Columns[at].Whole[i] }
			r := events.RequestRow{Offset: uint64(w(0)), Item: uint32(w(1)), TS: w(2), Received: w(3), UID: uint32(w(4)), Flags: uint16(w(5)), Dur: b.Columns[6].Number[i]} // as they were sent
			at = events.Place{Offset: r.Offset, Item: r.Item}
			if err := fn(&r); err != nil {
				return at, err
			}
		}
		return at, nil
	})
}

// ScanStates implements events.Reader.
func (s *Store) ScanStates(ctx context.Context, id model.AppID, after uint32, fn func(*events.State) error) error {
	a, err := s.about(ctx, id)
	if err != nil || !a.exists {
		return err
	}
	sql := mergers(a.merged) + "SELECT " + layout{merged: len(a.merged) > 0}.list(plan.States, namesOf(stateColumns())) + " FROM " + tableNames[plan.States] + " AS x WHERE x.app = ? AND x.state > ? ORDER BY x.state LIMIT ?"
	for {
		n := 0
		err := s.reading(ctx, nil, ch.Statement{SQL: sql, Args: []any{id.String(), after, scanPage}}, func(b *ch.Block) error {
			n += b.Rows
			for i := range b.Rows {
				w := func(at int) int64 { return b.Columns[at].Whole[i] }
				st := events.State{Number: uint32(w(0)), Offset: uint64(w(1)), UID: uint32(w(2)), JSON: b.Columns[3].Text[i]} // as they were sent
				after = st.Number
				if err := fn(&st); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || n < scanPage {
			return err
		}
	}
}
