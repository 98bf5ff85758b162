package duck

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/schema"
)

// ErrInvalidated is what DuckDB says when the database must be opened again.
var ErrInvalidated error = &duckdb.Error{Type: duckdb.ErrorTypeFatal, Msg: "database has been invalidated"}

// Classify is classify.
func Classify(err error) error { return classify(err) }

// SetFault lets commits fail: fn is asked at the points "append" (every 2,048
// rows while a table is filled) and "commit" (when all is done but the COMMIT).
func SetFault(s *Store, fn func(point string) error) { s.fault = fn }

// Statement runs a statement on the writer's connection. It may be called
// from a fault.
func Statement(s *Store, statement string) error { return s.db.exec(context.Background(), statement) }

// Widen gives an app's own table of events columns for slots.
func Widen(s *Store, app model.AppID, slots events.Slots) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	ctx := context.Background()
	return s.transact(ctx, func(t *tx) error {
		at, err := t.widen(ctx, ownTables(app), t.apps[app].slots, slots)
		t.apps = maps.Clone(t.apps)
		t.apps[app] = home{slots: at}
		return err
	})
}

// Stored returns the slots that an app's own tables of events have columns for.
func Stored(s *Store, app model.AppID) (narrow, wide events.Slots, err error) {
	apps := places{}
	err = s.findApps(context.Background(), apps)
	return apps[app].slots.narrow, apps[app].slots.wide, err
}

// Narrow are the slots of rows that are not wide.
var Narrow = narrowSlots

// WideRows counts the wide rows in an app's own table of them, and those in the other table.
func WideRows(s *Store, app model.AppID) (wide, astray int64, err error) {
	own, slots := ownTables(app), (*s.apps.Load())[app].slots
	statement := "SELECT (SELECT count(*) FROM (" + viewed(own.wide, slots.wide) + ") WHERE " + wideRows +
		"), (SELECT count(*) FROM (" + viewed(own.events, slots.narrow) + ") WHERE " + wideRows + ")"
	err = s.db.writer.QueryRowContext(context.Background(), statement).Scan(&wide, &astray)
	return wide, astray, err
}

// Views counts the views of the file.
func Views(s *Store) (int, error) {
	var out []string
	err := Texts(s, "SELECT view_name FROM duckdb_views() WHERE NOT internal", &out)
	return len(out), err
}

// Texts appends the texts that a statement returns.
func Texts(s *Store, statement string, out *[]string) error {
	return each(context.Background(), s.db.writer, statement, nil, func(r events.Scanner) error {
		var text string
		err := r.Scan(&text)
		*out = append(*out, text)
		return err
	})
}

// Disconnect ends the writer's connection.
func Disconnect(s *Store) error {
	return s.db.writer.Raw(func(conn any) error {
		c, ok := conn.(*duckdb.Conn)
		if !ok {
			return errors.New("another driver")
		}
		return c.Close()
	})
}

// Abandon closes the store as a crash would: what is in the log stays there.
func Abandon(s *Store) error {
	if err := s.db.exec(context.Background(), "PRAGMA disable_checkpoint_on_shutdown"); err != nil {
		return err
	}
	s.life.Lock()
	defer s.life.Unlock()
	err := s.db.close()
	s.db = nil
	return err
}

// Query runs a statement as reads do; {events}, {requests}, {states} and {users} in it stand for the app's rows.
func (s *Store) Query(ctx context.Context, app model.AppID, statement string, args []any, fn func(events.Scanner) error) error {
	return s.query(ctx, app, func(p place) string {
		for i, name := range []string{"{events}", "{requests}", "{states}", "{users}"} {
			from := []string{p.rows, p.requests, p.states, p.users}[i]
			statement = strings.ReplaceAll(statement, name, "(SELECT * FROM "+from+" WHERE "+p.mine()+")")
		}
		return statement
	}, args, fn)
}

// Execute runs a statement as reads do, with no time budget: nothing but ctx cancels it.
func Execute(ctx context.Context, s *Store, statement string) error {
	return s.execute(ctx, &run{}, nil, statement, nil, func(events.Scanner) error { return nil })
}

// Occupy begins a transaction that changes the file, on a reader's connection.
func Occupy(ctx context.Context, s *Store) (*sql.Conn, error) {
	conn, err := s.db.readers.Conn(ctx)
	if err != nil {
		return nil, err
	}
	for _, statement := range []string{"BEGIN TRANSACTION", "UPDATE watermark SET off = 99"} {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
	}
	return conn, nil
}

// Ask runs a statement that belongs to no app as reads do.
func (s *Store) Ask(ctx context.Context, statement string, fn func(events.Scanner) error) error {
	return s.ask(ctx, statement, fn)
}

// Columns runs a statement as RunColumns does.
func (s *Store) Columns(ctx context.Context, statement string, args []any, fn func(*events.Columns) error) error {
	return s.reading(ctx, func(ctx context.Context, _ *run, _ places) error {
		return s.onReader(ctx, func(conn *sql.Conn) error { return eachChunk(ctx, conn, statement, args, fn) })
	})
}

// Own reports whether an app has tables of its own.
func (s *Store) Own(app model.AppID) bool {
	p, _ := s.apps.Load().of(app)
	return p.own
}

// Compile returns the statement of a plan and its arguments for an app with a number in shared tables; 0 = with its own.
func Compile(q *plan.Query, number uint32) (statement string, args []any, err error) {
	return compile(places{q.App: {number: number}}, q)
}

// TypeOf returns the type of a column; 0 when there is none.
func TypeOf(c plan.Column) filter.Type { return columnTypes[c] }

// CountColumns returns how many columns a table has, without slots.
func CountColumns(t plan.Table) int {
	switch t {
	case plan.Events:
		return len(eventColumns) - schema.TextSlots - schema.NumberSlots
	case plan.Requests:
		return len(requestColumns)
	case plan.States:
		return len(stateColumns)
	default:
		return len(userColumns)
	}
}

// OpenFault opens a store with a fault that is asked from the beginning, and abandons it if that does not succeed, as a
// crash would.
func OpenFault(ctx context.Context, opt Options, fn func(point string) error) error {
	s, err := newStore(opt)
	if err != nil {
		return err
	}
	s.fault = fn
	if err := s.load(ctx); err != nil {
		return err
	}
	if err := s.arrange(ctx); err != nil {
		return errors.Join(err, Abandon(s)) //nolint:contextcheck // the store ends whatever happens
	}
	return s.Close() //nolint:contextcheck // as above
}
