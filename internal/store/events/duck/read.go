package duck

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/duckdb/duckdb-go/v2"
	"github.com/duckdb/duckdb-go/v2/mapping"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/events/sqlplan"
)

// scanPage is the number of rows that a scan reads at a time.
const scanPage = 8192

// HasApp implements events.Reader.
func (s *Store) HasApp(app model.AppID) bool {
	_, ok := (*s.apps.Load())[app]
	return ok
}

// Run implements events.Reader. Errors: events.ErrMemory, events.ErrReopened, ErrClosed.
func (s *Store) Run(ctx context.Context, q *plan.Query, fn func(events.Scanner) error) error {
	return s.reading(ctx, func(ctx context.Context, one *run, apps places) error {
		statement, args, err := compile(apps, q)
		if err != nil {
			return err
		}
		if _, ok := apps[q.App]; !ok {
			return events.ErrNoApp
		}
		return s.execute(ctx, one, q, statement, args, fn)
	})
}

// RunAll implements events.Reader: one statement for the apps that share tables, and one for each of the others, with a
// time budget of its own. Errors: events.ErrMemory, events.ErrReopened, ErrClosed.
func (s *Store) RunAll(ctx context.Context, apps []model.AppID, q *plan.Query, fn func(model.AppID, events.Scanner) error) error {
	if err := sqlplan.Alike(q); err != nil {
		return err
	}
	var own []model.AppID
	err := s.reading(ctx, func(ctx context.Context, read *run, known places) error {
		own = nil
		sharing := map[uint32]model.AppID{}
		for _, app := range apps {
			if p, ok := known.of(app); ok && p.own {
				own = append(own, app)
			} else if ok {
				sharing[p.number] = app
			}
		}
		return s.runShared(ctx, read, sharing, q, fn)
	})
	if err != nil {
		return err
	}
	for _, app := range own {
		one := *q
		one.App = app
		err := s.Run(ctx, &one, func(row events.Scanner) error { return fn(app, row) })
		if err != nil && !errors.Is(err, events.ErrNoApp) {
			return err
		}
	}
	return nil
}

// runShared runs a plan for apps in the shared tables, given by their numbers.
func (s *Store) runShared(ctx context.Context, read *run, apps map[uint32]model.AppID, q *plan.Query, fn func(model.AppID, events.Scanner) error) error {
	if len(apps) == 0 {
		return nil
	}
	statement, args, err := compileAll(slices.Sorted(maps.Keys(apps)), q)
	if err != nil {
		return err
	}
	var number uint32
	rest := make([]any, len(q.Select))
	whole := []any{&number}
	for i := range rest {
		whole = append(whole, &rest[i])
	}
	return s.execute(ctx, read, q, statement, args, func(row events.Scanner) error {
		if err := row.Scan(whole...); err != nil {
			return err
		}
		return fn(apps[number], behind{row})
	})
}

// behind scans the columns behind the first one.
type behind struct{ events.Scanner }

// Scan implements events.Scanner.
func (b behind) Scan(dest ...any) error { return b.Scanner.Scan(append([]any{new(any)}, dest...)...) }

// query runs a statement of the tables of one app. An app that has none gives events.ErrNoApp.
func (s *Store) query(ctx context.Context, app model.AppID, statement func(place) string, args []any, fn func(events.Scanner) error) error {
	return s.reading(ctx, func(ctx context.Context, one *run, apps places) error {
		p, ok := apps.of(app)
		if !ok {
			return events.ErrNoApp
		}
		return s.execute(ctx, one, nil, statement(p), args, fn)
	})
}

// ask runs a statement that belongs to no app.
func (s *Store) ask(ctx context.Context, statement string, fn func(events.Scanner) error) error {
	return s.reading(ctx, func(ctx context.Context, one *run, _ places) error {
		return s.execute(ctx, one, nil, statement, nil, fn)
	})
}

// reading calls fn, which runs one statement, with the places of apps. They hold while it runs. Until the first row is
// passed on fn may be called again, see runs. A table that does not exist gives events.ErrNoApp. Errors: events.ErrMemory,
// events.ErrReopened, ErrClosed.
func (s *Store) reading(ctx context.Context, fn func(context.Context, *run, places) error) error {
	one := &run{}
	for n := 1; ; n++ {
		var db *database
		err := s.read(ctx, one, func(ctx context.Context) error {
			if db = s.db; db == nil {
				return ErrClosed
			}
			ctx, cancel := context.WithTimeout(ctx, s.opt.ReadTimeout)
			defer cancel()
			return because(ctx, classify(fn(ctx, one, *s.apps.Load())))
		})
		switch {
		case missing(err):
			return fmt.Errorf("%w: %w", events.ErrNoApp, err)
		case !outOfService(err) && !errors.Is(err, events.ErrReopened):
			return err
		}
		if rerr := s.revive(ctx, db, err); rerr != nil || one.delivers || n == readTries {
			return fmt.Errorf("%w: %w", events.ErrReopened, errors.Join(err, rerr))
		}
	}
}

// readTries is how often a read is tried whose database is opened again.
const readTries = 3

// revive opens the database again if a read finds it out of service, unless that was done meanwhile. The caller does
// not hold life.
func (s *Store) revive(ctx context.Context, failed *database, cause error) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	if s.db == nil {
		return ErrClosed
	}
	if s.db != failed || !outOfService(cause) {
		return ctx.Err()
	}
	return s.reopen(context.WithoutCancel(ctx), cause)
}

// execute runs the statement of a plan, which is nil for what is none.
func (s *Store) execute(ctx context.Context, one *run, q *plan.Query, statement string, args []any, fn func(events.Scanner) error) error {
	first := true
	delivering := func(row events.Scanner) error {
		if first {
			if err := s.runs.deliver(one); err != nil {
				return err
			}
			first = false
		}
		return fn(row)
	}
	return s.onReader(ctx, func(conn *sql.Conn) error {
		if t := plan.TraceOf(ctx); t != nil {
			return traced(ctx, conn, t, q, statement, args, delivering)
		}
		return each(ctx, conn, statement, args, delivering)
	})
}

// onReader calls fn with a connection for reads.
func (s *Store) onReader(ctx context.Context, fn func(*sql.Conn) error) (err error) {
	conn, err := s.db.readers.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, giveBack(ctx, conn)) }()
	return fn(conn)
}

// giveBack returns the connection of a read. When a statement is cancelled between two steps of the driver, it stays under
// way, and its transaction open, until the connection is used again: meanwhile DuckDB keeps what the next commits replaced,
// and no checkpoint is possible. So a cancelled read is rolled back; closing its connection would end it too, but later.
func giveBack(ctx context.Context, conn *sql.Conn) error {
	if ctx.Err() != nil {
		_, err := conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		if err != nil && !inTransaction(err) {
			discard(conn)
			return nil
		}
	}
	return conn.Close()
}

// discard ends a connection instead of giving it back.
func discard(conn *sql.Conn) {
	_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	_ = conn.Close() // as it is already discarded
}

// MemoryUsed returns what the database's buffers take, bytes.
func (s *Store) MemoryUsed(ctx context.Context) (n int64, err error) {
	err = s.ask(ctx, "SELECT coalesce(sum(memory_usage_bytes), 0)::BIGINT FROM duckdb_memory()", func(row events.Scanner) error { return row.Scan(&n) })
	return n, err
}

// each runs a statement and calls fn for each row of its result. database/sql does not hear of the end of ctx: it would close the
// rows at once, from another goroutine, and DuckDB's result with them, at which chunksOf looks here.
func each(ctx context.Context, conn *sql.Conn, statement string, args []any, fn func(events.Scanner) error) (err error) {
	rows, err := computed(ctx, conn, statement, args)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	left, at, err := chunksOf(rows)
	if err != nil {
		return err
	}
	for rows.Next() {
		if *at == 1 { // the first row of a chunk
			left--
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := fn(rows); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if left > 0 {
		return errCut
	}
	return nil
}

// computed runs a statement, which is interrupted when ctx is done. Its result is whole, and stays when ctx is done later.
func computed(ctx context.Context, conn *sql.Conn, statement string, args []any) (*sql.Rows, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var handle mapping.Connection
	err := conn.Raw(func(own any) (err error) {
		handle, err = ownField[mapping.Connection](own, "conn")
		return err
	})
	if err != nil {
		return nil, err
	}
	defer interrupting(ctx, handle)()
	rows, err := conn.QueryContext(context.WithoutCancel(ctx), statement, args...)
	if err != nil {
		return nil, because(ctx, err)
	}
	if err := ctx.Err(); err != nil { // DuckDB may end a statement that it is to interrupt as if it had found nothing
		return nil, errors.Join(err, rows.Close())
	}
	return rows, nil
}

// errCut says that a part of a result could not be read. The driver takes it for the end, and does not say why: there is no
// other reason than that the memory did not suffice to bring it back from the disk.
var errCut = fmt.Errorf("%w: a result could not be read to its end", events.ErrMemory)

// chunksOf returns how many chunks the result of rows has, and the number of rows of the present one that were read.
// database/sql keeps the driver's rows to itself, and the driver this number.
func chunksOf(rows *sql.Rows) (chunks int, at *int, err error) {
	f := reflect.ValueOf(rows).Elem().FieldByName("rowsi")
	if !f.IsValid() || f.Type() != reflect.TypeFor[driver.Rows]() {
		return 0, nil, errors.New("database/sql has its rows elsewhere")
	}
	own := *(*driver.Rows)(f.Addr().UnsafePointer())
	res, err := resultOf(own)
	if err != nil {
		return 0, nil, err
	}
	count := reflect.ValueOf(own).Elem().FieldByName("rowCount")
	if !count.IsValid() || count.Kind() != reflect.Int {
		return 0, nil, errors.New("the driver's rows have no known count")
	}
	return countChunks(res), (*int)(count.Addr().UnsafePointer()), nil
}

// countChunks returns how many chunks a complete result has.
func countChunks(res *mapping.Result) int {
	return int(mapping.ResultChunkCount(*res)) //nolint:staticcheck // it fits; nothing else tells
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
func (s *Store) window(ctx context.Context, app model.AppID, table plan.Table, columns string, after events.Place, fn func(events.Scanner) error) error {
	rows := func(p place) string {
		return "SELECT " + columns + " FROM " + p.of(table) + " WHERE " + p.mine() + " AND off >= ? AND off <= ? AND (off > ? OR item > ?) ORDER BY off, item"
	}
	for {
		last, n, err := s.ahead(ctx, app, table, after.Offset+1, scanPage)
		if err == nil {
			last = max(last, after.Offset)
			err = s.query(ctx, app, rows, []any{after.Offset, last, after.Offset, after.Item}, fn)
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
	to, found, err = s.ahead(ctx, app, plan.Events, from, n)
	if errors.Is(err, events.ErrNoApp) {
		return from, 0, nil
	}
	return to, found, err
}

// ahead looks at the first n rows from an offset on, of each table if there are several, and returns an offset up to which there are as many as it
// found, or more where rows of several tables lie there.
func (s *Store) ahead(ctx context.Context, app model.AppID, table plan.Table, from uint64, n int) (to uint64, found int, err error) {
	statement := func(p place) string {
		in := []string{p.of(table)}
		if table == plan.Events {
			in = p.ofEvents()
		}
		for i, name := range in {
			in[i] = fmt.Sprintf("SELECT count(*) AS n, coalesce(max(off), 0::UBIGINT) AS off FROM (SELECT off FROM %s WHERE %s AND off >= $1 LIMIT $2)", name, p.mine())
		}
		// Up to the nearest of the tables that have more, or else to the end of all.
		return "SELECT least(sum(n), $2)::BIGINT, coalesce(min(off) FILTER (n >= $2), max(off)) FROM (" + strings.Join(in, " UNION ALL ") + ")"
	}
	err = s.query(ctx, app, statement, []any{from, n}, func(row events.Scanner) error { return row.Scan(&found, &to) })
	return to, found, err
}

// scanner reads rows of the columns of a T, and those of more behind them.
type scanner[T any] struct {
	value T
	dest  []any
	done  func(*T) // what the driver cannot do
}

// scan returns a row, which is valid until the next one.
func (s *scanner[T]) scan(row events.Scanner) (*T, error) {
	if err := row.Scan(s.dest...); err != nil {
		return nil, err
	}
	if s.done != nil {
		s.done(&s.value)
	}
	return &s.value, nil
}

func newRowScan(more ...any) *scanner[events.Row] {
	s := &scanner[events.Row]{}
	r := &s.value
	var name, extra sql.NullString
	s.dest = []any{&r.Offset, &r.Item, &r.TS, &r.Received, &r.Key, &name, &r.UID, &r.Session, &r.State, &r.Count, &r.Sum, &r.Dur, &r.Hour, &r.Dow}
	for i := range r.Text {
		s.dest = append(s.dest, &r.Text[i])
	}
	for i := range r.Num {
		s.dest = append(s.dest, &r.Num[i])
	}
	s.dest = append(append(s.dest, &extra), more...)
	s.done = func(r *events.Row) { r.Name, r.Extra = name.String, extra.String }
	return s
}

func newRequestScan(more ...any) *scanner[events.RequestRow] {
	s := &scanner[events.RequestRow]{}
	r := &s.value
	s.dest = append([]any{&r.Offset, &r.Item, &r.TS, &r.Received, &r.UID, &r.Flags, &r.Dur}, more...)
	return s
}

func newStateScan(more ...any) *scanner[events.State] {
	s := &scanner[events.State]{}
	st := &s.value
	var props sql.NullString
	s.dest = append([]any{&st.Number, &st.Offset, &st.UID, &props}, more...)
	s.done = func(st *events.State) { st.JSON = props.String }
	return s
}

// ScanRows implements events.Reader.
func (s *Store) ScanRows(ctx context.Context, app model.AppID, after events.Place, fn func(*events.Row) error) error {
	scan := newRowScan()
	return s.window(ctx, app, plan.Events, list(eventColumns), after, func(row events.Scanner) error {
		r, err := scan.scan(row)
		if err != nil {
			return err
		}
		return fn(r)
	})
}

// ScanRequests implements events.Reader.
func (s *Store) ScanRequests(ctx context.Context, app model.AppID, after events.Place, fn func(*events.RequestRow) error) error {
	scan := newRequestScan()
	return s.window(ctx, app, plan.Requests, list(requestColumns), after, func(row events.Scanner) error {
		r, err := scan.scan(row)
		if err != nil {
			return err
		}
		return fn(r)
	})
}

// ScanStates implements events.Reader.
func (s *Store) ScanStates(ctx context.Context, app model.AppID, after uint32, fn func(*events.State) error) error {
	statement := func(p place) string {
		return "SELECT " + list(stateColumns) + " FROM " + p.states + " WHERE " + p.mine() + " AND state > ? ORDER BY state LIMIT ?"
	}
	scan := newStateScan()
	for {
		n := 0
		err := s.query(ctx, app, statement, []any{after, scanPage}, func(row events.Scanner) error {
			st, err := scan.scan(row)
			if err != nil {
				return err
			}
			n++
			after = st.Number
			return fn(st)
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
	statement := func(p place) string {
		return "SELECT count(*) FROM " + p.rows + " WHERE " + strings.Join(append([]string{p.mine()}, where...), " AND ")
	}
	var n int64
	err := s.query(ctx, app, statement, args, func(row events.Scanner) error { return row.Scan(&n) })
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
